"""The world as a hook sees it: collections like dicts, records that are dicts and may be changed in place.

A hook works on copies. They are written back when the world is read by anything else and when the call is over;
copies that are as they were leave no trace. Nothing a hook keeps after its call reaches the world.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from silo_decl.errors import SiloError
from silo_decl.expressions.records import plain
from silo_decl.world.copying import deep
from silo_decl.world.diff import same
from silo_decl.world.frozen import FrozenCollection, Stored

if TYPE_CHECKING:
    from silo_decl.world.store import World

_BIGGEST = 2**63


class HookValueError(SiloError):
    """A hook put something into a record, or gave something back, that JSON cannot hold."""


class HookRecord(dict[str, Any]):
    """A record for a hook: its own stored fields, and computed fields when read. Deleted ones are empty."""

    __slots__ = ("_frozen", "_world")

    def __init__(self, world: World, frozen: FrozenCollection, stored: Stored):
        super().__init__(frozen.copy(stored))
        self._world = world
        self._frozen = frozen

    def __missing__(self, name: str) -> Any:
        if name not in self._frozen.computed:
            raise KeyError(name)
        return deep(plain(self._world.hooks.computed(self._frozen, self, name)))

    def get(self, name: str, default: Any = None) -> Any:
        if name in self or name in self._frozen.computed:
            return self[name]
        return default

    def __reduce__(self) -> Any:
        return (dict, (dict(self),))


class HookCollection(Mapping[str, Any]):
    """A collection for a hook: a dict of records keyed by id, in stable order, with `create` and `delete`."""

    def __init__(self, world: World, frozen: FrozenCollection):
        self._world = world
        self._frozen = frozen
        self.handed: dict[str, HookRecord] = {}

    def __getitem__(self, key: str) -> Any:
        found = self.handed.get(key)
        if found is None:
            stored = self._world.stored(self._frozen.name, key)
            if stored is None:
                raise self._world.unknown(self._frozen.name, key)
            found = self.handed[key] = HookRecord(self._world, self._frozen, stored)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._world.stored(self._frozen.name, key) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._world.ids(self._frozen.name))

    def __len__(self) -> int:
        return len(self._world.read(self._frozen.name))

    def __setitem__(self, key: str, value: Any) -> NoReturn:
        raise HookValueError(f"Records are made with create(...) and changed in place, so [{key!r}] cannot be set.")

    def __delitem__(self, key: str) -> None:
        self.delete(key)

    def create(self, fields: Mapping[str, Any] | None = None, /, **more: Any) -> Any:
        """A new record with these fields; its id comes from the counter unless it is given."""
        given = checked({**(fields or {}), **more}, self._frozen.name)
        record = self._world.insert(self._frozen.name, given)
        return self[record.id]

    def delete(self, key: str) -> None:
        """Remove the record. Raises ToolError (not_found) where there is none."""
        if key not in self:
            raise self._world.unknown(self._frozen.name, key)
        self.handed.pop(key, None)
        self._world.remove(self._frozen.name, key)


class HookAccess:
    """What hooks of one world have in their hands."""

    __slots__ = ("collections", "world")

    def __init__(self, world: World):
        self.world = world
        self.collections: dict[str, HookCollection] = {}

    def collection(self, frozen: FrozenCollection) -> HookCollection:
        found = self.collections.get(frozen.name)
        if found is None:
            found = self.collections[frozen.name] = HookCollection(self.world, frozen)
        return found

    def computed(self, frozen: FrozenCollection, record: HookRecord, name: str) -> Any:
        """A computed field of a record as the hook has made it so far."""
        self.write_back()
        current = self.world.record(frozen.name, dict.__getitem__(record, frozen.key))
        if current is None:
            raise HookValueError(f"The record was deleted, so its '{name}' cannot be worked out.")
        return current.read(name)

    def write_back(self) -> None:
        """Put into the world what the hook changed. Raises HookValueError for what JSON cannot hold."""
        for collection in self.collections.values():
            frozen = collection._frozen
            for record_id, record in collection.handed.items():
                stored = self.world.committed(frozen.name, record_id)
                if stored is None or _as_it_was(record, stored):
                    continue
                self._write(frozen, record_id, record)

    def _write(self, frozen: FrozenCollection, record_id: str, record: HookRecord) -> None:
        values = checked(record, f"{frozen.name} {record_id}")
        if values.get(frozen.key) != record_id:
            raise HookValueError(f"The {frozen.key} of {record_id} cannot be changed.")
        for name in frozen.computed:
            if name in values:
                raise HookValueError(f"'{name}' of {frozen.name} is computed, so it cannot be set.")
        self.world.replace(frozen.name, record_id, values)

    def refresh(self) -> None:
        """Let the records in the hook's hands be what another tool made of them."""
        for collection in self.collections.values():
            for record_id, record in list(collection.handed.items()):
                stored = self.world.committed(collection._frozen.name, record_id)
                if stored is None:
                    del collection.handed[record_id]
                elif not _as_it_was(record, stored):
                    record.clear()
                    record.update(collection._frozen.copy(stored))

    def drop(self) -> None:
        self.collections = {}


def _as_it_was(record: Mapping[str, Any], stored: Stored) -> bool:
    return len(record) == len(stored) and same(dict(record), stored)


def checked(value: Any, place: str) -> Any:
    """The value as plain JSON data of its own. Raises HookValueError, with the place, for what JSON cannot hold."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        if not -_BIGGEST <= value < 2 * _BIGGEST:
            raise HookValueError(f"{place}: {value} is too large a number for JSON.")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise HookValueError(f"{place}: {value} is no number that JSON can hold.")
        return value
    value = plain(value) if not isinstance(value, (dict, list, tuple)) else value
    if isinstance(value, Mapping):
        return {_key(key, place): checked(inner, f"{place}.{key}") for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [checked(inner, f"{place}[{at}]") for at, inner in enumerate(value)]
    raise HookValueError(f"{place}: a value of Python's kind '{type(value).__name__}' is nothing that JSON can hold.")


def _key(key: Any, place: str) -> str:
    if not isinstance(key, str):
        raise HookValueError(f"{place}: the key {key!r} is not a text.")
    return key
