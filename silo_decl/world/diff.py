"""What a world differs in from the data: records added, removed and changed, with the fields that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from silo_decl.world.copying import deep
from silo_decl.world.overlay import Overlay

Change = dict[str, Any]


def collection_diff(overlay: Overlay) -> Change | None:
    """`added` and `removed` records and `changed` ones with their fields; None where all is as it was. All copies."""
    frozen = overlay.frozen
    stored, key, copy = frozen.stored, frozen.key, frozen.copy
    changed: list[Change] = []
    candidates = {**overlay.changed, **{one: overlay.added[one] for one in overlay.deleted if one in overlay.added}}
    for record_id in sorted(candidates):
        fields = changed_fields(stored[record_id], candidates[record_id])
        if fields:
            changed.append({"id": record_id, "fields": fields})
    added = [copy(record) for record in overlay.added.values() if record[key] not in stored]
    removed = [copy(stored[record_id]) for record_id in sorted(overlay.deleted) if record_id not in overlay.added]
    if not (added or removed or changed):
        return None
    return {"added": added, "removed": removed, "changed": changed}


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any], prefix: str = "") -> dict[str, Change]:
    """Field path to `from` and `to`; objects are compared by their parts, lists as a whole."""
    found: dict[str, Change] = {}
    for name, one in before.items():
        other = after.get(name)
        if one is other or same(one, other):
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            found.update(changed_fields(one, other, f"{prefix}{name}."))
        else:
            found[prefix + name] = {"from": deep(one), "to": deep(other)}
    for name, other in after.items():
        if other is not None and name not in before:
            found[prefix + name] = {"from": None, "to": deep(other)}
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same JSON, so 1 is neither true nor '1'; 1 and 1.0 are the same number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict):
        if not isinstance(other, dict) or one.keys() != other.keys():
            return False
        return all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        if not isinstance(other, list) or len(one) != len(other):
            return False
        return all(map(same, one, other))
    return bool(one == other)
