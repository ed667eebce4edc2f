"""The world as a hook sees it: collections like dicts, records that are dicts and may be changed in place.

A hook works on copies. They are written back when the world is read by anything else and when the call is over;
copies that are as they were leave no trace. Nothing a hook keeps after its call reaches the world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import orjson

from silo_decl.expressions.records import plain
from silo_decl.world.copying import deep
from silo_decl.world.diff import same
from silo_decl.world.frozen import FrozenCollection, Stored
from silo_decl.world.hook_values import HookValueError, checked

if TYPE_CHECKING:
    from silo_decl.world.store import World


class HookRecord(dict[str, Any]):
    """A record for a hook: its own stored fields, and computed fields when they are read."""

    __slots__ = ("_frozen", "_world")

    def __init__(self, world: World, frozen: FrozenCollection, stored: Stored):
        super().__init__(stored)
        frozen.deepen(self, stored)
        self._world = world
        self._frozen = frozen

    @property
    def collection(self) -> str:
        return self._frozen.name

    @property
    def id(self) -> Any:
        return dict.get(self, self._frozen.key)

    def __missing__(self, name: str) -> Any:
        if name not in self._frozen.computed:
            raise KeyError(name)
        return deep(plain(self._world.hooks.computed(self, name)))

    def get(self, name: str, default: Any = None) -> Any:
        if name in self or name in self._frozen.computed:
            return self[name]
        return default

    def __reduce__(self) -> Any:
        return (dict, (dict(self),))


class HookCollection(Mapping[str, Any]):
    """A collection for a hook: a dict of records keyed by id, in stable order, with `create` and `delete`."""

    __slots__ = ("_frozen", "_world")

    def __init__(self, world: World, frozen: FrozenCollection):
        self._world = world
        self._frozen = frozen

    def __getitem__(self, key: str) -> Any:
        held = self._world.held
        if held is not None:
            try:
                return held.handed[self._frozen.name][key]
            except (KeyError, TypeError):
                pass
        return self._world.hooks.record(self._frozen, key)

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._world.stored(self._frozen.name, key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._world.ids(self._frozen.name))

    def __len__(self) -> int:
        overlay = self._world.overlay(self._frozen.name)
        return len(self._frozen.rows) if overlay is None else len(overlay)

    def __setitem__(self, key: str, value: Any) -> NoReturn:
        raise HookValueError(f"Records are made with create(...) and changed in place, so [{key!r}] cannot be set.")

    def __delitem__(self, key: str) -> None:
        self.delete(key)

    def create(self, fields: Mapping[str, Any] | None = None, /, **more: Any) -> Any:
        """A new record with these fields; its id comes from the counter unless it is given."""
        given = checked({**(fields or {}), **more}, self._frozen.name)
        _refuse_computed(self._frozen, given)
        return self[self._world.insert(self._frozen.name, given).id]

    def delete(self, key: str) -> None:
        """Remove the record. Raises ToolError (not_found) where there is none."""
        self._world.remove(self._frozen.name, key)
        self._world.hooks.forget(self._frozen.name, key)


class HookAccess:
    """What the hooks of one world have in their hands: records by collection and id."""

    __slots__ = ("handed", "world")

    def __init__(self, world: World):
        self.world = world
        self.handed: dict[str, dict[str, HookRecord]] = {}

    def record(self, frozen: FrozenCollection, key: str) -> HookRecord:
        """The record with an id, one and the same for the whole call. Raises ToolError (not_found)."""
        if not isinstance(key, str):
            raise self.world.unknown(frozen.name, key)
        handed = self.handed.setdefault(frozen.name, {})
        found = handed.get(key)
        if found is None:
            stored = self.world.stored(frozen.name, key)
            if stored is None:
                raise self.world.unknown(frozen.name, key)
            found = handed[key] = HookRecord(self.world, frozen, stored)
        return found

    def forget(self, collection: str, key: str) -> None:
        self.handed.get(collection, {}).pop(key, None)

    def computed(self, record: HookRecord, name: str) -> Any:
        """A computed field of a record as the hook has made it so far."""
        frozen, key = record._frozen, record.id
        if self.handed.get(frozen.name, {}).get(key) is record:
            self._write_back(frozen, key, record)
        current = self.world.current(frozen.name, key)
        if current is None:
            raise HookValueError(f"{frozen.name} {key} was deleted, so its '{name}' cannot be worked out.")
        return current.read(name)

    def write_back(self, collections: Iterable[str] | None = None) -> None:
        """Put into the world what the hook changed, in some collections or in all. Raises HookValueError."""
        for name in tuple(self.handed) if collections is None else collections:
            handed = self.handed.get(name)
            if handed:
                frozen = self.world.base.collections[name]
                for key, record in handed.items():
                    self._write_back(frozen, key, record)

    def _write_back(self, frozen: FrozenCollection, key: str, record: HookRecord) -> None:
        stored = self.world.stored(frozen.name, key)
        if stored is None or _as_it_was(record, stored):
            return
        place = f"{frozen.name} {key}"
        values = {
            name: deep(stored[name]) if name in stored and same(value, stored[name]) else checked(value, place, name)
            for name, value in record.items()
        }
        if values.get(frozen.key) != key:
            raise HookValueError(f"The {frozen.key} of {place} cannot be changed.")
        _refuse_computed(frozen, values)
        self.world.replace(frozen.name, key, values)

    def refresh(self) -> None:
        """Let the records in the hook's hands be what another tool made of them."""
        for name, handed in self.handed.items():
            frozen = self.world.base.collections[name]
            for key, record in list(handed.items()):
                stored = self.world.stored(name, key)
                if stored is None:
                    del handed[key]
                elif not _as_it_was(record, stored):
                    record.clear()
                    record.update(frozen.copy(stored))


def _refuse_computed(frozen: FrozenCollection, values: Mapping[str, Any]) -> None:
    for name in frozen.computed:
        if name in values:
            raise HookValueError(f"'{name}' of {frozen.name} is computed, so it cannot be set.")


def _as_it_was(record: Mapping[str, Any], stored: Stored) -> bool:
    """Whether nothing was changed. The bytes tell 1 from true and 1.0, which Python does not."""
    if record != stored:
        return False
    try:
        return orjson.dumps(record) == orjson.dumps(stored) or same(dict(record), stored)
    except TypeError:
        return same(dict(record), stored)
