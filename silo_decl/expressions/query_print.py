"""A query written out again, in the words of the dialect."""

from __future__ import annotations

import json
import re
from typing import Any

from silo_decl.expressions.query_lexer import RESERVED
from silo_decl.expressions.query_parser import Node

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_FIRST_NUMBER = re.compile(r"-?[0-9]+(?![0-9eE]|\.[0-9])")
SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


def written(node: Node, top: bool = True) -> str:
    """The text of a tree; `top` leaves out parentheses around the whole of it."""
    kind = node["type"]
    printer = _PRINTERS.get(kind)
    text = printer(node) if printer else _binary(node)
    return f"({text})" if not top and (node.get("grouped") or kind == "not_expression") else text


def _in(node: Node) -> str:
    return written(node, top=False)


def name(text: str) -> str:
    """A field's name as it stands in a query."""
    return text if _PLAIN_NAME.match(text) and text not in RESERVED else json.dumps(text, ensure_ascii=False)


def literal(value: Any) -> str:
    """A value as it stands in a query."""
    if isinstance(value, str) and "\\" not in value:
        escaped = value.replace("'", "\\'")
        return f"'{escaped}'"
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return _json(value)


def _json(value: Any) -> str:
    return "`" + json.dumps(value, ensure_ascii=False).replace("`", "\\u0060") + "`"


def _binary(node: Node) -> str:
    sign = {"and_expression": "and", "or_expression": "or", "pipe": "|"}.get(node["type"], node.get("value"))
    return f" {SIGNS.get(str(sign), sign)} ".join(_operand(child, node) for child in _row(node))


def _row(node: Node) -> list[Node]:
    """What stands in a row with one sign between: of `a and b and c` all three."""
    row: list[Node] = []
    first = node
    while first is node or (first["type"] == node["type"] and not first.get("grouped")):
        if first["type"] not in ("and_expression", "or_expression", "pipe"):
            return [*first["children"], *row]
        first, *others = first["children"]
        row = [*others, *row]
    return [first, *row]


def _operand(child: Node, parent: Node) -> str:
    """`not` binds looser than comparisons, so it needs no parentheses beside and, or and |."""
    if parent["type"] == "in" and child["type"] == "multi_select_list":
        return f"[{', '.join(map(written, child['children']))}]"
    loose = parent["type"] in ("and_expression", "or_expression", "pipe")
    return written(child, top=loose and child["type"] == "not_expression" and not child.get("grouped"))


def _not(node: Node) -> str:
    child = node["children"][0]
    return "not " + _in(child)


def _subexpression(node: Node) -> str:
    first, *rest = node["children"]
    return ".".join([_in(first), *map(_in, rest)])


def _index_expression(node: Node) -> str:
    return "".join(map(_in, node["children"]))


def _slice(node: Node) -> str:
    start, stop, step = ("" if part is None else str(part) for part in node["children"])
    return f"[{start}:{stop}{':' + step if step else ''}]"


def _projection(node: Node) -> str:
    base, rest = node["children"]
    return _in(base) + ("" if ends_with_step(base) else "[*]") + _suffix(rest)


def ends_with_step(node: Node) -> bool:
    """Whether a list is written with the step over it: `a[]`, and `a[1:]` where no place stands before the range."""
    kind, children = node["type"], node["children"]
    is_range = kind == "index_expression" and len(children) == 2 and children[1]["type"] == "slice"
    return (kind == "flatten" or is_range) and not node.get("grouped")


def _value_projection(node: Node) -> str:
    base, rest = node["children"]
    return (_in(base) + ".*" if base["type"] != "identity" else "*") + _suffix(rest)


def _filter(node: Node) -> str:
    base, rest, condition = node["children"]
    return f"{_in(base)}[?{written(condition)}]" + _suffix(rest)


def _suffix(rest: Node) -> str:
    """What is done with each element, as it stands behind a step over a list."""
    if rest["type"] == "identity":
        return ""
    text = _in(rest)
    return text if _begins_with_bracket(rest) else "." + text


def _begins_with_bracket(node: Node) -> bool:
    while node["children"] and node["type"] != "multi_select_list" and not node.get("grouped"):
        first: Node = node["children"][0]
        if first["type"] == "identity":
            return bool(node["type"] != "value_projection")
        node = first
    return False


def _list(node: Node) -> str:
    """A whole number right behind the bracket would be read as a place, unless a comma follows it."""
    first, *rest = map(written, node["children"])
    number = _FIRST_NUMBER.match(first)
    if number and not (rest and number.group() == first):
        first = f"`{number.group()}`{first[number.end() :]}"
    return f"[{', '.join([first, *rest])}]"


def _object(node: Node) -> str:
    pairs = (f"{key(child['value'])}: {written(child['children'][0])}" for child in node["children"])
    return "{" + ", ".join(pairs) + "}"


def key(text: str) -> str:
    """A key of an object; the words of the dialect are plain names there."""
    return text if _PLAIN_NAME.match(text) else json.dumps(text, ensure_ascii=False)


def _key(node: Node) -> str:
    return f"{_in(node['children'][0])}[{literal(node['value'])}]"


_PRINTERS: dict[str, Any] = {
    "field": lambda node: name(node["value"]),
    "literal": lambda node: literal(node["value"]),
    "outside": lambda node: f"${node['value']}",
    "current": lambda node: "@",
    "identity": lambda node: "",
    "expref": lambda node: "&" + _in(node["children"][0]),
    "function_expression": lambda node: f"{node['value']}({', '.join(map(written, node['children']))})",
    "subexpression": _subexpression,
    "index_expression": _index_expression,
    "index": lambda node: f"[{node['value']}]",
    "slice": _slice,
    "flatten": lambda node: _in(node["children"][0]) + "[]",
    "projection": _projection,
    "value_projection": _value_projection,
    "filter_projection": _filter,
    "multi_select_list": _list,
    "multi_select_dict": _object,
    "key": _key,
    "not_expression": _not,
}
