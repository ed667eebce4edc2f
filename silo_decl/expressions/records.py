"""What expressions ask of a world, so that they need not know it: records and collections as seen from a dot.

Plain classes and not abstract ones, because asking what a value is must be quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class RecordLike:
    """A record whose fields are read one at a time, computed ones too."""

    __slots__ = ()

    def read(self, name: str) -> Any:
        """The field's value; None for a field that is not there."""
        raise NotImplementedError

    def plain(self) -> dict[str, Any]:
        """The stored fields as a plain dict that must not be changed; computed fields are not in it."""
        raise NotImplementedError


class CollectionLike:
    """The records of one kind. Iterating gives records in their stable order."""

    __slots__ = ()
    name: str

    def __iter__(self) -> Iterator[RecordLike]:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def get(self, key: str) -> RecordLike | None:
        raise NotImplementedError

    def select(self, equal: Mapping[str, Any], test: Callable[[RecordLike], Any] | None) -> list[RecordLike]:
        """The records whose fields equal all of `equal` and for which `test` is something, in stable order.

        The keys of `equal` are field paths (`amount.currency`); equality is `meaning.equals`. `test` may be
        handed one and the same record object again and again: it must not keep it.
        """
        raise NotImplementedError


class WorldLike(RecordLike):
    """A world: its fields are its collections."""

    __slots__ = ()
    now: str
    today: str


def plain(value: Any) -> Any:
    """The value with records and collections turned into plain dicts and lists, at every depth."""
    if isinstance(value, RecordLike):
        return plain(value.plain())
    if isinstance(value, CollectionLike):
        return [plain(record) for record in value]
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value
