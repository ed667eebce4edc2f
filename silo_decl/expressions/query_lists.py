"""The parts of a query that go through lists: `[*]`, `[]`, `[?...]`, `.*`, places and ranges."""

from __future__ import annotations

from itertools import islice
from typing import Any

from silo_decl.expressions.findings_fields import all_values, keyed_by_id, quoted
from silo_decl.expressions.query_build import Builder, Env, Here, Part, Run
from silo_decl.expressions.query_filters import Chooser, Projector
from silo_decl.expressions.query_names import chain
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import ends_with_step, written
from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.expressions.shapes import ANY, Finding, Shape, list_of, words

_LISTS = ("list", "collection")
_UNKNOWN = ("any", "nothing")


def build_projection(builder: Builder, node: Node, here: Here) -> Part:
    base_node, rest_node = node["children"]
    base = builder.build(base_node, here)
    text = written(base_node)
    element = elements_of(builder, base_node, base.shape, "[*]", here)
    joined = base_node["type"] == "flatten" and _joins_lists(builder, base_node)
    if not ends_with_step(base_node):
        text += "[*]"
    rest = _build_rest(builder, node, rest_node, Here(element, text=text, each="joined" if joined else "each"))
    return Part(_over(base.run, Projector(rest_node, builder.parts)), _listed(rest.shape, base.shape), base.free)


def _listed(element: Shape, base: Shape) -> Shape:
    found = list_of(element)
    return found.maybe() if base.nullable else found


def elements_of(builder: Builder, node: Node, shape: Shape, step: str, here: Here) -> Shape:
    """The shape of the elements that a step over a list goes through."""
    if shape.kind in _LISTS:
        return shape.element
    if shape.kind in _UNKNOWN:
        return ANY
    text = written(node)
    if shape.kind == "map":
        builder.tell(keyed_by_id(f"values({text or '@'}){step}", builder.place(node), text))
    else:
        builder.tell(_not_a_list(builder, node, shape, step, here))
    return ANY


def _not_a_list(builder: Builder, node: Node, shape: Shape, step: str, here: Here) -> Finding:
    text = written(node)
    subject = quoted(text) or "The element at hand"
    said = f"{subject} is {words(shape)}, not a list, so {step} finds nothing in it."
    fix = f"Remove {step}, or write it behind a list."
    if here.each and step.startswith("[?"):
        fix = f"Write {here.text}.{text} | {step}."
    if here.root and not text and step.startswith("[?"):
        said = f"Here stands a condition on {words(shape)}, not a filter of a list."
        fix = f"Write it without the brackets: {step[2:-1]}."
    return Finding("not-a-list", said, fix, builder.place(node))


def _joins_lists(builder: Builder, node: Node) -> bool:
    """Whether `[]` surely stands behind lists of lists."""
    base = node["children"][0]
    shape = builder.parts[id(base)].shape
    is_zip = base["type"] == "function_expression" and base["value"] == "zip"
    return shape.kind in _LISTS and (shape.element.kind == "list" or is_zip)


def _build_rest(builder: Builder, node: Node, rest: Node, here: Here) -> Part:
    """What is done with each element. A filter of each, where it is no list, finds nothing."""
    if first := _first_filter(rest):
        sure = here.shape.kind in ("object", "record", "text", "number", "boolean", "date", "datetime")
        if sure or node["type"] == "filter_projection":
            builder.tell(_filter_of_each(builder, node, first))
            return Part(lambda element, env: None)
    return builder.build(rest, here)


def _first_filter(node: Node) -> Node | None:
    """The filter that stands first behind a step over a list, if one does."""
    while node["type"] != "filter_projection" or node["children"][0]["type"] != "identity":
        steps = ("projection", "filter_projection", "subexpression", "index_expression", "flatten")
        if node["type"] not in steps or not node["children"]:
            return None
        node = node["children"][0]
    return node


def _filter_of_each(builder: Builder, node: Node, second: Node) -> Finding:
    identity: Node = {"type": "identity", "children": []}
    condition = written(second["children"][2])
    if node["type"] == "filter_projection":
        base, _, first = node["children"]
        whole = written({**node, "children": [base, identity, first]})
        fix = f"Write {written(base)}[?{_joined(first)} and {_joined(second['children'][2])}]."
    else:
        whole = written({**node, "children": [node["children"][0], identity]})
        fix = f"Write {whole} | [?{condition}]."
    said = f"The filter [?{condition}] right behind {whole} looks into each element and finds nothing."
    return Finding("filter-after-filter", said, fix, builder.place(second))


def _joined(condition: Node) -> str:
    text = written(condition)
    return f"({text})" if condition["type"] == "or_expression" and not condition.get("grouped") else text


def _over(base: Run, project: Projector) -> Run:
    """What is read of each element; nothing where there is no list."""

    def run(element: Any, env: Env) -> Any:
        found = base(element, env)
        return project(found, env) if isinstance(found, (list, CollectionLike)) else None

    return run


def build_filter(builder: Builder, node: Node, here: Here) -> Part:
    base_node, rest_node, condition = node["children"]
    base = builder.build(base_node, here)
    text = written(base_node)
    if base_node["type"] == "filter_projection" and not base_node.get("grouped"):
        builder.tell(_filter_of_filter(builder, node, base.shape))
        return Part(lambda element, env: None)
    element = elements_of(builder, base_node, base.shape, f"[?{written(condition)}]", here)
    builder.build_truth(condition, Here(element, text="", each=""))
    whole = f"{text}[?{written(condition)}]"
    rest = _build_rest(builder, node, rest_node, Here(element, text=whole, each="each"))
    run = _chosen(base.run, Chooser(condition, builder.parts, rest_node))
    return Part(run, _listed(rest.shape, base.shape), base.free)


