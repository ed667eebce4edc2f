"""Queries: extended JMESPath, compiled ahead of time to closures and looked over while it is.

`compile_query` is the way in. What a query means is said by `meaning` and by jmespath's grammar; the differences from
the library are listed, each with its reason, in `query_differences`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.query_build import Builder, Here, Part, Run
from silo_decl.expressions.query_calls import CALL_KINDS
from silo_decl.expressions.query_filters import Chooser
from silo_decl.expressions.query_lists import LIST_KINDS
from silo_decl.expressions.query_logic import LOGIC_KINDS
from silo_decl.expressions.query_mistakes import QueryMistake
from silo_decl.expressions.query_names import NAME_KINDS
from silo_decl.expressions.query_parser import Node, parse_query
from silo_decl.expressions.query_print import written
from silo_decl.expressions.records import CollectionLike
from silo_decl.expressions.shapes import ANY, Finding, Scope, Shape

_KINDS = {**NAME_KINDS, **LOGIC_KINDS, **CALL_KINDS, **LIST_KINDS}


@dataclass(frozen=True, slots=True)
class Query:
    """A query that is ready to run: `run(element, env)`.

    `element` is what a plain name is a field of; `env` holds the values from outside by name, and the world under ''.
    Where `findings` has an error, `run` raises ExpressionError. `canonical` is the query in the words of the dialect.
    """

    text: str
    run: Run
    findings: list[Finding]
    shape: Shape = ANY
    reads: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    clock: bool = False
    canonical: str = ""
    _chooser: Chooser | None = field(default=None, repr=False)

    def choose(self, among: CollectionLike | list[Any], env: dict[str, Any]) -> list[Any]:
        """The records, or elements of a list, for which the query is something, as `[?...]` chooses them."""
        if self._chooser is None:
            return [one for one in among if truth(self.run(one, env))]
        if isinstance(among, CollectionLike):
            return self._chooser.select(among, env)
        return self._chooser.keep(among, env)


def compile_query(text: str, scope: Scope, truth: bool = False) -> Query:
    """The query of a text. Never raises for what an author wrote: what is wrong is in `findings`.

    `truth` says that the result is asked for its truth, as in `where`.
    """
    try:
        node = parse_query(text)
        return _built(text, node, scope, truth)
    except QueryMistake as mistake:
        return _unusable(text, [mistake.finding])
    except RecursionError:
        said = "The query is nested too deeply to be read."
        return _unusable(text, [Finding("expression-syntax", said, "Split it into several steps.")])


def _built(text: str, node: Node, scope: Scope, truth: bool) -> Query:
    builder = Builder(text, scope, _KINDS)
    build = builder.build_truth if truth else builder.build
    part: Part = build(node, Here(scope.element or ANY, root=True))
    findings = sorted(dict.fromkeys(builder.findings), key=lambda finding: finding.offset)
    if any(finding.level == "error" for finding in findings):
        return _unusable(text, findings)
    return Query(
        text,
        part.run,
        findings,
        part.shape,
        frozenset(builder.reads),
        frozenset(builder.fields),
        builder.clock,
        written(node),
        Chooser(node, builder.parts),
    )


def _unusable(text: str, findings: list[Finding]) -> Query:
    said = findings[0].message

    def run(element: Any, env: Any) -> Any:
        raise ExpressionError(said)

    return Query(text, run, findings, canonical=text)
