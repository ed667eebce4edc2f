"""Functions over numbers and sums of money. Sums are exact decimals; halves round away from zero."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_values import element_of, listed, measured, reader, text_of, whole
from silo_decl.expressions.shapes import ANY, MONEY, NUMBER, Shape, list_of

_NUMERAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\Z", re.ASCII)
_LONGEST_RANGE = 10_000

_NUMBERS = ("number",)
_MEASURED = ("number", "text", "object")


def _joined(operator: str, values: tuple[Any, ...]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = meaning.arithmetic(operator, result, value)
    return result


def add(*values: Any) -> Any:
    return _joined("+", values)


def subtract(left: Any, right: Any) -> Any:
    return meaning.arithmetic("-", left, right)


def multiply(*values: Any) -> Any:
    return _joined("*", values)


def divide(left: Any, right: Any) -> Any:
    return meaning.arithmetic("/", left, right)


def round_number(value: Any, digits: Any = 0) -> Any:
    return meaning.rounded(value, whole(digits, "round", -15, 15) if digits is not None else 0)


def absolute(value: Any) -> Any:
    return None if value is None else abs(meaning.number(value, "abs(...)"))


def floor(value: Any) -> Any:
    return None if value is None else meaning.arithmetic("//", meaning.number(value, "floor(...)"), 1)


def ceil(value: Any) -> Any:
    return None if value is None else -meaning.arithmetic("//", -meaning.number(value, "ceil(...)"), 1)


def total(values: Any, of: Any = None) -> Any:
    return meaning.total(measured(values, of, "sum"))


def average(values: Any, of: Any = None) -> Any:
    present = measured(values, of, "avg")
    if not present:
        return None
    found = meaning.total(present)
    if meaning.is_money(found):
        return {**found, "amount": meaning.arithmetic("/", found["amount"], len(present))}
    return meaning.arithmetic("/", found, len(present))


def _alike(values: list[Any], name: str) -> list[Any]:
    for value in values[1:]:
        if meaning.sort_key(value)[0] != meaning.sort_key(values[0])[0]:
            raise ExpressionError(
                f"{name}(...) met {meaning.shown(values[0])} ({meaning.kind_of(values[0])}) and {meaning.shown(value)} "
                f"({meaning.kind_of(value)}), which have no order."
            )
    return values


def least(values: Any, of: Any = None) -> Any:
    return min(_alike(measured(values, of, "min"), "min"), key=meaning.sort_key, default=None)


def greatest(values: Any, of: Any = None) -> Any:
    return max(_alike(measured(values, of, "max"), "max"), key=meaning.sort_key, default=None)


def _keyed(values: Any, key: Any, name: str) -> tuple[list[Any], list[Any]]:
    """The elements whose key is something, and these keys."""
    read = reader(key)
    pairs = [(element, read(element)) for element in listed(values, name)]
    kept = [(element, found) for element, found in pairs if found is not None]
    return [element for element, _ in kept], _alike([found for _, found in kept], name)


def least_by(values: Any, key: Any) -> Any:
    elements, keys = _keyed(values, key, "min_by")
    places = range(len(keys))
    return elements[min(places, key=lambda place: meaning.sort_key(keys[place]))] if elements else None


def greatest_by(values: Any, key: Any) -> Any:
    elements, keys = _keyed(values, key, "max_by")
    places = range(len(keys))
    return elements[max(places, key=lambda place: meaning.sort_key(keys[place]))] if elements else None


def number(value: Any) -> Any:
    """The number that a text spells; raises ExpressionError where it spells none."""
    found = to_number(value)
    if found is None and value is not None:
        raise ExpressionError(f"{meaning.shown(value)} is not a number.")
    return found


def to_number(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or not _NUMERAL.match(value.strip()):
        return None
    spelt = value.strip()
    found = int(spelt) if spelt.lstrip("+-").isdigit() and len(spelt) < 400 else float(spelt)
    return found if isinstance(found, int) or meaning.json_number(found) else None


def money(amount: Any, currency: Any) -> Any:
    return meaning.money(amount, None if currency is None else text_of(currency, "money"))


def number_range(first: Any, stop: Any = None) -> list[int]:
    """0 up to `first`, or `first` up to `stop`, the last one left out."""
    if first is None:
        return []
    start = 0 if stop is None else whole(first, "range", -(10**12), 10**12)
    end = whole(first if stop is None else stop, "range", -(10**12), 10**12)
    if end - start > _LONGEST_RANGE:
        raise ExpressionError(f"range(...) gives at most {_LONGEST_RANGE} numbers, not {end - start}.")
    return list(range(start, end))


def _measure(shapes: Sequence[Shape]) -> Shape:
    return (shapes[1] if len(shapes) > 1 else element_of(shapes)).maybe()


def _sum(shapes: Sequence[Shape]) -> Shape:
    measure = _measure(shapes)
    return NUMBER if measure.kind == "number" else MONEY if measure.kind == "object" else ANY


def _element(shapes: Sequence[Shape]) -> Shape:
    return element_of(shapes).maybe()


_LIST = Parameter("list", ("list",), of=_MEASURED)
_SUMMED = Parameter("list", ("list",), of=("number", "object"))
_OF = Parameter("field", ("number", "object"), optional=True, expression=True)
_MEASURE = Parameter("field", _MEASURED, optional=True, expression=True)
_KEY = Parameter("field", _MEASURED, expression=True)
_N = Parameter("number", _NUMBERS)

NUMBER_FUNCTIONS = (
    Function(
        "abs",
        (_N,),
        NUMBER.maybe(),
        absolute,
        "A number without its sign.",
        "abs(-3)",
        3,
        filter=True,
    ),
    Function(
        "add",
        (_N, Parameter("number", _NUMBERS, many=True)),
        NUMBER.maybe(),
        add,
        "The exact sum of numbers; nothing if one of them is nothing.",
        "add(0.1, 0.2)",
        0.3,
    ),
    Function(
        "subtract",
        (_N, _N),
        NUMBER.maybe(),
        subtract,
        "The first number less the second.",
        "subtract(10, 4)",
        6,
    ),
    Function(
        "multiply",
        (_N, Parameter("number", _NUMBERS, many=True)),
        NUMBER.maybe(),
        multiply,
        "The exact product of numbers.",
        "multiply(19.99, 3)",
        59.97,
    ),
    Function(
        "divide",
        (_N, _N),
        NUMBER.maybe(),
        divide,
        "The first number divided by the second; dividing by zero is an error.",
        "divide(10, 4)",
        2.5,
    ),
    Function(
        "round",
        (_N, Parameter("digits", _NUMBERS, optional=True)),
        NUMBER.maybe(),
        round_number,
        "A number rounded to so many decimals (none unless said), halves away from zero.",
        "round(2.675, 2)",
        2.68,
        filter=True,
    ),
    Function("floor", (_N,), NUMBER.maybe(), floor, "The greatest whole number not above.", "floor(2.9)", 2),
    Function("ceil", (_N,), NUMBER.maybe(), ceil, "The least whole number not below.", "ceil(2.1)", 3),
    Function(
        "sum",
        (_SUMMED, _OF),
        _sum,
        total,
        "The exact sum of a list of numbers or of money, or of one field of its elements; nothing is left out.",
        'sum(`[{"price": 1.5}, {"price": null}, {"price": 2}]`, &price)',
        3.5,
        template="sum([{'price': 1.5}, {'price': null}, {'price': 2}], 'price')",
        filter=True,
    ),
    Function(
        "avg",
        (_SUMMED, _OF),
        _measure,
        average,
        "The mean of a list of numbers or of money, or of one field; nothing is left out, of nothing it is nothing.",
        "avg([1, 2, null])",
        1.5,
    ),
    Function(
        "min",
        (_LIST, _MEASURE),
        _measure,
        least,
        "The least of a list, or of one field of its elements; nothing is left out.",
        "min([3, 1, null])",
        1,
        filter=True,
    ),
    Function(
        "max",
        (_LIST, _MEASURE),
        _measure,
        greatest,
        "The greatest of a list, or of one field of its elements; nothing is left out.",
        "max([3, 1, null])",
        3,
        filter=True,
    ),
    Function(
        "min_by",
        (Parameter("list", ("list",)), _KEY),
        _element,
        least_by,
        "The element whose field is least; elements without it are left out.",
        'min_by(`[{"n": 2}, {"n": 1}, {}]`, &n)',
        {"n": 1},
        template="min_by([{'n': 2}, {'n': 1}, {}], 'n')",
    ),
    Function(
        "max_by",
        (Parameter("list", ("list",)), _KEY),
        _element,
        greatest_by,
        "The element whose field is greatest; elements without it are left out.",
        'max_by(`[{"n": 2}, {"n": 1}, {}]`, &n)',
        {"n": 2},
        template="max_by([{'n': 2}, {'n': 1}, {}], 'n')",
    ),
    Function(
        "number",
        (Parameter("value", ("number", "text")),),
        NUMBER.maybe(),
        number,
        "The number that a text spells; a text that spells none is an error.",
        "number('12.50')",
        12.5,
    ),
    Function(
        "to_number",
        (Parameter("value"),),
        NUMBER.maybe(),
        to_number,
        "The number that a text spells, or nothing.",
        "to_number('12 pieces')",
        None,
    ),
    Function(
        "money",
        (_N, Parameter("currency", ("text",))),
        MONEY.maybe(),
        money,
        "A sum of money with two decimals, halves rounded away from zero; nothing without an amount.",
        "money(12.345, 'EUR')",
        {"amount": 12.35, "currency": "EUR"},
    ),
    Function(
        "range",
        (_N, Parameter("stop", _NUMBERS, optional=True)),
        list_of(NUMBER),
        number_range,
        "The whole numbers from 0 (or the first number) up to a number, which is left out; at most 10,000.",
        "range(3)",
        [0, 1, 2],
    ),
)
