"""`summarize`: counts and sums over chosen records, in all and by groups, with the records themselves if wanted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.records import RecordLike, plain
from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs.tool import GroupSpec, RecordsSpec, SummarizeTool
from silo_decl.tools.built import Built
from silo_decl.tools.choosing import choice
from silo_decl.tools.draft import Draft
from silo_decl.tools.measures import measured, measures, measures_text
from silo_decl.tools.ordering import sort_rows, sorter
from silo_decl.tools.paths import looked_up
from silo_decl.tools.placing import Env, Run
from silo_decl.tools.read.showing import shower
from silo_decl.world.store import World

Rows = Callable[[World, list[Any], Env], list[Any]]


def build_summary(draft: Draft, body: SummarizeTool) -> Built:
    collection = draft.spec.collection
    shape = draft.record_shape(collection)
    chosen = choice(draft, body.filters, body.where)
    totals = measures(draft, body.measures, shape, collection)
    shown = {name: draft.value(draft.spec.body_at.child("show", name), raw).run for name, raw in body.show.items()}
    lists = {spec.name: _group(draft, spec, shape) for spec in body.groups}
    lists |= {spec.name: _records(draft, spec, shape) for spec in body.records}

    def work(world: World, given: dict[str, Any]) -> Any:
        env: Env = {"": world, "input": given}
        records = chosen.choose(world, env)
        answer = {name: plain(value(None, env)) for name, value in shown.items()}
        answer.update(measured(totals, records))
        answer.update({name: rows(world, records, env) for name, rows in lists.items()})
        return answer

    text = measures_text(draft, body.measures, shape, collection)
    return Built(work, f"{chosen.canonical} | {text}" if text else chosen.canonical)


def _records(draft: Draft, spec: RecordsSpec, shape: Shape) -> Rows:
    in_order = sorter(draft, spec.at.child("sort"), spec.sort, shape)
    show = shower(draft, draft.spec.collection, spec.view)
    return lambda world, records, env: [show(world, one) for one in in_order(list(records))[: spec.limit]]


def _group(draft: Draft, spec: GroupSpec, shape: Shape) -> Rows:
    return _each(draft, spec, shape) if spec.each else _by(draft, spec, shape)


# -- one row for each value ---------------------------------------------------------------------------------


def _by(draft: Draft, spec: GroupSpec, shape: Shape) -> Rows:
    collection = draft.spec.collection
    for name, path in spec.by.items():
        looked_up(spec.at.child("by", name), shape, path, draft.problems)
    readers = [(name, path_reader(path)) for name, path in spec.by.items()]
    ready = measures(draft, spec.measures, shape, collection)
    _check_row_sort(draft, spec)

    def rows(world: World, records: list[Any], env: Env) -> list[Any]:
        found: dict[Hashable, tuple[dict[str, Any], list[Any]]] = {}
        for record in records:
            values = [plain(read(record)) for _, read in readers]
            own = found.setdefault(tuple(map(alike_key, values)), ({}, []))
            if not own[1]:
                own[0].update(zip(spec.by, values))
            own[1].append(record)
        return sort_rows([{**values, **measured(ready, members)} for values, members in found.values()], spec.sort)

    return rows


def _check_row_sort(draft: Draft, spec: GroupSpec) -> None:
    """Rows are sorted by what they show."""
    fields = dict.fromkeys((*spec.by, *(one.name for one in spec.measures)), ANY)
    row = Shape("object", fields=fields)
    for place, one in enumerate(spec.sort):
        looked_up(spec.at.child("sort", place), row, one.removeprefix("-"), draft.problems)


def alike_key(value: Any) -> Hashable:
    """One key for all values that are equal: 1 and 1.0, but not true."""
    if isinstance(value, bool):
        return ("truth", value)
    if isinstance(value, (list, tuple)):
        return ("list", *map(alike_key, value))
    if isinstance(value, dict):
        return ("object", frozenset((key, alike_key(inner)) for key, inner in value.items()))
    return value  # type: ignore[no-any-return]


# -- one row for each record of another collection ------------------------------------------------------------


def _each(draft: Draft, spec: GroupSpec, shape: Shape) -> Rows:
    if not draft.known(spec.each):
        return lambda world, records, env: []
    each_shape = draft.record_shape(spec.each)
    over = draft.over(spec.each).naming({"record": each_shape})
    where = _where(draft, spec)
    in_order = sorter(draft, spec.at.child("sort"), spec.sort, each_shape)
    members = _members(over, spec, shape)
    shown = {name: over.value(spec.at.child("show", name), raw).run for name, raw in spec.show.items()}
    ready = measures(draft, spec.measures, shape, draft.spec.collection)

    def rows(world: World, records: list[Any], env: Env) -> list[Any]:
        each = [one for one in world.read(spec.each) if where is None or truth(where(one, env))]
        of = members(records, env)
        return [_row(one, {**env, "record": one}, of, shown, ready) for one in in_order(each)]

    return rows


def _row(record: Any, env: Env, of: Callable[[Any, Env], list[Any]], shown: dict[str, Run], ready: Any) -> Any:
    row = {name: plain(value(record, env)) for name, value in shown.items()}
    row.update(measured(ready, of(record, env)))
    return row


def _where(draft: Draft, spec: GroupSpec) -> Run | None:
    if not spec.where:
        return None
    return draft.record_query(spec.at.child("where"), spec.where, spec.each).run


def _members(over: Draft, spec: GroupSpec, shape: Shape) -> Callable[[list[Any], Env], Callable[[Any, Env], list[Any]]]:
    """From the chosen records to those of one row, by an index over the matched fields."""
    values, readers = [], []
    for path, raw in spec.match.items():
        looked_up(spec.at.child("match", path), shape, path, over.problems)
        values.append(over.value(spec.at.child("match", path), raw).run)
        readers.append(path_reader(path))

    def index(records: list[RecordLike], env: Env) -> Callable[[Any, Env], list[Any]]:
        found: dict[Hashable, list[Any]] = {}
        for record in records:
            found.setdefault(_key([read(record) for read in readers]), []).append(record)
        return lambda one, own: found.get(_key([value(one, own) for value in values]), [])

    return index


def _key(values: Sequence[Any]) -> Hashable:
    return tuple(alike_key(plain(value)) for value in values)
