"""Pages of records in order: what an index of the data says, with what a world changed taken out and put in."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from silo_decl.world.frozen import Stored
from silo_decl.world.orders import Order
from silo_decl.world.records import Record

if TYPE_CHECKING:
    from silo_decl.world.overlay import Overlay
    from silo_decl.world.records import Collection

Page = tuple[int, list[Stored]]
"""How many records there are in all, and those of the page."""

Edit = tuple[int, bool, Any, int, Stored]
"""Where the ranks are edited: position, whether the rank there goes, and else the key, place and record that comes."""


def page_of(
    collection: Collection,
    ranks: Sequence[int],
    order: Order,
    meets: Callable[[Record], bool],
    offset: int,
    limit: int,
) -> Page:
    """A page of the records of these ranks, corrected by what the world changed."""
    overlay = collection.world.overlay(collection.name)
    edits = [] if overlay is None else _edits(collection, overlay, ranks, order, meets)
    if not edits:
        return len(ranks), _rows(order, ranks[offset : offset + limit])
    edits.sort(key=lambda edit: edit[:4])
    total = len(ranks) + sum(-1 if goes else 1 for _, goes, *_ in edits)
    return total, _edited(order, ranks, edits, offset, limit)


def rows_of(
    collection: Collection, ranks: Sequence[int], order: Order, meets: Callable[[Record], bool]
) -> list[Stored]:
    """All of them."""
    return page_of(collection, ranks, order, meets, 0, len(ranks) + len(collection))[1]


def _rows(order: Order, ranks: Sequence[int]) -> list[Stored]:
    rows = order.frozen.rows
    if isinstance(order.places, range):
        return [rows[rank] for rank in ranks]
    places = order.places
    return [rows[places[rank]] for rank in ranks]


def _edits(
    collection: Collection, overlay: Overlay, ranks: Sequence[int], order: Order, meets: Callable[[Record], bool]
) -> list[Edit]:
    world, frozen = collection.world, collection.frozen
    edits: list[Edit] = []
    for place in overlay.touched_places():
        rank = order.ranks[place]
        position = bisect_left(ranks, rank)
        if position < len(ranks) and ranks[position] == rank:
            edits.append((position, True, (), place, {}))
    for stored, place in overlay.arrivals():
        record = Record(world, frozen, stored)
        if meets(record):
            key = order.key(record)
            edits.append((bisect_left(ranks, order.before(key, place)), False, key, place, stored))
    return edits


def _edited(order: Order, ranks: Sequence[int], edits: list[Edit], offset: int, limit: int) -> list[Stored]:
    """The page from `offset` on; long stretches without an edit are skipped or sliced."""
    end = offset + limit
    found: list[Stored] = []
    at = seen = 0
    for position, goes, _, _, stored in [*edits, (len(ranks), True, (), 0, {})]:
        begin = at + max(0, offset - seen)
        if begin < position:
            found += _rows(order, ranks[begin : min(position, at + end - seen)])
        seen += position - at
        if seen >= end:
            break
        at = position + 1 if goes else position
        if not goes:
            if seen >= offset:
                found.append(stored)
            seen += 1
    return found
