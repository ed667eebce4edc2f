"""Shapes as they follow from data, for tests that look over queries."""

from __future__ import annotations

from functools import reduce
from typing import Any

from silo_decl.expressions.meaning import DATE as DATE_TEXT
from silo_decl.expressions.shapes import BOOLEAN, DATE, NOTHING, NUMBER, TEXT, Scope, Shape, list_of, union


def shape_of(value: Any) -> Shape:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, (int, float)):
        return NUMBER
    if isinstance(value, str):
        return DATE if DATE_TEXT.match(value) else TEXT
    if isinstance(value, list):
        return list_of(reduce(union, map(shape_of, value), NOTHING))
    return Shape("object", fields={key: shape_of(inner) for key, inner in value.items()})


def world_scope(world: dict[str, list[dict[str, Any]]], **names: Shape) -> Scope:
    """The scope of a query at the top of a world whose collections are these lists of records."""
    collections = {}
    for name, records in world.items():
        joined = reduce(union, map(shape_of, records))
        record = Shape("record", name=name, fields=joined.fields)
        collections[name] = Shape("collection", of=record, name=name)
    element = Shape("object", name="world", fields=collections)
    return Scope(names=names, element=element, collections=collections)
