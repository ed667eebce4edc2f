"""Conditions of filters as plain Python, written once for each filter and several times quicker than its closures.

What is not known here is left to the closure of that part, so the closures stay the meaning of a query and this is
only a shorter way to it. Nothing of an author's text gets into the source but names of fields, as literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from silo_decl.expressions.meaning import DATE, DATETIME, compare, contains, equals, field, truth
from silo_decl.expressions.query_build import Env, Part
from silo_decl.expressions.query_logic import literal_values, operands
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import SIGNS

Keep = Callable[[Iterable[Any], Env], list[Any]]
Test = Callable[[Env], Callable[[Any], Any]]

_DEEPEST = 12
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def make_keep(node: Node, parts: Mapping[int, Part]) -> Keep:
    """The elements of a list that meet the condition; elements that are nothing are left out."""
    writer = _Writer(parts, "e.get({!r})")
    source = writer.truth(node)
    run = parts[id(node)].run
    writer.names["slow"] = lambda element, env: truth(run(element, env))
    body = f"[e for e in base if ({source} if e.__class__ is dict else e is not None and slow(e, env))]"
    keep: Keep = writer.made("base, env", body)
    return keep


def make_test(nodes: list[Node], parts: Mapping[int, Part]) -> Test:
    """For an environment, whether a record meets all of the conditions."""
    writer = _Writer(parts, "e.read({!r})")
    source = " and ".join(map(writer.truth, nodes))
    test: Test = writer.made("env", f"lambda e: {source}")
    return test


class _Writer:
    """One condition on its way to Python; `read` is how a field of the element `e` is read."""

    def __init__(self, parts: Mapping[int, Part], read: str):
        self.parts = parts
        self.read = read
        self.names: dict[str, Any] = {
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
        self.ready: list[str] = []
        self.depth = 0

    def made(self, arguments: str, result: str) -> Any:
        """The function of these arguments that gives the result."""
        lines = [f"def made({arguments}):", *(f"    {line}" for line in self.ready), f"    return {result}"]
        space = dict(self.names)
        exec(compile("\n".join(lines), "<condition>", "exec"), space)
        return space["made"]

    def bound(self, prefix: str, value: Any) -> str:
        """A name in the source for a value."""
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name

    def fresh(self) -> str:
        return self.bound("v", None)

    # -- truths ---------------------------------------------------------------------------------------------

    def truth(self, node: Node) -> str:
        """Source that is true or false, for a node that is asked for its truth."""
        write = self._WRITERS.get(node["type"])
        if write is None or self.depth > _DEEPEST:
            return self._asked(node)
        self.depth += 1
        try:
            return f"({write(self, node)})"
        finally:
            self.depth -= 1

    def _asked(self, node: Node) -> str:
        value = self.fresh()
        source = self.value(node)
        return f"(({value} := {source}) is True or ({value} is not None and {value} is not False and truth({value})))"

    def _and(self, node: Node) -> str:
        return " and ".join(map(self.truth, operands(node)))

    def _or(self, node: Node) -> str:
        return " or ".join(map(self.truth, operands(node)))

    def _not(self, node: Node) -> str:
        return f"not {self.truth(node['children'][0])}"

    def _comparator(self, node: Node) -> str:
        left, right = node["children"]
        sign = SIGNS[node["value"]]
        if left["type"] == "literal" or (self.parts[id(left)].free and not self.parts[id(right)].free):
            left, right, sign = right, left, _TURNED[sign]
        write = self._equality if sign in ("==", "!=") else self._order
        return write(sign, left, right)

    def _equality(self, sign: str, left: Node, right: Node) -> str:
        value = self.value(left)
        if right["type"] != "literal":
            other, kind = self._prepared(right)
            if kind:
                known = self.fresh()
                same = f"(({known} := {value}) == {other} if {kind} is str else equals({value}, {other}))"
                return same if sign == "==" else f"not {same}"
            return f"equals({value}, {other})" if sign == "==" else f"not equals({value}, {other})"
        literal = right["value"]
        if literal is None or literal is True or literal is False:
            return f"{value} {'is' if sign == '==' else 'is not'} {literal}"
        if isinstance(literal, str) or (isinstance(literal, (int, float)) and literal not in (0, 1)):
            return f"{value} {sign} {self.bound('c', literal)}"
        return f"{'' if sign == '==' else 'not '}equals({value}, {self.bound('c', literal)})"

    def _order(self, sign: str, left: Node, right: Node) -> str:
        value, known = self.value(left), self.fresh()
        if right["type"] != "literal":
            other, kind = self._prepared(right)
            if kind:
                alike = f"({known} := {value}).__class__ is str and {kind} is str and len({known}) == len({other})"
                return f"{known} {sign} {other} if {alike} else compare({sign!r}, {known}, {other})"
            return f"compare({sign!r}, {value}, {other})"
        literal = right["value"]
        other = self.bound("c", literal)
        if isinstance(literal, (int, float)) and not isinstance(literal, bool):
            fits = f"({known} := {value}).__class__ is int or {known}.__class__ is float"
        elif isinstance(literal, str):
            dated = DATE.match(literal) or DATETIME.match(literal)
            alike = f" and len({known}) == {len(literal)}" if dated else ""
            fits = f"({known} := {value}).__class__ is str{alike}"
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
        known = self.fresh()
        among = self.bound("c", frozenset(values))
        return f"{negation}(({known} := {self.value(item)}).__class__ is str and {known} in {among})"

    _WRITERS: Mapping[str, Callable[[_Writer, Node], str]] = {
        "and_expression": _and,
        "or_expression": _or,
        "not_expression": _not,
        "comparator": _comparator,
        "in": _in,
    }

    # -- values ---------------------------------------------------------------------------------------------

    def value(self, node: Node) -> str:
        """Source for the value of a node."""
        if node["type"] == "field":
            return self.read.format(node["value"])
        if node["type"] == "subexpression" and all(child["type"] == "field" for child in node["children"]):
            return self._path(node)
        if node["type"] == "literal":
            return self.bound("c", node["value"])
        return f"{self.bound('p', self.parts[id(node)].run)}(e, env)"

    def _path(self, node: Node) -> str:
        first, *rest = node["children"]
        source = self.value(first)
        for child in rest:
            known, name = self.fresh(), child["value"]
            source = f"({known}.get({name!r}) if ({known} := {source}).__class__ is dict else field({known}, {name!r}))"
        return source

    def _prepared(self, node: Node) -> tuple[str, str]:
        """Source for a value, and a name of its type where it is worked out once, before the elements."""
        if not _is_outside(node):
            return self.value(node), ""
        run = self.bound("p", self.parts[id(node)].run)
        name = self.bound("k", None)
        self.ready.append(f"{name} = {run}(None, env)")
        self.ready.append(f"{name}t = {name}.__class__")
        return name, f"{name}t"


def _is_outside(node: Node) -> bool:
    """Whether it is a value from outside or the field of one, which may be read where no element asks for it."""
    if node["type"] == "subexpression":
        return _is_outside(node["children"][0]) and all(child["type"] == "field" for child in node["children"][1:])
    return bool(node["type"] == "outside")
