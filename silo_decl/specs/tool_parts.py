"""From the data of a tool file to its frozen facts.

Shorthands are spelt out here; the types of parameters are worked out in `parameters`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from silo_decl.specs.source import At
from silo_decl.specs.tool import (
    TOOL_KINDS,
    ActionTool,
    ChangeSpec,
    CreateTool,
    DeleteTool,
    EffectSpec,
    FilterSpec,
    FindSpec,
    GetTool,
    GroupSpec,
    IncludeSpec,
    ListTool,
    MeasureSpec,
    ParameterSpec,
    QueryTool,
    RecordSpec,
    RecordsSpec,
    RequireSpec,
    SearchTool,
    SummarizeTool,
    ToolBody,
    ToolSpec,
    UpdateTool,
)

Raw = Mapping[str, Any]
Singular = Callable[[str], str]


def parse_tool(at: At, raw: Raw, file_collection: str, singular: Singular) -> ToolSpec:
    """One tool. `singular` gives what a record of a collection is called."""
    kind = next(one for one in TOOL_KINDS if one in raw)
    collection = raw.get("collection", file_collection)
    body = _BODIES[kind](at.child(kind), raw[kind] or {}, f"{singular(collection)}Id")
    return ToolSpec(at, at.child(kind), raw["name"], raw["description"], kind, body, collection, raw.get("stub", False))


def parse_parameters(at: At, raw: Raw | None) -> tuple[ParameterSpec, ...]:
    """Parameters by name, in order."""
    return tuple(parse_parameter(at.child(name), name, settings) for name, settings in (raw or {}).items())


def parse_parameter(at: At, name: str, raw: Any, required: bool = True) -> ParameterSpec:
    """A parameter: a description, or settings. `required` is what it is where nothing says so."""
    if isinstance(raw, str):
        return ParameterSpec(at, name, description=raw, required=required)
    return ParameterSpec(
        at,
        name,
        raw.get("type", "") or _implied_type(raw),
        raw.get("description", ""),
        raw.get("required", required and "default" not in raw),
        raw.get("default"),
        "default" in raw,
        tuple(raw.get("enum", ())),
        raw.get("minimum"),
        raw.get("maximum"),
        raw.get("references", ""),
        raw.get("rule", ""),
        _element(at.child("of"), raw.get("of")),
        {inner.name: inner for inner in parse_parameters(at.child("parameters"), raw.get("parameters"))},
    )


def _implied_type(raw: Raw) -> str:
    if "of" in raw:
        return "list"
    if "parameters" in raw:
        return "object"
    return "text" if "references" in raw else ""


def _element(at: At, raw: Any) -> ParameterSpec | None:
    if raw is None:
        return None
    if isinstance(raw, str):
        return ParameterSpec(at, "", raw)
    return ParameterSpec(at, "", "object", fields={one.name: one for one in parse_parameters(at, raw)})


def _filters(at: At, raw: Raw) -> tuple[FilterSpec, ...]:
    at = at.child("filters")
    return tuple(_filter(at.child(name), name, settings) for name, settings in raw.get("filters", {}).items())


def _filter(at: At, name: str, raw: Any) -> FilterSpec:
    settings = {"description": raw} if isinstance(raw, str) else raw
    parameter = parse_parameter(at, name, settings, required=False)
    if "where" in settings:
        return FilterSpec(at, name, parameter, settings.get("field", ""), "", settings["where"])
    return FilterSpec(at, name, parameter, settings.get("field", name), settings.get("test", "equals"))


def _find(at: At, raw: Raw) -> tuple[FindSpec, ...]:
    at = at.child("find")
    return tuple(_find_entry(at.child(name), name, entry) for name, entry in raw.get("find", {}).items())


def _find_entry(at: At, name: str, raw: Any) -> FindSpec:
    if isinstance(raw, str):
        return FindSpec(at, name, query=raw)
    return FindSpec(at, name, for_each=raw["for_each"], as_=raw["as"], find=_find(at, raw))


def _require(at: At, raw: Raw) -> tuple[RequireSpec, ...]:
    at = at.child("require")
    return tuple(
        RequireSpec(
            at.child(place),
            one["that"],
            one["code"],
            one["message"],
            one.get("when", ""),
            one.get("for_each", ""),
            one.get("as", ""),
        )
        for place, one in enumerate(raw.get("require", ()))
    )


def _rules(raw: Any) -> tuple[str, ...]:
    return () if raw is None else (raw,) if isinstance(raw, str) else tuple(raw)


def _record(at: At, raw: Any, parameter: str) -> RecordSpec:
    at = at.child("record")
    if raw is None or isinstance(raw, str):
        return RecordSpec(at, raw or parameter)
    return RecordSpec(at, raw.get("parameter", parameter), _rules(raw.get("rule")), raw.get("description", ""))


def _changes(at: At, raw: Any) -> tuple[ChangeSpec, ...]:
    at = at.child("change")
    if isinstance(raw, list):
        return tuple(_change(at.child(place), path, {}) for place, path in enumerate(raw))
    return tuple(_change(at.child(path), path, settings) for path, settings in (raw or {}).items())


def _change(at: At, path: str, raw: Any) -> ChangeSpec:
    settings = {"description": raw} if isinstance(raw, str) else raw
    name = settings.get("parameter") or path.rpartition(".")[2]
    return ChangeSpec(at, path, parse_parameter(at, name, settings, required=False))


def _also(at: At, raw: Raw) -> tuple[EffectSpec, ...]:
    at = at.child("also")
    return tuple(_effect(at.child(place), one) for place, one in enumerate(raw.get("also", ())))


def _effect(at: At, raw: Raw) -> EffectSpec:
    target = next((one for one in ("update", "create", "delete") if one in raw), "self")
    looped = "for_each" in raw
    return EffectSpec(
        at,
        target,
        raw.get(target, ""),
        raw.get("record"),
        raw.get("where", ""),
        "" if looped else raw.get("as", ""),
        raw.get("when", ""),
        raw.get("for_each", ""),
        raw.get("as", "") if looped else "",
        raw.get("set", {}),
        raw.get("add", {}),
        raw.get("append", {}),
        tuple(raw.get("unset", ())),
    )


def _measures(at: At, raw: Raw) -> tuple[MeasureSpec, ...]:
    at = at.child("measures")
    measures = []
    for name, measure in raw.get("measures", {}).items():
        function, of = ("count", "") if isinstance(measure, str) else next(iter(measure.items()))
        measures.append(MeasureSpec(at.child(name), name, function, of))
    return tuple(measures)


def _groups(at: At, raw: Raw) -> tuple[GroupSpec, ...]:
    at = at.child("groups")
    return tuple(
        GroupSpec(
            at.child(name),
            name,
            _measures(at.child(name), one),
            one.get("by", {}),
            one.get("each", ""),
            one.get("where", ""),
            one.get("match", {}),
            one.get("show", {}),
            tuple(one.get("sort", ())),
        )
        for name, one in raw.get("groups", {}).items()
    )


def _records(at: At, raw: Raw) -> tuple[RecordsSpec, ...]:
    at = at.child("records")
    lists = []
    for name, settings in raw.get("records", {}).items():
        one = settings or {}
        lists.append(
            RecordsSpec(at.child(name), name, one.get("view", ""), tuple(one.get("sort", ())), one.get("limit"))
        )
    return tuple(lists)


def _include(at: At, raw: Raw) -> tuple[IncludeSpec, ...]:
    at = at.child("include")
    return tuple(
        IncludeSpec(
            at.child(name),
            name,
            one["from"],
            one.get("match", {}),
            one.get("where", ""),
            tuple(one.get("sort", ())),
            one.get("view", ""),
            one.get("limit"),
        )
        for name, one in raw.get("include", {}).items()
    )


def _list_tool(at: At, raw: Raw, parameter: str) -> ListTool:
    return ListTool(_filters(at, raw), raw.get("where", ""), tuple(raw.get("sort", ())), raw.get("view", ""))


def _search_tool(at: At, raw: Raw, parameter: str) -> SearchTool:
    sort = tuple(raw.get("sort", ()))
    return SearchTool(tuple(raw["in"]), _filters(at, raw), raw.get("where", ""), sort, raw.get("view", ""))


def _get_tool(at: At, raw: Raw, parameter: str) -> GetTool:
    by = tuple(raw.get("by", ()))
    return GetTool(
        raw.get("parameter", "" if by else parameter),
        raw.get("description", ""),
        by,
        raw.get("ignore_case", False),
        _rules(raw.get("rule")),
        raw.get("view", ""),
        raw.get("show", {}),
        _include(at, raw),
    )


def _summarize_tool(at: At, raw: Raw, parameter: str) -> SummarizeTool:
    return SummarizeTool(
        parse_parameters(at.child("input"), raw.get("input")),
        _filters(at, raw),
        raw.get("where", ""),
        raw.get("show", {}),
        _measures(at, raw),
        _groups(at, raw),
        _records(at, raw),
    )


def _query_tool(at: At, raw: Raw, parameter: str) -> QueryTool:
    return QueryTool(
        parse_parameters(at.child("input"), raw.get("input")), _find(at, raw), _require(at, raw), raw["returns"]
    )


def _create_tool(at: At, raw: Raw, parameter: str) -> CreateTool:
    return CreateTool(
        parse_parameters(at.child("input"), raw.get("input")),
        _find(at, raw),
        _require(at, raw),
        raw.get("set", {}),
        _also(at, raw),
        raw.get("log", ""),
        raw.get("returns"),
    )


def _update_tool(at: At, raw: Raw, parameter: str) -> UpdateTool:
    return UpdateTool(
        _record(at, raw.get("record"), parameter),
        parse_parameters(at.child("input"), raw.get("input")),
        _changes(at, raw.get("change")),
        tuple(raw.get("clearable", ())),
        _find(at, raw),
        _require(at, raw),
        raw.get("set", {}),
        raw.get("add", {}),
        raw.get("append", {}),
        tuple(raw.get("unset", ())),
        _also(at, raw),
        raw.get("log", ""),
        raw.get("returns"),
    )


def _delete_tool(at: At, raw: Raw, parameter: str) -> DeleteTool:
    return DeleteTool(
        _record(at, raw.get("record"), parameter),
        parse_parameters(at.child("input"), raw.get("input")),
        _find(at, raw),
        _require(at, raw),
        _also(at, raw),
        raw.get("log", ""),
        raw.get("returns"),
    )


def _action_tool(at: At, raw: Raw, parameter: str) -> ActionTool:
    given = parse_parameters(at.child("input"), raw.get("input"))
    return ActionTool(raw["hook"], given, raw.get("reads", False), raw.get("record"), raw.get("log", ""))


_BODIES: dict[str, Callable[[At, Raw, str], ToolBody]] = {
    "list": _list_tool,
    "get": _get_tool,
    "search": _search_tool,
    "summarize": _summarize_tool,
    "query": _query_tool,
    "create": _create_tool,
    "update": _update_tool,
    "delete": _delete_tool,
    "action": _action_tool,
}
