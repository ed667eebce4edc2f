"""What one world has changed in one collection, and the journal that takes changes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from silo_decl.world.frozen import FrozenCollection, Stored

_GONE = object()


class Overlay:
    """The records of a collection that differ from the data.

    `changed` holds records of the data in their new form, `added` new ones in the order they came (one that was
    deleted and came back is both in `deleted` and in `added`), `deleted` ids of the data.
    """

    __slots__ = ("added", "changed", "deleted", "frozen", "next_number")

    def __init__(self, frozen: FrozenCollection):
        self.frozen = frozen
        self.changed: dict[str, Stored] = {}
        self.added: dict[str, Stored] = {}
        self.deleted: set[str] = set()
        self.next_number = frozen.first_number

    def copy(self, whole: bool) -> Overlay:
        """An overlay of its own. It shares the records, which are never changed once their call is over, but not if
        `whole`, for a call that is not over."""
        made = Overlay(self.frozen)
        made.changed, made.added = self.changed.copy(), self.added.copy()
        made.deleted, made.next_number = self.deleted.copy(), self.next_number
        if whole:
            for records in (made.changed, made.added):
                records.update({record_id: self.frozen.copy(record) for record_id, record in records.items()})
        return made

    def get(self, record_id: str) -> Stored | None:
        found = self.changed.get(record_id)
        if found is None:
            found = self.added.get(record_id)
            if found is None and record_id not in self.deleted:
                return self.frozen.stored.get(record_id)
        return found

    def __len__(self) -> int:
        return len(self.frozen.rows) - len(self.deleted) + len(self.added)

    def rows(self) -> list[Stored]:
        """Every record in order: those of the data in theirs, then the new ones."""
        places = self.frozen.places
        rows: list[Stored | None] = self.frozen.rows.copy()  # type: ignore[assignment]
        for record_id, record in self.changed.items():
            rows[places[record_id]] = record
        for record_id in self.deleted:
            rows[places[record_id]] = None
        return [*filter(None, rows), *self.added.values()]

    def touched_places(self) -> list[int]:
        """The places in the data whose record was changed or deleted."""
        places = self.frozen.places
        return [places[record_id] for record_id in (*self.changed, *self.deleted)]

    def arrivals(self) -> Iterator[tuple[Stored, int]]:
        """The changed and the new records, each with its place: that of the data, or behind all of it."""
        places, behind = self.frozen.places, len(self.frozen.rows)
        for record_id, record in self.changed.items():
            yield record, places[record_id]
        for number, record in enumerate(self.added.values(), behind):
            yield record, number


class Journal:
    """How to take back what a transaction did, the latest first; and which records are its own copies."""

    __slots__ = ("mine", "undo")

    def __init__(self) -> None:
        self.undo: list[Callable[[], Any]] = []
        self.mine: set[tuple[str, str]] = set()

    def put(self, overlay: Overlay, record_id: str, record: Stored) -> None:
        """Let the record be this one from now on; its id must be there already."""
        where = overlay.added if record_id in overlay.added else overlay.changed
        before = where.get(record_id, _GONE)
        where[record_id] = record
        self.undo.append(lambda: _put_back(where, record_id, before))

    def add(self, overlay: Overlay, record_id: str, record: Stored) -> None:
        overlay.added[record_id] = record
        self.undo.append(lambda: overlay.added.pop(record_id))

    def remove(self, overlay: Overlay, record_id: str) -> None:
        if record_id in overlay.added:
            added, before = overlay.added, overlay.added.copy()
            del added[record_id]
            self.undo.append(lambda: _put_all_back(added, before))
            return
        changed = overlay.changed.pop(record_id, _GONE)
        overlay.deleted.add(record_id)

        def back() -> None:
            overlay.deleted.discard(record_id)
            _put_back(overlay.changed, record_id, changed)

        self.undo.append(back)

    def count(self, overlay: Overlay) -> int:
        """The next number of the collection's counter."""
        number = overlay.next_number
        overlay.next_number = number + 1
        self.undo.append(lambda: setattr(overlay, "next_number", number))
        return number

    def roll_back(self) -> None:
        for undo in reversed(self.undo):
            undo()
        self.undo.clear()

    def join(self, inner: Journal) -> None:
        """Take over what an inner transaction did."""
        self.undo += inner.undo
        self.mine |= inner.mine


def _put_back(where: dict[str, Stored], record_id: str, before: Any) -> None:
    if before is _GONE:
        where.pop(record_id, None)
    else:
        where[record_id] = before


def _put_all_back(where: dict[str, Stored], before: dict[str, Stored]) -> None:
    """In place, because what is taken back later holds on to the same dict."""
    where.clear()
    where.update(before)
