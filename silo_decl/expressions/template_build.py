"""Trees of Jinja2 expressions built into closures, with what is known of each part: literals, logic, sums, texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from jinja2 import nodes

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.findings_comparisons import (
    Side,
    comparison_finding,
    literal_shape,
    membership_finding,
    truth_finding,
)
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, BOOLEAN, NUMBER, TEXT, Finding, Scope, Shape, list_of, union, words
from silo_decl.expressions.template_print import SIGNS, is_too_large, printed

Env = Mapping[str, Any]
Run = Callable[[Any, Env], Any]

DEEPEST = 120


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression that runs. `literal` says that it is `value` always."""

    run: Run
    shape: Shape = ANY
    literal: bool = False
    value: Any = None


@dataclass(slots=True)
class Builder:
    """One expression being built: what it may use, and what was found out about it."""

    scope: Scope
    kinds: Mapping[type[nodes.Node], Callable[[Builder, Any], Part]]
    findings: list[Finding] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    clock: bool = False
    depth: int = 0
    parts: dict[int, Part] = field(default_factory=dict)

    def build(self, node: nodes.Node) -> Part:
        """The closure of a node; what the format does not have becomes a finding."""
        maker = self.kinds.get(type(node))
        self.depth += 1
        if maker is None or self.depth > DEEPEST:
            said = "This cannot be used here." if maker is None else "This expression is nested too deeply."
            self.tell(Finding("expression-syntax", said, "Write it in simpler steps.", place(node)))
            part = nothing()
        else:
            part = maker(self, node)
        self.depth -= 1
        if part.shape.kind == "collection":
            self.reads.add(part.shape.name)
        self.parts[id(node)] = part
        return part

    def build_truth(self, node: nodes.Node, instead: str = "") -> Part:
        """As `build`, where true or false is asked for."""
        part = self.build(node)
        last = node
        while isinstance(last, (nodes.And, nodes.Or)):
            last = last.right
        self.tell(truth_finding(self.side(last, self.parts.get(id(last), part)), instead))
        return part

    def side(self, node: nodes.Node, part: Part) -> Side:
        """A built part as one side of a comparison, or as an argument."""
        return Side(part.shape, printed(node), place(node), part.literal, part.value)

    def tell(self, finding: Finding | None) -> None:
        if finding is not None:
            self.findings.append(finding)


def nothing() -> Part:
    return Part(lambda element, env: None)


def constant(value: Any) -> Part:
    return Part(lambda element, env: value, literal_shape(value), True, value)


_BEGINS_WITH: dict[type[nodes.Node], str] = {
    nodes.Compare: "expr",
    nodes.CondExpr: "expr1",
    nodes.Getattr: "node",
    nodes.Getitem: "node",
    nodes.Call: "node",
    nodes.Filter: "node",
    nodes.Test: "node",
}


def place(node: nodes.Node) -> int:
    """Where a node begins in the text. Jinja2 places those that begin with another one somewhere behind it."""
    first: nodes.Node | None = node
    while first is not None:
        node = first
        if isinstance(node, nodes.BinExpr):
            first = node.left
        elif isinstance(node, nodes.Concat):
            first = node.nodes[0]
        else:
            first = getattr(node, _BEGINS_WITH.get(type(node), ""), None)
    return node.lineno


# -- literals -----------------------------------------------------------------------------------------------


def build_const(builder: Builder, node: nodes.Const) -> Part:
    if isinstance(node.value, (int, float)) and is_too_large(node.value):
        builder.tell(Finding("expression-syntax", "This number is too large.", "Write a smaller one.", node.lineno))
        return nothing()
    return constant(node.value)


def build_list(builder: Builder, node: nodes.List | nodes.Tuple) -> Part:
    parts = [builder.build(item) for item in node.items]
    if all(part.literal for part in parts):
        value = [part.value for part in parts]
        copy = plain if any(type(one) is list for one in value) else list
        return Part(lambda element, env: copy(value), literal_shape(value), True, value)
    runs = [part.run for part in parts]
    shape = list_of(reduce(union, [part.shape for part in parts]))
    return Part(lambda element, env: [run(element, env) for run in runs], shape)


