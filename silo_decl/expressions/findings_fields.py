"""A step from a value to a part of it, looked over before there is a value: what it gives, and what is wrong with it.

Both languages ask here. A step that the shapes cannot exclude gives no finding.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from silo_decl.errors import choices, did_you_mean
from silo_decl.expressions.shapes import ANY, Finding, Shape, union, words

Step = tuple[Shape, Finding | None]

_PLAIN_VALUES = ("text", "date", "datetime", "number", "boolean")


def read_field(shape: Shape, name: str, offset: int = 0, written: str = "") -> Step:
    """What `.name` reads from a value of this shape; `written` is how the author wrote the value, where he did."""
    if shape.kind in ("object", "record"):
        if name in shape.fields:
            found = shape.fields[name]
            return (found.maybe() if shape.nullable else found), None
        return ANY, None if shape.open else unknown_field(shape, name, offset)
    if shape.kind == "map":
        return _key_of_map(shape, name, offset, written)
    if shape.kind in ("list", "collection"):
        return ANY, _field_of_list(shape, name, offset, written)
    if shape.kind in _PLAIN_VALUES:
        return ANY, Finding(
            "field-of-text",
            f"{quoted(written) or 'This'} is {words(shape)}, so it has no field '{name}'.",
            f"Remove '.{name}', or read it from the record that has it.",
            offset,
        )
    return ANY, None


def quoted(written: str) -> str:
    """How a sentence speaks of what an author wrote; literals bring their own quotes. '' stays ''."""
    return written if not written or written[0] in "'`\"-0123456789" else f"'{written}'"


def unknown_field(shape: Shape, name: str, offset: int) -> Finding:
    """No value of this shape has the field."""
    if shape.kind == "record":
        message = f"No record of {shape.name} has a field '{name}'."
    elif shape.name == "world":
        return unknown_name(f"There is no collection '{name}'.", name, shape.fields, offset)
    else:
        message = f"This object has no field '{name}'."
    known = shape.fields
    return Finding("unknown-field", message + did_you_mean(name, known), use_one_of(known), offset)


def unknown_name(message: str, name: str, known: Iterable[str], offset: int) -> Finding:
    """A name that nothing in reach has."""
    names = list(known)
    return Finding("unknown-name", message + did_you_mean(name, names), use_one_of(names), offset)


def use_one_of(names: Iterable[str]) -> str:
    """The fix that lists what there is, or nothing where there is nothing."""
    listed = choices(names)
    return f"Use one of: {listed}." if listed else ""


def _key_of_map(shape: Shape, name: str, offset: int, written: str) -> Step:
    """The value at a key; a field that the values have is surely not meant as a key."""
    inner = shape.element
    if inner.kind in ("object", "record") and name in inner.fields:
        return ANY, keyed_by_id(f"values({written or '...'})[].{name}", offset, written)
    return inner.maybe(), None


def keyed_by_id(fix: str, offset: int, written: str = "") -> Finding:
    """An object keyed by id stands where a list would do."""
    subject = quoted(written) or "This"
    return Finding("keyed-by-id", f"{subject} is an object keyed by id, not a list.", f"Write {fix}.", offset)


def _field_of_list(shape: Shape, name: str, offset: int, written: str) -> Finding:
    subject = quoted(written) or "This"
    if name in ("length", "count", "size"):
        fix = f"Write length({written or '...'})."
    else:
        whole = written or "..."
        fix = f"Read it from each element, in a query {whole}[].{name}, or from one, {whole}[0].{name}."
    listed = "a list of records" if shape.kind == "collection" else "a list"
    return Finding("field-of-list", f"{subject} is {listed}, which has no field '{name}'.", fix, offset)


def all_values(shape: Shape) -> Shape:
    """The shape of any value in an object."""
    if shape.kind == "map":
        return shape.element
    if shape.kind in ("object", "record") and shape.fields and not shape.open:
        return reduce(union, shape.fields.values())
    return ANY
