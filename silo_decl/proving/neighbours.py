"""Values next to a value: the next record, the day after, one more, another choice of a list."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Any

from silo_decl.expressions.meaning import exact
from silo_decl.specs.tool import ParameterSpec
from silo_decl.world.seed import Base

_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})(.*)", re.DOTALL)
_NEAREST = 6
_MOST_RECORDS = 5000
_SHORTEST = 3


class Neighbourhood:
    """What lies next to what in one environment. Made once and asked for every task."""

    def __init__(self, base: Base):
        self.base = base
        self._world = base.new_world()

    def records(self, collection: str, record_id: str) -> Iterator[str]:
        """The ids around an id, nearest first."""
        ids = self._ids(collection)
        place = self._places(collection).get(record_id)
        if place is None:
            return
        for distance in range(1, _NEAREST + 1):
            for other in (place + distance, place - distance):
                if 0 <= other < len(ids):
                    yield ids[other]

    def collection_of(self, text: str) -> str:
        """The one collection that has a record of this id, '' where there is none or several."""
        found = [name for name in self.base.collections if text in self._places(name)]
        return found[0] if len(found) == 1 and len(text) >= _SHORTEST else ""

    def values(self, text: str) -> list[str]:
        """Some other values of the field that names a record by this text: names, ids, addresses; nearest first."""
        distinct = self._fields.get(text, [])
        if not distinct:
            return []
        place = distinct.index(text)
        around = [distinct[(place + step) % len(distinct)] for step in (1, -1, 2, -2)]
        return [one for one in dict.fromkeys(around) if one != text]

    def values_of_field(self, text: str) -> list[str]:
        """Every other value of that field."""
        return [one for one in self._fields.get(text, []) if one != text]

    @cached_property
    def _fields(self) -> dict[str, list[str]]:
        """By each text that tells a record from others of its collection, all values of its field."""
        found: dict[str, list[str]] = {}
        for collection in self.base.collections:
            if collection == (self.base.spec.audit.collection if self.base.spec.audit else ""):
                continue
            for values in self._columns(collection).values():
                distinct = list(dict.fromkeys(values))
                if len(distinct) >= 2 and len(distinct) >= 0.8 * len(values):
                    for text in distinct:
                        found.setdefault(text, distinct)
        return found

    def _columns(self, collection: str) -> dict[str, list[str]]:
        """The texts of each field of a collection, stored or computed; no sentences and no words of a short list."""
        frozen = self.base.collections[collection]
        enums = {name for name, one in self.base.spec.collections[collection].fields.items() if one.enum}
        columns: dict[str, list[str]] = {}
        for record_id in self._ids(collection)[:_MOST_RECORDS]:
            record = self._world.record(collection, record_id)
            assert record is not None
            for name, value in record.plain().items():
                words = isinstance(value, str) and _SHORTEST <= len(value) <= 80 and name not in enums
                if words and not _ISO.match(value):
                    columns.setdefault(name, []).append(value)
        own = columns.get(frozen.key, [])
        return {name: values for name, values in columns.items() if name == frozen.key or values != own}

    def _ids(self, collection: str) -> list[str]:
        return self._world.ids(collection)

    def _places(self, collection: str) -> dict[str, int]:
        if collection not in self._known:
            self._known[collection] = {one: place for place, one in enumerate(self._ids(collection))}
        return self._known[collection]

    @cached_property
    def _known(self) -> dict[str, dict[str, int]]:
        return {}


def values_beside(value: Any, parameter: ParameterSpec) -> list[Any]:
    """Neighbouring values of an argument that names no record; none for what has no neighbour."""
    if parameter.enum:
        return [one for one in parameter.enum if one != value][:2]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [number_beside(value, 1), number_beside(value, -1)]
    if isinstance(value, str) and _ISO.fullmatch(value) and parameter.type in ("date", "datetime", "text"):
        return [one for one in (day_beside(value, 1), day_beside(value, -1)) if one]
    if isinstance(value, dict) and isinstance(value.get("amount"), (int, float)):
        return [{**value, "amount": number_beside(value["amount"], 1)}]
    return []


def number_beside(value: float, step: int) -> float:
    """One more, or one less."""
    moved = exact(value) + Decimal(step)
    return int(moved) if moved == moved.to_integral_value() and isinstance(value, int) else float(moved)


def day_beside(text: str, days: int) -> str:
    """The date, or moment, some days on; '' for no date."""
    match = _ISO.fullmatch(text)
    if match is None:
        return ""
    try:
        day = datetime.date.fromisoformat(match[1]) + datetime.timedelta(days=days)
    except (ValueError, OverflowError):
        return ""
    return f"{day.isoformat()}{match[2]}"


def misspelt(text: str) -> str:
    """A text that is not quite this one: without its last word, or with its last letter twice."""
    words = text.split()
    return " ".join(words[:-1]) if len(words) > 1 else text + text[-1:]
