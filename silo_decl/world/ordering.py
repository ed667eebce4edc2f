"""The order of records: field paths, '-' in front for largest first, nothing last, ties as the records stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.meaning import descending_key, sort_key

Arrange = Callable[[list[Any]], list[Any]]


def rank_of(sort: Sequence[str]) -> Callable[[Any], Any]:
    """The sort key of one record."""
    parts = [(path_reader(one.removeprefix("-")), descending_key if one.startswith("-") else sort_key) for one in sort]
    if len(parts) == 1:
        read, rank = parts[0]
        return lambda record: rank(read(record))
    return lambda record: tuple(rank(read(record)) for read, rank in parts)


def in_order(sort: Sequence[str]) -> Arrange | None:
    """What puts a list of records in order; None where there is none to follow."""
    if not sort:
        return None
    key = rank_of(sort)
    return lambda records: sorted(records, key=key)
