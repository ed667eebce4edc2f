"""The order of records: field paths, '-' in front for largest first, nothing last, ties as the records stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.source import At
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import looked_up
from silo_decl.tools.placing import PlacedError
from silo_decl.world.ordering import rank_of

Sorter = Callable[[list[Any]], list[Any]]


def sorter(draft: Draft, at: At, sort: Sequence[str], shape: Shape) -> Sorter:
    """What puts records of this shape in order. The list it is handed may come back changed or as it is."""
    if not sort:
        return lambda records: records
    for place, one in enumerate(sort):
        looked_up(at.child(place), shape, one.removeprefix("-"), draft.problems)
    key = rank_of(sort)

    def in_order(records: list[Any]) -> list[Any]:
        try:
            return sorted(records, key=key)
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return in_order


def sort_rows(rows: list[dict[str, Any]], sort: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of plain values in order."""
    return sorted(rows, key=rank_of(sort)) if sort else rows
