"""Measures over records: how many, and the sum, smallest, largest or average of a field, the first, a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions import FUNCTIONS
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.shapes import ANY, Shape

if TYPE_CHECKING:
    from silo_decl.world.seed import Base
    from silo_decl.world.store import World

Measured = Callable[[Sequence[Any], "Base"], Any]


def is_money_shape(shape: Shape) -> bool:
    return shape.kind == "object" and set(shape.fields) == {"amount", "currency"}


def measured_shape(function: str, of: Shape) -> Shape:
    """The shape of a sum, smallest or largest."""
    if function == "sum" and not is_money_shape(of):
        return Shape("number") if of.kind in ("number", "any", "nothing") else ANY
    return of


def measure(function: str, path: str, of: Shape, collection: str) -> Measured:
    """What works the measure out over records of a collection. Raises ExpressionError for values it cannot use."""
    if not path:
        return _OF_RECORDS[function]
    read = path_reader(path)
    if function == "first":
        return lambda records, base: read(records[0]) if records else None
    if function == "list":
        return lambda records, base: [read(record) for record in records]
    if function == "count":
        return lambda records, base: sum(read(record) is not None for record in records)
    return _over_values(function, path, read, is_money_shape(of), collection)


_OF_RECORDS: dict[str, Measured] = {
    "count": lambda records, base: len(records),
    "first": lambda records, base: records[0] if records else None,
    "list": lambda records, base: list(records),
}


def _over_values(function: str, path: str, read: Callable[[Any], Any], money: bool, collection: str) -> Measured:
    work = FUNCTIONS[function].call

    def measured(records: Sequence[Any], base: Base) -> Any:
        values = [value for record in records if (value := read(record)) is not None]
        if not values and money and function == "sum":
            return {"amount": 0, "currency": base.only_currency(collection, path)}
        return work(values)

    return measured


def only_currency(world: World, collection: str, path: str) -> str | None:
    """The currency of a money field where all records of the collection have the same one."""
    found = {_currency(record, path_reader(path)) for record in world.read(collection)} - {None}
    return found.pop() if len(found) == 1 else None


def _currency(record: Any, read: Callable[[Any], Any]) -> str | None:
    """The currency of one record's money; None where it has none, or where it cannot be worked out."""
    try:
        value = read(record)
    except ExpressionError:
        return None
    currency = value.get("currency") if isinstance(value, dict) else None
    return currency if isinstance(currency, str) else None
