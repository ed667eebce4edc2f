"""Records as the agent sees them: in a view, and page by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.tools.draft import Draft
from silo_decl.world.store import World

Show = Callable[[World, Any], Any]


def shower(draft: Draft, collection: str, view: str) -> Show:
    """What shows a record in the view, or in the first view of its collection where none is named."""
    spec = draft.base.spec.collections.get(collection)
    if view and spec is not None and view in spec.views:
        return lambda world, record: world.view(record, view)
    return lambda world, record: world.first_view(record)


def page(world: World, records: list[Any], given: dict[str, Any], show: Show) -> dict[str, Any]:
    """One page of the records and how many there are in all."""
    begin: int = given["offset"]
    return paged(world, len(records), records[begin : begin + given["limit"]], given, show)


def paged(world: World, total: int, records: list[Any], given: dict[str, Any], show: Show) -> dict[str, Any]:
    """The page that these records are, out of `total`."""
    shown = [show(world, record) for record in records]
    return {"total": total, "count": len(shown), "offset": given["offset"], "results": shown}
