"""The parts of a query that name something: fields, keys, values from outside, literals, objects and lists of them."""

from __future__ import annotations

from functools import reduce
from typing import Any

from silo_decl.errors import nearest
from silo_decl.expressions.findings_comparisons import literal_shape
from silo_decl.expressions.findings_fields import read_field, unknown_field, unknown_name
from silo_decl.expressions.meaning import field as read
from silo_decl.expressions.query_build import Builder, Env, Here, Part, Run, inside
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import written
from silo_decl.expressions.shapes import DATE, TEXT, Finding, Shape, list_of, union

_CLOCK = {"now": TEXT, "today": DATE}
_FOREIGN_CONSTANTS = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "none": "null",
    "NULL": "null",
    "nil": "null",
    "undefined": "null",
}


def build_field(builder: Builder, node: Node, here: Here) -> Part:
    name = node["value"]
    if here.root:
        builder.fields.add(name)
    if is_unknown(here.shape, name):
        builder.tell(_unknown(builder, node, here))
        return Part(field_step(name))
    shape, finding = read_field(here.shape, name, builder.place(node), here.text)
    builder.tell(finding)
    return Part(field_step(name), shape)


def is_unknown(shape: Shape, name: str) -> bool:
    """Whether surely no value of this shape has the field."""
    return shape.kind in ("object", "record") and not shape.open and name not in shape.fields


def field_step(name: str) -> Run:
    def run(element: Any, env: Env) -> Any:
        return element.get(name) if element.__class__ is dict else read(element, name)

    return run


def _unknown(builder: Builder, node: Node, here: Here) -> Finding:
    """A field that no such record has; what was meant instead, where that shows."""
    name, place = node["value"], builder.place(node)
    if builder.text.startswith('"', place):
        return quoted_text(here.shape, name, place)
    finding = unknown_field(here.shape, name, place)
    if name in _FOREIGN_CONSTANTS:
        return Finding(finding.code, finding.message, f"Write {_FOREIGN_CONSTANTS[name]}.", place)
    if name in builder.scope.names or name in _CLOCK:
        said = f"'{name}' is no field here but a value from outside."
        return Finding("unknown-field", said, f"Write ${name}.", place)
    if name in builder.scope.collections:
        said = f"'{name}' is a collection; a plain name here is a field of {_owner(here.shape)}."
        return Finding("unknown-field", said, f"Write lookup('{name}', id) for one of its records.", place)
    return finding


def quoted_text(shape: Shape, name: str, place: int) -> Finding:
    """Double quotes mark the name of a field, and there is none of this name."""
    hit = nearest(name, shape.fields)
    fix = f"Write the text between single quotes: '{name}'"
    fix += f'; if a field is meant, "{hit}".' if hit is not None else "."
    said = f'Between double quotes stands the name of a field, and {_owner(shape)} has no field "{name}".'
    return Finding("text-in-double-quotes", said, fix, place)


def _owner(shape: Shape) -> str:
    return f"a record of {shape.name}" if shape.kind == "record" else "the object"


def build_meant_text(builder: Builder, node: Node, here: Here, other: Shape) -> Part | None:
    """A name that no field has, compared with a text: the text is meant. None where the name is a field."""
    if node["type"] != "field" or not is_unknown(here.shape, node["value"]):
        return None
    name, place = node["value"], builder.place(node)
    special = name in _FOREIGN_CONSTANTS or name in builder.scope.names or name in builder.scope.collections
    if special or name in _CLOCK or builder.text.startswith('"', place):
        return None
    hit = nearest(name, here.shape.fields)
    if not other.textual or (hit is not None and name not in other.choices):
        return None
    said = f"{_owner(here.shape).capitalize()} has no field '{name}'. Did you mean the text '{name}'?"
    builder.tell(Finding("unknown-field", said, f"Write it between single quotes: '{name}'.", place))
    return Part(field_step(name))


