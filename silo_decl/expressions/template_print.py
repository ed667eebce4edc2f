"""An expression's tree as its author would write it, for messages."""

from __future__ import annotations

from typing import Any

from jinja2 import nodes

_OPERATORS: dict[type[nodes.Node], str] = {
    nodes.Add: "+",
    nodes.Sub: "-",
    nodes.Mul: "*",
    nodes.Div: "/",
    nodes.FloorDiv: "//",
    nodes.Mod: "%",
    nodes.Pow: "**",
    nodes.And: "and",
    nodes.Or: "or",
}
SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}


def printed(node: nodes.Node) -> str:
    """The expression as text."""
    if isinstance(node, nodes.Const):
        return _literal(node.value)
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return f"{printed(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{printed(node.node)}[{printed(node.arg)}]"
    if isinstance(node, nodes.Call):
        return f"{printed(node.node)}({', '.join(map(printed, node.args))})"
    if isinstance(node, nodes.Filter):
        more = f"({', '.join(map(printed, node.args))})" if node.args else ""
        return f"{printed(node.node) if node.node is not None else ''} | {node.name}{more}"
    if isinstance(node, nodes.Compare):
        rest = "".join(f" {SIGNS[one.op]} {printed(one.expr)}" for one in node.ops)
        return printed(node.expr) + rest
    return _compound(node)


def _compound(node: nodes.Node) -> str:
    if isinstance(node, nodes.BinExpr):
        return f"{printed(node.left)} {_OPERATORS[type(node)]} {printed(node.right)}"
    if isinstance(node, nodes.Not):
        return f"not {printed(node.node)}"
    if isinstance(node, nodes.Neg):
        return f"-{printed(node.node)}"
    if isinstance(node, nodes.Pos):
        return f"+{printed(node.node)}"
    if isinstance(node, nodes.Concat):
        return " ~ ".join(map(printed, node.nodes))
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return f"[{', '.join(map(printed, node.items))}]"
    if isinstance(node, nodes.CondExpr):
        other = f" else {printed(node.expr2)}" if node.expr2 is not None else ""
        return f"{printed(node.expr1)} if {printed(node.test)}{other}"
    return "..."


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else str(value)
