"""Deep copies of records: plain JSON in general, and quickly for records whose fields are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Stored = dict[str, Any]
Copy = Callable[[Stored], Stored]

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


def copier(rows: Iterable[Stored]) -> Copy:
    """What copies these very records; others may have something deep where none of these has."""
    once, whole = _fields_to_copy(rows)
    if not once and not whole:
        return dict.copy

    def copy(record: Stored) -> Stored:
        made = record.copy()
        for name in once:
            value = made.get(name)
            if value is not None:
                made[name] = value.copy()
        for name in whole:
            if name in made:
                made[name] = deep(made[name])
        return made

    return copy


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
