"""The parts of a value or condition that name something: names, fields, keys, calls and filters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes

from silo_decl.errors import did_you_mean
from silo_decl.expressions import meaning
from silo_decl.expressions.findings_calls import Argument, look_at_call, unknown_function, wrong_count
from silo_decl.expressions.findings_fields import read_field, unknown_name
from silo_decl.expressions.functions import FILTERS, FUNCTIONS, Function
from silo_decl.expressions.shapes import ANY, DATE, TEXT, Finding, Shape
from silo_decl.expressions.template_build import Builder, Env, Part, Run, constant, nothing, place
from silo_decl.expressions.template_print import printed

_CLOCK = {"now": TEXT, "today": DATE}
_RECORD = "record"


def build_name(builder: Builder, node: nodes.Name) -> Part:
    name, scope, fields = node.name, builder.scope, _fields(builder)
    if name in ("null", "none", "None"):
        return constant(None)
    if name in scope.names:
        builder.tell(_two_things(node, fields, "a value from outside", "it") if name != _RECORD else None)
        return Part(lambda element, env: env.get(name), scope.names[name])
    if name == _RECORD and scope.element is not None:
        builder.fields.update(scope.element.fields)
        return Part(lambda element, env: element, scope.element)
    if name in fields:
        if name in scope.collections:
            builder.tell(_two_things(node, fields, "a collection", "the collection"))
        return _field_of_element(builder, name, fields[name])
    return _elsewhere(builder, node)


def _fields(builder: Builder) -> Any:
    return builder.scope.element.fields if builder.scope.element is not None else {}


def _two_things(node: nodes.Name, fields: Any, other: str, short: str) -> Finding | None:
    if node.name not in fields:
        return None
    said = f"'{node.name}' could be the field of this record or {other}."
    fix = f"Write record.{node.name} for the field; to use {short}, give one of the two another name."
    if other == "a collection":
        fix = f"Write record.{node.name} for the field, or lookup('{node.name}', id) for a record of the collection."
    return Finding("ambiguous-name", said, fix, node.lineno)


def _field_of_element(builder: Builder, name: str, shape: Shape) -> Part:
    builder.fields.add(name)
    field = meaning.field

    def run(element: Any, env: Env) -> Any:
        return element.get(name) if element.__class__ is dict else field(element, name)

    return Part(run, shape)


def _elsewhere(builder: Builder, node: nodes.Name) -> Part:
    name, scope = node.name, builder.scope
    if name in scope.collections:
        builder.reads.add(name)
        return Part(lambda element, env: env[""].read(name), scope.collections[name])
    if name in _CLOCK:
        builder.clock = True
        return Part(lambda element, env: getattr(env[""], name), _CLOCK[name])
    element = scope.element
    if element is not None and (element.open or element.kind in ("any", "map")):
        return _field_of_element(builder, name, ANY)
    if name in FUNCTIONS:
        fix = f"Write {FUNCTIONS[name].signature}."
        builder.tell(Finding("unknown-name", f"'{name}' is a function.", fix, node.lineno))
    else:
        known = [*scope.names, *_fields(builder), *_CLOCK, *scope.collections]
        said = f"There is nothing called '{name}' here."
        builder.tell(unknown_name(said, name, known, node.lineno))
    return nothing()


# -- parts of values ----------------------------------------------------------------------------------------


def build_attribute(builder: Builder, node: nodes.Getattr) -> Part:
    base, name = builder.build(node.node), node.attr
    if base.shape.kind == "collection":
        return _record_by(builder, node, base, constant(name))
    shape, finding = read_field(base.shape, name, node.lineno, printed(node.node))
    builder.tell(finding)
    held, field = base.run, meaning.field

    def run(element: Any, env: Env) -> Any:
        value = held(element, env)
        return value.get(name) if value.__class__ is dict else field(value, name)

    return Part(run, shape)


def build_item(builder: Builder, node: nodes.Getitem) -> Part:
    base = builder.build(node.node)
    if isinstance(node.arg, nodes.Slice):
        return _slice(builder, base, node.arg)
    key = builder.build(node.arg)
    if base.shape.kind == "collection":
        return _record_by(builder, node, base, key)
    held, asked, item = base.run, key.run, meaning.item
    run: Run = lambda element, env: item(held(element, env), asked(element, env))  # noqa: E731
    if base.shape.kind in ("object", "record") and key.literal and isinstance(key.value, str):
        shape, finding = read_field(base.shape, key.value, node.arg.lineno, printed(node.node))
        builder.tell(finding)
        return Part(run, shape)
    if base.shape.kind in ("list", "map"):
        return Part(run, base.shape.element.maybe())
    if base.shape.textual or base.shape.kind in ("number", "boolean"):
        said = f"'{printed(node.node)}' has no parts to read."
        builder.tell(Finding("field-of-text", said, "Read it from a list or a record.", node.lineno))
    return Part(run)


def _record_by(builder: Builder, node: nodes.Node, base: Part, key: Part) -> Part:
    if key.shape.kind in ("number", "boolean", "list", "object", "record"):
        said = f"A record of {base.shape.name} is read by its id, a text."
        builder.tell(Finding("wrong-arguments", said, f"Write {base.shape.name}[id].", node.lineno))
    held, asked, item = base.run, key.run, meaning.item
    return Part(lambda element, env: item(held(element, env), asked(element, env)), base.shape.element.maybe())


def _slice(builder: Builder, base: Part, node: nodes.Slice) -> Part:
    bounds = [builder.build(one) if one is not None else constant(None) for one in (node.start, node.stop, node.step)]
    if not all(part.literal and (part.value is None or type(part.value) is int) for part in bounds):
        said = "The places of a slice are whole numbers."
        builder.tell(Finding("wrong-arguments", said, "Write list[0:3].", node.lineno))
        return nothing()
    if bounds[2].value == 0:
        builder.tell(Finding("wrong-arguments", "A slice cannot go in steps of 0.", "Write list[0:3].", node.lineno))
        return nothing()
    cut, held = slice(*(part.value for part in bounds)), base.run

    def run(element: Any, env: Env) -> Any:
        value = held(element, env)
        return value[cut] if isinstance(value, (list, str)) else None

    return Part(run, base.shape.maybe() if base.shape.kind in ("list", "text") else ANY)


# -- calls --------------------------------------------------------------------------------------------------


def build_call(builder: Builder, node: nodes.Call) -> Part:
    if isinstance(node.node, nodes.Getattr):
        builder.tell(_method(node.node, node.args))
        return nothing()
    if not isinstance(node.node, nodes.Name):
        said = "Only functions are called."
        builder.tell(Finding("unknown-function", said, "Write name(value).", node.lineno))
        return nothing()
    return _called(builder, node.node.name, node.args, node, place(node.node))


def _method(node: nodes.Getattr, arguments: list[nodes.Expr]) -> Finding:
    name, on = node.attr, printed(node.node)
    if name in FUNCTIONS:
        fix = f"Write {name}({', '.join([on, *map(printed, arguments)])})."
    elif name == "get" and arguments:
        fix = f"Write {on}[{printed(arguments[0])}]."
    else:
        fix = "Write function(value); the reference of functions lists them all."
    said = f"'{on}.{name}(...)' cannot be called: a dot reads a field."
    return Finding("unknown-function", said, fix, node.lineno)


def build_filter(builder: Builder, node: nodes.Filter) -> Part:
    if node.node is None or node.name not in FILTERS:
        builder.tell(_unknown_filter(node))
        return nothing()
    return _called(builder, FILTERS[node.name], [node.node, *node.args], node, node.lineno)


_PICKING = ("select", "reject", "selectattr", "rejectattr", "groupby", "batch", "slice", "dictsort")
_OTHERWISE = {"d": "default", "e": "", "escape": "", "safe": "", "int": "number", "float": "number", "string": "text"}


def _unknown_filter(node: nodes.Filter) -> Finding:
    name, on = node.name, printed(node.node) if node.node is not None else "value"
    said = f"There is no filter '{name}'."
    if name in FUNCTIONS:
        fix = f"It is a function: write {FUNCTIONS[name].signature.replace('&', '')}."
    elif name in _PICKING:
        fix = "Records are picked by queries: name the result under 'find' and use the name here."
    elif name in _OTHERWISE:
        instead = _OTHERWISE[name]
        fix = f"Write {on}." if not instead else f"Write {instead}({on})."
        fix = fix if name != "d" else "Write 'default'."
    else:
        said, fix = said + did_you_mean(name, FILTERS), f"Use one of: {', '.join(FILTERS)}."
    return Finding("unknown-function", said, fix, node.lineno)


def _called(builder: Builder, name: str, arguments: list[nodes.Expr], node: Any, offset: int) -> Part:
    function = FUNCTIONS.get(name)
    if function is None:
        builder.tell(unknown_function(name, offset))
        return nothing()
    if node.kwargs or node.dyn_args is not None or node.dyn_kwargs is not None:
        said = f"The values of {name}(...) are given in order, without names."
        builder.tell(Finding("wrong-arguments", said, f"Write {function.signature}.", offset))
        return nothing()
    wrong = wrong_count(function, len(arguments), offset)
    if wrong is not None:
        builder.tell(wrong)
        return nothing()
    parts = [builder.build(one) for one in arguments]
    sides = [Argument(builder.side(one, part)) for one, part in zip(arguments, parts)]
    call = look_at_call(function, sides, builder.scope, offset)
    builder.findings += call.findings
    builder.reads |= call.reads
    return Part(_calling(function, [part.run for part in parts]), call.shape)


def _calling(function: Function, runs: list[Run]) -> Run:
    call = function.call
    if function.context:
        return lambda element, env: call(env, *[run(element, env) for run in runs])
    if len(runs) == 1:
        only = runs[0]
        return lambda element, env: call(only(element, env))
    if len(runs) == 2:
        one, other = runs
        return lambda element, env: call(one(element, env), other(element, env))
    return lambda element, env: call(*[run(element, env) for run in runs])


NAME_KINDS: dict[type[nodes.Node], Callable[[Builder, Any], Part]] = {
    nodes.Name: build_name,
    nodes.Getattr: build_attribute,
    nodes.Getitem: build_item,
    nodes.Call: build_call,
    nodes.Filter: build_filter,
}
