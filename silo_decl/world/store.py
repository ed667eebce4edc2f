"""`World`: the state of one environment during one rollout. Records are shared until something changes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from silo_decl.errors import SiloError, ToolError, did_you_mean
from silo_decl.expressions.meaning import as_moment
from silo_decl.expressions.records import WorldLike, plain
from silo_decl.world.computed import CLOCK
from silo_decl.world.copying import deep
from silo_decl.world.diff import collection_diff
from silo_decl.world.frozen import FrozenCollection, Stored
from silo_decl.world.hook_records import HookAccess, HookCollection, HookRecord
from silo_decl.world.overlay import Journal, Overlay
from silo_decl.world.records import Collection, Record

if TYPE_CHECKING:
    from silo_decl.world.seed import Base


class World(WorldLike):
    """One world. It shares the records of its base and holds only what it changed.

    Changes happen within `transaction()`. `touched` names the collections changed so far, and 'now' when the clock
    was moved. `now` is the clock as text; `today` its date. `reads`, where it is not None, takes down which collections
    (and 'now') are read; `held` is what hooks have in their hands, None where no hook is at work.
    """

    __slots__ = ("_env", "_journal", "_now", "_overlays", "_reading", "base", "held", "reads", "touched")

    def __init__(self, base: Base):
        self.base = base
        self.touched: set[str] = set()
        self.reads: set[str] | None = None
        self._overlays: dict[str, Overlay] = {}
        self._now = base.now
        self._journal: Journal | None = None
        self.held: HookAccess | None = None
        self._env: dict[str, Any] | None = None
        self._reading = False

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def now(self) -> str:  # type: ignore[override]
        if self.reads is not None:
            self.reads.add(CLOCK)
        return self._now

    @property
    def today(self) -> str:  # type: ignore[override]
        return self.now[:10]

    @property
    def env(self) -> dict[str, Any]:
        """The environment of expressions that read nothing but the world."""
        if self._env is None:
            self._env = {"": self}
        return self._env

    def read(self, name: str) -> Any:
        """The collection of this name; nothing where there is none."""
        frozen = self.base.collections.get(name)
        if frozen is None:
            return None
        if self.reads is not None:
            self.reads.add(name)
        if self.held is not None:
            self.held.write_back((name,))
        return Collection(self, frozen)

    def plain(self) -> dict[str, Any]:
        return {name: [record.plain() for record in self.read(name)] for name in self.base.collections}

    def reads_as_first(self, names: frozenset[str]) -> bool:
        """Take down that these collections (or 'now') are read, and tell whether all are as the data has them.

        What a hook has in its hands counts.
        """
        if self.held is not None:
            self.held.write_back(names)
        if self.reads is not None:
            self.reads |= names
        return self.touched.isdisjoint(names)

    def overlay(self, collection: str) -> Overlay | None:
        """What this world changed in a collection; None where nothing."""
        return self._overlays.get(collection)

    def record(self, collection: str, record_id: str) -> Record | None:
        """The record with an id; None where there is none."""
        if self.held is not None:
            self.held.write_back((collection,))
        return self.current(collection, record_id)

    def current(self, collection: str, record_id: str) -> Record | None:
        """As `record`, without what a hook still has in its hands."""
        stored = self.stored(collection, record_id)
        return None if stored is None else Record(self, self.base.collections[collection], stored)

    def existing(self, collection: str, record_id: str) -> Record:
        """As `record`. Raises ToolError (not_found) where there is none."""
        found = self.record(collection, record_id)
        if found is None:
            raise self.unknown(collection, record_id)
        return found

    def stored(self, collection: str, record_id: str) -> Stored | None:
        """The stored fields of a record, not to be changed; None where there is none."""
        overlay = self._overlays.get(collection)
        if overlay is not None:
            return overlay.get(record_id)
        return self.base.collections[collection].stored.get(record_id)

    def ids(self, collection: str) -> list[str]:
        """The ids of a collection, in order."""
        frozen, overlay = self.base.collections[collection], self._overlays.get(collection)
        return list(frozen.ids) if overlay is None else [record[frozen.key] for record in overlay.rows()]

    def snapshot(self, record: Record) -> Record:
        """The record as it is now, whatever changes after."""
        mine = self._journal is not None and (record.collection, record.id) in self._journal.mine
        return Record(self, record.frozen, record.frozen.copy(record.stored) if mine else record.stored)

    def view(self, record: Any, name: str) -> dict[str, Any]:
        """A record as one of its collection's views shows it: plain values, not to be changed (a hook may)."""
        if not isinstance(record, Record):
            return self._view_for_hook(record, name)
        views = record.frozen.views
        if name not in views:
            raise SiloError(f"{record.collection} has no view '{name}'.{did_you_mean(name, views)}")
        return views[name](record)

    def _view_for_hook(self, record: Any, name: str) -> dict[str, Any]:
        if not isinstance(record, HookRecord):
            raise SiloError(f"Only a record has a view '{name}'.")
        found = self.record(record.collection, record.id)
        if found is None:
            raise self.unknown(record.collection, record.id)
        shown: dict[str, Any] = deep(self.view(found, name))
        return shown

    def first_view(self, record: Record) -> dict[str, Any]:
        """A record in the first view of its collection, or its stored fields where it has none; not to be changed."""
        for show in record.frozen.views.values():
            return show(record)
        return record.stored

    def query(self, text: str, **names: Any) -> Any:
        """The plain result of a query over the collections; `names` are read as $name in it."""
        if self.held is not None:
            self.held.write_back()
        return plain(self.base.query(text, tuple(names)).run(self, {**names, "": self}))

    # -- life -----------------------------------------------------------------------------------------------

    def fork(self) -> World:
        """A world of its own that begins as this one is now."""
        if self.held is not None:
            self.held.write_back()
        made = World(self.base)
        within = self._journal is not None
        made._overlays = {name: overlay.copy(whole=within) for name, overlay in self._overlays.items()}
        made.touched = self.touched.copy()
        made._now = self._now
        return made

    def initial(self) -> World:
        """A world in which nothing has happened yet."""
        return World(self.base)

    def call(self, name: str, input: dict[str, Any] | None = None) -> Any:
        """Call a tool. Raises SiloError where the world belongs to no toolbox."""
        if self.base.caller is None:
            raise SiloError("This world has no tools.")
        if self.held is not None:
            self.held.write_back()
        hooks, self.held = self.held, None
        try:
            return self.base.caller(self, name, {} if input is None else input)
        finally:
            self.held = hooks
            if hooks is not None:
                hooks.refresh()

    @contextmanager
    def transaction(self) -> Iterator[World]:
        """All changes within it happen, or none: an exception takes back this transaction's, and only these."""
        if self.held is not None:
            self.held.write_back()
        outer = self._journal
        journal = self._journal = Journal()
        touched = self.touched.copy()
        try:
            yield self
            if self.held is not None:
                self.held.write_back()
        except BaseException:
            journal.roll_back()
            self.touched = touched
            if self.held is not None and outer is not None:
                self.held.refresh()
            raise
        else:
            if outer is not None:
                outer.join(journal)
        finally:
            self._journal = outer
            if outer is None:
                self.held = None

    @contextmanager
    def reading(self) -> Iterator[World]:
        """A stretch in which any change is refused."""
        before, self._reading = self._reading, True
        try:
            with self.transaction():
                yield self
        finally:
            self._reading = before

    def changed(self) -> bool:
        """Whether the present transaction has changed anything so far."""
        if self.held is not None:
            self.held.write_back()
        return self._journal is not None and bool(self._journal.undo)

    # -- changing -------------------------------------------------------------------------------------------

    def touch(self, collection: str, record_id: str) -> Stored:
        """The stored fields of a record to change in place, within the present transaction."""
        journal = self._writing(collection)
        overlay = self._overlay(collection)
        stored = overlay.get(record_id)
        if stored is None:
            raise self.unknown(collection, record_id)
        if (collection, record_id) not in journal.mine:
            stored = overlay.frozen.copy(stored)
            journal.put(overlay, record_id, stored)
            journal.mine.add((collection, record_id))
        return stored

    def replace(self, collection: str, record_id: str, fields: Stored) -> None:
        """Let a record have these fields and no others; they are taken over as they are."""
        journal = self._writing(collection)
        journal.put(self._overlay(collection), record_id, fields)
        journal.mine.add((collection, record_id))

    def blank(self, collection: str) -> dict[str, Any]:
        """The declared fields of a new record before anything is given: null, or their default."""
        make = self.base.collections[collection].blank
        return {} if make is None else make()

    def insert(self, collection: str, fields: dict[str, Any]) -> Record:
        """A new record; its id comes from the counter unless it is given. The values are taken over as they are."""
        journal = self._writing(collection)
        overlay = self._overlay(collection)
        frozen = overlay.frozen
        record_id = fields.get(frozen.key)
        if record_id is None:
            record_id = self._new_id(overlay, journal)
        elif not isinstance(record_id, str) or not record_id:
            raise SiloError(f"The {frozen.key} of a new record of {collection} must be a text.")
        elif overlay.get(record_id) is not None:
            raise ToolError("conflict", f'{kind(frozen)} "{record_id}" exists already.')
        stored = frozen.filled({**fields, frozen.key: record_id})
        journal.add(overlay, record_id, stored)
        journal.mine.add((collection, record_id))
        return Record(self, frozen, stored)

    def remove(self, collection: str, record_id: str) -> None:
        """Delete a record. Raises ToolError (not_found) where there is none."""
        journal = self._writing(collection)
        overlay = self._overlay(collection)
        if overlay.get(record_id) is None:
            raise self.unknown(collection, record_id)
        journal.remove(overlay, record_id)

    def set_now(self, now: str) -> None:
        """Move the clock. Raises ExpressionError for what is neither a date nor a moment in time."""
        as_moment(now, "The clock")
        journal = self._writing(CLOCK)
        before = self._now
        self._now = now
        journal.undo.append(lambda: setattr(self, "_now", before))

    def _new_id(self, overlay: Overlay, journal: Journal) -> str:
        if not overlay.frozen.spec.ids:
            raise SiloError(f"New records of {overlay.frozen.name} need their {overlay.frozen.key}: it has no 'ids'.")
        while True:
            record_id = overlay.frozen.new_id(journal.count(overlay))
            if overlay.get(record_id) is None:
                return record_id

    def _overlay(self, collection: str) -> Overlay:
        found = self._overlays.get(collection)
        if found is None:
            found = self._overlays[collection] = Overlay(self.base.collections[collection])
        return found

    def _writing(self, collection: str) -> Journal:
        if self._journal is None:
            self.held = None
            raise SiloError("A world is changed only within a transaction.")
        if self._reading:
            raise SiloError("This is a read, so it may not change anything.")
        self.touched.add(collection)
        return self._journal

    def unknown(self, collection: str, record_id: Any) -> ToolError:
        """The refusal for an id that no record has."""
        return ToolError("not_found", f'{kind(self.base.collections[collection])} "{record_id}" was not found.')

    # -- hooks ----------------------------------------------------------------------------------------------

    @property
    def hooks(self) -> HookAccess:
        if self.held is None:
            self.held = HookAccess(self)
        return self.held

    def __getitem__(self, name: str) -> HookCollection:
        """A collection as hooks use it: a dict of records that may be changed in place, within a transaction."""
        frozen = self.base.collections.get(name)
        if frozen is None:
            self._no_collection(name)
        return HookCollection(self, frozen)

    def _no_collection(self, name: str) -> NoReturn:
        raise SiloError(f"There is no collection '{name}'.{did_you_mean(name, self.base.collections)}")

    # -- what changed ---------------------------------------------------------------------------------------

    def diff(self) -> dict[str, Any]:
        """What differs from the data, by collection, and scalars such as the clock; only what differs is in it.

        `{"collections": {name: {"added": [...], "removed": [...], "changed": [{"id", "fields"}]}}, "scalars": {...}}`,
        each field as path to `{"from", "to"}`.
        """
        collections = {}
        for name in self.base.collections:
            overlay = self._overlays.get(name)
            found = collection_diff(overlay) if overlay is not None else None
            if found is not None:
                collections[name] = found
        scalars = {} if self._now == self.base.now else {CLOCK: {"from": self.base.now, "to": self._now}}
        return {"collections": collections, "scalars": scalars}


def kind(frozen: FrozenCollection) -> str:
    """What a message calls a record of the collection: 'Opportunity', 'Quote line'."""
    singular = frozen.spec.singular
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in singular).strip()
    return spaced[:1].upper() + spaced[1:].replace("_", " ")
