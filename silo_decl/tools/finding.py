"""`find` and `require`: names for what a tool needs, and conditions that must hold before anything happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from silo_decl.errors import ToolError
from silo_decl.expressions.meaning import kind_of, shown, to_text, truth
from silo_decl.expressions.records import CollectionLike
from silo_decl.expressions.shapes import ANY, NUMBER, Shape
from silo_decl.expressions.shapes import list_of as list_shape
from silo_decl.specs.source import At
from silo_decl.specs.tool import FindSpec, RequireSpec
from silo_decl.tools.draft import Draft
from silo_decl.tools.placing import Env, PlacedError, Run

Find = Callable[[Env], Any]
Demand = Callable[[Env, Any], None]

INDEX = "index"

_TAKEN = {
    "input": "the arguments of the call",
    "record": "the record that the tool is about",
    "before": "the record as it was",
    INDEX: "the place of an item of 'for_each'",
    "now": "the moment it is in the world",
    "today": "the day it is in the world",
}
_TAKEN_IN_WRITES = {
    "tool": "the name of the tool",
    "kind": "what a record of the collection is called",
    "record_id": "the id of the record that the tool is about",
    "log": "the sentence for the audit",
}


def items_of(at: At, value: Any) -> list[Any]:
    """What a `for_each` goes over; nothing is no item. Raises for what is no list."""
    if value is None:
        return []
    if isinstance(value, (list, tuple, CollectionLike)):
        return list(value)
    raise PlacedError(at, f"'for_each' goes over a list, and {shown(value)} is {kind_of(value)}.")


def element_shape(shape: Shape) -> Shape:
    return shape.element if shape.kind in ("list", "collection") else ANY


def check_name(draft: Draft, at: At, name: str) -> None:
    """A name an author gives must not be one that means something already."""
    meaning = _TAKEN.get(name) or (_TAKEN_IN_WRITES.get(name) if draft.spec.writes else None)
    if meaning:
        said = f"'{name}' is {meaning}, so nothing else can be called so."
        draft.problems.append(at.problem("duplicate-name", said, "Give it another name.", key=True))


# -- find ---------------------------------------------------------------------------------------------------


def finds(draft: Draft, specs: Sequence[FindSpec]) -> tuple[Draft, Callable[[Env], None]]:
    """The draft with the names found, and what finds them, in order, into the names of a call."""
    steps: list[tuple[str, Find]] = []
    for spec in specs:
        check_name(draft, spec.at, spec.name)
        find, shape = _find(draft, spec)
        steps.append((spec.name, find))
        draft = draft.naming({spec.name: shape})

    def find_all(env: Env) -> None:
        for name, find in steps:
            env[name] = find(env)

    return draft, find_all


def _find(draft: Draft, spec: FindSpec) -> tuple[Find, Shape]:
    if spec.for_each:
        return _rows(draft, spec)
    made = draft.world_query(spec.at, spec.query)
    return lambda env: made.run(env[""], env), made.shape


def _rows(draft: Draft, spec: FindSpec) -> tuple[Find, Shape]:
    at = spec.at.child("for_each")
    each = draft.world_query(at, spec.for_each)
    check_name(draft, spec.at.child("as"), spec.as_)
    inner = draft.naming({spec.as_: element_shape(each.shape), INDEX: NUMBER})
    inner, find_all = finds(inner, spec.find)
    names = [one.name for one in spec.find]
    row = Shape("object", fields={name: inner.names[name] for name in names})

    def find(env: Env) -> list[dict[str, Any]]:
        rows = []
        for index, item in enumerate(items_of(at, each.run(env[""], env))):
            own = {**env, spec.as_: item, INDEX: index}
            find_all(own)
            rows.append({name: own[name] for name in names})
        return rows

    return find, list_shape(row)


# -- require ------------------------------------------------------------------------------------------------


def demands(draft: Draft, specs: Sequence[RequireSpec]) -> Demand:
    """What raises the error of the first condition that does not hold."""
    checks = [_demand(draft, spec) for spec in specs]

    def demand(env: Env, record: Any) -> None:
        for check in checks:
            check(env, record)

    return demand


def _demand(draft: Draft, spec: RequireSpec) -> Demand:
    if not spec.for_each:
        return _one(draft, spec)
    at = spec.at.child("for_each")
    each = draft.world_query(at, spec.for_each)
    check_name(draft, spec.at.child("as"), spec.as_)
    check = _one(draft.naming({spec.as_: element_shape(each.shape), INDEX: NUMBER}), spec)

    def check_each(env: Env, record: Any) -> None:
        for index, item in enumerate(items_of(at, each.run(env[""], env))):
            check({**env, spec.as_: item, INDEX: index}, record)

    return check_each


def _one(draft: Draft, spec: RequireSpec) -> Demand:
    that = draft.condition(spec.at.child("that"), spec.that).run
    message = draft.text(spec.at.child("message"), spec.message).run
    when: Run | None = draft.condition(spec.at.child("when"), spec.when).run if spec.when else None

    def check(env: Env, record: Any) -> None:
        if when is not None and not truth(when(record, env)):
            return
        if not truth(that(record, env)):
            raise ToolError(spec.code, to_text(message(record, env)))

    return check
