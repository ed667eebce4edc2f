"""`set`, `add`, `append` and `unset` of one record: values worked out together, then put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import to_text
from silo_decl.expressions.records import plain
from silo_decl.specs.source import At
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import Steps, add_at, append_at, set_at, unset_at
from silo_decl.tools.placing import Env, PlacedError, Run
from silo_decl.tools.write.looking import Look, split_path

Put = Callable[[dict[str, Any]], None]
Work = Callable[[Any, Env], "Ready | None"]

_ARGUMENT = re.compile(r"\s*(?:=\s*|\{\{\s*)input((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*(\}\}\s*)?\Z")


@dataclass(frozen=True, slots=True)
class Ready:
    """One change with its value worked out: the field it is in, and what puts it there."""

    field: str
    put: Put


@dataclass(frozen=True)
class Changes:
    """Changes of one record. `ready` works every value out; nothing is changed until each is put."""

    at: At
    works: tuple[Work, ...]

    def ready(self, record: Any, env: Env) -> list[Ready]:
        return [one for work in self.works if (one := work(record, env)) is not None]

    def put(self, stored: dict[str, Any], ready: Sequence[Ready]) -> None:
        for one in ready:
            one.put(stored)


@dataclass(frozen=True, slots=True)
class Written:
    """The parts of a spec that say how a record changes, and where each stands."""

    at: At
    set: Mapping[str, Any]
    add: Mapping[str, Any]
    append: Mapping[str, Any]
    unset: Sequence[str] = ()


def changes(draft: Draft, written: Written, collection: str, new: Container[str] | None = None) -> Changes:
    """The changes of a record of the collection.

    Where the record is about to be created, `new` are the fields that it is given before.
    """
    look = Look(draft, collection, new)
    works = [*_puts(draft, written, look)]
    for place, path in enumerate(written.unset):
        works.append(_unset(draft, written.at.child("unset", place), path, look))
    return Changes(written.at, tuple(works))


def _puts(draft: Draft, written: Written, look: Look) -> Iterator[Work]:
    for key, values in (("set", written.set), ("add", written.add), ("append", written.append)):
        for path, raw in values.items():
            yield _put(draft, written.at.child(key, path), key, path, raw, look)


_WAYS: dict[str, Callable[..., None]] = {"add": add_at, "append": append_at}


def _put(draft: Draft, at: At, key: str, path: str, raw: Any, look: Look) -> Work:
    steps_of = _steps(draft, at, path)
    made = draft.value(at, raw)
    look.at_change(at, key, path, raw, made)
    argument = argument_of(raw)
    put_value = _knowing(_WAYS[key], look.declared(path) is not None) if key in _WAYS else set_at

    def work(record: Any, env: Env) -> Ready | None:
        if argument is not None and not is_given(env, argument):
            return None
        value = plain(made.run(record, env))
        steps = steps_of(record, env)
        return Ready(steps[0], placed_put(at, put_value, steps, value))

    return work


def _knowing(way: Callable[..., None], known: bool) -> Callable[..., None]:
    return lambda stored, steps, value: way(stored, steps, value, known)


def placed_put(at: At, way: Callable[..., None], steps: Steps, *values: Any) -> Put:
    def put(stored: dict[str, Any]) -> None:
        try:
            way(stored, steps, *values)
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return put


def _unset(draft: Draft, at: At, path: str, look: Look) -> Work:
    look.at_path(at, path)
    steps_of = _steps(draft, at, path)
    known = not look.is_key_of_map(path)

    def work(record: Any, env: Env) -> Ready:
        steps = steps_of(record, env)
        return Ready(steps[0], placed_put(at, unset_at, steps, known))

    return work


# -- arguments that were not given --------------------------------------------------------------------------


def argument_of(raw: Any) -> tuple[str, ...] | None:
    """The argument that a value is exactly, such as `= input.phone` or `{{ input.phone }}`; None for others."""
    found = _ARGUMENT.match(raw) if isinstance(raw, str) else None
    if found is None or ("{{" in raw) != (found.group(2) is not None):
        return None
    return tuple(found.group(1)[1:].split("."))


def is_given(env: Env, argument: tuple[str, ...]) -> bool:
    value = env["input"]
    for name in argument:
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return True


# -- paths --------------------------------------------------------------------------------------------------


def _steps(draft: Draft, at: At, path: str) -> Callable[[Any, Env], Steps]:
    written = split_path(path)
    if "{{" not in path:
        fixed = tuple(written)
        return lambda record, env: fixed
    parts: list[Run] = [_step(draft, at, step) for step in written]

    def steps(record: Any, env: Env) -> Steps:
        found = tuple(to_text(part(record, env)) for part in parts)
        if "" in found:
            raise PlacedError(at, f"A step of the path '{path}' is nothing.")
        return found

    return steps


def _step(draft: Draft, at: At, step: str) -> Run:
    if "{{" not in step:
        return lambda record, env: step
    return draft.text(at, step).run
