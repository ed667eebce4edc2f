"""`returns`: what a write answers with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from silo_decl.expressions.records import plain
from silo_decl.specs.environment_parts import is_expression
from silo_decl.tools.draft import Draft
from silo_decl.tools.placing import Env
from silo_decl.world.store import World

Answer = Callable[[World, Any, Env], Any]


def answer(draft: Draft, returns: Any, collection: str) -> Answer | None:
    """The answer as it is written, or None where the common one is meant."""
    if returns is None:
        return None
    at = draft.spec.body_at.child("returns")
    if not isinstance(returns, Mapping):
        value = draft.value(at, returns).run
        return lambda world, record, env: plain(value(record, env))
    parts = {name: _part(draft, name, raw, collection) for name, raw in returns.items()}
    return lambda world, record, env: {name: part(world, record, env) for name, part in parts.items()}


def _part(draft: Draft, name: str, raw: Any, collection: str) -> Answer:
    """A plain word is a view of the own record; anything else is a value."""
    if isinstance(raw, str) and not is_expression(raw):
        spec = draft.base.spec.collections.get(collection)
        if spec is not None and raw in spec.views:
            return lambda world, record, env: world.view(record, raw)
        return lambda world, record, env: raw
    value = draft.value(draft.spec.body_at.child("returns", name), raw).run
    return lambda world, record, env: plain(value(record, env))
