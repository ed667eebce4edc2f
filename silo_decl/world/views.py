"""Views: named shapes of a record as the agent sees it, each made into one Python function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import ViewFieldSpec, ViewSpec
from silo_decl.world.computed import Computed, is_plain
from silo_decl.world.records import Record

Part = Callable[[Record], Any]

_SCALARS = ("text", "number", "boolean", "date", "datetime")


def build_view(
    spec: ViewSpec, scope: Scope, computed: Mapping[str, Computed], problems: list[Problem]
) -> Callable[[Record], dict[str, Any]]:
    """What shows a record as a dict of plain values; a path that no record has is a problem.

    The dict is new, what is in it is the record's own.
    """
    parts: dict[str, Part] = {}
    items = []
    for place, one in enumerate(spec.fields):
        if _is_stored(one, computed):
            _look(one, scope, problems)
            items.append(f"{one.name!r}: stored.get({one.path!r})")
        else:
            parts[f"part{place}"] = _part(one, scope, computed, problems)
            items.append(f"{one.name!r}: part{place}(record)")
    source = f"def show(record):\n    stored = record.stored\n    return {{{', '.join(items)}}}\n"
    made: dict[str, Any] = dict(parts)
    exec(compile(source, f"<view {spec.name}>", "exec"), made)
    show: Callable[[Record], dict[str, Any]] = made["show"]
    return show


def _is_stored(spec: ViewFieldSpec, computed: Mapping[str, Computed]) -> bool:
    return bool(spec.path) and "." not in spec.path and spec.path not in computed


def _part(spec: ViewFieldSpec, scope: Scope, computed: Mapping[str, Computed], problems: list[Problem]) -> Part:
    if not spec.path:
        made = compiled.value(spec.at, spec.value, scope, problems)
        run = made.run
        return lambda record: plain(run(record, record.world.env))
    shape = _look(spec, scope, problems)
    if spec.path in computed and shape.kind in _SCALARS:
        return computed[spec.path].value
    read = path_reader(spec.path)

    def part(record: Record) -> Any:
        value = read(record)
        return value if is_plain(value) else plain(value)

    return part


def _look(spec: ViewFieldSpec, scope: Scope, problems: list[Problem]) -> Shape:
    _, shape, findings = field_path(spec.path, scope.element or Shape())
    for one in findings:
        problems.append(spec.at.problem(one.code, one.message, one.fix, offset=one.offset, level=one.level))
    return shape
