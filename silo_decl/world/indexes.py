"""The indexes of one collection: made of the data when first asked for, corrected by what a world changed.

An index never answers differently from looking at every record; tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.meaning import equals, to_text
from silo_decl.world.frozen import FrozenCollection, Stored
from silo_decl.world.orders import Order
from silo_decl.world.paging import Page, page_of, rows_of
from silo_decl.world.postings import Postings, Ranks, Texts
from silo_decl.world.records import Record

if TYPE_CHECKING:
    from silo_decl.world.records import Collection
    from silo_decl.world.store import World

Paths = tuple[str, ...]
Made = TypeVar("Made", Postings, Texts)

_KEPT = 64
_FEW = 24


class Indexes:
    """The indexes of one collection. `pristine` is a world in which nothing was ever changed."""

    def __init__(self, frozen: FrozenCollection, pristine: World):
        self.frozen = frozen
        self.pristine = pristine
        self._sound: dict[str, bool] = {}
        self._orders: dict[Paths, Order] = {}
        self._postings: dict[tuple[Paths, Paths], Postings] = {}
        self._texts: dict[tuple[Paths, Paths], Texts] = {}

    def rows(self, collection: Collection, equal: Mapping[str, Any]) -> Sequence[Stored]:
        """The stored records that equal all of `equal`, in order."""
        if self.frozen.key in equal:
            key = equal[self.frozen.key]
            record = collection.get(key) if isinstance(key, str) else None
            return _meeting([record] if record is not None else [], equal)
        held = {path: value for path, value in equal.items() if self._holds(collection.world, path)}
        if not held:
            return _meeting(collection, equal)
        rows = rows_of(collection, self._ranks(held, ()), self._order(()), _meets(held))
        if len(held) == len(equal):
            return rows
        rest = {path: value for path, value in equal.items() if path not in held}
        return _meeting((Record(collection.world, self.frozen, stored) for stored in rows), rest)

    def page(
        self, collection: Collection, equal: Mapping[str, Any], sort: Paths, offset: int, limit: int
    ) -> Page | None:
        """How many records equal all of `equal`, and a page of them in order; None where no index can say."""
        if not self._all_hold(collection.world, (*equal, *map(_bare, sort))):
            return None
        return page_of(collection, self._ranks(equal, sort), self._order(sort), _meets(equal), offset, limit)

    def search_page(
        self, collection: Collection, paths: Paths, needle: str, sort: Paths, offset: int, limit: int
    ) -> Page | None:
        """As `page`, of the records with the folded text in one of the fields."""
        if not self._all_hold(collection.world, (*paths, *map(_bare, sort))):
            return None
        texts = self._made(Texts, self._texts, paths, sort)
        ranks = texts.ranks(needle)
        if ranks is None:
            return None
        return page_of(collection, ranks, self._order(sort), _contains(paths, needle), offset, limit)

    # -- what the data says ---------------------------------------------------------------------------------

    def _all_hold(self, world: World, paths: Iterable[str]) -> bool:
        return all(self._holds(world, path) for path in paths)

    def _holds(self, world: World, path: str) -> bool:
        """Whether what the data says of this field is so in a world: computed ones depend on other records."""
        first, _, rest = path.partition(".")
        computed = self.frozen.computed.get(first)
        if computed is None and not rest:
            return True
        if not self._is_sound(path):
            return False
        return computed is None or world.reads_as_first(computed.depends)

    def _is_sound(self, path: str) -> bool:
        """Whether the field can be read from every record, so that it makes no difference which ones are looked at."""
        found = self._sound.get(path)
        if found is None:
            try:
                self._column(path, range(len(self.frozen.rows)))
                found = True
            except ExpressionError:
                found = False
            self._sound[path] = found
        return found

    def _column(self, path: str, places: Iterable[int]) -> list[Any]:
        rows = self.frozen.rows
        if "." not in path and path not in self.frozen.computed:
            return [rows[place].get(path) for place in places]
        read = path_reader(path)
        return [read(Record(self.pristine, self.frozen, rows[place])) for place in places]

    def _order(self, sort: Paths) -> Order:
        found = self._orders.get(sort)
        if found is None:
            found = self._orders[sort] = Order(self.frozen, self.pristine, sort)
        return found

    def _ranks(self, equal: Mapping[str, Any], sort: Paths) -> Ranks:
        """The ranks of the records of the data that equal all of `equal`."""
        if not equal:
            return range(len(self.frozen.rows))
        paths = tuple(sorted(equal))
        if len(paths) > 1:
            one_by_one = (self._made(Postings, self._postings, (path,), sort).ranks((equal[path],)) for path in paths)
            shortest = min(one_by_one, key=len)
            if len(shortest) <= _FEW:
                return self._meeting_ranks(shortest, equal, sort)
        return self._made(Postings, self._postings, paths, sort).ranks(tuple(equal[path] for path in paths))

    def _meeting_ranks(self, ranks: Ranks, equal: Mapping[str, Any], sort: Paths) -> Ranks:
        meets, rows, places = _meets(equal), self.frozen.rows, self._order(sort).places
        return [rank for rank in ranks if meets(Record(self.pristine, self.frozen, rows[places[rank]]))]

    def _made(self, kind: type[Made], kept: dict[tuple[Paths, Paths], Made], paths: Paths, sort: Paths) -> Made:
        found = kept.get((paths, sort))
        if found is None:
            places = self._order(sort).places
            found = kind([self._column(path, places) for path in paths])
            if len(kept) >= _KEPT:
                kept.pop(next(iter(kept)), None)
            kept[(paths, sort)] = found
        return found


def _bare(sort: str) -> str:
    return sort.removeprefix("-")


def _meets(equal: Mapping[str, Any]) -> Callable[[Record], bool]:
    wanted = [(path_reader(path), value) for path, value in equal.items()]

    def meets(record: Record) -> bool:
        return all(equals(read(record), value) for read, value in wanted)

    return meets


def _meeting(records: Iterable[Record], equal: Mapping[str, Any]) -> list[Stored]:
    meets = _meets(equal)
    return [record.stored for record in records if meets(record)]


def _contains(paths: Paths, needle: str) -> Callable[[Record], bool]:
    readers = [path_reader(path) for path in paths]

    def meets(record: Record) -> bool:
        return any(needle in fold(to_text(read(record))) for read in readers)

    return meets
