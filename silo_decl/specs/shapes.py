"""What is known of the fields of every collection: from the data, and from what `fields` says beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from silo_decl.expressions.meaning import DATE, DATETIME
from silo_decl.expressions.shapes import ANY, BOOLEAN, MONEY, NOTHING, NUMBER, TEXT, Shape, union
from silo_decl.expressions.shapes import DATE as DATE_SHAPE
from silo_decl.expressions.shapes import DATETIME as DATETIME_SHAPE
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec, FieldSpec

_TYPES = {
    "text": TEXT,
    "number": NUMBER,
    "integer": NUMBER,
    "boolean": BOOLEAN,
    "date": DATE_SHAPE,
    "datetime": DATETIME_SHAPE,
    "money": MONEY,
    "list": Shape("list", of=ANY),
    "object": Shape("object", open=True),
    "": ANY,
}


def collection_shapes(spec: EnvironmentSpec) -> dict[str, Shape]:
    """Each collection with the shape of its records. Computed fields may hold anything here."""
    if not spec.data_shapes:
        entry = spec.audit.entry if spec.audit else {}
        audited = spec.audit.collection if spec.audit else ""
        for name, one in spec.collections.items():
            record = record_shape(one, entry if name == audited else ())
            spec.data_shapes[name] = Shape("collection", of=record, name=name)
    return dict(spec.data_shapes)


def world_shape(collections: Mapping[str, Shape]) -> Shape:
    """A world: its fields are its collections."""
    return Shape("object", name="world", fields=dict(collections))


def record_shape(collection: CollectionSpec, written: Iterable[str] = ()) -> Shape:
    """A record of the collection; `written` are fields that the audit writes.

    Open where nothing tells which fields there are: neither data nor declarations.
    """
    seen = shape_of_all(collection.records)
    fields: dict[str, Shape] = dict(seen.fields) if collection.records else {}
    fields[collection.key] = replace(fields.get(collection.key, TEXT), kind="text", nullable=False)
    for path in written:
        _put(fields, path.split("."), ANY)
    for path, field in collection.fields.items():
        _put(fields, path.split("."), declared_shape(field), field)
    for name in collection.computed:
        fields[name] = ANY
    nothing_known = not collection.records and not collection.fields and not list(written)
    return Shape("record", fields=fields, name=collection.name, open=collection.open or nothing_known)


def declared_shape(field: FieldSpec) -> Shape:
    """What a field specification alone says. A field may always be nothing."""
    shape = _TYPES[field.type]
    if field.fields:
        shape = Shape("object", fields={name: declared_shape(one) for name, one in field.fields.items()})
    if field.of is not None:
        shape = Shape("list", of=declared_shape(field.of))
    if field.references is not None:
        shape = Shape("text", name=field.references.collection)
    if field.enum and all(isinstance(one, str) for one in field.enum):
        shape = replace(shape if shape.textual else TEXT, choices=tuple(field.enum))
    return shape.maybe()


def _put(fields: dict[str, Shape], steps: Sequence[str], shape: Shape, field: FieldSpec | None = None) -> None:
    """Declare a field along its path, keeping what the data shows and the declaration leaves open."""
    first, rest = steps[0], steps[1:]
    present = fields.get(first)
    if not rest:
        fields[first] = _refined(present, shape, field)
        return
    if present is not None and present.kind == "list":
        inner = dict(present.element.fields)
        _put(inner, rest, shape, field)
        fields[first] = replace(present, of=replace(_object(present.element), fields=inner))
        return
    within = _object(present)
    inner = dict(within.fields)
    _put(inner, rest, shape, field)
    fields[first] = replace(within, fields=inner)


def _object(shape: Shape | None) -> Shape:
    return shape if shape is not None and shape.kind == "object" else Shape("object", nullable=True)


def _refined(present: Shape | None, declared: Shape, field: FieldSpec | None) -> Shape:
    if present is None or present.kind == "nothing":
        return declared
    if declared.kind == "any":
        return present
    nullable = present.nullable
    if (
        declared.kind == present.kind
        and declared.kind in ("object", "list")
        and not (field and (field.fields or field.of))
    ):
        return present
    if present.textual and declared.kind == "text" and not (field and field.type == "text"):
        return replace(present, name=declared.name, choices=declared.choices)
    return replace(declared, nullable=nullable)


# From values -----------------------------------------------------------------------------------------------


def shape_of_all(values: Sequence[Any]) -> Shape:
    """The shape that fits every one of the values."""
    by_type: dict[type, list[Any]] = {}
    for kind in set(map(type, values)):
        by_type[kind] = [value for value in values if type(value) is kind]
    shape: Shape | None = None
    for kind in sorted(by_type, key=lambda one: one.__name__):
        found = _of_kind(kind, by_type[kind])
        shape = found if shape is None else union(shape, found)
    return shape if shape is not None else ANY


def _of_kind(kind: type, values: list[Any]) -> Shape:
    if kind is type(None):
        return NOTHING
    if kind is bool:
        return BOOLEAN
    if kind is int or kind is float:
        return NUMBER
    if kind is str:
        return _of_texts(values)
    if kind is list or kind is tuple:
        return Shape("list", of=shape_of_all(list(chain.from_iterable(values))))
    return _of_objects(values)


def _of_texts(values: list[str]) -> Shape:
    if all(map(DATE.match, values)):
        return DATE_SHAPE
    if all(map(DATETIME.match, values)):
        return DATETIME_SHAPE
    return TEXT


def _of_objects(values: list[dict[str, Any]]) -> Shape:
    keys = list(dict.fromkeys(chain.from_iterable(values)))
    if _keyed_by_id(keys, values):
        return Shape("map", of=shape_of_all(list(chain.from_iterable(one.values() for one in values))))
    fields: dict[str, Shape] = {}
    for key in keys:
        present = [one[key] for one in values if key in one]
        shape = shape_of_all(present)
        fields[key] = shape if len(present) == len(values) else shape.maybe()
    return Shape("object", fields=fields)


def _keyed_by_id(keys: list[str], values: list[dict[str, Any]]) -> bool:
    """Whether the keys are ids of things rather than names of fields: none of them is in most of the objects,
    and they look like ids, or there are very many."""
    if not keys or (len(keys) < 2 and len(values) > 1):
        return False
    filled = sum(map(len, values)) / (len(values) * len(keys))
    numbered = sum(any(letter.isdigit() for letter in key) or not key.isidentifier() for key in keys)
    if numbered == len(keys) and _alike(values):
        return True
    return len(keys) >= 6 and filled < 0.34 and (numbered * 2 >= len(keys) or len(keys) > 60) and _alike(values)


def _alike(values: list[dict[str, Any]]) -> bool:
    return len(set(map(type, chain.from_iterable(one.values() for one in values))) - {type(None)}) <= 1
