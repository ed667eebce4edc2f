"""What a tool refers to in other files, and parameters that get in each other's way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from silo_decl.errors import choices, did_you_mean
from silo_decl.specs.data_checks import fits, type_words
from silo_decl.specs.environment import CollectionSpec
from silo_decl.specs.environment_parts import is_expression
from silo_decl.specs.lint import Names, new_ids
from silo_decl.specs.source import At
from silo_decl.specs.tool import (
    ActionTool,
    CreateTool,
    DeleteTool,
    EffectSpec,
    FilterSpec,
    GetTool,
    ListTool,
    ParameterSpec,
    SearchTool,
    SummarizeTool,
    ToolSpec,
    UpdateTool,
)

_NEEDS_COLLECTION = ("list", "get", "search", "summarize", "create", "update", "delete")


def look_over_tool(tool: ToolSpec, names: Names) -> None:
    """One tool against everything it names."""
    own = names.spec.collections.get(tool.collection)
    if tool.collection and own is None:
        at = tool.at.child("collection")
        names.collection(at if at.is_there() else tool.at.file_at("collection"), tool.collection)
    elif tool.kind in _NEEDS_COLLECTION and not tool.collection:
        _no_collection(tool, names)
    body = tool.body
    for one in getattr(body, "input", ()):
        _parameter(one, names)
    for flt in getattr(body, "filters", ()):
        _filter(flt, names)
    if isinstance(body, (ListTool, SearchTool)):
        names.view(tool.body_at.child("view"), body.view, own)
    elif isinstance(body, GetTool):
        _get(tool, body, own, names)
    elif isinstance(body, SummarizeTool):
        _summarize(tool, body, own, names)
    elif isinstance(body, ActionTool):
        names.hooks.check(tool.body_at.child("hook"), body.hook, 2, "(world, input)")
    elif isinstance(body, (CreateTool, UpdateTool, DeleteTool)):
        _write(tool, body, own, names)
    _clashes(tool, names)


def _no_collection(tool: ToolSpec, names: Names) -> None:
    message = f"The tool {tool.name} does not say which collection it works on."
    names.say(tool.at, "missing-key", message, "Add 'collection:' to it, or once at the top of the file.")


def _parameter(one: ParameterSpec, names: Names) -> None:
    if one.references:
        names.collection(one.at.child("references"), one.references)
    names.rule(one.at.child("rule"), one.rule, one.references)
    if one.minimum is not None and one.maximum is not None and one.minimum > one.maximum:
        names.say(
            one.at.child("maximum"), "out-of-range", f"The maximum {one.maximum} is below the minimum {one.minimum}."
        )
    if one.has_default and one.default is not None and not is_expression(one.default):
        _default(one, names)
    for inner in (*one.fields.values(), *((one.of,) if one.of else ())):
        _parameter(inner, names)


def _default(one: ParameterSpec, names: Names) -> None:
    at = one.at.child("default")
    if one.enum and one.default not in one.enum:
        fix = f"Use one of: {choices(map(str, one.enum))}."
        names.say(at, "wrong-value", f"The default '{one.default}' is not among the allowed values.", fix)
    elif one.type and not fits(one.type, one.default):
        names.say(at, "wrong-value", f"The default '{one.default}' is not {type_words(one.type)}.")
    elif isinstance(one.default, (int, float)) and not _within(one, one.default):
        names.say(at, "out-of-range", f"The default {one.default} is not between the minimum and the maximum.")


def _within(one: ParameterSpec, value: float) -> bool:
    return (one.minimum is None or value >= one.minimum) and (one.maximum is None or value <= one.maximum)


def _filter(flt: FilterSpec, names: Names) -> None:
    _parameter(flt.parameter, names)
    if flt.where and flt.parameter.type not in ("", "boolean"):
        names.say(
            flt.at.child("type"),
            "wrong-value",
            "A filter with 'where' is true or false.",
            "Remove 'type', or use 'field' and 'test' for a value to compare with.",
        )
    if flt.where and flt.field:
        names.say(
            flt.at.child("field"), "several-kinds", "A filter has 'where' or 'field', not both.", "Keep one.", True
        )


def _get(tool: ToolSpec, body: GetTool, own: CollectionSpec | None, names: Names) -> None:
    at = tool.body_at
    names.view(at.child("view"), body.view, own)
    _rules(at.child("rule"), body.rules, tool.collection, names)
    for one in body.include:
        other = names.collection(one.at.child("from"), one.collection)
        names.view(one.at.child("view"), one.view, other)


def _rules(at: At, rules: tuple[str, ...], collection: str, names: Names) -> None:
    for place, rule in enumerate(rules):
        names.rule(at.child(place), rule, collection)


def _summarize(tool: ToolSpec, body: SummarizeTool, own: CollectionSpec | None, names: Names) -> None:
    for group in body.groups:
        if group.each:
            names.collection(group.at.child("each"), group.each)
    for records in body.records:
        names.view(records.at.child("view"), records.view, own)
    if not (body.measures or body.groups or body.records):
        names.say(
            tool.body_at, "missing-key", "A summary needs measures, groups or records.", "Add at least one of them."
        )


def _write(
    tool: ToolSpec, body: CreateTool | UpdateTool | DeleteTool, own: CollectionSpec | None, names: Names
) -> None:
    at = tool.body_at
    if isinstance(body, CreateTool):
        new_ids(at, own, [*(one.name for one in body.input), *body.set], names, key=True)
    else:
        _rules(body.record.at.child("rule"), body.record.rules, tool.collection, names)
    if isinstance(body, UpdateTool):
        _update(at, body, names)
    for effect in body.also:
        _effect(effect, names)
    _returns(at.child("returns"), body.returns, own, names)


def _update(at: At, body: UpdateTool, names: Names) -> None:
    for one in body.change:
        _parameter(one.parameter, names)
    known = [one.path for one in body.change]
    for place, path in enumerate(body.clearable):
        if path not in known:
            names.say(
                at.child("clearable", place),
                "unknown-parameter",
                f"'{path}' is not among the fields of 'change'.{did_you_mean(path, known)}",
                "List it under 'change' too.",
            )
    if not (body.change or body.set or body.add or body.append or body.unset or body.also):
        names.say(
            at, "missing-key", "This update changes nothing.", "Add one of: change, set, add, append, unset, also."
        )


def _effect(effect: EffectSpec, names: Names) -> None:
    at = effect.at
    if effect.target == "self":
        for key, value in (("record", effect.record), ("where", effect.where)):
            if value:
                message = f"'{key}' says which records, but not of which collection."
                names.say(
                    at.child(key), "missing-key", message, "Add 'update: collection' or 'delete: collection'.", True
                )
    else:
        target = names.collection(at.child(effect.target), effect.collection)
        if effect.target == "create":
            new_ids(at.child("create"), target, effect.set, names)
        elif not effect.where and effect.record is None:
            message = f"'{effect.target}' does not say which records of {effect.collection} it means."
            names.say(at, "missing-key", message, "Add 'record' with an id, or 'where' with a query.")
    if effect.target != "delete" and not (effect.set or effect.add or effect.append or effect.unset):
        names.say(at, "missing-key", "This changes nothing.", "Add one of: set, add, append, unset.")


def _returns(at: At, returns: Any, own: CollectionSpec | None, names: Names) -> None:
    """A plain word in the answer is the name of a view."""
    for name, value in returns.items() if isinstance(returns, Mapping) else ():
        if isinstance(value, str) and not is_expression(value):
            names.view(at.child(name), value, own)


def _clashes(tool: ToolSpec, names: Names) -> None:
    """Two parameters of one name: the first is all an agent would see."""
    body = tool.body
    groups: list[Iterable[tuple[str, At]]] = [[(one.name, one.at) for one in getattr(body, "input", ())]]
    groups.append([(one.name, one.at) for one in getattr(body, "filters", ())])
    groups.append([(one.parameter.name, one.at) for one in getattr(body, "change", ())])
    if isinstance(body, (UpdateTool, DeleteTool)):
        groups.insert(0, [(body.record.parameter, body.record.at)])
    if isinstance(body, UpdateTool) and body.clearable:
        groups.insert(0, [("clear", tool.body_at)])
    if isinstance(body, (ListTool, SearchTool)):
        reserved = ("limit", "offset", "query") if isinstance(body, SearchTool) else ("limit", "offset")
        groups.insert(0, [(name, tool.body_at) for name in reserved])
    seen: set[str] = set()
    for name, at in (one for group in groups for one in group):
        if name in seen:
            names.say(
                at,
                "duplicate-name",
                f"The tool {tool.name} has two parameters called '{name}'.",
                "Rename one; a field of 'change' takes another name with 'parameter:'.",
                key=True,
            )
        seen.add(name)
