"""What one call of a write tool has done so far, and what must hold of it once everything is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo_decl.errors import ToolError, choices
from silo_decl.expressions.meaning import equals, shown, to_text
from silo_decl.specs.data_checks import fits, type_words
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec, FieldSpec, ReferenceSpec
from silo_decl.specs.source import At
from silo_decl.tools.placing import PlacedError
from silo_decl.world.store import World, kind


@dataclass(slots=True)
class Writing:
    """The records one call has written, each with the fields and the place that says so, and those it removed."""

    written: list[tuple[str, str, frozenset[str], At]] = field(default_factory=list)
    removed: list[tuple[str, str]] = field(default_factory=list)

    def wrote(self, collection: str, record_id: str, fields: Iterable[str], at: At) -> None:
        self.written.append((collection, record_id, frozenset(fields), at))


class Soundness:
    """What declared fields may hold and what references must lead to, for a whole environment."""

    def __init__(self, spec: EnvironmentSpec):
        self._collections = spec.collections
        self._checks = {name: [*_by_first_step(one)] for name, one in spec.collections.items()}
        self._pointing = {name: [*_pointing_to(name, spec)] for name in spec.collections}

    def check(self, world: World, writing: Writing) -> None:
        """Raises where something written does not fit (the author's mistake), leads nowhere or is left behind."""
        for collection, record_id, fields, at in writing.written:
            stored = world.stored(collection, record_id)
            if stored is not None:
                self._check_record(world, collection, stored, fields, at)
        for collection, record_id in writing.removed:
            if world.stored(collection, record_id) is None:
                self._check_left_behind(world, collection, record_id)

    def _check_record(
        self, world: World, collection: str, stored: dict[str, Any], fields: frozenset[str], at: At
    ) -> None:
        for first_steps, spec in self._checks[collection]:
            if fields.isdisjoint(first_steps):
                continue
            for value in values_at(stored, spec.path.split(".")):
                self._check_value(world, collection, spec, value, stored, at)

    def _check_value(
        self, world: World, collection: str, spec: FieldSpec, value: Any, stored: dict[str, Any], at: At
    ) -> None:
        if value is None:
            return
        wrong = wrong_value(spec, value)
        if wrong:
            raise PlacedError(at, f"The field '{spec.path}' of {collection} {wrong}.")
        if spec.references is not None:
            self._check_reference(world, spec.references, value, stored)
        for inner, part in inner_values(spec, value):
            self._check_value(world, collection, inner, part, stored, at)

    def _check_reference(self, world: World, reference: ReferenceSpec, value: Any, stored: dict[str, Any]) -> None:
        collection = reference.collection
        if reference.by:
            found = next(iter(values_at(stored, reference.by.split("."))), None)
            collection = reference.collections.get(found, "") if isinstance(found, str) else ""
            if not collection:
                allowed = choices(reference.collections)
                raise ToolError(
                    "invalid_input", f"{shown(found)} is no kind of record to refer to. Use one of: {allowed}."
                )
        if collection in self._collections and world.stored(collection, value) is None:
            raise world.unknown(collection, value)

    def _check_left_behind(self, world: World, collection: str, record_id: str) -> None:
        holders = []
        for holder, spec in self._pointing[collection]:
            holders += [f"{holder} {one}" for one in _holders(world, holder, spec, collection, record_id)]
        if holders:
            called = kind(world.base.collections[collection])
            more = f" and {len(holders) - 10} more" if len(holders) > 10 else ""
            raise ToolError(
                "conflict",
                f"{called} {record_id} is still referred to by {', '.join(holders[:10])}{more}.",
            )


def wrong_value(spec: FieldSpec, value: Any) -> str:
    """What is wrong with a value of a declared field, after "the field '…'"; '' where nothing is."""
    if spec.references is not None and not isinstance(value, str):
        return f"got {shown(value)}, which is no id"
    if spec.type and not fits(spec.type, value):
        return f"got {shown(value)}, which is not {type_words(spec.type)}"
    if spec.enum and not any(equals(value, one) for one in spec.enum):
        return f"got {shown(value)}, which is not one of {choices(map(to_text, spec.enum))}"
    return ""


def inner_values(spec: FieldSpec, value: Any) -> Iterator[tuple[FieldSpec, Any]]:
    """The parts of a value that have a specification of their own."""
    if spec.of is not None and isinstance(value, list):
        for element in value:
            yield spec.of, element
    if spec.fields and isinstance(value, Mapping):
        for name, inner in spec.fields.items():
            yield inner, value.get(name)


def values_at(value: Any, steps: list[str]) -> Iterator[Any]:
    """The values at a path of stored fields; lists on the way are gone through."""
    if not steps:
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from values_at(element, steps)
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from values_at(value[steps[0]], steps[1:])


def _by_first_step(collection: CollectionSpec) -> Iterator[tuple[frozenset[str], FieldSpec]]:
    """Each declared field with the fields of a record that decide what it holds and refers to."""
    for path, spec in collection.fields.items():
        first_steps = {path.partition(".")[0]}
        if spec.references is not None and spec.references.by:
            first_steps.add(spec.references.by.partition(".")[0])
        yield frozenset(first_steps), spec


def _pointing_to(collection: str, spec: EnvironmentSpec) -> Iterator[tuple[str, FieldSpec]]:
    """The declared fields, of any collection, that may hold an id of this one."""
    for holder in spec.collections.values():
        for one in holder.fields.values():
            if any(_leads_to(collection, part) for part in _parts(one)):
                yield holder.name, one


def _parts(spec: FieldSpec) -> Iterator[FieldSpec]:
    yield spec
    if spec.of is not None:
        yield from _parts(spec.of)
    for inner in spec.fields.values():
        yield from _parts(inner)


def _leads_to(collection: str, spec: FieldSpec) -> bool:
    reference = spec.references
    return reference is not None and (
        reference.collection == collection or collection in reference.collections.values()
    )


def _holders(world: World, holder: str, spec: FieldSpec, collection: str, record_id: str) -> Iterator[str]:
    """The ids of the records of `holder` whose field holds the id as one of the collection."""
    reference = spec.references
    for record in _candidates(world, holder, spec, record_id):
        stored = record.plain()
        if reference is not None and reference.by:
            found = next(iter(values_at(stored, reference.by.split("."))), None)
            if reference.collections.get(str(found)) != collection:
                continue
        if any(_holds(spec, value, record_id) for value in values_at(stored, spec.path.split("."))):
            yield record.id


def _candidates(world: World, holder: str, spec: FieldSpec, record_id: str) -> Iterable[Any]:
    if spec.references is not None:
        found: Iterable[Any] = world.read(holder).select({spec.path: record_id}, None)
        return found
    every: Iterable[Any] = world.read(holder)
    return every


def _holds(spec: FieldSpec, value: Any, record_id: str) -> bool:
    if spec.references is not None:
        return bool(value == record_id)
    return any(_holds(inner, part, record_id) for inner, part in inner_values(spec, value))
