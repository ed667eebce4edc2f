"""Views: named shapes of a record as the agent sees it, compiled to one function each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import ViewFieldSpec, ViewSpec
from silo_decl.world.records import Record

Part = Callable[[Record], Any]

_PLAIN = ("text", "number", "boolean", "date", "datetime")


def build_view(spec: ViewSpec, scope: Scope, computed: set[str], problems: list[Problem]) -> Callable[[Record], Any]:
    """What shows a record as a dict of plain values; a path that no record has is a problem."""
    parts = [(one.name, _part(one, scope, computed, problems)) for one in spec.fields]

    def show(record: Record) -> dict[str, Any]:
        return {name: part(record) for name, part in parts}

    return show


def _part(spec: ViewFieldSpec, scope: Scope, computed: set[str], problems: list[Problem]) -> Part:
    if not spec.path:
        made = compiled.value(spec.at, spec.value, scope, problems)
        run = made.run
        return lambda record: plain(run(record, record.world.env))
    _, shape, findings = field_path(spec.path, scope.element or Shape())
    for one in findings:
        problems.append(spec.at.problem(one.code, one.message, one.fix, offset=one.offset, level=one.level))
    first, _, rest = spec.path.partition(".")
    if rest:
        read = path_reader(spec.path)
        return lambda record: plain(read(record))
    if first in computed and shape.kind not in _PLAIN:
        return lambda record: plain(record.read(first))
    return lambda record: record.read(first)
