"""`silo data add|update|remove`: one record at a time, held against what the world says of its fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from silo_decl.authoring.files import write_bytes
from silo_decl.authoring.record_files import data_path, must_be_whole, with_records
from silo_decl.errors import UsageError, choices, did_you_mean
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.data_checks import fits, type_words
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec
from silo_decl.specs.shapes import collection_shapes

Record = dict[str, Any]


def collection_named(spec: EnvironmentSpec, name: str) -> CollectionSpec:
    """The collection; raises UsageError with the nearest name."""
    if name not in spec.collections:
        known = list(spec.collections)
        raise UsageError(f"There is no collection '{name}'.{did_you_mean(name, known)}", f"Known: {choices(known)}.")
    return spec.collections[name]


def record_of(collection: CollectionSpec, record_id: str) -> Record:
    """The record of this id; raises UsageError."""
    for record in collection.records:
        if record[collection.key] == record_id:
            return dict(record)
    last = collection.records[-1][collection.key] if collection.records else ""
    fix = f"Ids look like '{last}'; see 'silo data show {collection.name}'." if last else "It has no records yet."
    raise UsageError(f"{collection.name} has no record '{record_id}'.", fix)


def add_record(spec: EnvironmentSpec, collection: CollectionSpec, given: Sequence[str]) -> str:
    """Write a new record from `field=value` words; gives its id, made by the form of ids where it is not given."""
    values = _values(spec, collection, given)
    record_id = values.pop(collection.key, None) or _next_id(collection)
    if any(record[collection.key].casefold() == record_id.casefold() for record in collection.records):
        raise UsageError(
            f"{collection.name} has a record '{record_id}' already.", "Leave the id out, or choose another."
        )
    _save(spec, collection, [*collection.records, {collection.key: record_id, **values}])
    return str(record_id)


def update_record(spec: EnvironmentSpec, collection: CollectionSpec, record_id: str, given: Sequence[str]) -> Record:
    """Change fields of a record; `field=` empties one. Gives the record as it is then."""
    values = _values(spec, collection, given)
    if collection.key in values and values[collection.key] != record_id:
        raise UsageError(f"The {collection.key} of a record stays; others refer to it.", "Add a new record instead.")
    changed = {**record_of(collection, record_id), **values}
    _save(spec, collection, [changed if one[collection.key] == record_id else one for one in collection.records])
    return changed


def remove_record(spec: EnvironmentSpec, collection: CollectionSpec, record_id: str, force: bool) -> list[str]:
    """Take a record out; gives where it was referred to. Raises UsageError where it is, unless `force`."""
    record_of(collection, record_id)
    uses = list(_uses(spec, collection.name, record_id))
    if uses and not force:
        raise UsageError(
            f"{record_id} is still referred to: {choices(uses, 5)}.", "Change those first, or add --force."
        )
    _save(spec, collection, [one for one in collection.records if one[collection.key] != record_id])
    return uses


def _save(spec: EnvironmentSpec, collection: CollectionSpec, records: Sequence[Record]) -> None:
    must_be_whole(spec.root, collection)
    path = data_path(spec.root, collection.name, collection)
    write_bytes(path, with_records(path, collection, records, collection.key))


def _next_id(collection: CollectionSpec) -> str:
    if not collection.ids:
        fix = f"Give one: {collection.key}=…; or say their form with 'ids:' in environment.yaml."
        raise UsageError(f"Nothing says what the next {collection.key} of {collection.name} is.", fix)
    start, _, rest = collection.ids.partition("{")
    end = rest.partition("}")[2]
    used = [one[collection.key] for one in collection.records]
    digits = [one[len(start) : len(one) - len(end)] for one in used if one.startswith(start) and one.endswith(end)]
    highest = max((int(one) for one in digits if one.isdecimal()), default=0)
    return collection.ids.format(highest + 1)


def _values(spec: EnvironmentSpec, collection: CollectionSpec, given: Sequence[str]) -> Record:
    fields = collection_shapes(spec)[collection.name].element.fields
    found: Record = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"'{word}' does not say which field it is for.", "Write field=value, such as name=Lamp.")
        if name in collection.computed:
            raise UsageError(f"'{name}' is computed from other fields and never stored.", "Change those instead.")
        shape = fields.get(name)
        if shape is None and fields:
            known = [one for one in fields if one not in collection.computed]
            message = f"{collection.name} has no field '{name}'.{did_you_mean(name, known)}"
            raise UsageError(message, f"Its fields: {choices(known)}. A new one is declared in environment.yaml first.")
        found[name] = _value(spec, collection, name, text, shape)
    return found


def _value(spec: EnvironmentSpec, collection: CollectionSpec, name: str, text: str, shape: Shape | None) -> Any:
    if text == "" and name != collection.key:
        return None
    declared = collection.fields.get(name)
    value = _read(text, shape.kind if shape is not None else "any")
    kind = declared.type if declared is not None and declared.type else _TYPES.get(shape.kind if shape else "", "")
    if kind and not fits(kind, value):
        raise UsageError(f"'{text}' is not {type_words(kind)}, which is what '{name}' holds.", "Write it in that form.")
    if declared is not None and declared.enum and value not in declared.enum:
        raise UsageError(
            f"'{text}' is not among the values of '{name}'.", f"Use one of: {choices(map(str, declared.enum))}."
        )
    if declared is not None and declared.references is not None and declared.references.collection:
        target = spec.collections.get(declared.references.collection)
        if target is not None and all(one[target.key] != value for one in target.records):
            raise UsageError(
                f"{target.name} has no record '{text}', to which '{name}' refers.", "Give an id that is there."
            )
    return value


_TYPES = {"text": "text", "number": "number", "boolean": "boolean", "date": "date", "datetime": "datetime"}


def _read(text: str, kind: str) -> Any:
    if kind in ("text", "date", "datetime"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if kind == "any" and not isinstance(value, (bool, int, float, dict, list)):
        return text
    return value


def _uses(spec: EnvironmentSpec, target: str, record_id: str) -> Sequence[str]:
    found = []
    for other in spec.collections.values():
        for path, one in other.fields.items():
            ref = one.references
            if ref is None or target not in (ref.collection, *ref.collections.values()):
                continue
            for record in other.records:
                if _at(record, path.split(".")) == record_id and _means(record, ref, target):
                    found.append(f"{other.name} {record[other.key]} ({path})")
    return found


def _means(record: Mapping[str, Any], ref: Any, target: str) -> bool:
    return bool(ref.collection == target or ref.collections.get(_at(record, ref.by.split("."))) == target)


def _at(value: Any, steps: Sequence[str]) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def where(spec: EnvironmentSpec, collection: CollectionSpec) -> Path:
    """The file that holds the facts of a collection."""
    return data_path(spec.root, collection.name, collection)
