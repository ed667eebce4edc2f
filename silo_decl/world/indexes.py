"""Posting lists and search texts of the data, made when first asked for and corrected by what a world changed.

An index never answers differently from looking at every record; tests hold the two equal.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.meaning import equals, to_text
from silo_decl.world.frozen import FrozenCollection, Stored
from silo_decl.world.paging import Order, Page, page_of
from silo_decl.world.records import Record

if TYPE_CHECKING:
    from silo_decl.world.overlay import Overlay
    from silo_decl.world.records import Collection
    from silo_decl.world.store import World

_SORTED_KEPT = 256
_BETWEEN, _END = "\x00", "\x01"


class Indexes:
    """The indexes of one collection. `pristine` is a world in which nothing was ever changed."""

    def __init__(self, frozen: FrozenCollection, pristine: World):
        self.frozen = frozen
        self.pristine = pristine
        self._postings: dict[tuple[str, ...], Postings] = {}
        self._texts: dict[tuple[str, ...], Texts] = {}
        self._sorted: dict[tuple[Any, ...], Sequence[int]] = {}
        self._orders: dict[tuple[str, ...], Order] = {}

    # -- equality -------------------------------------------------------------------------------------------

    def rows(self, collection: Collection, equal: Mapping[str, Any]) -> Iterable[Stored]:
        """The stored records that equal all of `equal`, in order."""
        if self.frozen.key in equal:
            return self._by_key(collection, equal)
        paths = tuple(sorted(equal))
        if not self._holds(collection.world, paths):
            return self._scanned(collection, equal)
        places = self._postings_of(paths).places(tuple(equal[path] for path in paths))
        overlay = collection.world.overlay(collection.name)
        if overlay is None:
            return map(self.frozen.rows.__getitem__, places)
        return self._corrected(collection, overlay, places, equal)

    def _by_key(self, collection: Collection, equal: Mapping[str, Any]) -> Iterable[Stored]:
        key = equal[self.frozen.key]
        record = collection.get(key) if isinstance(key, str) else None
        return [record.stored] if record is not None and _meets(equal)(record) else []

    def _postings_of(self, paths: tuple[str, ...]) -> Postings:
        found = self._postings.get(paths)
        if found is None:
            found = self._postings[paths] = Postings(self._columns(paths))
        return found

    def _columns(self, paths: Sequence[str]) -> list[list[Any]]:
        return [self._column(path) for path in paths]

    def _column(self, path: str) -> list[Any]:
        first, _, rest = path.partition(".")
        if not rest and first not in self.frozen.computed:
            return [record.get(first) for record in self.frozen.rows]
        read = path_reader(path)
        return [read(Record(self.pristine, self.frozen, stored)) for stored in self.frozen.rows]

    def _holds(self, world: World, paths: Iterable[str]) -> bool:
        """Whether what the base knows of these fields is still so: computed ones depend on other records."""
        for path in paths:
            computed = self.frozen.computed.get(path.partition(".")[0])
            if computed is not None and not world.touched.isdisjoint(computed.depends):
                return False
        return True

    def _scanned(self, collection: Collection, equal: Mapping[str, Any]) -> list[Stored]:
        meets = _meets(equal)
        return [record.stored for record in collection if meets(record)]

    def _corrected(
        self, collection: Collection, overlay: Overlay, places: Sequence[int], equal: Mapping[str, Any]
    ) -> Iterable[Stored]:
        world, frozen = collection.world, self.frozen
        meets = _meets(equal)
        right = self._places_now(collection, overlay, places, meets)
        changed = overlay.changed
        if changed:
            rows: list[Stored] = [changed.get(frozen.ids[place], frozen.rows[place]) for place in right]
        else:
            rows = list(map(frozen.rows.__getitem__, right))
        rows += [stored for stored in overlay.added.values() if meets(Record(world, frozen, stored))]
        return rows

    def _places_now(self, collection: Collection, overlay: Overlay, places: Sequence[int], meets: Any) -> list[int]:
        """The places of the data that belong to the answer in this world."""
        right = list(places)
        for place in overlay.touched_places():
            at = bisect_left(right, place)
            if at < len(right) and right[at] == place:
                del right[at]
        for record_id, stored in overlay.changed.items():
            if meets(Record(collection.world, self.frozen, stored)):
                place = self.frozen.places[record_id]
                right.insert(bisect_left(right, place), place)
        return right

    # -- pages in order -------------------------------------------------------------------------------------

    def page(
        self, collection: Collection, equal: Mapping[str, Any], sort: tuple[str, ...], offset: int, limit: int
    ) -> Page | None:
        """The number of records that equal all of `equal`, and a page of them; None where no index can say."""
        if not self._holds(collection.world, (*equal, *map(_bare, sort))):
            return None
        paths = tuple(sorted(equal))
        places = self._in_order(paths, tuple(equal[path] for path in paths), sort)
        if places is None:
            return None
        order = self._order(sort)
        return page_of(collection, places, order, _meets(equal), offset, limit)

    def search_page(
        self,
        collection: Collection,
        paths: tuple[str, ...],
        needle: str,
        sort: tuple[str, ...],
        offset: int,
        limit: int,
    ) -> Page | None:
        """As `page`, of the records with the folded text in one of the fields."""
        if not needle or not self._holds(collection.world, (*paths, *map(_bare, sort))):
            return None
        order = self._order(sort)
        places: Sequence[int] = self._texts_of(paths).places(needle)
        if not order.as_stored:
            places = sorted(places, key=order.ranks.__getitem__)
        return page_of(collection, places, order, _contains(paths, needle), offset, limit)

    def _order(self, sort: tuple[str, ...]) -> Order:
        found = self._orders.get(sort)
        if found is None:
            found = self._orders[sort] = Order(self.frozen, self.pristine, sort)
        return found

    def _in_order(self, paths: tuple[str, ...], values: tuple[Any, ...], sort: tuple[str, ...]) -> Sequence[int] | None:
        try:
            key = (paths, tuple(map(_hashed, values)), sort)
            found = self._sorted.get(key)
        except TypeError:
            return None
        if found is None:
            found = self._postings_of(paths).places(values) if paths else range(len(self.frozen.rows))
            order = self._order(sort)
            if not order.as_stored:
                found = sorted(found, key=order.ranks.__getitem__)
            if len(self._sorted) >= _SORTED_KEPT:
                self._sorted.pop(next(iter(self._sorted)), None)
            self._sorted[key] = found
        return found

    # -- texts ----------------------------------------------------------------------------------------------

    def _texts_of(self, paths: tuple[str, ...]) -> Texts:
        found = self._texts.get(paths)
        if found is None:
            found = self._texts[paths] = Texts(self._columns(paths))
        return found


def _bare(sort: str) -> str:
    return sort.removeprefix("-")


def _contains(paths: tuple[str, ...], needle: str) -> Any:
    readers = [path_reader(path) for path in paths]

    def meets(record: Record) -> bool:
        return any(needle in fold(to_text(read(record))) for read in readers)

    return meets


def _meets(equal: Mapping[str, Any]) -> Any:
    wanted = [(path_reader(path), value) for path, value in equal.items()]

    def meets(record: Record) -> bool:
        return all(equals(read(record), value) for read, value in wanted)

    return meets


class Postings:
    """For each combination of values of some fields, the places of the records that have it, in order."""

    def __init__(self, columns: list[list[Any]]):
        self._places: dict[Any, list[int]] = {}
        self._odd: list[tuple[int, tuple[Any, ...]]] = []
        if len(columns) == 1 and all(type(value) is str for value in columns[0]):
            self._of_texts(columns[0])
        else:
            self._of_any(columns)

    def _of_texts(self, column: list[str]) -> None:
        for place, value in enumerate(column):
            found = self._places.get((value,))
            if found is None:
                self._places[(value,)] = [place]
            else:
                found.append(place)

    def _of_any(self, columns: list[list[Any]]) -> None:
        for place, values in enumerate(zip(*columns)):
            try:
                self._places.setdefault(tuple(map(_hashed, values)), []).append(place)
            except TypeError:
                self._odd.append((place, values))

    def places(self, values: tuple[Any, ...]) -> Sequence[int]:
        """The places of the records whose fields equal the values. Must not be changed."""
        try:
            found: Sequence[int] = self._places.get(tuple(map(_hashed, values)), ())
        except TypeError:
            found = ()
        if not self._odd:
            return found
        odd = [place for place, held in self._odd if all(map(equals, held, values))]
        return sorted([*found, *odd]) if odd else found


def _hashed(value: Any) -> Any:
    """A key that is the same for values that are equal: 1 and 1.0, but never 1 and true."""
    if type(value) is str or value is None:
        return value
    if type(value) is bool:
        return (value,)
    if type(value) is int or type(value) is float:
        return value
    raise TypeError


class Texts:
    """The folded texts of some fields of every record in one text, and where each record's begins."""

    def __init__(self, columns: list[list[Any]]):
        parts, self._starts, length = [], [], 0
        for values in zip(*columns):
            text = _BETWEEN.join(fold(to_text(value)) for value in values) + _END
            self._starts.append(length)
            parts.append(text)
            length += len(text)
        self._text = "".join(parts)

    def places(self, needle: str) -> list[int]:
        starts, found, last = self._starts, [], -1
        for match in re.finditer(re.escape(needle), self._text):
            place = bisect_right(starts, match.start()) - 1
            if place != last:
                found.append(place)
                last = place
        return found
