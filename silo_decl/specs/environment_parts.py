"""From the data of `environment.yaml` and of files of collections to their frozen facts; shorthands are spelt out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from silo_decl.specs.environment import (
    ActorSpec,
    AuditSpec,
    CollectionSpec,
    ComputedSpec,
    FieldSpec,
    GatherSpec,
    ReferenceSpec,
    RuleSpec,
    ViewFieldSpec,
    ViewSpec,
)
from silo_decl.specs.sound import ALL_SOUND, Sound
from silo_decl.specs.source import At

MEASURES = ("sum", "count", "min", "max", "first", "list")


def singular_of(collection: str) -> str:
    """A collection's name for one record: 'entities' is 'entity', 'users' is 'user', 'auditLog' stays."""
    if collection.endswith("ies") and len(collection) > 4:
        return collection[:-3] + "y"
    if collection.endswith("s") and not collection.endswith("ss") and len(collection) > 1:
        return collection[:-1]
    return collection


def parse_collection(at: At, name: str, raw: Mapping[str, Any] | None, sound: Sound = ALL_SOUND) -> CollectionSpec:
    """One collection without its data; parts that have problems are left out and leave it `open`."""
    raw = raw if isinstance(raw, Mapping) else {}
    fields = {
        path: parse_field(at.child("fields", path), path, field)
        for path, field in _parts(raw, "fields")
        if sound(("fields", path))
    }
    computed = {
        field: parse_computed(at.child("computed", field), field, value)
        for field, value in _parts(raw, "computed")
        if sound(("computed", field))
    }
    views = {
        view: ViewSpec(at.child("views", view), view, _view_fields(at.child("views", view), items))
        for view, items in _parts(raw, "views")
        if sound(("views", view))
    }
    return CollectionSpec(
        at,
        name,
        _text(raw, "singular") or singular_of(name),
        _text(raw, "key") or "id",
        _text(raw, "ids") if sound(("ids",)) else "",
        _text(raw, "description"),
        fields,
        computed,
        views,
        open=not sound(()),
    )


def _text(raw: Mapping[str, Any], key: str, otherwise: str = "") -> str:
    """A setting that is a text; what stands there instead has been said already."""
    value = raw.get(key)
    return value if isinstance(value, str) else otherwise


def _parts(raw: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    value = raw.get(key)
    return list(value.items()) if isinstance(value, Mapping) else []


def parse_field(at: At, path: str, raw: Mapping[str, Any]) -> FieldSpec:
    """One field with everything in it."""
    of = raw.get("list_of")
    element = None
    if of is not None:
        settings = {"type": of} if isinstance(of, str) else of
        element = parse_field(at.child("list_of"), "", settings)
    return FieldSpec(
        at,
        path,
        raw.get("type") or ("list" if of is not None else "object" if "fields" in raw else ""),
        element,
        {name: parse_field(at.child("fields", name), name, inner) for name, inner in raw.get("fields", {}).items()},
        _reference(raw.get("references")),
        tuple(raw.get("enum", ())),
        raw.get("default"),
        "default" in raw,
        raw.get("description", ""),
    )


def _reference(raw: Any) -> ReferenceSpec | None:
    if raw is None:
        return None
    if isinstance(raw, str):
        return ReferenceSpec(raw)
    return ReferenceSpec(by=raw["by"], collections={value: name for value, name in raw.items() if value != "by"})


def parse_computed(at: At, name: str, raw: Any) -> ComputedSpec:
    """A computed field: an expression, or a question to other records."""
    if not isinstance(raw, Mapping):
        return ComputedSpec(at, name, value=raw)
    measure = next(one for one in MEASURES if one in raw)
    of = raw[measure] if isinstance(raw[measure], str) else ""
    gather = GatherSpec(
        at, raw["from"], raw.get("match", {}), raw.get("where", ""), measure, of, tuple(raw.get("sort", ()))
    )
    return ComputedSpec(at, name, gather=gather)


def _view_fields(at: At, items: list[Any]) -> tuple[ViewFieldSpec, ...]:
    fields: list[ViewFieldSpec] = []
    for place, item in enumerate(items):
        if isinstance(item, str):
            fields.append(ViewFieldSpec(at.child(place), item.rpartition(".")[2], path=item))
            continue
        for name, value in item.items():
            field_at = at.child(place, name)
            if is_expression(value):
                fields.append(ViewFieldSpec(field_at, name, value=value))
            else:
                fields.append(ViewFieldSpec(field_at, name, path=value))
    return tuple(fields)


def is_expression(value: Any) -> bool:
    """Whether a value is worked out: it begins with '=' or holds {{ }}."""
    return isinstance(value, str) and (value.lstrip().startswith("=") or "{{" in value)


def parse_rule(at: At, name: str, raw: Mapping[str, Any]) -> RuleSpec:
    return RuleSpec(at, name, raw["of"], raw["require"], raw["code"], raw["message"])


def parse_actor(at: At, raw: Mapping[str, Any]) -> ActorSpec:
    return ActorSpec(at, raw["parameter"], raw["references"], raw.get("rule", ""), raw.get("description", ""))


def parse_audit(at: At, raw: Mapping[str, Any]) -> AuditSpec:
    return AuditSpec(at, raw["collection"], raw["entry"])
