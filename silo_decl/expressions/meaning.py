"""The one table of meaning: what values do when expressions compare, add, read and print them.

Both languages call these functions and nothing else, so what reads the same in both means the same in both.
Values are those of JSON: None, bool, int, float, str, list, dict, and what the world puts in their place
(records and collections, see `records`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.records import CollectionLike, RecordLike, plain

DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?\Z")

_EXACT = Context(prec=40, rounding=ROUND_HALF_UP)
_BIGGEST = 1e30
_SURELY_EXACT = 2.0**53


def truth(value: Any) -> bool:
    """Nothing is null, false, '', [] and {}; everything else is something, 0 too."""
    if value is None or value is False:
        return False
    if value is True:
        return True
    if isinstance(value, (str, list, dict, tuple)):
        return len(value) > 0
    if isinstance(value, CollectionLike):
        return len(value) > 0
    return True


def equals(left: Any, right: Any) -> bool:
    """Equal by value and deep; 1 is 1.0 but never true, a record is equal to a record with the same fields."""
    if left is right:
        return not (isinstance(left, float) and left != left)
    kind = type(left)
    if kind is str or kind is int or kind is float:
        other = type(right)
        if kind is other:
            return bool(left == right)
        if other is bool or kind is bool:
            return False
        return bool(left == right)
    if kind is bool or type(right) is bool:
        return kind is type(right) and left == right
    if isinstance(left, (RecordLike, CollectionLike)) or isinstance(right, (RecordLike, CollectionLike)):
        return _equal_records(left, right)
    if isinstance(left, (list, tuple)):
        if not isinstance(right, (list, tuple)) or len(left) != len(right):
            return False
        return all(equals(one, other) for one, other in zip(left, right))
    if isinstance(left, Mapping):
        if not isinstance(right, Mapping) or len(left) != len(right):
            return False
        return all(key in right and equals(value, right[key]) for key, value in left.items())
    return bool(left == right)


def _equal_records(left: Any, right: Any) -> bool:
    if not isinstance(left, (RecordLike, CollectionLike, Mapping, list)):
        return False
    if not isinstance(right, (RecordLike, CollectionLike, Mapping, list)):
        return False
    return equals(plain(left), plain(right))


def kind_of(value: Any) -> str:
    """What an author would call this value."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, CollectionLike):
        return f"the collection '{value.name}'"
    return "a record" if isinstance(value, RecordLike) else "an object"


def shown(value: Any, limit: int = 60) -> str:
    """A value as a message quotes it, cut when long."""
    if isinstance(value, str):
        text = f"'{value}'"
    elif value is None:
        text = "nothing"
    else:
        text = to_text(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def compare(operator: str, left: Any, right: Any) -> bool:
    """Order of two values by '<', '<=', '>' or '>='.

    Nothing compared by order is false. Numbers order with numbers, texts with texts.
    Raises ExpressionError for a text against a number, a date against a moment in time, and for values
    that have no order.
    """
    kind, other = type(left), type(right)
    if left is None or right is None:
        return False
    if (kind is int or kind is float) and (other is int or other is float):
        return _ORDER[operator](left, right)
    if kind is str and other is str:
        if _mixes_date_and_moment(left, right):
            raise ExpressionError(
                f"The date {shown(left)} is compared with the moment in time {shown(right)}; "
                "use date_of(...) to compare dates."
                if len(left) == 10
                else f"The moment in time {shown(left)} is compared with the date {shown(right)}; "
                "use date_of(...) to compare dates."
            )
        return _ORDER[operator](left, right)
    raise ExpressionError(
        f"{shown(left)} is {kind_of(left)} and {shown(right)} is {kind_of(right)}, "
        f"so they cannot be compared with '{operator}'."
    )


_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def _mixes_date_and_moment(left: str, right: str) -> bool:
    if len(left) == 10 and len(right) > 10:
        return bool(DATE.match(left) and DATETIME.match(right))
    if len(right) == 10 and len(left) > 10:
        return bool(DATE.match(right) and DATETIME.match(left))
    return False


def contains(container: Any, item: Any) -> bool:
    """`item in container`: a part of a text, an element of a list, a key of an object, an id of a collection."""
    if container is None:
        return False
    if isinstance(container, str):
        if item is None:
            return False
        if not isinstance(item, str):
            raise ExpressionError(f"{shown(item)} is {kind_of(item)}; only a text can be looked for in a text.")
        return item in container
    if isinstance(container, (list, tuple)):
        return any(equals(item, element) for element in container)
    if isinstance(container, CollectionLike):
        return isinstance(item, str) and container.get(item) is not None
    if isinstance(container, RecordLike):
        return isinstance(item, str) and item in container.plain()
    if isinstance(container, Mapping):
        return isinstance(item, str) and item in container
    raise ExpressionError(f"{shown(container)} is {kind_of(container)}, so nothing can be in it.")


def field(value: Any, name: str) -> Any:
    """The field `name` of a value: what a dot reads. A field of nothing is nothing."""
    if value is None:
        return None
    if type(value) is dict:
        return value.get(name)
    if isinstance(value, RecordLike):
        return value.read(name)
    if isinstance(value, CollectionLike):
        return value.get(name)
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, (list, tuple)):
        return None
    raise ExpressionError(f"{shown(value)} is {kind_of(value)}, so it has no field '{name}'.")


