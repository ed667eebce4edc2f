"""The parts of a query that say true or false: and, or, not, comparisons, in."""

from __future__ import annotations

from functools import reduce
from typing import Any

from silo_decl.expressions.findings_comparisons import Side, comparison_finding, membership_finding
from silo_decl.expressions.meaning import compare, contains, equals, truth
from silo_decl.expressions.query_build import Builder, Env, Here, Part, Run
from silo_decl.expressions.query_names import build_meant_text, is_unknown
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import SIGNS, written
from silo_decl.expressions.shapes import BOOLEAN, Finding, union

_COMPARISONS = ("comparator", "in")


def operands(node: Node) -> list[Node]:
    """What `and` or `or` joins, however many of them in a row."""
    found: list[Node] = []
    ahead = [node]
    while ahead:
        one = ahead.pop()
        if one["type"] == node["type"]:
            ahead.extend(reversed(one["children"]))
        else:
            found.append(one)
    return found


def build_and(builder: Builder, node: Node, here: Here) -> Part:
    return _build_chain(builder, node, here, stops_at=False)


def build_or(builder: Builder, node: Node, here: Here) -> Part:
    return _build_chain(builder, node, here, stops_at=True)


def _build_chain(builder: Builder, node: Node, here: Here, stops_at: bool) -> Part:
    """The first operand whose truth is `stops_at`, or the last one; all but the last are asked for their truth."""
    *asked, last = operands(node)
    instead = (
        f"For the first that is there write coalesce({', '.join(map(written, operands(node)))})." if stops_at else ""
    )
    parts = [*(builder.build_truth(child, here, instead) for child in asked), builder.build(last, here)]
    runs = [part.run for part in parts[:-1]]
    final = parts[-1].run

    def run(element: Any, env: Env) -> Any:
        for one in runs:
            value = one(element, env)
            if truth(value) is stops_at:
                return value
        return final(element, env)

    shape = reduce(union, [part.shape for part in parts])
    return Part(run, shape, all(part.free for part in parts))


def build_not(builder: Builder, node: Node, here: Here) -> Part:
    part = builder.build_truth(node["children"][0], here)
    asked = part.run
    return Part(lambda element, env: not truth(asked(element, env)), BOOLEAN, part.free)


def build_comparator(builder: Builder, node: Node, here: Here) -> Part:
    sign = SIGNS[node["value"]]
    if mistake := _empty_brackets(builder, node, sign, here):
        builder.tell(mistake)
        return Part(lambda element, env: None, BOOLEAN)
    left, right = _sides(builder, node, here)
    if not _is_chained(builder, node):
        one, other = (builder.side(child, part) for child, part in zip(node["children"], (left, right)))
        finding = comparison_finding(sign, one, other)
        builder.tell(_short_not(node, sign, other) if finding and _begins_with_short_not(node) else finding)
    return Part(_comparison(sign, left.run, right.run), BOOLEAN, left.free and right.free)


def _empty_brackets(builder: Builder, node: Node, sign: str, here: Here) -> Finding | None:
    """`tags == []`: the brackets are a step over the element at hand, which is no list."""
    left, right = node["children"]
    for side, other in ((left, right), (right, left)):
        if written(side) == "[]" and here.shape.kind in ("object", "record"):
            said = "[] is no empty list in a query but a step over the list at hand, and there is none."
            fix = f"Write length({written(other)}) {sign} 0."
            return Finding("wrong-comparison", said, fix, builder.place(side))
    return None


def _begins_with_short_not(node: Node) -> bool:
    left = node["children"][0]
    return bool(left["type"] == "not_expression" and left.get("value") == "!" and not left.get("grouped"))


def _short_not(node: Node, sign: str, other: Side) -> Finding:
    """`!status == 'open'`, where the sign belongs to the name only."""
    name = written(node["children"][0]["children"][0])
    said = f"'!' belongs only to what stands right behind it, so '!{name}' is compared with {other.written}."
    fix = f"Write not {name} {sign} {other.written}."
    return Finding("wrong-comparison", said, fix, node["start"])


def _sides(builder: Builder, node: Node, here: Here) -> tuple[Part, Part]:
    """Both sides; the one that may be a text without quotes is built when the other is known."""
    left, right = node["children"]
    if left["type"] == "field" and is_unknown(here.shape, left["value"]) and right["type"] == "field":
        known = builder.build(right, here)
        return build_meant_text(builder, left, here, known.shape) or builder.build(left, here), known
    known = builder.build(left, here)
    return known, build_meant_text(builder, right, here, known.shape) or builder.build(right, here)


def _is_chained(builder: Builder, node: Node) -> bool:
    """Whether a side is a comparison of its own; that is a problem."""
    for child in node["children"]:
        if child["type"] in _COMPARISONS and not child.get("grouped"):
            one, middle = child["children"]
            sign = SIGNS.get(child["value"], child["value"])
            other = node["children"][1] if child is node["children"][0] else node["children"][0]
            outer = SIGNS.get(node["value"], node["value"])
            said = "Comparisons cannot stand in a row."
            fix = f"Write {written(one)} {sign} {written(middle)} and {written(middle)} {outer} {written(other)}."
            builder.tell(Finding("chained-comparison", said, fix, builder.place(node)))
            return True
    return False


def _comparison(sign: str, left: Run, right: Run) -> Run:
    if sign == "==":
        return lambda element, env: equals(left(element, env), right(element, env))
    if sign == "!=":
        return lambda element, env: not equals(left(element, env), right(element, env))
    return lambda element, env: compare(sign, left(element, env), right(element, env))


def build_in(builder: Builder, node: Node, here: Here) -> Part:
    item_node, container_node = node["children"]
    item = builder.build(item_node, here)
    values = literal_values(container_node)
    container = builder.build(container_node, here)
    if not _is_chained(builder, node):
        _look_at_membership(builder, node, item, container)
    asked = item.run
    if values is not None:
        held: Run = lambda element, env: values  # noqa: E731
    else:
        held = container.run
    wanted = node["value"] == "in"
    free = item.free and (container.free or values is not None)
    return Part(lambda element, env: contains(held(element, env), asked(element, env)) is wanted, BOOLEAN, free)


def _look_at_membership(builder: Builder, node: Node, item: Part, container: Part) -> None:
    item_node, container_node = node["children"]
    side = builder.side(item_node, item)
    if container_node["type"] == "multi_select_list":
        for child in container_node["children"]:
            builder.tell(comparison_finding("==", side, builder.side(child, builder.parts[id(child)])))
    else:
        builder.tell(membership_finding(side, builder.side(container_node, container)))


def literal_values(node: Node) -> list[Any] | None:
    """The values of a list that holds literals only; None for everything else."""
    if node["type"] == "literal" and isinstance(node["value"], list):
        return node["value"]
    if node["type"] != "multi_select_list" or any(child["type"] != "literal" for child in node["children"]):
        return None
    return [child["value"] for child in node["children"]]


LOGIC_KINDS = {
    "and_expression": build_and,
    "or_expression": build_or,
    "not_expression": build_not,
    "comparator": build_comparator,
    "in": build_in,
}
