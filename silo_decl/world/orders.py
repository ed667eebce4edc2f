"""Orders of the records of the data, worked out once; a record has a rank in each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from silo_decl.world.frozen import FrozenCollection
from silo_decl.world.ordering import rank_of
from silo_decl.world.records import Record

if TYPE_CHECKING:
    from silo_decl.world.store import World


class Order:
    """One order of the records of the data; ties stand as the records do.

    `places` gives the place in the data of each rank, `ranks` the rank of each place.
    """

    def __init__(self, frozen: FrozenCollection, pristine: World, sort: tuple[str, ...]):
        self.frozen = frozen
        self.pristine = pristine
        self._key = rank_of(sort) if sort else None
        self.places: Sequence[int] = range(len(frozen.rows))
        self.ranks: Sequence[int] = self.places
        if self._key is not None:
            self._sort(self._key)

    def _sort(self, key: Any) -> None:
        keys = [key(Record(self.pristine, self.frozen, stored)) for stored in self.frozen.rows]
        places = sorted(range(len(keys)), key=keys.__getitem__)
        if all(place == rank for rank, place in enumerate(places)):
            return
        ranks = [0] * len(places)
        for rank, place in enumerate(places):
            ranks[place] = rank
        self.places, self.ranks = places, ranks

    def key(self, record: Record) -> Any:
        """What a record is put in order by."""
        return () if self._key is None else self._key(record)

    def before(self, key: Any, place: int) -> int:
        """How many records of the data come before one with this key that stands at `place`."""
        size = len(self.places)
        if self._key is None:
            return min(place, size)
        if place < size and self._key_at(self.ranks[place])[0] == key:
            return self.ranks[place]
        if size and self._key_at(size - 1) < (key, place):
            return size
        return bisect_left(range(size), (key, place), key=self._key_at)

    def _key_at(self, rank: int) -> tuple[Any, int]:
        place = self.places[rank]
        return self.key(Record(self.pristine, self.frozen, self.frozen.rows[place])), place
