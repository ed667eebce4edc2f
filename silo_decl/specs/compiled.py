"""Expressions of a file turned into something that runs, with every finding as a problem at its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.findings_comparisons import Side, truth_finding
from silo_decl.expressions.queries import Query, compile_query
from silo_decl.expressions.shapes import Finding, Scope
from silo_decl.expressions.templates import Value, compile_condition, compile_text, compile_value
from silo_decl.specs.source import At


def query(at: At, text: str, scope: Scope, problems: list[Problem]) -> Query:
    """The query written at `at`; what is wrong with it goes to `problems`."""
    compiled = compile_query(text, scope)
    _tell(at, compiled.findings, problems)
    return compiled


def test(at: At, text: str, scope: Scope, problems: list[Problem]) -> Query:
    """A query whose result is asked for as true or false, such as a `where`; a number there is a problem too."""
    compiled = query(at, text, scope, problems)
    wrong = truth_finding(Side(compiled.shape, text.strip()))
    if wrong is not None and not compiled.findings:
        _tell(at, [wrong], problems)
    return compiled


def condition(at: At, text: str, scope: Scope, problems: list[Problem]) -> Value:
    """The condition written at `at`; what is wrong with it goes to `problems`."""
    compiled = compile_condition(text, scope)
    _tell(at, compiled.findings, problems)
    return compiled


def text(at: At, text: str, scope: Scope, problems: list[Problem]) -> Value:
    """The text written at `at`, which may hold `{{ }}`; what is wrong with it goes to `problems`."""
    compiled = compile_text(text, scope)
    _tell(at, compiled.findings, problems)
    return compiled


def value(at: At, raw: Any, scope: Scope, problems: list[Problem]) -> Value:
    """The value written at `at`, expressions at any depth; each finding goes to the part that has it."""
    compiled = compile_value(raw, scope)
    if compiled.findings:
        _tell_parts(at, raw, scope, problems)
    return compiled


def _tell_parts(at: At, raw: Any, scope: Scope, problems: list[Problem]) -> None:
    if isinstance(raw, dict):
        for key, inner in raw.items():
            _tell_parts(at.child(key), inner, scope, problems)
    elif isinstance(raw, (list, tuple)):
        for place, inner in enumerate(raw):
            _tell_parts(at.child(place), inner, scope, problems)
    else:
        _tell(at, compile_value(raw, scope).findings, problems)


def _tell(at: At, findings: Iterable[Finding], problems: list[Problem]) -> None:
    for finding in findings:
        problems.append(
            at.problem(finding.code, finding.message, finding.fix, offset=finding.offset, level=finding.level)
        )
