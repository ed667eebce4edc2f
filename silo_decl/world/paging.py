"""Pages of records in order: what the data says, kept in order once, with what a world changed put in between."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from silo_decl.world.frozen import FrozenCollection, Stored
from silo_decl.world.ordering import rank_of
from silo_decl.world.records import Record

if TYPE_CHECKING:
    from silo_decl.world.records import Collection
    from silo_decl.world.store import World

Page = tuple[int, list[Stored]]
"""How many records there are in all, and those of the page."""


class Order:
    """One order of the records of the data. Ties stand as the records do.

    `ranks` is the rank of each place; `as_stored` says that the records stand in this order already.
    """

    def __init__(self, frozen: FrozenCollection, pristine: World, sort: tuple[str, ...]):
        self.frozen = frozen
        self.pristine = pristine
        self.rank = rank_of(sort) if sort else None

    @cached_property
    def _keys(self) -> list[Any]:
        rank = self.rank
        assert rank is not None
        return [rank(Record(self.pristine, self.frozen, stored)) for stored in self.frozen.rows]

    @cached_property
    def as_stored(self) -> bool:
        if self.rank is None:
            return True
        keys = self._keys
        return all(not keys[place + 1] < keys[place] for place in range(len(keys) - 1))

    @cached_property
    def ranks(self) -> Sequence[int]:
        if self.rank is None:
            return range(len(self.frozen.rows))
        keys = self._keys
        places = sorted(range(len(keys)), key=keys.__getitem__)
        ranks = [0] * len(places)
        for rank, place in enumerate(places):
            ranks[place] = rank
        return ranks

    def before(self, places: Sequence[int], record: Record, place: int) -> int:
        """How many of the ordered places come before a record that now stands at `place`."""
        if self.rank is None:
            return bisect_left(places, place)
        wanted = (self.rank(record), place)
        keys = self._keys
        return bisect_left(places, wanted, key=lambda one: (keys[one], one))

    def where(self, places: Sequence[int], place: int) -> int | None:
        """The position of a place among the ordered places, None where it is not among them."""
        ranks = self.ranks
        position = bisect_left(places, ranks[place], key=ranks.__getitem__)
        return position if position < len(places) and places[position] == place else None


def page_of(
    collection: Collection,
    places: Sequence[int],
    order: Order,
    meets: Callable[[Record], bool],
    offset: int,
    limit: int,
) -> Page:
    """A page of the records at the ordered places, corrected by what the world changed."""
    world, frozen = collection.world, collection.frozen
    overlay = world.overlay(collection.name)
    if overlay is None:
        return len(places), [frozen.rows[place] for place in places[offset : offset + limit]]
    gone = {found for place in overlay.touched_places() if (found := order.where(places, place)) is not None}
    come: list[tuple[int, Any, int, Stored]] = []
    for record_id, stored in overlay.changed.items():
        record = Record(world, frozen, stored)
        if meets(record):
            place = frozen.places[record_id]
            come.append((order.before(places, record, place), _rank(order, record), place, stored))
    for number, stored in enumerate(overlay.added.values(), len(frozen.rows)):
        record = Record(world, frozen, stored)
        if meets(record):
            come.append((order.before(places, record, number), _rank(order, record), number, stored))
    come.sort(key=lambda one: one[:3])
    total = len(places) - len(gone) + len(come)
    return total, _merged(frozen, places, gone, come, offset, limit)


def _rank(order: Order, record: Record) -> Any:
    return order.rank(record) if order.rank is not None else ()


def _merged(
    frozen: FrozenCollection,
    places: Sequence[int],
    gone: set[int],
    come: list[tuple[int, Any, int, Stored]],
    offset: int,
    limit: int,
) -> list[Stored]:
    found: list[Stored] = []
    wanted = offset + limit
    position, waiting = 0, iter(come)
    newcomer = next(waiting, None)
    while len(found) < wanted and (position < len(places) or newcomer is not None):
        if newcomer is not None and newcomer[0] <= position:
            found.append(newcomer[3])
            newcomer = next(waiting, None)
            continue
        if position not in gone:
            found.append(frozen.rows[places[position]])
        position += 1
    return found[offset:]
