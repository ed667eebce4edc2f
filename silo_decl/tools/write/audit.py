"""The audit: one record for each successful change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from silo_decl.errors import Problem
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, TEXT, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import AuditSpec
from silo_decl.tools.placing import Env, Run, placed
from silo_decl.world.store import World

if TYPE_CHECKING:
    from silo_decl.world.seed import Base

Note = Callable[[World, Any, Env], None]


def build_audit(base: Base, problems: list[Problem]) -> Note | None:
    """What writes down one change; None where the environment keeps no audit.

    It is called with the own record (or None) and the names of the call, among them `tool`, `kind`, `record_id`
    and `log`.
    """
    spec = base.spec.audit
    if spec is None or spec.collection not in base.spec.collections:
        return None
    values = _values(base, spec, problems)
    collection = spec.collection

    def note(world: World, record: Any, env: Env) -> None:
        world.insert(collection, {name: plain(value(None, env)) for name, value in values.items()})

    return note


def _values(base: Base, spec: AuditSpec, problems: list[Problem]) -> dict[str, Run]:
    scope = base.scope().adding(
        input=_input_shape(base),
        tool=TEXT,
        kind=TEXT.maybe(),
        record_id=TEXT.maybe(),
        log=TEXT.maybe(),
        record=ANY,
        before=ANY,
    )
    values = {}
    for name, raw in spec.entry.items():
        at = spec.at.child("entry", name)
        values[name] = placed(at, compiled.value(at, raw, scope, problems).run)
    return values


def _input_shape(base: Base) -> Shape:
    actor = base.spec.actor
    known = {actor.parameter: Shape("text", name=actor.references)} if actor is not None else {}
    return Shape("object", fields=known, open=True)
