"""Measures over records: how many, and the sum, smallest, largest or average of a field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.tool import MeasureSpec
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import looked_up
from silo_decl.tools.placing import PlacedError
from silo_decl.tools.query_text import name_text, path_text
from silo_decl.world.measures import is_money_shape, measure

Measure = Callable[[Sequence[Any]], Any]


def measures(draft: Draft, specs: Iterable[MeasureSpec], shape: Shape, of: str) -> dict[str, Measure]:
    """Each measure by its name, over records of this shape."""
    return {spec.name: _measure(draft, spec, shape, of) for spec in specs}


def measured(ready: dict[str, Measure], records: Sequence[Any]) -> dict[str, Any]:
    return {name: measure(records) for name, measure in ready.items()}


def _measure(draft: Draft, spec: MeasureSpec, shape: Shape, of: str) -> Measure:
    at = spec.at.child(spec.function)
    found = looked_up(at, shape, spec.of, draft.problems) if spec.of else shape
    if spec.of and not _fits(spec.function, found):
        said = f"'{spec.of}' is no number or sum of money, so it has no {spec.function}."
        draft.problems.append(at.problem("wrong-arguments", said, "Name a field that has one."))
    work = measure(spec.function, spec.of, found, of)
    base = draft.base

    def measured(records: Sequence[Any]) -> Any:
        try:
            return work(records, base)
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return measured


def _fits(function: str, shape: Shape) -> bool:
    if shape.kind in ("any", "nothing", "number") or is_money_shape(shape):
        return True
    return function in ("min", "max") and shape.textual


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
    nothing = json.dumps({"amount": 0, "currency": draft.base.only_currency(of, spec.of)})
    return f"(length([?{path_text(spec.of)} != null]) > 0 and {text} or `{nothing}`)"
