"""Measures over records: how many, and the sum, smallest, largest or average of a field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions import FUNCTIONS
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.tool import MeasureSpec
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import looked_up, reader
from silo_decl.tools.placing import PlacedError
from silo_decl.tools.query_text import name_text, path_text

Measure = Callable[[Sequence[Any]], Any]


def measures(draft: Draft, specs: Iterable[MeasureSpec], shape: Shape, of: str) -> dict[str, Measure]:
    """Each measure by its name, over records of this shape."""
    return {spec.name: _measure(draft, spec, shape, of) for spec in specs}


def measured(ready: dict[str, Measure], records: Sequence[Any]) -> dict[str, Any]:
    return {name: measure(records) for name, measure in ready.items()}


def _measure(draft: Draft, spec: MeasureSpec, shape: Shape, of: str) -> Measure:
    if spec.function == "count":
        return len
    at = spec.at.child(spec.function)
    found = looked_up(at, shape, spec.of, draft.problems)
    if not _fits(spec.function, found):
        said = f"'{spec.of}' is no number or sum of money, so it has no {spec.function}."
        draft.problems.append(at.problem("wrong-arguments", said, "Name a field that has one."))
    read = reader(spec.of)
    work = FUNCTIONS[spec.function].call
    nothing = empty_money(draft, of, spec.of) if spec.function == "sum" and is_money_shape(found) else None

    def measure(records: Sequence[Any]) -> Any:
        try:
            values = [value for record in records if (value := read(record)) is not None]
            return nothing if nothing is not None and not values else work(values)
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return measure


def _fits(function: str, shape: Shape) -> bool:
    if shape.kind in ("any", "nothing", "number") or is_money_shape(shape):
        return True
    return function in ("min", "max") and shape.textual


def is_money_shape(shape: Shape) -> bool:
    return shape.kind == "object" and set(shape.fields) == {"amount", "currency"}


def empty_money(draft: Draft, collection: str, path: str) -> dict[str, Any]:
    """The sum of no money at all: amount 0, and the currency where the collection has only one."""
    currencies = set()
    for record in draft.base.new_world().read(collection):
        value = reader(path)(record)
        if value is not None:
            currencies.add(value["currency"])
    return {"amount": 0, "currency": currencies.pop() if len(currencies) == 1 else None}


def measures_text(draft: Draft, specs: Iterable[MeasureSpec], shape: Shape, of: str) -> str:
    """The measures as a query over a list has them; '' where there are none."""
    parts = [f"{name_text(spec.name)}: {_measure_text(draft, spec, shape, of)}" for spec in specs]
    return "{" + ", ".join(parts) + "}" if parts else ""


def _measure_text(draft: Draft, spec: MeasureSpec, shape: Shape, of: str) -> str:
    if spec.function == "count":
        return "length(@)"
    text = f"{spec.function}(@, &{path_text(spec.of)})"
    found = looked_up(spec.at, shape, spec.of, [])
    if spec.function != "sum" or not is_money_shape(found):
        return text
    nothing = json.dumps(empty_money(draft, of, spec.of))
    return f"(length([?{path_text(spec.of)} != null]) > 0 and {text} or `{nothing}`)"
