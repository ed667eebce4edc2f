"""`action`: a hook does the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from silo_decl.expressions.meaning import to_text
from silo_decl.expressions.records import RecordLike
from silo_decl.expressions.shapes import ANY, TEXT
from silo_decl.specs.tool import ActionTool
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.hooks import Hook
from silo_decl.tools.placing import Env, Run
from silo_decl.tools.write.changes import argument_of, is_given
from silo_decl.world.store import World


def build_action(draft: Draft, body: ActionTool) -> Built:
    hook = draft.hooks.hook(body.hook, draft.spec.body_at.child("hook"), draft.problems)
    if hook is None:
        return Built(lambda world, given: None)
    if body.reads:
        return Built(lambda world, given: hook.read(world, _own(given)))
    return Built(_writing(draft, body, hook))


def _own(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments as an object that the hook may change."""
    copy: dict[str, Any] = orjson.loads(orjson.dumps(given))
    return copy


def _writing(draft: Draft, body: ActionTool, hook: Hook) -> Callable[[World, dict[str, Any]], Any]:
    subject = _Subject(draft, body)

    def work(world: World, given: dict[str, Any]) -> Any:
        env: Env = {"": world, "input": given, "before": subject.before(world, given)}
        env["output"] = hook.write(world, _own(given))
        subject.write_down(world, env)
        return env["output"]

    return work


class _Subject:
    """Which record the audit names for an action, and what it says."""

    def __init__(self, draft: Draft, body: ActionTool):
        draft = draft.naming({"output": ANY})
        at = draft.spec.body_at
        self.name = draft.spec.name
        self.audit = draft.audit
        self.argument = argument_of(body.record)
        self.record_id: Run | None = None
        self.collection = draft.spec.collection
        if body.record is not None:
            made = draft.value(at.child("record"), body.record)
            self.record_id = made.run
            self.collection = made.shape.name or draft.spec.collection
        spec = draft.base.spec.collections.get(self.collection)
        self.kind = spec.singular if spec is not None else None
        told = draft.naming({"tool": TEXT, "kind": TEXT, "record_id": TEXT, "record": ANY, "before": ANY})
        self.log = told.text(at.child("log"), body.log).run if body.log else None

    def before(self, world: World, given: dict[str, Any]) -> Any:
        """The record as it was, where an argument names it."""
        if self.argument is None or not is_given({"input": given}, self.argument):
            return None
        value: Any = given
        for name in self.argument:
            value = value[name]
        record = self._record(world, value)
        return None if record is None else world.snapshot(record)

    def _record(self, world: World, record_id: Any) -> Any:
        return world.record(self.collection, record_id) if isinstance(record_id, str) and self.kind else None

    def write_down(self, world: World, env: Env) -> None:
        found = self.record_id(None, env) if self.record_id is not None else None
        if isinstance(found, RecordLike):
            found = getattr(found, "id", None)
        env["tool"], env["kind"], env["record_id"] = self.name, self.kind if found is not None else None, found
        env["record"] = self._record(world, found)
        env["log"] = to_text(self.log(None, env)) if self.log is not None else None
        if self.audit is not None:
            self.audit(world, env["record"], env)
