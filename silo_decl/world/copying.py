"""Deep copies of records: plain JSON in general, and quickly for records whose fields are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Stored = dict[str, Any]
Deepen = Callable[[Stored], None]

_CONTAINERS = (list, dict)


def deep(value: Any) -> Any:
    """A deep copy of plain JSON data."""
    if type(value) is dict:
        made = value.copy()
        for key, inner in value.items():
            if type(inner) in _CONTAINERS:
                made[key] = deep(inner)
        return made
    if type(value) is list:
        return [deep(inner) if type(inner) in _CONTAINERS else inner for inner in value]
    return value


def deepen(record: Stored) -> None:
    """Make a shallow copy of a record deep."""
    for name, value in record.items():
        if type(value) in _CONTAINERS:
            record[name] = deep(value)


def deepener(rows: Iterable[Stored]) -> Deepen:
    """A quicker `deepen` for copies of these very records; others may have something deep where none of these has."""
    once, whole = _fields_to_copy(rows)

    def deepen_row(record: Stored) -> None:
        for name in once:
            value = record.get(name)
            if value is not None:
                record[name] = value.copy()
        for name in whole:
            if name in record:
                record[name] = deep(record[name])

    return deepen_row


def _fields_to_copy(rows: Iterable[Stored]) -> tuple[set[str], set[str]]:
    """The fields that hold flat lists or objects or nothing, and those that hold anything deeper or of both kinds."""
    nested: set[str] = set()
    plain: set[str] = set()
    whole: set[str] = set()
    for record in rows:
        for name, value in record.items():
            if type(value) in _CONTAINERS:
                nested.add(name)
                inner = value.values() if type(value) is dict else value
                if name not in whole and any(type(one) in _CONTAINERS for one in inner):
                    whole.add(name)
            elif value is not None:
                plain.add(name)
    whole |= nested & plain
    return nested - whole, whole