def build_dict(builder: Builder, node: nodes.Dict) -> Part:
    pairs = []
    for pair in node.items:
        key = builder.build(pair.key)
        if not key.literal or not isinstance(key.value, str):
            said = "A key of an object is a text between quotes."
            builder.tell(Finding("expression-syntax", said, "Write {'name': value}.", pair.key.lineno))
            return nothing()
        pairs.append((key.value, builder.build(pair.value)))
    runs = [(name, part.run) for name, part in pairs]
    shape = Shape("object", fields={name: part.shape for name, part in pairs})
    return Part(lambda element, env: {name: run(element, env) for name, run in runs}, shape)


# -- logic --------------------------------------------------------------------------------------------------


def build_and(builder: Builder, node: nodes.And) -> Part:
    left, right = builder.build_truth(node.left), builder.build(node.right)
    one, other, truth = left.run, right.run, meaning.truth

    def run(element: Any, env: Env) -> Any:
        value = one(element, env)
        return other(element, env) if value is True or truth(value) else value

    return Part(run, union(left.shape, right.shape))


def build_or(builder: Builder, node: nodes.Or) -> Part:
    instead = f"For the first that is there write coalesce({printed(node.left)}, {printed(node.right)})."
    left, right = builder.build_truth(node.left, instead), builder.build(node.right)
    one, other, truth = left.run, right.run, meaning.truth

    def run(element: Any, env: Env) -> Any:
        value = one(element, env)
        return value if truth(value) else other(element, env)

    return Part(run, union(left.shape, right.shape))


def build_not(builder: Builder, node: nodes.Not) -> Part:
    part = builder.build_truth(node.node)
    run, truth = part.run, meaning.truth
    return Part(lambda element, env: not truth(run(element, env)), BOOLEAN)


def build_if(builder: Builder, node: nodes.CondExpr) -> Part:
    test, then = builder.build_truth(node.test), builder.build(node.expr1)
    other = builder.build(node.expr2) if node.expr2 is not None else constant(None)
    asked, one, two, truth = test.run, then.run, other.run, meaning.truth

    def run(element: Any, env: Env) -> Any:
        return one(element, env) if truth(asked(element, env)) else two(element, env)

    return Part(run, union(then.shape, other.shape))


def build_compare(builder: Builder, node: nodes.Compare) -> Part:
    if len(node.ops) > 1:
        first, second = node.ops[0], node.ops[1]
        middle = printed(first.expr)
        fix = f"Write {printed(node.expr)} {SIGNS[first.op]} {middle} and {middle} {SIGNS[second.op]} "
        said = "Comparisons cannot stand in a row."
        builder.tell(Finding("chained-comparison", said, f"{fix}{printed(second.expr)}.", place(node)))
        return nothing()
    operand = node.ops[0]
    sign = SIGNS[operand.op]
    left, right = builder.build(node.expr), builder.build(operand.expr)
    one, other = builder.side(node.expr, left), builder.side(operand.expr, right)
    if operand.op in ("in", "notin"):
        builder.tell(_membership(one, other))
        return Part(_contains(left.run, right, operand.op == "in"), BOOLEAN)
    builder.tell(comparison_finding(sign, one, other))
    return Part(_comparison(sign, left, right), BOOLEAN)


def _membership(item: Side, container: Side) -> Finding | None:
    if container.literal and isinstance(container.value, list):
        for value in container.value:
            element = Side(literal_shape(value), repr(value), container.offset, True, value)
            found = comparison_finding("==", item, element)
            if found is not None:
                return found
        return None
    return membership_finding(item, container)


def _contains(item: Run, container: Part, wanted: bool) -> Run:
    contains = meaning.contains
    if container.literal:
        values = container.value
        return lambda element, env: contains(values, item(element, env)) is wanted
    held = container.run
    return lambda element, env: contains(held(element, env), item(element, env)) is wanted


def _comparison(sign: str, left: Part, right: Part) -> Run:
    one, other, equals, compare = left.run, right.run, meaning.equals, meaning.compare
    if sign in ("==", "!="):
        wanted = sign == "=="
        if right.literal and isinstance(right.value, str):
            text = right.value
            if wanted:
                return lambda element, env: one(element, env) == text
            return lambda element, env: one(element, env) != text
        return lambda element, env: equals(one(element, env), other(element, env)) is wanted
    return lambda element, env: compare(sign, one(element, env), other(element, env))


def build_test(builder: Builder, node: nodes.Test) -> Part:
    part = builder.build(node.node)
    run = part.run
    if node.name in ("none", "null"):
        return Part(lambda element, env: run(element, env) is None, BOOLEAN)
    fix = f"Write {printed(node.node)} != null, or another comparison."
    builder.tell(Finding("expression-syntax", f"'is {node.name}' is not part of the format.", fix, node.lineno))
    return nothing()


