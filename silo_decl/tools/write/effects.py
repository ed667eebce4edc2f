"""`also`: what else a write changes, on its own record or on records of other collections."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import SiloError, ToolError
from silo_decl.expressions.meaning import kind_of, shown, truth
from silo_decl.expressions.records import RecordLike
from silo_decl.expressions.shapes import NUMBER, Shape
from silo_decl.specs.tool import EffectSpec
from silo_decl.tools.draft import Draft
from silo_decl.tools.finding import INDEX, check_name, element_shape, items_of
from silo_decl.tools.placing import Env, PlacedError, Run
from silo_decl.tools.query_text import chosen_text
from silo_decl.tools.write.changes import Changes, Written, changes
from silo_decl.tools.write.nothing import remark_nothing
from silo_decl.tools.write.writing import Writing
from silo_decl.world.store import World

Items = Callable[[Env], list[Any]]
Targets = Callable[[World, Any, Env], list[Any]]
Act = Callable[[World, Any, Env, Writing], None]


@dataclass(frozen=True)
class Effect:
    """One entry of `also`. `items` is read before anything changes; `act` does the work for one item."""

    spec: EffectSpec
    items: Items | None
    when: Run | None
    act: Act

    def run(self, world: World, record: Any, env: Env, writing: Writing, items: list[Any] | None) -> None:
        if items is None:
            self._once(world, record, env, writing)
            return
        for index, item in enumerate(items):
            own = {**env, self.spec.as_: item, INDEX: index}
            self._once(world, record, own, writing)

    def _once(self, world: World, record: Any, env: Env, writing: Writing) -> None:
        if self.when is None or truth(self.when(record, env)):
            self.act(world, record, env, writing)


def effects(draft: Draft, before: Draft, specs: Sequence[EffectSpec], own: str) -> tuple[Draft, list[Effect]]:
    """The draft with the records the effects name, and the effects in order.

    `draft` has the names there are once the own record has changed, `before` those of before, which is all that
    a `for_each` sees. `own` is the collection of the own record, '' where there is none.
    """
    made: list[Effect] = []
    for spec in specs:
        if spec.collection and not draft.known(spec.collection):
            continue
        made.append(_effect(draft, before, spec, own))
        if spec.as_name:
            check_name(draft, spec.at.child("as"), spec.as_name)
            shape = draft.record_shape(spec.collection)
            draft = draft.naming({spec.as_name: shape.maybe() if spec.when else shape})
    return draft, made


def _effect(draft: Draft, before: Draft, spec: EffectSpec, own: str) -> Effect:
    items, draft = _items(draft, before, spec)
    when = draft.condition(spec.at.child("when"), spec.when).run if spec.when else None
    return Effect(spec, items, when, _ACTS[spec.target](draft, spec, own))


def _items(draft: Draft, before: Draft, spec: EffectSpec) -> tuple[Items | None, Draft]:
    if not spec.for_each:
        return None, draft
    at = spec.at.child("for_each")
    each = before.world_query(at, spec.for_each)
    check_name(draft, spec.at.child("as"), spec.as_)
    names: dict[str, Shape] = {spec.as_: element_shape(each.shape), INDEX: NUMBER}
    return lambda env: items_of(at, each.run(env[""], env)), draft.naming(names)


# -- what an effect does ------------------------------------------------------------------------------------


def _change_self(draft: Draft, spec: EffectSpec, own: str) -> Act:
    ready = _changes(draft, spec, own)

    def act(world: World, record: Any, env: Env, writing: Writing) -> None:
        change(world, record, env, ready, writing)

    return act


def _change_others(draft: Draft, spec: EffectSpec, own: str) -> Act:
    targets = _targets(draft, spec)
    ready = _changes(draft.over(spec.collection), spec, spec.collection)

    def act(world: World, record: Any, env: Env, writing: Writing) -> None:
        for one in targets(world, record, env):
            change(world, one, env, ready, writing)

    return act


def _create(draft: Draft, spec: EffectSpec, own: str) -> Act:
    ready = _changes(draft, spec, spec.collection, new=())

    def act(world: World, record: Any, env: Env, writing: Writing) -> None:
        created = create(world, spec.collection, {}, record, env, ready, writing)
        if spec.as_name:
            env[spec.as_name] = created

    return act


def _delete(draft: Draft, spec: EffectSpec, own: str) -> Act:
    targets = _targets(draft, spec)

    def act(world: World, record: Any, env: Env, writing: Writing) -> None:
        for one in targets(world, record, env):
            writing.removed.append((spec.collection, one.id))
            world.remove(spec.collection, one.id)

    return act


_ACTS: dict[str, Callable[[Draft, EffectSpec, str], Act]] = {
    "self": _change_self,
    "update": _change_others,
    "create": _create,
    "delete": _delete,
}


def _changes(draft: Draft, spec: EffectSpec, collection: str, new: Container[str] | None = None) -> Changes:
    written = Written(spec.at, spec.set, spec.add, spec.append, spec.unset)
    return changes(draft, written, collection, new)


def change(world: World, record: Any, env: Env, ready: Changes, writing: Writing) -> None:
    """Change one record: every value is worked out before the first is put."""
    done = ready.ready(record, env)
    if done:
        ready.put(world.touch(record.collection, record.id), done)
        writing.wrote(record.collection, record.id, [one.field for one in done], ready.at)


def create(
    world: World, collection: str, given: dict[str, Any], record: Any, env: Env, ready: Changes, writing: Writing
) -> Any:
    """A new record of what is given and then of the changes, and the record it became."""
    done = ready.ready(record, env)
    given = {**world.blank(collection), **given}
    ready.put(given, done)
    try:
        created = world.insert(collection, given)
    except ToolError:
        raise
    except SiloError as wrong:
        raise PlacedError(ready.at, str(wrong)) from wrong
    writing.wrote(collection, created.id, list(created.plain()), ready.at)
    return created


# -- which records an effect is about -----------------------------------------------------------------------


def _targets(draft: Draft, spec: EffectSpec) -> Targets:
    if spec.record is not None:
        return _by_id(draft, spec)
    if not spec.where:
        return lambda world, record, env: []
    draft.record_query(spec.at.child("where"), spec.where, spec.collection)
    remark_nothing(draft, spec)
    text = chosen_text(spec.collection, [f"({spec.where})"])
    hits = draft.quietly().world_query(spec.at.child("where"), text).run
    return lambda world, record, env: list(hits(world, env))


def _by_id(draft: Draft, spec: EffectSpec) -> Targets:
    at = spec.at.child("record")
    value = draft.value(at, spec.record).run
    collection = spec.collection

    def targets(world: World, record: Any, env: Env) -> list[Any]:
        found = value(record, env)
        if isinstance(found, RecordLike):
            found = found.read(draft.base.spec.collections[collection].key)
        if not isinstance(found, str):
            raise PlacedError(at, f"'record' must give the id of a record, not {shown(found)} ({kind_of(found)}).")
        return [world.existing(collection, found)]

    return targets
