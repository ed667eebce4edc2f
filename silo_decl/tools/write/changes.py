"""`set`, `add`, `append` and `unset` of one record: values worked out together, then put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import to_text
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs.environment import CollectionSpec, FieldSpec
from silo_decl.specs.source import At
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import Steps, add_at, append_at, set_at, unset_at
from silo_decl.tools.placing import Env, PlacedError, Run
from silo_decl.tools.write.writing import inner_values, wrong_value

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


def changes(draft: Draft, written: Written, collection: str, new: bool = False) -> Changes:
    """The changes of a record of the collection; `new` where it is about to be created."""
    works = [*_puts(draft, written, collection, new)]
    for place, path in enumerate(written.unset):
        works.append(_unset(draft, written.at.child("unset", place), path, collection))
    return Changes(written.at, tuple(works))


def _puts(draft: Draft, written: Written, collection: str, new: bool) -> Iterator[Work]:
    for key, values, ways in (
        ("set", written.set, (set_at, None)),
        ("add", written.add, (None, add_at)),
        ("append", written.append, (None, append_at)),
    ):
        for path, raw in values.items():
            yield _put(draft, written.at.child(key, path), path, raw, collection, ways, new)


def _put(draft: Draft, at: At, path: str, raw: Any, collection: str, ways: tuple[Any, Any], new: bool) -> Work:
    spec = draft.base.spec.collections.get(collection)
    check_path(draft, at, path, collection, spec, new)
    steps_of = _steps(draft, at, path)
    made = draft.value(at, raw)
    argument = argument_of(raw)
    declared = declared_field(spec, path)
    if made.constant and declared is not None and ways[0] is not None:
        _check_constant(draft, at, declared, raw, collection)
    put_value = ways[0] if ways[0] is not None else _knowing(ways[1], declared is not None)

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


def _unset(draft: Draft, at: At, path: str, collection: str) -> Work:
    check_path(draft, at, path, collection, draft.base.spec.collections.get(collection), False)
    steps_of = _steps(draft, at, path)
    outer = ".".join(split_path(path)[:-1])
    parent = _looked_up(draft.quietly(), at, outer, draft.record_shape(collection)) if outer else None
    known = parent is None or parent.kind not in ("map", "any")

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


def split_path(path: str) -> list[str]:
    """The steps of a path as written; a dot between `{{` and `}}` parts nothing."""
    steps, depth, begin = [], 0, 0
    for place, letter in enumerate(path):
        if path.startswith("{{", place):
            depth += 1
        elif path.startswith("}}", place):
            depth -= 1
        elif letter == "." and depth == 0:
            steps.append(path[begin:place])
            begin = place + 1
    return [*steps, path[begin:]]


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


def declared_field(spec: CollectionSpec | None, path: str) -> FieldSpec | None:
    """What the collection's `fields` says about a path, also about a part of a declared object."""
    if spec is None:
        return None
    if path in spec.fields:
        return spec.fields[path]
    outer, _, inner = path.rpartition(".")
    found = declared_field(spec, outer) if outer else None
    return found.fields.get(inner) if found is not None else None


def check_path(draft: Draft, at: At, path: str, collection: str, spec: CollectionSpec | None, new: bool) -> None:
    if spec is None:
        return
    first = split_path(path)[0]
    if first in spec.computed:
        said = f"'{first}' of {collection} is computed and never stored."
        draft.problems.append(
            at.problem("computed-is-stored", said, "Change the fields it is worked out from.", key=True)
        )
    elif path == spec.key and not new:
        said = f"'{path}' tells the records of {collection} apart and cannot be changed."
        draft.problems.append(at.problem("wrong-value", said, "Create a new record instead.", key=True))
    else:
        _looked_up(draft, at, path, draft.record_shape(collection))


def _looked_up(draft: Draft, at: At, path: str, shape: Shape) -> Shape:
    """The shape of what a path leads to; a step with `{{ }}` is a key of a map, or else anything."""
    steps: list[str] = []
    for step in split_path(path):
        if "{{" not in step:
            steps.append(step)
            continue
        found = _told(draft, at, ".".join(steps), shape) if steps else shape
        shape, steps = (found.element.maybe() if found.kind == "map" else ANY), []
    return _told(draft, at, ".".join(steps), shape) if steps else shape


def _told(draft: Draft, at: At, path: str, shape: Shape) -> Shape:
    """As `looked_up`; the path is a key, so the problem points at the key."""
    _, found, findings = field_path(path, shape)
    for one in findings:
        draft.problems.append(at.problem(one.code, one.message, one.fix, key=True, level=one.level))
    return found


def _check_constant(draft: Draft, at: At, spec: FieldSpec, value: Any, collection: str) -> None:
    wrong = wrong_value(spec, value) if value is not None else ""
    if wrong:
        said = f"The field '{spec.path}' of {collection} {wrong}."
        draft.problems.append(at.problem("wrong-value", said))
        return
    for inner, part in inner_values(spec, value):
        _check_constant(draft, at, inner, part, collection)
