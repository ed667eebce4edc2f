"""When two ends are the same: ids of new records come from counters, so they are told apart by what they hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_ROUNDS = 2


def new_records(diff: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, tuple[str, dict[str, Any]]]:
    """The records that were added, by id, with their collections. `keys` are the key fields of the collections."""
    return {
        record[keys[name]]: (name, record) for name, change in diff["collections"].items() for record in change["added"]
    }


def end_signature(diff: Mapping[str, Any], output: str | None, keys: Mapping[str, str]) -> str:
    """One text for all ends that differ only in which id a new record got."""
    collections = diff["collections"]
    added = new_records(diff, keys)
    new = {record_id: f"new {name}" for record_id, (name, _) in added.items()}
    for _ in range(_ROUNDS if new else 0):
        new = {record_id: f"new {_digest(renamed(record, new))}" for record_id, (_, record) in added.items()}
    shown = {
        name: {
            "added": sorted(_text(renamed(record, new)) for record in change["added"]),
            "removed": change["removed"],
            "changed": sorted(_text(renamed(one, new)) for one in change["changed"]),
        }
        for name, change in collections.items()
    }
    said = output
    for record_id in sorted(new, key=len, reverse=True):
        said = said.replace(record_id, new[record_id]) if said else said
    return _digest([shown, diff["scalars"], said])


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The value with every text that is one of the names replaced."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {name: renamed(one, names) for name, one in value.items()}
    if isinstance(value, list):
        return [renamed(one, names) for one in value]
    return value


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _digest(value: Any) -> str:
    return hashlib.sha256(_text(value).encode("utf-8", "replace")).hexdigest()
