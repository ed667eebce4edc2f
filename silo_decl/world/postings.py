"""Which records of the data have which values, and which texts: ranks in an order, smallest first."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.meaning import equals, to_text

Ranks = Sequence[int]

_BETWEEN, _END = "\x00", "\x01"
_NEEDLES_KEPT = 16


class Postings:
    """For each combination of values of some fields, the ranks of the records that have it."""

    def __init__(self, columns: Sequence[Sequence[Any]]):
        self._ranks: dict[Any, list[int]] = {}
        self._odd: list[tuple[int, tuple[Any, ...]]] = []
        if len(columns) == 1 and set(map(type, columns[0])) == {str}:
            for rank, value in enumerate(columns[0]):
                self._add((value,), rank)
        else:
            self._add_any(zip(*columns))

    def _add(self, key: Any, rank: int) -> None:
        found = self._ranks.get(key)
        if found is None:
            self._ranks[key] = [rank]
        else:
            found.append(rank)

    def _add_any(self, combinations: Iterable[tuple[Any, ...]]) -> None:
        for rank, values in enumerate(combinations):
            try:
                key = tuple(map(_hashed, values))
            except TypeError:
                self._odd.append((rank, values))
            else:
                self._add(key, rank)

    def ranks(self, values: tuple[Any, ...]) -> Ranks:
        """The ranks of the records whose fields equal the values. Must not be changed."""
        try:
            return self._ranks.get(tuple(map(_hashed, values)), ())
        except TypeError:
            return [rank for rank, held in self._odd if all(map(equals, held, values))]


def _hashed(value: Any) -> Any:
    """A key that is the same for values that are equal: 1 and 1.0, but never 1 and true."""
    kind = type(value)
    if kind is str or value is None or kind is int or kind is float:
        return value
    if kind is bool:
        return (value,)
    raise TypeError


class Texts:
    """The folded texts of some fields of every record, joined to one text in the order of the ranks."""

    def __init__(self, columns: Sequence[Sequence[Any]]):
        parts, length = [], 0
        self._starts = array("q")
        for values in zip(*columns):
            self._starts.append(length)
            text = _BETWEEN.join(fold(to_text(value)) for value in values)
            parts.append(text.replace(_END, _BETWEEN) + _END)
            length += len(parts[-1])
        self._text = "".join(parts)
        self._found: dict[str, Ranks] = {}

    def ranks(self, needle: str) -> Ranks | None:
        """The ranks of the records with the folded text in one field; None where the text cannot be asked for."""
        if not needle or _BETWEEN in needle or _END in needle:
            return None
        found = self._found.get(needle)
        if found is None:
            found = self._look(needle)
            if len(self._found) >= _NEEDLES_KEPT:
                self._found.pop(next(iter(self._found)), None)
            self._found[needle] = found
        return found

    def _look(self, needle: str) -> Ranks:
        starts = self._starts
        hits = re.finditer(re.escape(needle) + f"[^{_END}]*", self._text)
        return array("q", [bisect_right(starts, hit.start()) - 1 for hit in hits])
