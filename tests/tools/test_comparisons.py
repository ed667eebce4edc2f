"""One table of test words serves filters and what a check expects."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import equals
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.shapes import ANY, NUMBER, TEXT, Scope
from silo_decl.specs import tool
from silo_decl.tools.comparisons import TESTS


def test_words_are_those_of_the_format() -> None:
    assert tuple(TESTS) == tool.TESTS


@pytest.mark.parametrize(
    ("word", "value", "wanted", "holds"),
    [
        ("equals", 25, 25.0, True),
        ("equals", 1, True, False),
        ("not_equals", None, "x", True),
        ("at_least", "2026-04-01", "2026-03-31", True),
        ("at_least", None, 1, False),
        ("at_most", 5, 5, True),
        ("above", 5, 5, False),
        ("below", 4.9, 5, True),
        ("contains", "Straße", "STRASSE", True),
        ("contains", ["a", "b"], "b", True),
        ("contains", ["a", "b"], "B", False),
        ("contains", {"key": 1}, "key", True),
        ("contains", None, "x", False),
        ("one_of", "b", ["a", "b"], True),
        ("one_of", 1, [True], False),
        ("matches", "OPP-001", "^OPP-[0-9]+$", True),
        ("matches", None, ".*", False),
    ],
)
def test_word_holds_by_the_table_of_meaning(word: str, value: Any, wanted: Any, holds: bool) -> None:
    assert TESTS[word].holds(value, wanted) is holds


@pytest.mark.parametrize(
    ("word", "value", "wanted"),
    [("at_least", "5", 1), ("one_of", 1, 1), ("matches", "x", "("), ("below", "2026-04-01", "2026-04-01T10:00")],
)
def test_values_of_the_wrong_kind_are_an_error_and_never_false(word: str, value: Any, wanted: Any) -> None:
    with pytest.raises(ExpressionError):
        TESTS[word].holds(value, wanted)


TEXTS = st.none() | st.text(max_size=6)
NUMBERS = st.none() | st.integers(-5, 5) | st.floats(-5, 5)


@given(TEXTS, st.text(max_size=4))
def test_text_tests_hold_as_the_query_they_are_written_as(value: Any, wanted: str) -> None:
    for word in ("equals", "not_equals", "at_least", "at_most", "above", "below", "contains"):
        _same(word, value, wanted, TEXT)
    _same("one_of", value, [wanted], TEXT)


@given(NUMBERS, st.integers(-5, 5) | st.floats(-5, 5))
def test_number_tests_hold_as_the_query_they_are_written_as(value: Any, wanted: float) -> None:
    for word in ("equals", "not_equals", "at_least", "at_most", "above", "below"):
        _same(word, value, wanted, NUMBER)
    _same("one_of", value, [wanted], NUMBER)


def _same(word: str, value: Any, wanted: Any, shape: Any) -> None:
    query = compile_query(TESTS[word].query("field", "$wanted", shape), Scope({"wanted": ANY}, ANY))
    assert equals(query.run({"field": value}, {"wanted": wanted}), TESTS[word].holds(value, wanted)), word