def item(value: Any, key: Any) -> Any:
    """`value[key]`: the element of a list by its place, the value of a map, the record of a collection.

    A place in what is no list is nothing, and so is a key of a list, as in queries.
    """
    if value is None or key is None:
        return None
    kind = type(key)
    if kind is str:
        return field(value, key)
    if (kind is int or kind is float) and key == int(key):
        if not isinstance(value, (list, tuple)):
            return None
        place = int(key)
        return value[place] if -len(value) <= place < len(value) else None
    if isinstance(value, (list, tuple)):
        raise ExpressionError(f"A list is read by place, a whole number from 0, not by {shown(key)}.")
    raise ExpressionError(f"{shown(key)} is {kind_of(key)}; a key is a text.")


# -- numbers: exact decimals in sums ------------------------------------------------------------------------


def number(value: Any, what: str = "This") -> int | float:
    """The value if it is a number; raises ExpressionError in the author's words if it is not."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ExpressionError(f"{what} needs a number, not {shown(value)} ({kind_of(value)}).")
    result: int | float = value
    return result


def exact(value: int | float) -> Decimal:
    """A number as the decimal that its written form says."""
    return Decimal(value) if isinstance(value, int) else _written(value)


@lru_cache(maxsize=4096)
def _written(value: float) -> Decimal:
    return Decimal(repr(value))


def from_exact(value: Decimal) -> int | float:
    """A decimal as the JSON number it is: whole ones as int. Raises for what is out of range."""
    found = float(value)
    if not -_BIGGEST <= found <= _BIGGEST:
        raise ExpressionError(_TOO_LARGE)
    if not found.is_integer():
        return found
    whole = int(value)
    return whole if whole == value else found


def arithmetic(operator: str, left: Any, right: Any) -> Any:
    """`+ - * / // %` over numbers, exactly. Nothing in a sum gives nothing. Raises ExpressionError otherwise.

    `+` also joins two lists; texts are joined with `~`.
    """
    if left is None or right is None:
        return None
    one, other = _whole(left), _whole(right)
    if one is not None and other is not None:
        return _of_whole(operator, one, other)
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    for side in (left, right):
        if isinstance(side, bool) or not isinstance(side, (int, float)):
            hint = " Join texts with '~'." if operator == "+" and isinstance(side, str) else ""
            raise ExpressionError(f"{shown(side)} is {kind_of(side)}; '{operator}' works with numbers.{hint}")
    if right == 0 and operator in _DIVISIONS:
        raise ExpressionError(f"{shown(left)} is divided by zero.")
    return from_exact(_EXACT_OPERATORS[operator](exact(left), exact(right)))


def _whole(value: Any) -> int | None:
    """The whole number that a value is, as long as no digit of it can be lost."""
    kind = type(value)
    if kind is int:
        whole: int = value
        return whole
    return int(value) if kind is float and -_SURELY_EXACT < value < _SURELY_EXACT and value.is_integer() else None


def _of_whole(operator: str, left: int, right: int) -> int | float:
    if operator == "+":
        result = left + right
    elif operator == "-":
        result = left - right
    elif operator == "*":
        result = left * right
    elif right == 0:
        raise ExpressionError(f"{shown(left)} is divided by zero.")
    elif operator == "/" and left % right:
        return from_exact(_EXACT.divide(Decimal(left), Decimal(right)))
    else:
        result = left % right if operator == "%" else left // right
    if not -_BIGGEST <= result <= _BIGGEST:
        raise ExpressionError(_TOO_LARGE)
    return result


def _floor(one: Decimal, other: Decimal) -> Decimal:
    return _EXACT.divide(one, other).to_integral_value(ROUND_FLOOR)


_TOO_LARGE = "The result of the sum is too large to be a number in JSON."
_DIVISIONS = ("/", "//", "%")
_EXACT_OPERATORS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": _EXACT.add,
    "-": _EXACT.subtract,
    "*": _EXACT.multiply,
    "/": _EXACT.divide,
    "//": _floor,
    "%": lambda one, other: _EXACT.subtract(one, _EXACT.multiply(other, _floor(one, other))),
}


def negative(value: Any) -> Any:
    return None if value is None else arithmetic("-", 0, value)


def rounded(value: Any, digits: int = 0) -> Any:
    """Rounded to `digits` decimals, halves away from zero. Nothing stays nothing."""
    if value is None or (type(value) is int and digits >= 0):
        return value
    number(value, "Rounding")
    try:
        return from_exact(_EXACT.quantize(exact(value), _step(digits)))
    except InvalidOperation:
        raise ExpressionError(f"{shown(value)} is too large to be rounded to {digits} decimals.") from None


@lru_cache(maxsize=64)
def _step(digits: int) -> Decimal:
    return Decimal((0, (1,), -digits))


def total(values: Sequence[Any]) -> Any:
    """The exact sum; nothing is left out. Money sums to money; mixed currencies raise ExpressionError."""
    present = [value for value in values if value is not None]
    if not present:
        return 0
    if is_money(present[0]):
        return _money_total(present)
    if all(type(value) is int for value in present):
        return sum(present)
    amount = Decimal(0)
    for value in present:
        amount = _EXACT.add(amount, exact(number(value, "A sum")))
    return from_exact(amount)


def is_money(value: Any) -> bool:
    """Whether a value is `{amount, currency}` and nothing more."""
    return isinstance(value, Mapping) and len(value) == 2 and "amount" in value and "currency" in value


def money(amount: Any, currency: Any) -> dict[str, Any] | None:
    """`{amount, currency}` with the amount rounded to two decimals, halves up; nothing for no amount."""
    if amount is None:
        return None
    return {"amount": rounded(amount, 2), "currency": currency}


def _money_total(values: Sequence[Any]) -> dict[str, Any]:
    currencies: list[Any] = []
    for value in values:
        if not is_money(value):
            raise ExpressionError(f"A sum of money met {shown(value)}, which is {kind_of(value)}.")
        if value["currency"] not in currencies:
            currencies.append(value["currency"])
    if len(currencies) > 1:
        raise ExpressionError(
            "A sum over several currencies has no meaning: " + ", ".join(sorted(map(str, currencies))) + "."
        )
    return {"amount": total([value["amount"] for value in values]), "currency": currencies[0]}


# -- order, text and dates ----------------------------------------------------------------------------------


def sort_key(value: Any) -> tuple[int, Any]:
    """A key under which any values have one stable order: booleans, numbers, texts, the rest; nothing last."""
    if value is None:
        return (9, 0)
    if isinstance(value, bool):
        return (0, value)
    if isinstance(value, (int, float)):
        return (1, value)
    if isinstance(value, str):
        return (2, value)
    if is_money(value):
        return (1, value["amount"]) if value["amount"] is not None else (9, 0)
    return (5, to_text(value))


class Reversed:
    """A sort key turned round, so that nothing still comes last."""

    __slots__ = ("key",)

    def __init__(self, key: Any):
        self.key = key

    def __lt__(self, other: Reversed) -> bool:
        return bool(other.key < self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reversed) and self.key == other.key

    __hash__ = None  # type: ignore[assignment]


def descending_key(value: Any) -> tuple[int, Any]:
    """As `sort_key`, largest first; nothing is last here too."""
    rank, inner = sort_key(value)
    return (rank, inner) if rank == 9 else (-rank, Reversed(inner))


def to_text(value: Any) -> str:
    """How a value prints in a text: nothing as nothing, 25.0 as 25, booleans as true and false."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(to_text(element) for element in value)
    if is_money(value):
        return f"{to_text(value['amount'])} {to_text(value['currency'])}"
    if isinstance(value, CollectionLike):
        return ", ".join(to_text(element) for element in value)
    fields = plain(value)
    return ", ".join(f"{key}: {to_text(inner)}" for key, inner in fields.items())


def json_number(value: float) -> bool:
    """Whether JSON can hold this number."""
    return math.isfinite(value)


def as_date(value: Any, what: str) -> date:
    """The day of a date or of a moment in time; raises ExpressionError for anything else."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value[:10]) if DATE.match(value) or DATETIME.match(value) else _no(value, what)
        except ValueError:
            pass
    return _no(value, what)


def as_moment(value: Any, what: str) -> datetime:
    """A moment in time; a date is its first instant."""
    if isinstance(value, str) and (DATE.match(value) or DATETIME.match(value)):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise ExpressionError(f"{what} needs a date or a moment in time, not {shown(value)}.")


def _no(value: Any, what: str) -> date:
    raise ExpressionError(f"{what} needs a date such as 2026-04-01, not {shown(value)}.")
