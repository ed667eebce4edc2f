"""Computed fields that are answered from other records: `from`, `match`, `where` and one measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import ANY, NUMBER, Scope, Shape, list_of
from silo_decl.specs import compiled
from silo_decl.specs.environment import GatherSpec
from silo_decl.specs.source import At
from silo_decl.world.computed import Env, Run
from silo_decl.world.measures import Measured, measure, measured_shape
from silo_decl.world.ordering import in_order


def build_gather(at: At, spec: GatherSpec, scope: Scope, problems: list[Problem]) -> tuple[Run, Shape]:
    """What answers it for a record of `scope.element`, and the shape of the answer."""
    if spec.collection not in scope.collections:
        return lambda record, env: None, ANY
    others = scope.collections[spec.collection].element
    wanted = {}
    for path, raw in spec.match.items():
        place = at.child("match", path)
        _look(place, path, others, problems, key=True)
        wanted[path] = compiled.value(place, raw, scope, problems).run
    where = None
    if spec.where:
        inner = Scope({"record": scope.element or ANY}, others, scope.collections)
        where = compiled.query(at.child("where"), spec.where, inner, problems).run
    of = _look(at.child(spec.measure), spec.of, others, problems) if spec.of else others
    for step, one in enumerate(spec.sort):
        _look(at.child("sort", step), one.removeprefix("-"), others, problems)
    work = measure(spec.measure, spec.of, of, spec.collection)
    return _gatherer(spec, wanted, where, work), _gathered(spec, of)


def _gathered(spec: GatherSpec, of: Shape) -> Shape:
    if spec.measure == "list":
        return list_of(of)
    if spec.measure == "first":
        return of.maybe()
    return NUMBER if spec.measure == "count" else measured_shape(spec.measure, of)


def _gatherer(spec: GatherSpec, wanted: Mapping[str, Run], where: Run | None, work: Measured) -> Run:
    name = spec.collection
    arranged = in_order(spec.sort)

    def run(record: Any, env: Env) -> Any:
        equal = {path: value(record, env) for path, value in wanted.items()}
        test = None
        if where is not None:
            inside = {**env, "record": record}
            test = lambda other: truth(where(other, inside))  # noqa: E731
        found = env[""].read(name).select(equal, test)
        return work(arranged(found) if arranged else found, env[""].base)

    return run


def _look(at: At, path: str, shape: Shape, problems: list[Problem], key: bool = False) -> Shape:
    _, found, findings = field_path(path, shape)
    for one in findings:
        problems.append(at.problem(one.code, one.message, one.fix, key=key, level=one.level))
    return found