def _filter_of_filter(builder: Builder, node: Node, shape: Shape) -> Finding:
    base, _, condition = node["children"]
    first = base["children"][0]
    before = written(base)
    lists = shape.kind == "list" and shape.element.kind not in ("list", "any")
    right = f"{before}{'' if lists else '[]'} | [?{written(condition)}]"
    said = (
        f"The filter [?{written(condition)}] right behind the filter of {written(first) or 'the list'} "
        "looks at whole lists and finds nothing."
        if not lists
        else f"The filter [?{written(condition)}] stands right behind another filter, which reads in two ways."
    )
    return Finding("filter-after-filter", said, f"Write {right}.", node.get("sign", 0))


def _chosen(base: Run, chooser: Chooser) -> Run:
    def run(element: Any, env: Env) -> Any:
        found = base(element, env)
        if isinstance(found, list):
            return chooser.keep(found, env)
        return chooser.select(found, env) if isinstance(found, CollectionLike) else None

    return run


def build_flatten(builder: Builder, node: Node, here: Here) -> Part:
    base_node = node["children"][0]
    base = builder.build(base_node, here)
    element = elements_of(builder, base_node, base.shape, "[]", here)
    inner = element.element if element.kind == "list" else element

    def run(value: Any, env: Env) -> Any:
        found = base.run(value, env)
        if isinstance(found, CollectionLike):
            return list(found)
        return _flat(found) if isinstance(found, list) else None

    return Part(run, _listed(inner, base.shape), base.free)


def _flat(values: list[Any]) -> list[Any]:
    result: list[Any] = []
    for value in values:
        if isinstance(value, list):
            result.extend(value)
        else:
            result.append(value)
    return result


def build_value_projection(builder: Builder, node: Node, here: Here) -> Part:
    base_node, rest_node = node["children"]
    base = builder.build(base_node, here)
    text = written(base_node)
    if here.root and base_node["type"] == "identity":
        builder.fields.update(here.shape.fields)
    if base.shape.kind in _LISTS:
        said = f"{quoted(text) or 'This'} is a list, and '.*' goes through the values of an object."
        builder.tell(Finding("not-a-list", said, f"Write {text}[*].", builder.place(node)))
    rest = _build_rest(builder, node, rest_node, Here(all_values(base.shape), text=f"{text}.*", each="each"))
    return Part(
        _over(_values(base.run), Projector(rest_node, builder.parts)), _listed(rest.shape, base.shape), base.free
    )


def _values(base: Run) -> Run:
    def run(element: Any, env: Env) -> Any:
        found = base(element, env)
        if isinstance(found, RecordLike):
            found = found.plain()
        return list(found.values()) if isinstance(found, dict) else None

    return run


def build_index_expression(builder: Builder, node: Node, here: Here) -> Part:
    base_node, *steps = node["children"]
    part = builder.build(base_node, here)
    text = written(base_node)
    for step in steps:
        each = here.each if text == "" else ""
        shape = _look_at_place(builder, node, step, Here(part.shape, text=text or here.text, each=each))
        part = Part(chain([part.run, _place(builder, step)]), shape, part.free)
        text += written(step)
    return part


def _look_at_place(builder: Builder, node: Node, step: Node, here: Here) -> Shape:
    shape = here.shape
    is_range = step["type"] == "slice"
    if here.each == "joined" and shape.kind != "list":
        lists = here.text.removesuffix("[]")
        said = f"Behind [] the lists in {lists} are joined to one, so {written(step)} finds nothing."
        fix = f"Write [*] in place of [] to keep each list: {lists}[*]."
        builder.tell(Finding("index-after-flatten", said, fix, builder.place(node)))
        return ANY
    if shape.kind in _LISTS:
        return list_of(shape.element) if is_range else shape.element.maybe()
    if shape.kind not in _UNKNOWN:
        builder.tell(_no_list(builder, node, step, here))
    return ANY


def _no_list(builder: Builder, node: Node, step: Node, here: Here) -> Finding:
    place = builder.place(node)
    if here.each:
        said = f"{written(step)} right behind {here.text} looks into each element, and there is no list."
        return Finding("index-of-no-list", said, f"Write {here.text} | {written(step)}.", place)
    if here.shape.kind == "map":
        return keyed_by_id(f"values({here.text or '@'}) | {written(step)}", place, here.text)
    subject = quoted(here.text) or "The element at hand"
    said = f"{subject} is {words(here.shape)}, not a list, so {written(step)} finds nothing in it."
    return Finding("index-of-no-list", said, f"Remove {written(step)}, or write it behind a list.", place)


def _place(builder: Builder, step: Node) -> Run:
    if step["type"] == "index":
        return _index_step(step["value"])
    if step["children"][2] == 0:
        said = "A range cannot go in steps of 0."
        builder.tell(Finding("expression-syntax", said, "Write another step, such as 1.", builder.place(step)))
        return lambda element, env: None
    bounds = slice(*step["children"])

    def run(element: Any, env: Env) -> Any:
        if isinstance(element, CollectionLike):
            element = list(element)
        return element[bounds] if isinstance(element, list) else None

    return run


def _index_step(place: int) -> Run:
    def run(element: Any, env: Env) -> Any:
        if isinstance(element, CollectionLike):
            element = list(islice(element, place + 1)) if place >= 0 else list(element)
        if not isinstance(element, list):
            return None
        return element[place] if -len(element) <= place < len(element) else None

    return run


LIST_KINDS = {
    "projection": build_projection,
    "filter_projection": build_filter,
    "flatten": build_flatten,
    "value_projection": build_value_projection,
    "index_expression": build_index_expression,
}
