"""The order of work of a write, the same for every kind.

Arguments and the rules of what they name come before this. Then: the rules of the own record, `find`, `require`,
every list of a `for_each`, the own change, `also` in order, what must hold of everything written, `log`, audit, answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.expressions.meaning import to_text
from silo_decl.expressions.shapes import TEXT
from silo_decl.specs.tool import CreateTool, DeleteTool, UpdateTool
from silo_decl.tools.draft import Draft
from silo_decl.tools.finding import Demand, demands, finds
from silo_decl.tools.placing import Env, Run
from silo_decl.tools.rules import Rule
from silo_decl.tools.write.answers import Answer, answer
from silo_decl.tools.write.effects import Effect, effects
from silo_decl.tools.write.writing import Writing
from silo_decl.world.store import World


@dataclass(frozen=True)
class Steps:
    """What a kind of write puts into the order of work."""

    draft: Draft
    find_all: Callable[[Env], None]
    demand: Demand
    effects: Sequence[Effect]
    log: Run | None
    answer: Answer | None
    rules: Sequence[Rule] = field(default=())

    def before_the_change(self, record: Any, env: Env) -> list[list[Any] | None]:
        """Everything that happens while the world is as it was; gives the items of each effect."""
        for rule in self.rules:
            rule.check(record, env)
        self.find_all(env)
        self.demand(env, record)
        return [effect.items(env) if effect.items is not None else None for effect in self.effects]

    def after_the_change(
        self, world: World, record: Any, env: Env, writing: Writing, items: Sequence[list[Any] | None]
    ) -> Any:
        """Everything that follows the own change; gives the record as it is in the end."""
        env["record"] = record
        env.update({effect.spec.as_name: None for effect in self.effects if effect.spec.as_name})
        for effect, own_items in zip(self.effects, items):
            effect.run(world, record, env, writing, own_items)
            record = env["record"] = current(world, record)
        self.draft.soundness.check(world, writing)
        self._write_down(world, record, env)
        return record

    def _write_down(self, world: World, record: Any, env: Env) -> None:
        spec = self.draft.spec
        env["tool"] = spec.name
        env["kind"] = self.draft.collection.singular if self.draft.collection is not None else None
        env["record_id"] = record.id if record is not None else None
        env["log"] = to_text(self.log(record, env)) if self.log is not None else None
        if self.draft.audit is not None:
            self.draft.audit(world, record, env)


def current(world: World, record: Any) -> Any:
    """The record as it now is; one that is gone stays as it was."""
    return world.record(record.collection, record.id) or record


def steps(
    draft: Draft, body: CreateTool | UpdateTool | DeleteTool, has_record: bool, rules: Sequence[Rule] = ()
) -> tuple[Draft, Steps]:
    """The draft as the own change sees it, and the steps around that change.

    `has_record` says whether the own record is there from the beginning.
    """
    collection = draft.spec.collection
    own = draft.record_shape(collection)
    if has_record:
        draft = draft.over(collection).naming({"record": own, "before": own})
    draft, find_all = finds(draft, body.find)
    demand = demands(draft, body.require)
    after = draft.over(collection).naming({"record": own})
    after, also = effects(after, draft, body.also, collection)
    told = after.naming({"tool": TEXT, "kind": TEXT, "record_id": TEXT})
    log = told.text(draft.spec.body_at.child("log"), body.log).run if body.log else None
    said = answer(told.naming({"log": TEXT}), body.returns, collection)
    return draft, Steps(draft, find_all, demand, also, log, said, rules)