def build_outside(builder: Builder, node: Node, here: Here) -> Part:
    name = node["value"]
    if name in builder.scope.names:
        if name in _CLOCK:
            builder.clock = True
        return Part(lambda element, env: env.get(name), builder.scope.names[name], free=True)
    if name in _CLOCK:
        builder.clock = True
        return Part(lambda element, env: getattr(env[""], name), _CLOCK[name], free=True)
    place = builder.place(node)
    if here.shape.kind in ("object", "record") and name in here.shape.fields:
        said = f"'{name}' is a field, and '$' stands before values from outside."
        builder.tell(Finding("unknown-name", said, f"Write {name} without the dollar sign.", place))
    else:
        known = [f"${one}" for one in (*builder.scope.names, *_CLOCK)]
        builder.tell(unknown_name(f"There is no value '${name}' here.", f"${name}", known, place))
    return Part(lambda element, env: None, free=True)


def build_literal(builder: Builder, node: Node, here: Here) -> Part:
    value = node["value"]
    return Part(lambda element, env: value, literal_shape(value), free=True)


def build_current(builder: Builder, node: Node, here: Here) -> Part:
    if here.root:
        builder.fields.update(here.shape.fields)
        builder.reads.update(name for name, one in here.shape.fields.items() if one.kind == "collection")
    return build_identity(builder, node, here)


def build_identity(builder: Builder, node: Node, here: Here) -> Part:
    return Part(lambda element, env: element, here.shape)


def build_subexpression(builder: Builder, node: Node, here: Here) -> Part:
    first, *rest = node["children"]
    if first["type"] == "not_expression" and not first.get("grouped"):
        name = ".".join(map(written, [first["children"][0], *rest]))
        said = f"'!' belongs only to what stands right behind it, which is not the whole of {name}."
        builder.tell(Finding("field-of-text", said, f"Write not {name}.", builder.place(node)))
        return Part(lambda element, env: None)
    parts = [builder.build(first, here)]
    text = written(first)
    for child in rest:
        parts.append(builder.build(child, inside(here, parts[-1].shape, text)))
        text = f"{text}.{written(child)}"
    return Part(chain([part.run for part in parts]), parts[-1].shape, parts[0].free)


def chain(runs: list[Run]) -> Run:
    """Each step with what the one before it gave."""
    if len(runs) == 1:
        return runs[0]
    if len(runs) == 2:
        first, second = runs
        return lambda element, env: second(first(element, env), env)

    def run(element: Any, env: Env) -> Any:
        for step in runs:
            element = step(element, env)
        return element

    return run


def build_key(builder: Builder, node: Node, here: Here) -> Part:
    base, name = builder.build(node["children"][0], here), node["value"]
    text = written(node["children"][0])
    if base.shape.kind in ("map", "collection"):
        shape, finding = base.shape.element.maybe(), None
    else:
        shape, finding = read_field(base.shape, name, node["at"], text)
    builder.tell(finding)
    return Part(chain([base.run, field_step(name)]), shape, base.free)


def build_list(builder: Builder, node: Node, here: Here) -> Part:
    parts = [builder.build(child, here) for child in node["children"]]
    runs = [part.run for part in parts]
    shape = list_of(reduce(union, [part.shape for part in parts]))
    if all(child["type"] == "literal" for child in node["children"]):
        value = [child["value"] for child in node["children"]]
        return Part(lambda element, env: None if element is None else list(value), shape)

    def run(element: Any, env: Env) -> Any:
        return None if element is None else [one(element, env) for one in runs]

    return Part(run, shape.maybe() if here.shape.nullable else shape)


def build_object(builder: Builder, node: Node, here: Here) -> Part:
    parts = {child["value"]: builder.build(child["children"][0], here) for child in node["children"]}
    runs = [(name, part.run) for name, part in parts.items()]

    def run(element: Any, env: Env) -> Any:
        return None if element is None else {name: one(element, env) for name, one in runs}

    shape = Shape("object", fields={name: part.shape for name, part in parts.items()}, nullable=here.shape.nullable)
    return Part(run, shape)


NAME_KINDS = {
    "field": build_field,
    "outside": build_outside,
    "literal": build_literal,
    "current": build_current,
    "identity": build_identity,
    "subexpression": build_subexpression,
    "key": build_key,
    "multi_select_list": build_list,
    "multi_select_dict": build_object,
}
