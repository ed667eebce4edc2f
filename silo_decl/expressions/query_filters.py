"""Filters at work: elements of a list by a condition, records of a collection by its indexes and what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.query_build import Env, Part, Run
from silo_decl.expressions.query_logic import operands
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_source import Loop, Test, make_keep, make_project, make_test
from silo_decl.expressions.records import CollectionLike

_SCALARS = (str, int, float, bool, type(None))


class Chooser:
    """One condition, ready to choose, and what is read of each that is chosen (`rest`), if anything.

    The loops are made when they are first asked for.
    """

    def __init__(self, condition: Node, parts: Mapping[int, Part], rest: Node | None = None):
        self.condition = condition
        self.parts = parts
        self.project = None if rest is None or rest["type"] == "identity" else Projector(rest, parts)
        self._loop: Loop | None = None
        self._split: _Split | None = None

    def keep(self, elements: list[Any], env: Env) -> list[Any]:
        """Of the elements of a list that meet the condition, in their order."""
        if self._loop is None:
            if self.project is None:
                self._loop = make_keep(self.condition, self.parts)
            else:
                self._loop = make_project(self.project.rest, self.parts, self.condition)
        return self._loop(elements, env)

    def select(self, collection: CollectionLike, env: Env) -> list[Any]:
        """Of the records that meet the condition; equalities are left to the collection's indexes."""
        if self._split is None:
            self._split = _Split(self.condition, self.parts)
        found = collection.select(*self._split.asked(env))
        return found if self.project is None else self.project(found, env)


class Projector:
    """What is read of each element of a list or a collection, nothing left out."""

    def __init__(self, rest: Node, parts: Mapping[int, Part]):
        self.rest = rest
        self.parts = parts
        self._loop: Loop | None = None

    def __call__(self, elements: Iterable[Any], env: Env) -> list[Any]:
        if self.rest["type"] == "identity":
            return [element for element in elements if element is not None]
        if self._loop is None:
            self._loop = make_project(self.rest, self.parts)
        return self._loop(elements, env)


class _Split:
    """A condition as equalities of field paths, which an index can answer, and the test that is left."""

    def __init__(self, condition: Node, parts: Mapping[int, Part]):
        conjuncts = operands(condition) if condition["type"] == "and_expression" else [condition]
        self.equal: dict[str, Run] = {}
        rest: list[Node] = []
        for node in conjuncts:
            found = _equality(node, parts)
            if found is None or found[0] in self.equal:
                rest.append(node)
            else:
                self.equal[found[0]] = found[1]
        self.rest: Test | None = make_test(rest, parts) if rest else None
        self._whole: Test | None = None
        self._conjuncts, self._parts = conjuncts, parts

    def asked(self, env: Env) -> tuple[dict[str, Any], Callable[[Any], Any] | None]:
        """What to ask a collection for. Without equalities where a value is one that no index holds."""
        try:
            equal = {path: run(None, env) for path, run in self.equal.items()}
        except ExpressionError:
            return {}, self._test(env)
        if all(isinstance(value, _SCALARS) for value in equal.values()):
            return equal, self.rest(env) if self.rest else None
        return {}, self._test(env)

    def _test(self, env: Env) -> Callable[[Any], Any]:
        if self._whole is None:
            self._whole = make_test(self._conjuncts, self._parts)
        return self._whole(env)


def _equality(node: Node, parts: Mapping[int, Part]) -> tuple[str, Run] | None:
    """The field path and the value, if the condition says that they are equal and the value needs no record."""
    if node["type"] != "comparator" or node["value"] != "eq":
        return None
    for field, value in (node["children"], node["children"][::-1]):
        path = _path(field)
        if path is not None and parts[id(value)].free:
            return path, parts[id(value)].run
    return None


def _path(node: Node) -> str | None:
    """The path of a plain field or a field of a field; None where a name has a dot of its own."""
    names = [node] if node["type"] == "field" else node["children"] if node["type"] == "subexpression" else []
    if not names or any(one["type"] != "field" or "." in one["value"] for one in names):
        return None
    return ".".join(one["value"] for one in names)
