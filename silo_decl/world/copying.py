"""Deep copies of records, by code made for the fields that a collection's records have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Stored = dict[str, Any]
Copy = Callable[[Stored], Stored]

_LOOKED_AT = 2000
_CONTAINERS = (list, dict)


def deep(value: Any) -> Any:
    """A deep copy of plain JSON data."""
    if type(value) is dict:
        return {key: deep(inner) if type(inner) in _CONTAINERS else inner for key, inner in value.items()}
    if type(value) is list:
        return [deep(inner) if type(inner) in _CONTAINERS else inner for inner in value]
    return value


def copier(rows: Sequence[Stored]) -> Copy:
    """A deep copy for records like these: shallow, with the fields that ever hold something deeper copied on."""
    seen = rows if len(rows) <= _LOOKED_AT else [*rows[:_LOOKED_AT], *rows[_LOOKED_AT :: len(rows) // _LOOKED_AT]]
    nested = {name for record in seen for name, value in record.items() if type(value) in _CONTAINERS}
    flat = {name for record in seen for name in record} - nested

    def copy(record: Stored) -> Stored:
        made = record.copy()
        for name, value in record.items():
            if name not in flat or type(value) in _CONTAINERS:
                made[name] = _copied(value)
        return made

    return copy


def _copied(value: Any) -> Any:
    if type(value) is dict:
        for inner in value.values():
            if type(inner) in _CONTAINERS:
                return deep(value)
        return value.copy()
    return deep(value)
