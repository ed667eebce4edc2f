"""Drawing with a seed: the same on every machine, and hardly different when there is one thing more to draw from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from silo_decl.expressions.records import RecordLike, plain

T = TypeVar("T")


def key_of(value: Any) -> str:
    """What tells a value from others: of a record its id, of anything else all that it holds."""
    return json.dumps(_told(value), sort_keys=True, ensure_ascii=False, default=str)


def _told(value: Any) -> Any:
    if isinstance(value, RecordLike):
        return [getattr(value, "collection", ""), getattr(value, "id", None) or plain(value)]
    if isinstance(value, (list, tuple)):
        return [_told(one) for one in value]
    return plain(value)


def drawn(seed: int, *words: str) -> float:
    """A number from 0 up to 1 that depends on nothing but the seed and the words."""
    digest = hashlib.sha256("\0".join([str(seed), *words]).encode()).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


def one_of(values: Sequence[T], seed: int, *words: str) -> T:
    """One of the values; when others come or go, most draws stay as they were."""
    return min(values, key=lambda one: drawn(seed, *words, key_of(one)))


def picked(values: Sequence[T], count: int, seed: int, name: Callable[[T], str]) -> list[T]:
    """So many of the values, in their order."""
    ranked = sorted(range(len(values)), key=lambda place: drawn(seed, name(values[place])))
    return [values[place] for place in sorted(ranked[:count])]
