"""`delete`: one record of the collection is gone."""

from __future__ import annotations

from typing import Any

from silo_decl.specs.tool import DeleteTool
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.placing import Env
from silo_decl.tools.write.order import steps
from silo_decl.tools.write.writing import Writing
from silo_decl.world.store import World


def build_delete(draft: Draft, body: DeleteTool) -> Built:
    collection, parameter = draft.spec.collection, body.record.parameter
    rules = [draft.rules[name] for name in body.record.rules if name in draft.rules]
    _check_effects(draft, body)
    draft, order = steps(draft, body, has_record=True, rules=rules)

    def work(world: World, given: dict[str, Any]) -> Any:
        record = world.existing(collection, given[parameter])
        shown = world.first_view(record) if order.answer is None else None
        before = world.snapshot(record)
        env: Env = {"": world, "input": given, "record": record, "before": before}
        items = order.before_the_change(record, env)
        writing = Writing(removed=[(collection, before.id)])
        world.remove(collection, before.id)
        record = order.after_the_change(world, before, env, writing, items)
        if order.answer is not None:
            return order.answer(world, record, env)
        return {"deleted": shown}

    return Built(work)


def _check_effects(draft: Draft, body: DeleteTool) -> None:
    for effect in body.also:
        if effect.target == "self":
            said = "The record of this tool is deleted, so it cannot be changed as well."
            draft.problems.append(effect.at.problem("missing-key", said, "Name a collection with 'update:'."))
