"""A problem as its author reads it: the place, the sentence, their own line with a mark, and what to do now."""

from __future__ import annotations

import unicodedata

from silo_decl.errors import Problem

_LEVELS = {"error": "", "warning": "Warning: ", "note": "Remark: "}


def problem_text(problem: Problem, prefix: str = "") -> str:
    """The problem in lines without colours; `prefix` stands before the name of its file."""
    lines = [f"{_place(problem, prefix)}{_LEVELS[problem.level]}{problem.message} [{problem.code}]"]
    if problem.line and problem.excerpt.strip():
        lines.append(f"{problem.line:>6} | {_even(problem.excerpt)}")
        lines.append(f"       | {' ' * _width(problem)}^")
    if problem.fix:
        lines.append(f"  Fix: {problem.fix}")
    return "\n".join(lines)


def _place(problem: Problem, prefix: str) -> str:
    if not problem.file:
        return f"{prefix.rstrip('/')}: " if prefix else ""
    where = f":{problem.line}:{problem.column}" if problem.line else ""
    return f"{prefix}{problem.file}{where}: "


def _even(text: str) -> str:
    return text.replace("\t", " ")


def _width(problem: Problem) -> int:
    """How wide a terminal shows what stands before the mark."""
    before = _even(problem.excerpt)[: (problem.mark or problem.column) - 1]
    return sum(_columns(letter) for letter in before) + (problem.mark or problem.column) - 1 - len(before)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
