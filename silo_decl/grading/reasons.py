"""Why a condition does not hold: the values of the two sides of the comparison that failed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.shapes import Scope
from silo_decl.expressions.template_build import LOGIC_KINDS, Builder, Part
from silo_decl.expressions.template_names import NAME_KINDS
from silo_decl.expressions.template_parse import TemplateMistake, parse_expression
from silo_decl.expressions.template_print import printed
from silo_decl.grading.quoting import told

Reason = Callable[[Mapping[str, Any]], str]
Sides = list[tuple[str, Part]]

_KINDS = {**LOGIC_KINDS, **NAME_KINDS}


def build_reason(text: str, scope: Scope) -> Reason:
    """What says, where the condition does not hold, what was found; '' where there is no more to say."""
    try:
        parts = _parts(parse_expression(text), scope)
    except (TemplateMistake, RecursionError):
        return lambda env: ""

    def reason(env: Mapping[str, Any]) -> str:
        try:
            failed = next((sides for holds, sides in parts if not truth(holds.run(None, env))), [])
            return " and ".join(f"{name} is {told(side.run(None, env))}" for name, side in failed)
        except ExpressionError:
            return ""

    return reason


def _parts(node: nodes.Expr, scope: Scope) -> list[tuple[Part, Sides]]:
    """The conditions that must all hold, each with what its author would look at."""
    if isinstance(node, nodes.And):
        return _parts(node.left, scope) + _parts(node.right, scope)
    builder = Builder(scope, _KINDS)
    looked_at = [node.expr, *(one.expr for one in node.ops)] if isinstance(node, nodes.Compare) else [node]
    if isinstance(node, nodes.Not):
        looked_at = [node.node]
    sides = [(printed(one), builder.build(one)) for one in looked_at]
    return [(builder.build(node), [(name, side) for name, side in sides if not side.literal])]
