"""`create`: a new record of the collection."""

from __future__ import annotations

from typing import Any

from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY
from silo_decl.specs.tool import CreateTool
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.placing import Env
from silo_decl.tools.write.changes import Written, changes
from silo_decl.tools.write.effects import create
from silo_decl.tools.write.looking import Look
from silo_decl.tools.write.order import steps
from silo_decl.tools.write.writing import Writing
from silo_decl.world.store import World


def build_create(draft: Draft, body: CreateTool) -> Built:
    collection = draft.spec.collection
    draft, order = steps(draft, body, has_record=False)
    written = Written(draft.spec.body_at, body.set, {}, {})
    fields = _fields_given(draft, body)
    ready = changes(draft, written, collection, new=fields)

    def work(world: World, given: dict[str, Any]) -> Any:
        env: Env = {"": world, "input": given}
        items = order.before_the_change(None, env)
        writing = Writing()
        start = {name: plain(given[name]) for name in fields if name in given}
        record = create(world, collection, start, None, env, ready, writing)
        record = order.after_the_change(world, record, env, writing, items)
        if order.answer is not None:
            return order.answer(world, record, env)
        return {"created": world.first_view(record)}

    return Built(work)


def _fields_given(draft: Draft, body: CreateTool) -> list[str]:
    """The inputs named like a field: they are that field."""
    shape = draft.record_shape(draft.spec.collection)
    computed = draft.collection.computed if draft.collection is not None else {}
    given = [one for one in body.input if (one.name in shape.fields or shape.open) and one.name not in computed]
    look = Look(draft, draft.spec.collection, new=())
    for one in given:
        if one.name not in body.set:
            value = draft.names["input"].fields.get(one.name, ANY)
            look.at_value(one.at, one.name, shape.fields.get(one.name, ANY), value)
    return [one.name for one in given]
