"""A world in a few lines, as expressions see it; its collection remembers what it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from silo_decl.expressions.meaning import equals, field
from silo_decl.expressions.records import CollectionLike, RecordLike, WorldLike


class SmallRecord(RecordLike):
    def __init__(self, fields: dict[str, Any]):
        self.fields = fields

    def read(self, name: str) -> Any:
        return self.fields.get(name)

    def plain(self) -> dict[str, Any]:
        return self.fields


class SmallCollection(CollectionLike):
    def __init__(self, name: str, records: list[dict[str, Any]]):
        self.name = name
        self.records = [SmallRecord(record) for record in records]
        self.asked: list[tuple[dict[str, Any], bool]] = []

    def __iter__(self) -> Iterator[RecordLike]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def get(self, key: str) -> RecordLike | None:
        return next((record for record in self.records if record.fields.get("id") == key), None)

    def select(self, equal: Mapping[str, Any], test: Callable[[RecordLike], Any] | None) -> list[RecordLike]:
        self.asked.append((dict(equal), test is not None))
        return [
            record
            for record in self.records
            if all(equals(_at(record, path), value) for path, value in equal.items()) and (test is None or test(record))
        ]


def _at(record: RecordLike, path: str) -> Any:
    found: Any = record
    for step in path.split("."):
        found = field(found, step)
    return found


class SmallWorld(WorldLike):
    def __init__(self, now: str = "2026-04-01", **collections: list[dict[str, Any]]):
        self.now = now
        self.today = now[:10]
        self.collections: dict[str, Any] = {
            name: SmallCollection(name, records) for name, records in collections.items()
        }

    def read(self, name: str) -> Any:
        return self.collections.get(name)

    def plain(self) -> dict[str, Any]:
        return self.collections

    def view(self, record: SmallRecord, name: str) -> dict[str, Any]:
        return {"name": record.fields["name"]}
