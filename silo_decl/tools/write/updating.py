"""`update`: a change of one record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from silo_decl.errors import ToolError
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs.tool import ChangeSpec, UpdateTool
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import set_at, steps_of
from silo_decl.tools.placing import Env
from silo_decl.tools.write.changes import Changes, Ready, Work, Written, changes, placed_put
from silo_decl.tools.write.effects import change
from silo_decl.tools.write.looking import Look
from silo_decl.tools.write.order import current, steps
from silo_decl.tools.write.writing import Writing
from silo_decl.world.store import World

CLEAR = "clear"


def build_update(draft: Draft, body: UpdateTool) -> Built:
    collection, parameter = draft.spec.collection, body.record.parameter
    rules = [draft.rules[name] for name in body.record.rules if name in draft.rules]
    draft, order = steps(draft, body, has_record=True, rules=rules)
    ready = _own_changes(draft, body)
    clearable = _clearable(body)

    def work(world: World, given: dict[str, Any]) -> Any:
        _check_clear(clearable, given)
        record = world.existing(collection, given[parameter])
        before = world.snapshot(record)
        env: Env = {"": world, "input": given, "record": record, "before": before}
        items = order.before_the_change(record, env)
        writing = Writing()
        change(world, record, env, ready, writing)
        record = order.after_the_change(world, current(world, record), env, writing, items)
        if order.answer is not None:
            return order.answer(world, record, env)
        return {"updated": world.first_view(record)}

    return Built(work)


def _own_changes(draft: Draft, body: UpdateTool) -> Changes:
    """What arguments of their own change or clear comes first, then what the tool itself sets."""
    works = [_by_argument(draft, one) for one in body.change]
    works += [_by_clearing(body, path, name) for name, path in _clearable(body).items()]
    own = changes(
        draft, Written(draft.spec.body_at, body.set, body.add, body.append, body.unset), draft.spec.collection
    )
    return Changes(own.at, (*works, *own.works))


def _by_argument(draft: Draft, spec: ChangeSpec) -> Work:
    collection, name = draft.spec.collection, spec.parameter.name
    look = Look(draft, collection)
    look.at_value(spec.at, spec.path, look.at_path(spec.at, spec.path), _shape_of(draft, name))
    steps = steps_of(spec.path)

    def work(record: Any, env: Env) -> Ready | None:
        given = env["input"]
        if name not in given:
            return None
        return Ready(steps[0], placed_put(spec.at, set_at, steps, plain(given[name])))

    return work


def _shape_of(draft: Draft, parameter: str) -> Shape:
    return draft.names["input"].fields.get(parameter, ANY)


def _by_clearing(body: UpdateTool, path: str, name: str) -> Work:
    steps = steps_of(path)
    at = body.record.at

    def work(record: Any, env: Env) -> Ready | None:
        if name not in env["input"].get(CLEAR, ()):
            return None
        return Ready(steps[0], placed_put(at, set_at, steps, None))

    return work


def _clearable(body: UpdateTool) -> dict[str, str]:
    """What may be cleared: the word an agent uses, which is the field's parameter, and its path."""
    names = {one.path: one.parameter.name for one in body.change}
    return {names.get(path, path.rpartition(".")[2]): path for path in body.clearable}


def _check_clear(names: Iterable[str], given: dict[str, Any]) -> None:
    for name in given.get(CLEAR, ()):
        if name in names and name in given:
            raise ToolError("invalid_input", f'"{name}" is given and cleared at once; leave out one of them.')