# -- sums and texts -----------------------------------------------------------------------------------------

_SIGNS: dict[type[nodes.Node], str] = {
    nodes.Add: "+",
    nodes.Sub: "-",
    nodes.Mul: "*",
    nodes.Div: "/",
    nodes.FloorDiv: "//",
    nodes.Mod: "%",
}


def build_sum(builder: Builder, node: nodes.BinExpr) -> Part:
    sign = _SIGNS[type(node)]
    left, right = builder.build(node.left), builder.build(node.right)
    if left.literal and right.literal:
        return _folded(builder, node, sign, left, right)
    if sign == "+" and left.shape.kind == right.shape.kind == "list":
        shape = union(left.shape, right.shape)
    else:
        for part, side in ((left, node.left), (right, node.right)):
            builder.tell(_no_number(sign, builder.side(side, part)))
        unsure = sign == "+" and "any" in (left.shape.kind, right.shape.kind)
        shape = ANY if unsure and "number" not in (left.shape.kind, right.shape.kind) else NUMBER
    one, other, arithmetic = left.run, right.run, meaning.arithmetic
    nullable = left.shape.nullable or right.shape.nullable
    run: Run = lambda element, env: arithmetic(sign, one(element, env), other(element, env))  # noqa: E731
    return Part(run, shape.maybe() if nullable else shape)


def _folded(builder: Builder, node: nodes.BinExpr, sign: str, left: Part, right: Part) -> Part:
    try:
        return constant(meaning.arithmetic(sign, left.value, right.value))
    except ExpressionError as wrong:
        builder.tell(Finding("wrong-arithmetic", str(wrong), "Write it with numbers.", place(node)))
        return nothing()


def _no_number(sign: str, side: Side) -> Finding | None:
    if side.shape.kind in ("any", "number", "nothing"):
        return None
    fix = "Join texts with '~'." if sign == "+" and side.shape.textual else "Write a number, or a field that holds one."
    if side.shape.kind == "object" and "amount" in side.shape.fields:
        fix = f"Write {side.written}.amount."
    if side.shape.kind in ("date", "datetime"):
        fix = "Write date_add(date, days) or days_between(start, end)."
    said = f"{side.subject} is {words(side.shape)}; '{sign}' works with numbers."
    return Finding("wrong-arithmetic", said, fix, side.offset)


def build_negative(builder: Builder, node: nodes.Neg) -> Part:
    part = builder.build(node.node)
    if part.literal and isinstance(part.value, (int, float)) and not isinstance(part.value, bool):
        return constant(-part.value)
    builder.tell(_no_number("-", builder.side(node.node, part)))
    run, negative = part.run, meaning.negative
    return Part(lambda element, env: negative(run(element, env)), NUMBER.maybe() if part.shape.nullable else NUMBER)


def build_positive(builder: Builder, node: nodes.Pos) -> Part:
    part = builder.build(node.node)
    builder.tell(_no_number("+", builder.side(node.node, part)))
    return part


def build_power(builder: Builder, node: nodes.Pow) -> Part:
    builder.tell(Finding("wrong-arithmetic", "'**' is not part of the format.", "Write multiply(a, a).", place(node)))
    return nothing()


def build_concat(builder: Builder, node: nodes.Concat) -> Part:
    return Part(joined([builder.build(one) for one in node.nodes]), TEXT)


def joined(parts: list[Part]) -> Run:
    """The texts of the parts, one behind the other."""
    to_text = meaning.to_text
    runs: list[str | Run] = [to_text(part.value) if part.literal else part.run for part in parts]

    def run(element: Any, env: Env) -> str:
        return "".join([one if one.__class__ is str else to_text(one(element, env)) for one in runs])  # type: ignore[misc, operator]

    return run


LOGIC_KINDS: dict[type[nodes.Node], Callable[[Builder, Any], Part]] = {
    nodes.Const: build_const,
    nodes.List: build_list,
    nodes.Tuple: build_list,
    nodes.Dict: build_dict,
    nodes.And: build_and,
    nodes.Or: build_or,
    nodes.Not: build_not,
    nodes.CondExpr: build_if,
    nodes.Compare: build_compare,
    nodes.Test: build_test,
    nodes.Neg: build_negative,
    nodes.Pos: build_positive,
    nodes.Pow: build_power,
    nodes.Concat: build_concat,
    **dict.fromkeys(_SIGNS, build_sum),
}
