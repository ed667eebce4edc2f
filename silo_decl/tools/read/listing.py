"""`list`: records of a collection by filters, in an order, page by page."""

from __future__ import annotations

from typing import Any

from silo_decl.specs.tool import ListTool
from silo_decl.tools.built import Built
from silo_decl.tools.choosing import choice
from silo_decl.tools.draft import Draft
from silo_decl.tools.ordering import sorter
from silo_decl.tools.query_text import sorted_text
from silo_decl.tools.read.showing import page, paged, shower
from silo_decl.world.store import World


def build_list(draft: Draft, body: ListTool) -> Built:
    collection = draft.spec.collection
    chosen = choice(draft, body.filters, body.where)
    shape = draft.record_shape(collection)
    in_order = sorter(draft, draft.spec.body_at.child("sort"), body.sort, shape)
    show = shower(draft, collection, body.view)

    def work(world: World, given: dict[str, Any]) -> Any:
        equal = chosen.equal(given)
        if equal is not None:
            found = world.read(collection).page(equal, body.sort, given["offset"], given["limit"])
            if found is not None:
                return paged(world, found[0], found[1], given, show)
        records = in_order(chosen.choose(world, {"": world, "input": given}))
        return page(world, records, given, show)

    return Built(work, sorted_text(chosen.canonical, body.sort))
