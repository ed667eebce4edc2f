"""Trees of queries built into closures, with what is known of each part; the kinds of node stand in other modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from silo_decl.expressions.findings_comparisons import Side, truth_finding
from silo_decl.expressions.query_parser import Node
from silo_decl.expressions.query_print import written
from silo_decl.expressions.shapes import ANY, Finding, Scope, Shape

Env = Mapping[str, Any]
Run = Callable[[Any, Env], Any]


@dataclass(frozen=True, slots=True)
class Here:
    """The element at hand where a part of a query stands.

    `root` says that it is the element of the whole query; `text` is how it is written, '' for an element that needs
    no name. `each` says that it is one element of a list that a step goes through, `joined` one of lists joined to one.
    """

    shape: Shape
    root: bool = False
    text: str = ""
    each: Literal["", "each", "joined"] = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a query that runs. `free` says that it does not depend on the element at hand."""

    run: Run
    shape: Shape = ANY
    free: bool = False


@dataclass(slots=True)
class Builder:
    """One query being built: what it may use, and what was found out about it."""

    text: str
    scope: Scope
    kinds: Mapping[str, Callable[[Builder, Node, Here], Part]]
    parts: dict[int, Part] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    clock: bool = False

    def build(self, node: Node, here: Here) -> Part:
        """The closure of a node. Raises KeyError for a kind of node that no table has."""
        part = self.kinds[node["type"]](self, node, here)
        if part.shape.kind == "collection":
            self.reads.add(part.shape.name)
        self.parts[id(node)] = part
        return part

    def build_truth(self, node: Node, here: Here, instead: str = "") -> Part:
        """As `build`, where true or false is asked for; `instead` is what else may have been meant by a number."""
        part = self.build(node, here)
        last = node
        while last["type"] in ("and_expression", "or_expression"):
            last = last["children"][-1]
        self.tell(truth_finding(self.side(last, self.parts[id(last)]), instead))
        return part

    def side(self, node: Node, part: Part) -> Side:
        """A built part as one side of a comparison or as an argument."""
        is_literal = node["type"] == "literal"
        return Side(part.shape, written(node), self.place(node), is_literal, node.get("value") if is_literal else None)

    def tell(self, finding: Finding | None) -> None:
        if finding is not None:
            self.findings.append(finding)

    def place(self, node: Node) -> int:
        """Where a node begins in the text; 0 where it has no text of its own."""
        start = node.get("start")
        while start is None and node["children"] and isinstance(node["children"][0], dict):
            node = node["children"][0]
            start = node.get("start")
        return start or 0


def inside(here: Here, shape: Shape, text: str) -> Here:
    """The element at hand behind a step from another."""
    return replace(here, shape=shape, root=False, text=text, each="")
