"""`get`: one record, by its id or by fields that tell it from the others, with what belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from silo_decl.errors import ToolError
from silo_decl.expressions.meaning import to_text, truth
from silo_decl.expressions.records import plain
from silo_decl.specs.tool import GetTool, IncludeSpec
from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.ordering import sorter
from silo_decl.tools.paths import looked_up
from silo_decl.tools.placing import Env, Run
from silo_decl.tools.query_text import chosen_text, input_text, path_text
from silo_decl.tools.read.showing import shower
from silo_decl.tools.rules import Rule
from silo_decl.world.store import World, kind

Find = Callable[[World, dict[str, Any]], Any]
Part = Callable[[World, Any, Env, dict[str, Any]], None]


def build_get(draft: Draft, body: GetTool) -> Built:
    find, canonical = _by_fields(draft, body) if body.by else _by_id(draft, body.parameter)
    show = shower(draft, draft.spec.collection, body.view)
    rules = [draft.rules[name] for name in body.rules if name in draft.rules]
    parts = _parts(draft, body)
    if rules or parts:
        return Built(_whole_work(find, show, rules, parts), canonical, body.parameter)

    def work(world: World, given: dict[str, Any]) -> Any:
        return show(world, find(world, given))

    return Built(work, canonical, body.parameter)


def _whole_work(
    find: Find, show: Callable[[World, Any], Any], rules: list[Rule], parts: list[Part]
) -> Callable[[World, dict[str, Any]], Any]:
    def work(world: World, given: dict[str, Any]) -> Any:
        record = find(world, given)
        env = {"": world, "input": given, "record": record}
        for rule in rules:
            rule.check(record, env)
        shown = dict(show(world, record))
        for part in parts:
            part(world, record, env, shown)
        return shown

    return work


# -- which record -------------------------------------------------------------------------------------------


def _by_id(draft: Draft, parameter: str) -> tuple[Find, str]:
    collection = draft.spec.collection
    key = draft.base.spec.collections[collection].key

    def find(world: World, given: dict[str, Any]) -> Any:
        return world.existing(collection, given[parameter])

    text = chosen_text(collection, [f"{path_text(key)} == {input_text(parameter)}"])
    return find, f"{text} | [0]"


def _by_fields(draft: Draft, body: GetTool) -> tuple[Find, str]:
    collection = draft.spec.collection
    shape = draft.record_shape(collection)
    names = [path.rpartition(".")[2] for path in body.by]
    conditions = []
    for place, (path, name) in enumerate(zip(body.by, names)):
        looked_up(draft.spec.body_at.child("by", place), shape, path, draft.problems)
        conditions.append(_equal(path_text(path), input_text(name), body.ignore_case))
    text = chosen_text(collection, conditions)
    hits = draft.quietly().world_query(draft.spec.body_at.child("by"), text).run
    called = kind(draft.base.collections[collection])

    def find(world: World, given: dict[str, Any]) -> Any:
        found = hits(world, {"": world, "input": given})
        if len(found) != 1:
            raise _not_one(called, names, given, found)
        return found[0]

    return find, text


def _equal(field: str, wanted: str, ignore_case: bool) -> str:
    if not ignore_case:
        return f"{field} == {wanted}"
    return f"fold(text({field})) == fold(text({wanted}))"


def _not_one(called: str, names: Sequence[str], given: dict[str, Any], found: list[Any]) -> ToolError:
    wanted = " and ".join(f'{name} "{to_text(given[name])}"' for name in names)
    if not found:
        return ToolError("not_found", f"{called} with {wanted} was not found.")
    ids = [record.id for record in found]
    listed = ", ".join(ids[:10]) + (f" and {len(ids) - 10} more" if len(ids) > 10 else "")
    return ToolError("conflict", f"{len(ids)} records have {wanted}: {listed}. Use the id.", {"ids": ids[:100]})


# -- what is shown besides ----------------------------------------------------------------------------------


def _parts(draft: Draft, body: GetTool) -> list[Part]:
    own = draft.over(draft.spec.collection).naming({"record": draft.record_shape(draft.spec.collection)})
    parts = [_shown_value(own, name, raw) for name, raw in body.show.items()]
    return parts + [_included(own, spec) for spec in body.include if draft.known(spec.collection)]


def _shown_value(draft: Draft, name: str, raw: Any) -> Part:
    value = draft.value(draft.spec.body_at.child("show", name), raw).run

    def show(world: World, record: Any, env: Env, shown: dict[str, Any]) -> None:
        shown[name] = plain(value(record, env))

    return show


def _included(draft: Draft, spec: IncludeSpec) -> Part:
    matching = matcher(draft, spec)
    in_order = sorter(draft, spec.at.child("sort"), spec.sort, draft.record_shape(spec.collection))
    show_one = shower(draft, spec.collection, spec.view)

    def show(world: World, record: Any, env: Env, shown: dict[str, Any]) -> None:
        records = in_order(matching(world, record, env))[: spec.limit]
        shown[spec.name] = [show_one(world, one) for one in records]

    return show


def matcher(draft: Draft, spec: IncludeSpec) -> Callable[[World, Any, Env], list[Any]]:
    """The records of another collection that belong to the one at hand."""
    shape = draft.record_shape(spec.collection)
    values = {}
    for path, raw in spec.match.items():
        looked_up(spec.at.child("match", path), shape, path, draft.problems)
        values[path] = draft.value(spec.at.child("match", path), raw).run
    test: Run | None = None
    if spec.where:
        test = draft.record_query(spec.at.child("where"), spec.where, spec.collection).run
    collection = spec.collection

    def matching(world: World, record: Any, env: Env) -> list[Any]:
        equal = {path: value(record, env) for path, value in values.items()}
        holds = None if test is None else lambda one: truth(test(one, env))
        found: list[Any] = world.read(collection).select(equal, holds)
        return found

    return matching
