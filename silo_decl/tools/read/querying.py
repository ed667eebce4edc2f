"""`query`: a read put together from queries, with conditions and an answer of its own."""

from __future__ import annotations

from typing import Any

from silo_decl.expressions.records import plain
from silo_decl.specs.tool import QueryTool
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.finding import demands, finds
from silo_decl.world.store import World


def build_query(draft: Draft, body: QueryTool) -> Built:
    draft, find_all = finds(draft, body.find)
    demand = demands(draft, body.require)
    answer = draft.value(draft.spec.body_at.child("returns"), body.returns).run

    def work(world: World, given: dict[str, Any]) -> Any:
        env = {"": world, "input": given}
        find_all(env)
        demand(env, None)
        return plain(answer(None, env))

    return Built(work)
