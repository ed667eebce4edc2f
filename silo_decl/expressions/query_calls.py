"""The parts of a query that call a function or hand a value on with a bar."""

from __future__ import annotations

from typing import Any

from silo_decl.expressions.findings_calls import (
    Argument,
    list_place,
    look_at_call,
    unknown_function,
    wrong_count,
)
from silo_decl.expressions.functions import FUNCTIONS, Function
from silo_decl.expressions.functions_values import element_of
from silo_decl.expressions.query_build import Builder, Env, Here, Part, Run, inside
from silo_decl.expressions.query_names import chain
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import written
from silo_decl.expressions.shapes import ANY, Finding, Shape


def build_call(builder: Builder, node: Node, here: Here) -> Part:
    function = FUNCTIONS.get(node["value"])
    place = builder.place(node)
    if function is None:
        builder.tell(unknown_function(node["value"], place))
        return Part(lambda element, env: None)
    if wrong := wrong_count(function, len(node["children"]), place):
        builder.tell(wrong)
        return Part(lambda element, env: None)
    parts = _build_arguments(builder, function, node, here)
    call = look_at_call(function, _arguments(builder, node, parts), builder.scope, place)
    builder.findings.extend(call.findings)
    builder.reads.update(call.reads)
    run = _with_env(function, parts) if function.context else _plain(function, parts)
    return Part(run, call.shape, all(part.free for part in parts))


def _build_arguments(builder: Builder, function: Function, node: Node, here: Here) -> list[Part]:
    """The arguments; what stands behind `&` is built for the elements of the list beside it."""
    children: list[Node] = node["children"]
    built: dict[int, Part] = {
        place: builder.build(child, here) for place, child in enumerate(children) if child["type"] != "expref"
    }
    holder = built.get(list_place(function))
    elements = element_of([holder.shape if holder else ANY])
    for place, child in enumerate(children):
        if place not in built:
            built[place] = _expression(builder, child, elements)
    return [built[place] for place in range(len(children))]


def _expression(builder: Builder, node: Node, elements: Shape) -> Part:
    part = builder.build(node["children"][0], Here(elements))
    body = part.run
    return Part(lambda element, env: lambda one: body(one, env), part.shape, free=True)


def _arguments(builder: Builder, node: Node, parts: list[Part]) -> list[Argument]:
    return [
        Argument(builder.side(child, part), expression=child["type"] == "expref")
        for child, part in zip(node["children"], parts)
    ]


def build_stray_expression(builder: Builder, node: Node, here: Here) -> Part:
    """`&...` where no function takes it."""
    builder.tell(
        Finding(
            "wrong-arguments",
            "'&' stands only before an argument of a function such as sort_by.",
            "Remove the '&'; for and write 'and'.",
            builder.place(node),
        )
    )
    return Part(lambda element, env: None)


def _plain(function: Function, parts: list[Part]) -> Run:
    call = function.call
    runs = [part.run for part in parts]
    if len(runs) == 1:
        only = runs[0]
        return lambda element, env: call(only(element, env))
    if len(runs) == 2:
        one, other = runs
        return lambda element, env: call(one(element, env), other(element, env))
    return lambda element, env: call(*[run(element, env) for run in runs])


def _with_env(function: Function, parts: list[Part]) -> Run:
    call = function.call
    runs = [part.run for part in parts]

    def run(element: Any, env: Env) -> Any:
        return call(env, *[one(element, env) for one in runs])

    return run


def build_pipe(builder: Builder, node: Node, here: Here) -> Part:
    left_node, right_node = node["children"]
    left = builder.build(left_node, here)
    text = written(left_node)
    if mistake := _into_name(builder, right_node, left.shape, text):
        builder.tell(mistake)
        return Part(lambda element, env: None)
    right = builder.build(right_node, inside(here, left.shape, text))
    if right.free:
        builder.tell(_unused(builder, right_node, text))
    return Part(chain([left.run, right.run]), right.shape, left.free)


def _into_name(builder: Builder, node: Node, shape: Shape, text: str) -> Finding | None:
    """`tags | length`: a function's name without a call reads a field of that name."""
    first = node
    while first["type"] != "field" and first["children"] and isinstance(first["children"][0], dict):
        if first["type"] in ("function_expression", "multi_select_list", "multi_select_dict", "expref"):
            return None
        first = first["children"][0]
    name = first.get("value")
    if first["type"] != "field" or name not in FUNCTIONS or shape.kind in ("any", "nothing"):
        return None
    if shape.kind in ("object", "record") and (shape.open or name in shape.fields):
        return None
    return Finding(
        "pipe-into-function",
        f"Behind '|' stands '{name}' as the name of a field; the function is called with its value in parentheses.",
        f"Write {name}({text}).",
        builder.place(first),
    )


def _unused(builder: Builder, node: Node, text: str) -> Finding:
    """What stands before the bar has no part in what stands behind it."""
    fix = "Write @ where the value before '|' is meant."
    call = node
    while call["type"] != "function_expression" and call["children"] and isinstance(call["children"][0], dict):
        call = call["children"][0]
    if call["type"] == "function_expression":
        arguments = ", ".join([text, *map(written, call["children"])])
        fix = f"Write {call['value']}({arguments}), or @ where the value before '|' is meant."
    said = f"What stands before '|' is not used by {written(node)}."
    return Finding("pipe-into-function", said, fix, builder.place(node))


CALL_KINDS = {
    "function_expression": build_call,
    "expref": build_stray_expression,
    "pipe": build_pipe,
}
