"""Records and collections as expressions and tools read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.world.frozen import FrozenCollection, Stored

if TYPE_CHECKING:
    from silo_decl.world.overlay import Overlay
    from silo_decl.world.store import World


class Record(RecordLike):
    """A record of one world as it was when it was handed out; computed fields are worked out when asked for."""

    __slots__ = ("frozen", "stored", "world")

    def __init__(self, world: World, frozen: FrozenCollection, stored: Stored):
        self.world = world
        self.frozen = frozen
        self.stored = stored

    @property
    def collection(self) -> str:
        return self.frozen.name

    @property
    def id(self) -> str:
        found: str = self.stored[self.frozen.key]
        return found

    def read(self, name: str) -> Any:
        stored = self.stored
        if name in stored:
            return stored[name]
        computed = self.frozen.computed.get(name)
        return None if computed is None else computed.value(self)

    def plain(self) -> Stored:
        return self.stored

    def __getitem__(self, name: str) -> Any:
        if name not in self.stored and name not in self.frozen.computed:
            raise KeyError(name)
        return self.read(name)

    def __repr__(self) -> str:
        return f"Record({self.collection}, {self.stored!r})"


class Collection(CollectionLike):
    """The records of one collection in one world, in order: as in the data, then as they were added."""

    __slots__ = ("frozen", "name", "world")

    def __init__(self, world: World, frozen: FrozenCollection):
        self.world = world
        self.frozen = frozen
        self.name = frozen.name

    def _overlay(self) -> Overlay | None:
        return self.world.overlay(self.name)

    def _rows(self) -> Sequence[Stored]:
        overlay = self._overlay()
        return self.frozen.rows if overlay is None else overlay.rows()

    def __iter__(self) -> Iterator[Record]:
        world, frozen = self.world, self.frozen
        return (Record(world, frozen, stored) for stored in self._rows())

    def __len__(self) -> int:
        overlay = self._overlay()
        return len(self.frozen.rows) if overlay is None else len(overlay)

    def get(self, key: str) -> Record | None:
        overlay = self._overlay()
        stored = self.frozen.stored.get(key) if overlay is None else overlay.get(key)
        return None if stored is None else Record(self.world, self.frozen, stored)

    def select(self, equal: Mapping[str, Any], test: Callable[[RecordLike], Any] | None) -> list[Any]:
        """The records that equal all of `equal` and meet `test`, in order. Shapes: field path to value."""
        world, frozen = self.world, self.frozen
        rows = self.frozen.indexes.rows(self, equal) if equal else self._rows()
        if test is None:
            return [Record(world, frozen, stored) for stored in rows]
        found = []
        cursor = Record(world, frozen, {})
        for stored in rows:
            cursor.stored = stored
            if test(cursor):
                found.append(Record(world, frozen, stored))
        return found

    def page(
        self, equal: Mapping[str, Any], sort: tuple[str, ...], offset: int, limit: int
    ) -> tuple[int, list[Record]] | None:
        """How many records equal all of `equal`, and a page of them in order; None where no index can say."""
        return self._records(self.frozen.indexes.page(self, equal, sort, offset, limit))

    def search_page(
        self, paths: tuple[str, ...], needle: str, sort: tuple[str, ...], offset: int, limit: int
    ) -> tuple[int, list[Record]] | None:
        """As `page`, of the records with the folded text in one of the fields at `paths`."""
        return self._records(self.frozen.indexes.search_page(self, paths, needle, sort, offset, limit))

    def _records(self, page: tuple[int, list[Stored]] | None) -> tuple[int, list[Record]] | None:
        if page is None:
            return None
        return page[0], [Record(self.world, self.frozen, stored) for stored in page[1]]

    def __repr__(self) -> str:
        return f"Collection({self.name}, {len(self)} records)"
