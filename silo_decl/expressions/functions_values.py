"""What the functions make of the values they are handed: lists, objects, texts, and what `&...` reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.expressions.shapes import ANY, Shape

Reader = Callable[[Any], Any]


def listed(value: Any, name: str) -> list[Any]:
    """The elements of a list or the records of a collection; nothing has none. The list must not be changed."""
    if type(value) is list:
        return value
    if value is None:
        return []
    if isinstance(value, (list, tuple, CollectionLike)):
        return list(value)
    raise ExpressionError(f"{name}(...) works over a list, not over {meaning.shown(value)} ({meaning.kind_of(value)}).")


def measured(values: Any, of: Any, name: str) -> list[Any]:
    """The elements that are something, or what `of` reads from each; nothing is left out."""
    elements = listed(values, name)
    if of is None:
        return [element for element in elements if element is not None]
    read = reader(of)
    return [found for element in elements if (found := read(element)) is not None]


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """The fields of an object or the stored fields of a record; nothing has none."""
    if value is None:
        return {}
    if isinstance(value, RecordLike):
        return value.plain()
    if isinstance(value, Mapping):
        return value
    raise ExpressionError(f"{name}(...) works with an object, not {meaning.shown(value)} ({meaning.kind_of(value)}).")


def text_of(value: Any, name: str) -> str:
    """The value if it is a text; raises ExpressionError in the author's words if it is not."""
    if isinstance(value, str):
        return value
    raise ExpressionError(f"{name}(...) needs a text, not {meaning.shown(value)} ({meaning.kind_of(value)}).")


def whole(value: Any, name: str, least: int, greatest: int) -> int:
    """The value if it is a whole number within bounds; raises ExpressionError if it is not."""
    found = meaning.number(value, f"{name}(...)")
    if found != int(found) or not least <= found <= greatest:
        raise ExpressionError(
            f"{name}(...) needs a whole number from {least} to {greatest}, not {meaning.shown(value)}."
        )
    return int(found)


def reader(of: Any) -> Reader:
    """What an expression argument reads from one element: it is a callable already, or a path as a text."""
    if callable(of):
        read: Reader = of
        return read
    return path_reader(text_of(of, "A path"))


@lru_cache(maxsize=1024)
def path_reader(path: str) -> Reader:
    """A callable that reads the field path of one element."""
    steps = path.split(".")
    if len(steps) == 1:
        return lambda element: meaning.field(element, path)

    def read(element: Any) -> Any:
        for step in steps:
            element = meaning.field(element, step)
        return element

    return read


def element_of(shapes: Sequence[Shape], place: int = 0) -> Shape:
    """The shape of the elements of the argument at `place`, where it is a list or a collection."""
    if place < len(shapes) and shapes[place].kind in ("list", "collection"):
        return shapes[place].element
    return ANY
