"""What reads the same as a query and as a condition means the same: one grammar of both, over generated data."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, BOOLEAN, DATE, NUMBER, TEXT, Scope, Shape, list_of
from silo_decl.expressions.templates import compile_condition, compile_value

FIELDS = {
    "n": NUMBER.maybe(),
    "m": NUMBER,
    "s": TEXT.maybe(),
    "t": TEXT,
    "b": BOOLEAN.maybe(),
    "d": DATE.maybe(),
    "tags": list_of(TEXT),
    "o": Shape("object", fields={"x": NUMBER.maybe(), "y": TEXT}, nullable=True),
}
KNOWN = Scope(element=Shape("object", fields=FIELDS))
UNKNOWN = Scope(element=Shape("object", fields=dict.fromkeys(FIELDS, ANY)))

NUMBERS = st.sampled_from([0, 1, -1, 2, 2.5, 25.0, 0.1, 1e15])
WORDS = st.sampled_from(["", "a", "b", "A", "open", "5", "2026-04-01"])
DATES = st.sampled_from(["2026-04-01", "2026-04-30", "2025-12-31"])
TYPED = st.fixed_dictionaries(
    {
        "n": st.none() | NUMBERS,
        "m": NUMBERS,
        "s": st.none() | WORDS,
        "t": WORDS,
        "b": st.sampled_from([None, True, False]),
        "d": st.none() | DATES,
        "tags": st.lists(WORDS, max_size=3),
        "o": st.none() | st.fixed_dictionaries({"x": st.none() | NUMBERS, "y": WORDS}),
    }
)
SCALARS = st.none() | st.booleans() | NUMBERS | WORDS
LOOSE = st.dictionaries(
    st.sampled_from(sorted(FIELDS)),
    SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.sampled_from("xyz"), SCALARS, max_size=2),
)

FIELD = st.sampled_from(
    ["n", "m", "s", "t", "b", "d", "tags", "o", "o.x", "o.y", "o.z", "tags[0]", "tags[-1]", "tags[7]"]
)
LITERAL = st.sampled_from(
    ["0", "1", "2.5", "-1", "true", "false", "null", "''", "'a'", "'open'", "'5'", "'2026-04-01'"]
)
LISTS = st.sampled_from(["['a', 'open']", "[1, 2.5]", "[true]", "['a', 1, null]", "tags"])
ORDERS = st.sampled_from(["<", "<=", ">", ">="])
EQUALS = st.sampled_from(["==", "!="])


def _calls(value: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    one = st.sampled_from(
        [
            "length",
            "abs",
            "round",
            "floor",
            "ceil",
            "lower",
            "upper",
            "trim",
            "first",
            "last",
            "count",
            "sum",
            "max",
            "min",
        ]
        + [
            "sort",
            "unique",
            "reverse",
            "text",
            "number",
            "year",
            "date_of",
            "type",
            "keys",
            "values",
            "to_array",
            "avg",
        ]
    )
    two = st.sampled_from(
        ["add", "subtract", "multiply", "divide", "coalesce", "contains", "starts_with", "ends_with", "concat", "join"]
        + ["days_between", "date_add", "at", "without", "round", "split", "zip", "merge", "money", "not_null"]
    )
    return st.one_of(
        st.tuples(one, value).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(two, value, value).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
    )


VALUE = st.recursive(FIELD | LITERAL, _calls, max_leaves=4)
COMPARISON = st.one_of(
    st.tuples(VALUE, EQUALS | ORDERS, VALUE).map(" ".join),
    st.tuples(VALUE, st.sampled_from(["in", "not in"]), LISTS).map(" ".join),
    st.tuples(FIELD, EQUALS, LITERAL).map(" ".join),
)
CONDITION = st.recursive(
    COMPARISON | st.sampled_from(["b", "s", "tags", "o", "d"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({' '.join(p)})"),
        inner.map(lambda one: f"not {one}"),
        inner.map(lambda one: f"(not {one})"),
    ),
    max_leaves=5,
)


def outcome(run: Any, record: Any) -> str:
    try:
        return json.dumps(plain(run(record, {})))
    except ExpressionError as wrong:
        return f"error: {wrong}"


def errors(made: Any) -> list[str]:
    return [one.code for one in made.findings if one.level == "error"]


def check(text: str, scope: Scope, record: dict[str, Any]) -> None:
    query, condition, value = (
        compile_query(text, scope),
        compile_condition(text, scope),
        compile_value(f"= {text}", scope),
    )
    found, expected = errors(condition), errors(query)
    assert bool(found) == bool(expected), (text, condition.findings, query.findings)
    assert errors(value) == [code for code in found if code in errors(value)]
    if found:
        return
    before = json.dumps(record)
    assert outcome(condition.run, record) == outcome(query.run, record), text
    assert outcome(value.run, record) == outcome(query.run, record), text
    assert json.dumps(record) == before


@settings(max_examples=500, deadline=None)
@given(CONDITION, TYPED)
def test_a_condition_means_the_same_in_both(text: str, record: dict[str, Any]) -> None:
    check(text, KNOWN, record)


@settings(max_examples=700, deadline=None)
@given(CONDITION, LOOSE)
def test_what_nothing_is_known_of_means_the_same_in_both(text: str, record: dict[str, Any]) -> None:
    check(text, UNKNOWN, record)


@settings(max_examples=500, deadline=None)
@given(VALUE, st.sampled_from([KNOWN, UNKNOWN]), TYPED | LOOSE)
def test_a_value_means_the_same_in_both(text: str, scope: Scope, record: dict[str, Any]) -> None:
    query, value = compile_query(text, scope), compile_value(f"= {text}", scope)
    assert errors(value) == errors(query), text
    if not errors(value):
        assert outcome(value.run, record) == outcome(query.run, record)


@settings(max_examples=200, deadline=None)
@given(TYPED, st.sampled_from(["b", "s", "tags", "o", "d", "n == 1", "t == 'a'", "o.x > 1"]))
def test_a_filter_keeps_what_the_condition_says(record: dict[str, Any], text: str) -> None:
    records = [record, {**record, "b": not record["b"]}, {**record, "s": None, "tags": [], "o": None}]
    listed = Scope(element=Shape("object", fields={"records": list_of(Shape("object", fields=FIELDS))}))
    kept = compile_query(f"records[?{text}]", listed).run({"records": records}, {})
    condition = compile_condition(text, KNOWN)
    assert kept == [one for one in records if truth(condition.run(one, {}))]


def test_a_number_that_no_one_can_write_down_is_a_problem_in_both() -> None:
    for number in ("1" * 5000, "1e400", "-1e400"):
        for text in (number, f"n == {number}", f"t in ['a', {number}]"):
            for made in (
                compile_query(text, UNKNOWN),
                compile_condition(text, UNKNOWN),
                compile_value(f"= {text}", UNKNOWN),
            ):
                assert any("too large" in one.message for one in made.findings), text
