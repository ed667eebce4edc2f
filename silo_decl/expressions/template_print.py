"""An expression's tree as its author would write it, for messages."""

from __future__ import annotations

import math
from typing import Any

from jinja2 import nodes

_OPERATORS: dict[type[nodes.Node], tuple[str, int]] = {
    nodes.Or: ("or", 1),
    nodes.And: ("and", 2),
    nodes.Add: ("+", 5),
    nodes.Sub: ("-", 5),
    nodes.Mul: ("*", 7),
    nodes.Div: ("/", 7),
    nodes.FloorDiv: ("//", 7),
    nodes.Mod: ("%", 7),
    nodes.Pow: ("**", 8),
}
_BINDING: dict[type[nodes.Node], int] = {
    nodes.CondExpr: 0,
    nodes.Not: 3,
    nodes.Compare: 4,
    nodes.Concat: 6,
    nodes.Filter: 9,
    nodes.Neg: 10,
    nodes.Pos: 10,
    **{kind: binding for kind, (_, binding) in _OPERATORS.items()},
}
_TIGHTEST = 11
_LONGEST = 10_000
SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}


def is_too_large(value: int | float) -> bool:
    """Whether a number cannot be written down: infinite, or of thousands of digits."""
    return value.bit_length() > _LONGEST if isinstance(value, int) else not math.isfinite(value)


def printed(node: nodes.Node) -> str:
    """The expression as text."""
    if isinstance(node, nodes.Const):
        return _literal(node.value)
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return f"{_part(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{_part(node.node)}[{printed(node.arg)}]"
    if isinstance(node, nodes.Call):
        return f"{_part(node.node)}({_listed(node.args)})"
    if isinstance(node, nodes.Filter):
        more = f"({_listed(node.args)})" if node.args else ""
        return f"{_part(node.node, 9) if node.node is not None else ''} | {node.name}{more}"
    if isinstance(node, (nodes.List, nodes.Tuple)):
        return f"[{_listed(node.items)}]"
    return _compound(node, _BINDING.get(type(node), _TIGHTEST))


def _compound(node: nodes.Node, binding: int) -> str:
    if isinstance(node, nodes.BinExpr):
        return f"{_part(node.left, binding)} {_OPERATORS[type(node)][0]} {_part(node.right, binding + 1)}"
    if isinstance(node, nodes.Compare):
        rest = "".join(f" {SIGNS[one.op]} {_part(one.expr, binding + 1)}" for one in node.ops)
        return _part(node.expr, binding + 1) + rest
    if isinstance(node, nodes.Not):
        return f"not {_part(node.node, binding)}"
    if isinstance(node, nodes.Neg):
        return f"-{_part(node.node, binding)}"
    if isinstance(node, nodes.Pos):
        return f"+{_part(node.node, binding)}"
    if isinstance(node, nodes.Concat):
        return " ~ ".join(_part(one, binding + 1) for one in node.nodes)
    if isinstance(node, nodes.CondExpr):
        other = f" else {printed(node.expr2)}" if node.expr2 is not None else ""
        return f"{_part(node.expr1, 1)} if {_part(node.test, 1)}{other}"
    return "..."


def _part(node: nodes.Node, binding: int = _TIGHTEST) -> str:
    """A part as text, in parentheses where it would be read differently without."""
    text = printed(node)
    return f"({text})" if _BINDING.get(type(node), _TIGHTEST) < binding else text


def _listed(parts: list[Any]) -> str:
    return ", ".join(map(printed, parts))


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return "..." if is_too_large(value) else str(value)
    if "'" in value and '"' not in value:
        return f'"{value}"'
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
