"""The order of records: field paths, '-' in front for largest first, nothing last, ties as the records stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import descending_key, sort_key
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.source import At
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import looked_up, reader
from silo_decl.tools.placing import PlacedError

Sorter = Callable[[list[Any]], list[Any]]


def sorter(draft: Draft, at: At, sort: Sequence[str], shape: Shape) -> Sorter:
    """What puts records of this shape in order. The list it is handed may come back changed or as it is."""
    if not sort:
        return lambda records: records
    for place, one in enumerate(sort):
        looked_up(at.child(place), shape, one.removeprefix("-"), draft.problems)
    key = _key([(reader(one.removeprefix("-")), one.startswith("-")) for one in sort])

    def in_order(records: list[Any]) -> list[Any]:
        try:
            return sorted(records, key=key)
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return in_order


def _key(parts: list[tuple[Callable[[Any], Any], bool]]) -> Callable[[Any], Any]:
    if len(parts) == 1:
        read, descending = parts[0]
        rank = descending_key if descending else sort_key
        return lambda record: rank(read(record))
    ranks = [(read, descending_key if descending else sort_key) for read, descending in parts]
    return lambda record: tuple(rank(read(record)) for read, rank in ranks)


def sort_rows(rows: list[dict[str, Any]], sort: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of plain values in order."""
    if not sort:
        return rows
    key = _key([(_row_reader(one.removeprefix("-")), one.startswith("-")) for one in sort])
    return sorted(rows, key=key)


def _row_reader(path: str) -> Callable[[Any], Any]:
    steps = path.split(".")

    def read(row: Any) -> Any:
        for step in steps:
            row = row.get(step) if isinstance(row, dict) else None
        return row

    return read
