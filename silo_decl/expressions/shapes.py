"""What is known of a value before there is one: shapes for looking over expressions at load time, and the scope.

A shape only ever excludes: `any` accepts every use, so a missing fact never makes a problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal[
    "any",
    "nothing",
    "text",
    "number",
    "boolean",
    "date",
    "datetime",
    "list",
    "object",
    "map",
    "record",
    "collection",
]


@dataclass(frozen=True, slots=True)
class Shape:
    """The kind of a value and of what is in it.

    `fields` are the known fields of an object or a record (complete unless `open`); `of` is the element of a
    list, a map (an object keyed by ids, not by field names) or a collection; `name` is the collection that a
    record or a collection belongs to, or the collection that a text is a reference to; `choices` are the values
    of an enum. `nullable` says that the value may be nothing.
    """

    kind: Kind = "any"
    of: Shape | None = None
    fields: Mapping[str, Shape] = field(default_factory=dict)
    name: str = ""
    nullable: bool = False
    choices: tuple[str, ...] = ()
    open: bool = False

    def maybe(self) -> Shape:
        return self if self.nullable else replace(self, nullable=True)

    @property
    def element(self) -> Shape:
        return self.of if self.of is not None else ANY

    @property
    def textual(self) -> bool:
        return self.kind in ("text", "date", "datetime")


ANY = Shape()
NOTHING = Shape("nothing", nullable=True)
TEXT = Shape("text")
NUMBER = Shape("number")
BOOLEAN = Shape("boolean")
DATE = Shape("date")
DATETIME = Shape("datetime")
MONEY = Shape("object", fields={"amount": NUMBER.maybe(), "currency": TEXT.maybe()})


def list_of(shape: Shape) -> Shape:
    return Shape("list", of=shape)


def words(shape: Shape) -> str:
    """What an author would call a value of this shape."""
    named = {
        "any": "a value",
        "nothing": "nothing",
        "text": "a text",
        "number": "a number",
        "boolean": "true or false",
        "date": "a date",
        "datetime": "a moment in time",
        "list": "a list",
        "object": "an object",
        "map": "an object keyed by id",
    }
    if shape.kind == "record":
        return f"a record of {shape.name}"
    if shape.kind == "collection":
        return f"the collection {shape.name}"
    return named[shape.kind]


def union(one: Shape, other: Shape) -> Shape:
    """The shape of a value that is either."""
    if one == other:
        return one
    if one.kind == "nothing":
        return other.maybe()
    if other.kind == "nothing":
        return one.maybe()
    nullable = one.nullable or other.nullable
    if one.textual and other.textual:
        kind: Kind = one.kind if one.kind == other.kind else "text"
        same = one.name if one.name == other.name else ""
        return Shape(kind, name=same, nullable=nullable, choices=_joined(one, other))
    if one.kind != other.kind:
        return Shape("any", nullable=nullable)
    if one.kind in ("list", "map"):
        return Shape(one.kind, of=union(one.element, other.element), nullable=nullable)
    if one.kind == "object":
        return _joined_object(one, other, nullable)
    if one.kind in ("record", "collection"):
        return replace(one, nullable=nullable) if one.name == other.name else Shape("any", nullable=nullable)
    return replace(one, nullable=nullable)


def _joined(one: Shape, other: Shape) -> tuple[str, ...]:
    if not one.choices or not other.choices:
        return ()
    return tuple(dict.fromkeys(one.choices + other.choices))


def _joined_object(one: Shape, other: Shape, nullable: bool) -> Shape:
    fields = dict(one.fields)
    for name, shape in other.fields.items():
        fields[name] = union(fields[name], shape) if name in fields else shape.maybe()
    for name in one.fields:
        if name not in other.fields:
            fields[name] = fields[name].maybe()
    return Shape("object", fields=fields, nullable=nullable, open=one.open or other.open)


@dataclass(frozen=True, slots=True)
class Scope:
    """The names an expression may use, with the shapes of their values.

    `names` are values from outside: `$name` in a query, `name` in a value. `element` is the record (or object) whose
    fields are plain names; None where there is none. `collections` are the world's collections by name, as shapes
    of kind `collection`; plain names in both languages (a query at the top of a world starts from them).
    `worlds` names the worlds that exist beside the present one (`initial`, `final`), whose collections are read as
    `final.accounts`; `lookup('final.accounts', id)` too.
    """

    names: Mapping[str, Shape] = field(default_factory=dict)
    element: Shape | None = None
    collections: Mapping[str, Shape] = field(default_factory=dict)
    worlds: tuple[str, ...] = ()

    def adding(self, **names: Shape) -> Scope:
        return replace(self, names={**self.names, **names})

    def inside(self, element: Shape | None) -> Scope:
        return replace(self, element=element)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong in an expression; `offset` is the place in its text where it begins, from 0."""

    code: str
    message: str
    fix: str = ""
    offset: int = 0
    level: Literal["error", "warning", "note"] = "error"
