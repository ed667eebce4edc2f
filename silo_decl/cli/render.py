"""How things look on a terminal: the only place that knows colours. Everything here returns or prints text."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from silo_decl.errors import Problem
from silo_decl.specs.problem_text import problem_text

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Screen:
    """A stream and what it can show: colours only on a terminal, and not under NO_COLOR."""

    def __init__(self, stream: IO[str]):
        self.stream = stream
        self.terminal = stream.isatty()
        self.colours = self.terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.width = shutil.get_terminal_size((100, 24)).columns if self.terminal else 200

    def over(self, text: str) -> None:
        """On a terminal, put a line in the place of the last one; nothing in a pipe."""
        if self.terminal:
            self.stream.write(f"\r\033[K{text[: self.width - 1]}")
            self.stream.flush()

    def styled(self, text: str, *styles: str) -> str:
        """The text in the styles named, or as it is."""
        if not self.colours or not text:
            return text
        return f"\033[{';'.join(_STYLES[style] for style in styles)}m{text}\033[0m"


def out() -> Screen:
    return Screen(sys.stdout)


def print_json(value: Any) -> None:
    """Machine output: one JSON document on stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], screen: Screen, right: Sequence[int] = ()) -> str:
    """Rows under headers with aligned columns; `right` names the columns aligned right.

    On a terminal the widest column is cut so that a row is one line.
    """
    widths = [max([len(header), *(len(row[place]) for row in rows)]) for place, header in enumerate(headers)]
    spare = screen.width - 2 - sum(widths) - 2 * (len(widths) - 1)
    if spare < 0:
        widest = widths.index(max(widths))
        widths[widest] = max(12, widths[widest] + spare)
    lines = [screen.styled(_line(headers, widths, right), "dim")]
    lines += [_line(row, widths, right) for row in rows]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[int]) -> str:
    shown = []
    for place, (cell, width) in enumerate(zip(cells, widths)):
        text = cell if len(cell) <= width else cell[: width - 1] + "…"
        shown.append(text.rjust(width) if place in right else text.ljust(width))
    return ("  " + "  ".join(shown)).rstrip()


def problems_text(problems: Sequence[Problem], prefix: str, screen: Screen) -> str:
    """Every problem as an author reads it, with a last line that counts them."""
    shown = [_coloured(problem, prefix, screen) for problem in problems]
    return "\n".join([*shown, counted(problems)])


def _coloured(problem: Problem, prefix: str, screen: Screen) -> str:
    text = problem_text(problem, prefix)
    if not screen.colours:
        return text
    first, _, rest = text.partition("\n")
    colour = {"error": "red", "warning": "yellow", "note": "cyan"}[problem.level]
    head = first.replace(problem.message, screen.styled(problem.message, colour))
    return f"{head}\n{rest}" if rest else head


def counted(problems: Sequence[Problem]) -> str:
    """'3 errors, 1 warning', or that there is nothing wrong."""
    words = []
    for level in ("error", "warning", "note"):
        number = sum(problem.level == level for problem in problems)
        if number:
            words.append(f"{number} {level}{'' if number == 1 else 's'}")
    return ", ".join(words) or "No problems."


def wrapped(text: str, indent: str, width: int) -> str:
    """A text in lines no longer than `width`, each behind `indent`."""
    paragraphs = [
        textwrap.fill(part, width=width, initial_indent=indent, subsequent_indent=indent)
        for part in text.strip().split("\n\n")
    ]
    return "\n\n".join(paragraphs)


def counted_as(number: int, thing: str) -> str:
    """'1 task', '3 tasks'."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def short_path(path: Path) -> str:
    """A path from here where it is below here, else as it is."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
