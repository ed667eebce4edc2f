"""The loops of queries as plain Python, written once for each and several times quicker than closures.

What is not known here is left to the closure of that part, so the closures stay the meaning of a query and this is
only a shorter way to it. Nothing of an author's text gets into the source but names of fields, as literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from silo_decl.expressions.functions import FUNCTIONS
from silo_decl.expressions.meaning import DATE, DATETIME, compare, contains, equals, field, truth
from silo_decl.expressions.query_build import Env, Part
from silo_decl.expressions.query_logic import literal_values, operands
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import SIGNS

Loop = Callable[[Iterable[Any], Env], list[Any]]
Test = Callable[[Env], Callable[[Any], Any]]

_DEEPEST = 12
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_KNOWN: dict[str, Any] = {
    "field": field,
    "equals": equals,
    "compare": compare,
    "contains": contains,
    "truth": truth,
    "int": int,
    "float": float,
    "str": str,
    "dict": dict,
    "len": len,
    "__builtins__": {},
}


def make_keep(condition: Node, parts: Mapping[int, Part]) -> Loop:
    """The elements of a list that meet the condition; elements that are nothing are left out."""
    writer = _Writer(parts, "e.get({!r})")
    source = writer.truth(condition)
    slow = writer.bound("slow", parts[id(condition)].run)
    return writer.loop(
        f"[e for e in base if ({source} if e.__class__ is dict else e is not None and truth({slow}(e, env)))]"
    )


def make_project(rest: Node, parts: Mapping[int, Part], condition: Node | None = None) -> Loop:
    """What `rest` gives of each element (that meets the condition), nothing left out."""
    writer = _Writer(parts, "e.get({!r})")
    meets = writer.truth(condition) + " and " if condition is not None else ""
    source = writer.value(rest)
    slow = writer.bound("slow", parts[id(rest)].run)
    asked = f"truth({writer.bound('slow', parts[id(condition)].run)}(e, env)) and " if condition is not None else ""
    quick, other = f"{meets}(x := {source}) is not None", f"{asked}(x := {slow}(e, env)) is not None"
    return writer.loop(f"[x for e in base if ({quick} if e.__class__ is dict else {other})]")


def make_test(conditions: list[Node], parts: Mapping[int, Part]) -> Test:
    """For an environment, whether a record meets all of the conditions."""
    writer = _Writer(parts, "e.read({!r})")
    source = " and ".join(map(writer.truth, conditions))
    test: Test = writer.made("env", f"lambda e: {source}")
    return test


class _Writer:
    """One loop on its way to Python; `read` is how a field of the element `e` is read."""

    def __init__(self, parts: Mapping[int, Part], read: str):
        self.parts = parts
        self.read = read
        self.names = dict(_KNOWN)
        self.ready: list[str] = []
        self.depth = 0

    def loop(self, result: str) -> Loop:
        made: Loop = self.made("base, env", result)
        return made

    def made(self, arguments: str, result: str) -> Any:
        """The function of these arguments that gives the result."""
        lines = [f"def made({arguments}):", *(f"    {line}" for line in self.ready), f"    return {result}"]
        space = dict(self.names)
        exec(compile("\n".join(lines), "<query>", "exec"), space)
        return space["made"]

    def bound(self, prefix: str, value: Any = None) -> str:
        """A new name in the source, for a value or for one that the source gives it."""
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def _nested(self, write: Callable[[_Writer, Node], str], node: Node) -> str:
        self.depth += 1
        try:
            return f"({write(self, node)})"
        finally:
            self.depth -= 1

    # -- truths ---------------------------------------------------------------------------------------------

    def truth(self, node: Node) -> str:
        """Source that is true or false, for a node that is asked for its truth."""
        write = self._TRUTHS.get(node["type"])
        if write is not None and self.depth < _DEEPEST:
            return self._nested(write, node)
        value = self.bound("v")
        asked = f"({value} is not None and {value} is not False and truth({value}))"
        return f"(({value} := {self.value(node)}) is True or {asked})"

    def _and(self, node: Node) -> str:
        return " and ".join(map(self.truth, operands(node)))

    def _or(self, node: Node) -> str:
        return " or ".join(map(self.truth, operands(node)))

    def _not(self, node: Node) -> str:
        child = node["children"][0]
        if child["type"] in self._TRUTHS:
            return f"not {self.truth(child)}"
        value = self.bound("v")
        asked = f"({value} is not True and not truth({value}))"
        return f"({value} := {self.value(child)}) is None or {value} is False or {asked}"

    def _comparator(self, node: Node) -> str:
        left, right = node["children"]
        sign = SIGNS[node["value"]]
        if left["type"] == "literal" or (self.parts[id(left)].free and not self.parts[id(right)].free):
            left, right, sign = right, left, _TURNED[sign]
        if sign in ("==", "!="):
            return self._equality(sign, left, right)
        if right["type"] == "literal":
            return self._order_with_literal(sign, left, right["value"])
        return self._order(sign, left, right)

    def _equality(self, sign: str, left: Node, right: Node) -> str:
        value, negation = self.value(left), "" if sign == "==" else "not "
        if right["type"] != "literal":
            other, length = self._prepared(right)
            if length:
                return f"{negation}({value} == {other} if {length} >= 0 else equals({value}, {other}))"
            return f"{negation}equals({value}, {other})"
        literal = right["value"]
        if literal is None or literal is True or literal is False:
            return f"{value} {'is' if sign == '==' else 'is not'} {literal}"
        if isinstance(literal, str) or (isinstance(literal, (int, float)) and literal not in (0, 1)):
            return f"{value} {sign} {self.bound('c', literal)}"
        return f"{negation}equals({value}, {self.bound('c', literal)})"

    def _order(self, sign: str, left: Node, right: Node) -> str:
        value, known = self.value(left), self.bound("v")
        other, length = self._prepared(right)
        if not length:
            return f"compare({sign!r}, {value}, {other})"
        alike = f"({known} := {value}).__class__ is str and len({known}) == {length}"
        return f"{known} {sign} {other} if {alike} else compare({sign!r}, {known}, {other})"

    def _order_with_literal(self, sign: str, left: Node, literal: Any) -> str:
        value, known, other = self.value(left), self.bound("v"), self.bound("c", literal)
        if isinstance(literal, str):
            dated = DATE.match(literal) or DATETIME.match(literal)
            alike = f" and len({known}) == {len(literal)}" if dated else ""
            fits = f"({known} := {value}).__class__ is str{alike}"
        elif isinstance(literal, (int, float)) and not isinstance(literal, bool):
            fits = f"({known} := {value}).__class__ is int or {known}.__class__ is float"
        else:
            return f"compare({sign!r}, {value}, {other})"
        return f"{known} {sign} {other} if {fits} else compare({sign!r}, {known}, {other})"

    def _in(self, node: Node) -> str:
        item, container = node["children"]
        negation = "" if node["value"] == "in" else "not "
        values = literal_values(container)
        if values is None:
            return f"{negation}contains({self._prepared(container)[0]}, {self.value(item)})"
        if any(not isinstance(value, str) for value in values):
            return f"{negation}contains({self.bound('c', values)}, {self.value(item)})"
        known, among = self.bound("v"), self.bound("c", frozenset(values))
        return f"{negation}(({known} := {self.value(item)}).__class__ is str and {known} in {among})"

    _TRUTHS: Mapping[str, Callable[[_Writer, Node], str]] = {
        "and_expression": _and,
        "or_expression": _or,
        "not_expression": _not,
        "comparator": _comparator,
        "in": _in,
    }

    # -- values ---------------------------------------------------------------------------------------------

    def value(self, node: Node) -> str:
        """Source for the value of a node, where the element is something."""
        if node["type"] == "field":
            return self.read.format(node["value"])
        write = self._VALUES.get(node["type"])
        source = self._nested(write, node) if write is not None and self.depth < _DEEPEST else ""
        return source if source not in ("", "()") else f"{self.bound('p', self.parts[id(node)].run)}(e, env)"

    def _literal(self, node: Node) -> str:
        """Lists and objects are the closure's, which says what is new and what is shared."""
        return "" if isinstance(node["value"], (list, dict)) else self.bound("c", node["value"])

    def _path(self, node: Node) -> str:
        first, *rest = node["children"]
        if len(rest) > _DEEPEST or any(child["type"] != "field" for child in node["children"]):
            return ""
        source = self.value(first)
        for child in rest:
            known, name = self.bound("v"), child["value"]
            source = f"({known}.get({name!r}) if ({known} := {source}).__class__ is dict else field({known}, {name!r}))"
        return source

    def _call(self, node: Node) -> str:
        function = FUNCTIONS[node["value"]]
        if function.context or any(child["type"] == "expref" for child in node["children"]):
            return ""
        return f"{self.bound('f', function.call)}({', '.join(map(self.value, node['children']))})"

    def _object(self, node: Node) -> str:
        pairs = (f"{child['value']!r}: {self.value(child['children'][0])}" for child in node["children"])
        return "{" + ", ".join(pairs) + "}"

    def _list(self, node: Node) -> str:
        return f"[{', '.join(map(self.value, node['children']))}]"

    _VALUES: Mapping[str, Callable[[_Writer, Node], str]] = {
        "literal": _literal,
        "subexpression": _path,
        "function_expression": _call,
        "multi_select_dict": _object,
        "multi_select_list": _list,
    }

    def _prepared(self, node: Node) -> tuple[str, str]:
        """Source for a value; and where it is worked out once, before the elements, a name of its length.

        The length is -1 for a value that is no text. Two texts of one length are never a date and a moment.
        """
        if not _is_outside(node):
            return self.value(node), ""
        run, name, length = self.bound("p", self.parts[id(node)].run), self.bound("k"), self.bound("n")
        self.ready += [f"{name} = {run}(None, env)", f"{length} = len({name}) if {name}.__class__ is str else -1"]
        return name, length


def _is_outside(node: Node) -> bool:
    """Whether it is a value from outside or the field of one, which may be read where no element asks for it."""
    if node["type"] == "subexpression":
        return _is_outside(node["children"][0]) and all(child["type"] == "field" for child in node["children"][1:])
    return bool(node["type"] == "outside")
