"""The test words, one table for the filters of tools and for what a check expects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_texts import matches as found_in
from silo_decl.expressions.meaning import compare, equals, kind_of, shown
from silo_decl.expressions.meaning import contains as part_of
from silo_decl.expressions.shapes import Shape


@dataclass(frozen=True, slots=True)
class Comparison:
    """One test word: whether it `holds` of a value and the wanted one, and how a query says the same.

    `query` gets the texts of both sides and what is known of the value. `words` finishes "the value should …".
    """

    word: str
    holds: Callable[[Any, Any], bool]
    query: Callable[[str, str, Shape], str]
    words: str


def contains(value: Any, wanted: Any) -> bool:
    """A text contains a text, upper or lower case alike; a list contains an element; an object has a key."""
    if isinstance(value, str) and isinstance(wanted, str):
        return bool(fold(wanted) in fold(value))
    return part_of(value, wanted)


def one_of(value: Any, wanted: Any) -> bool:
    """Whether the value equals one of the wanted ones."""
    if not isinstance(wanted, (list, tuple)):
        raise ExpressionError(f"'one_of' needs a list, not {shown(wanted)} ({kind_of(wanted)}).")
    return any(equals(value, one) for one in wanted)


def _infix(operator: str) -> Callable[[str, str, Shape], str]:
    return lambda value, wanted, shape: f"{value} {operator} {wanted}"


def _contains_query(value: str, wanted: str, shape: Shape) -> str:
    if shape.textual:
        return f"contains(fold({value}), fold({wanted}))"
    return f"contains({value}, {wanted})"


TESTS: dict[str, Comparison] = {
    one.word: one
    for one in (
        Comparison("equals", equals, _infix("=="), "be"),
        Comparison("not_equals", lambda value, wanted: not equals(value, wanted), _infix("!="), "not be"),
        Comparison("at_least", lambda value, wanted: compare(">=", value, wanted), _infix(">="), "be at least"),
        Comparison("at_most", lambda value, wanted: compare("<=", value, wanted), _infix("<="), "be at most"),
        Comparison("above", lambda value, wanted: compare(">", value, wanted), _infix(">"), "be above"),
        Comparison("below", lambda value, wanted: compare("<", value, wanted), _infix("<"), "be below"),
        Comparison("contains", contains, _contains_query, "contain"),
        Comparison("one_of", one_of, lambda value, wanted, shape: f"contains({wanted}, {value})", "be one of"),
        Comparison(
            "matches", found_in, lambda value, wanted, shape: f"matches({value}, {wanted})", "match the pattern"
        ),
    )
}
