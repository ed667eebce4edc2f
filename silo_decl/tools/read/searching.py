"""`search`: records in whose fields a text is found, upper and lower case alike."""

from __future__ import annotations

from typing import Any

from silo_decl.expressions.functions_texts import fold
from silo_decl.specs.tool import SearchTool
from silo_decl.tools.built import Built
from silo_decl.tools.choosing import choice
from silo_decl.tools.draft import Draft
from silo_decl.tools.ordering import sorter
from silo_decl.tools.paths import looked_up
from silo_decl.tools.query_text import path_text, sorted_text
from silo_decl.tools.read.showing import page, paged, shower
from silo_decl.world.store import World

QUERY = "query"


def build_search(draft: Draft, body: SearchTool) -> Built:
    collection = draft.spec.collection
    shape = draft.record_shape(collection)
    for place, path in enumerate(body.in_):
        looked_up(draft.spec.body_at.child("in", place), shape, path, draft.problems)
    chosen = choice(draft, body.filters, body.where, [_found(body.in_)])
    in_order = sorter(draft, draft.spec.body_at.child("sort"), body.sort, shape)
    show = shower(draft, collection, body.view)

    def work(world: World, given: dict[str, Any]) -> Any:
        if chosen.equal(given) == {}:
            needle = fold(given[QUERY])
            found = world.read(collection).search_page(body.in_, needle, body.sort, given["offset"], given["limit"])
            if found is not None:
                return paged(world, found[0], found[1], given, show)
        records = in_order(chosen.choose(world, {"": world, "input": given}))
        return page(world, records, given, show)

    return Built(work, sorted_text(chosen.canonical, body.sort))


def _found(paths: tuple[str, ...]) -> str:
    parts = [f"contains(fold(text({path_text(path)})), fold($input.{QUERY}))" for path in paths]
    return f"({' or '.join(parts)})"
