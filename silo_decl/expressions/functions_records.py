"""Functions that read the world, and those that ask what kind of value there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_values import text_of
from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.expressions.shapes import ANY, Shape, union


def lookup(env: Mapping[str, Any], collection: Any, key: Any) -> Any:
    """The record of a collection (`users`, or `final.users` where there are several worlds) with an id."""
    if collection is None or key is None:
        return None
    found: Any = env.get("")
    for step in text_of(collection, "lookup").split("."):
        found = meaning.field(found, step)
    if found is None:
        raise ExpressionError(f"There is no collection {meaning.shown(collection)} to look something up in.")
    return meaning.item(found, key)


def view(env: Mapping[str, Any], record: Any, name: Any) -> Any:
    """The record as one of its collection's views shows it."""
    if record is None:
        return None
    if not isinstance(record, RecordLike):
        raise ExpressionError(f"view(...) shows a record, not {meaning.shown(record)} ({meaning.kind_of(record)}).")
    return env[""].view(record, text_of(name, "view"))


def coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def type_of(value: Any) -> str:
    """The name that JMESPath gives to the kind of a value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, (list, tuple, CollectionLike)):
        return "array"
    return "null" if value is None else "object"


def _first_present(shapes: Sequence[Shape]) -> Shape:
    if not shapes:
        return ANY
    present = [shape if place == len(shapes) - 1 else _present(shape) for place, shape in enumerate(shapes)]
    joined = reduce(union, present)
    return joined if joined.kind == "nothing" or shapes[-1].nullable else _present(joined)


def _present(shape: Shape) -> Shape:
    """The shape of the value where it is something."""
    if not shape.nullable or shape.kind in ("nothing", "any"):
        return shape
    return Shape(shape.kind, shape.of, shape.fields, shape.name, False, shape.choices, shape.open)


_TYPES = ("array", "boolean", "null", "number", "object", "string")

RECORD_FUNCTIONS = (
    Function(
        "lookup",
        (Parameter("collection", ("text",)), Parameter("id", ("text",))),
        ANY,
        lookup,
        "The record of a collection with an id, or nothing; in a task `'final.users'` names the world too.",
        "lookup('users', 'USR-001').name",
        "Ann",
        context=True,
    ),
    Function(
        "view",
        (Parameter("record", ("record",)), Parameter("name", ("text",))),
        ANY,
        view,
        "A record as a view of its collection shows it.",
        "view(lookup('users', 'USR-001'), 'summary')",
        {"name": "Ann"},
        context=True,
    ),
    Function(
        "coalesce",
        (Parameter("value", many=True),),
        _first_present,
        coalesce,
        "The first of several values that is not nothing.",
        "coalesce(null, 0, 7)",
        0,
    ),
    Function(
        "not_null",
        (Parameter("value", many=True),),
        _first_present,
        coalesce,
        "The same as coalesce, by the name JMESPath gives it.",
        "not_null(null, 'a')",
        "a",
    ),
    Function(
        "type",
        (Parameter("value"),),
        Shape("text", choices=_TYPES),
        type_of,
        "What kind of value it is: array, boolean, null, number, object or string.",
        "type('a')",
        "string",
    ),
)
