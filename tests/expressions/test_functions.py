"""The functions of both languages: their examples, what they make of nothing, and of anything at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions import FILTERS, FUNCTIONS, Function
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, Scope
from tests.expressions.jmespath_cases import values
from tests.expressions.small_world import SmallWorld

WORLD = SmallWorld(users=[{"id": "USR-001", "name": "Ann"}])
TABLE = [pytest.param(function, id=name) for name, function in FUNCTIONS.items()]


@pytest.mark.parametrize("function", TABLE)
def test_the_example_gives_what_the_table_says(function: Function) -> None:
    query = compile_query(function.example, Scope())
    assert query.findings == []
    assert plain(query.run({}, {"": WORLD})) == function.gives


@pytest.mark.parametrize("function", TABLE)
def test_nothing_is_an_answer_to_every_function(function: Function) -> None:
    arguments = [_read_n if parameter.expression else None for parameter in function.parameters]
    found = function.call(*([{"": WORLD}] if function.context else []), *arguments[: function.fewest or 1])
    assert found in (None, False, True, 0, "", "null", [], {}, [None])


def _read_n(element: Any) -> Any:
    return element.get("n") if isinstance(element, dict) else None


@settings(max_examples=2000, deadline=None)
@given(st.data())
def test_any_values_give_a_json_value_or_an_error_in_words(data: st.DataObject) -> None:
    function = data.draw(st.sampled_from(list(FUNCTIONS.values())))
    count = data.draw(st.integers(function.fewest, function.most or function.fewest + 2))
    dates = st.sampled_from(("2026-01-31", "2026-04-01T09:30:00", "2026-02-30", "9999-12-31", "days"))
    other = st.one_of(values, values, dates, st.sampled_from((10**29, 1e300, -0.5)))
    arguments = [
        _read_n if function.parameter(place).expression and data.draw(st.booleans()) else data.draw(other)
        for place in range(count)
    ]
    try:
        found = function.call(*([{"": WORLD}] if function.context else []), *arguments)
    except ExpressionError as error:
        assert "None" not in str(error)
    else:
        json.dumps(plain(found), allow_nan=False)
        assert not isinstance(found, tuple)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("round(1234, -2)", 1200),
        ("multiply(100, 0.29)", 29),
        ("divide(10, 5)", 2),
        ("divide(1, 3)", 0.3333333333333333),
        ("add(1, null)", None),
        ("avg(`[]`)", None),
        ("sum(`[]`)", 0),
        ('avg(`[{"amount": 1, "currency": "EUR"}, {"amount": 2, "currency": "EUR"}]`).amount', 1.5),
        ("max(['2026-01-01', '2026-03-01'])", "2026-03-01"),
        ("floor(`-2.1`)", -3),
        ("ceil(`-2.1`)", -2),
        ("number(' 12 ')", 12),
        ("to_number('1,200')", None),
        ("range(2, 5)", [2, 3, 4]),
        ("range(5, 2)", []),
        ("title('ANN-MARIE o\\'neil')", "Ann-Marie O'neil"),
        ("fold('É') == fold('é')", True),
        ("join(['a', 'b'], '-')", "a-b"),
        ("join(', ', [1, 2.0, true])", "1, 2, true"),
        ("split('a b  c')", ["a", "b", "c"]),
        ("text(null)", ""),
        ("text(money(12, 'EUR'))", "12 EUR"),
        ("matches('Deal OPP-1', 'OPP-[0-9]')", True),
        ("matches('Deal OPP-1', '^OPP')", False),
        ("days_between('2026-04-01', '2026-03-01')", -31),
        ("days_between('2026-04-01T23:00:00', '2026-04-02T01:00:00')", 1),
        ("date_add('2026-01-01', `-1`)", "2025-12-31"),
        ("date_add('2026-04-01T09:30:00', 2, 'weeks')", "2026-04-15T09:30:00"),
        ("date_add('2024-02-29', 1, 'years')", "2025-02-28"),
        ("date_add('2026-11-15', 3, 'months')", "2027-02-15"),
        ("sort([3, null, 1])", [1, 3, None]),
        ("min_by([{n: null, i: 1}, {n: 5, i: 2}], &n).i", 2),
        ("zip(['a'], `[]`)", [["a", None]]),
        ("unique([1, 1.0, true, 'a', 'a'])", [1, True, "a"]),
        ("unique([{n: 1}, {n: 1}], 'n')", [{"n": 1}]),
        ("without(['a', 'b'], 'a')", ["b"]),
        ("any([{n: 1}, {n: 5}], &n > 3)", True),
        ("all(`[]`)", True),
        ("count([{n: 1}, {n: 5}], &n > 3)", 1),
        ("at(['a', 'b'], 1)", "b"),
        ("at(null, 'a')", None),
        ("merge({a: 1}, null)", {"a": 1}),
        ("coalesce(null, null)", None),
        ("coalesce(false, 1)", False),
        ("keys(null)", []),
        ("length(null)", 0),
        ("length('né')", 2),
        ("weekday(null)", None),
        ("lookup('users', 'USR-404').name", None),
        ("type(1 == 1)", "boolean"),
    ],
)
def test_functions_give(text: str, expected: Any) -> None:
    query = compile_query(text, Scope())
    assert query.findings == []
    assert query.run({}, {"": WORLD}) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("divide(1, a)", "1 is divided by zero."),
        ("number(b)", "'x' is not a number."),
        ("sum([a, b])", "A sum needs a number, not 'x' (a text)."),
        ("sum(c)", "A sum over several currencies has no meaning: EUR, USD."),
        ("max([a, b])", "max(...) met 0 (a number) and 'x' (a text), which have no order."),
        ("range(100000)", "range(...) gives at most 10000 numbers, not 100000."),
        ("lower(a)", "lower(...) needs a text, not 0 (a number)."),
        ("first(b)", "first(...) works over a list, not over 'x' (a text)."),
        ("date_of(b)", "date_of(...) needs a date such as 2026-04-01, not 'x'."),
        ("date_add('2026-01-01', 1, b)", "date_add(...) counts in days, weeks, months, years, not in 'x'."),
        ("date_add('9999-12-31', 1)", "date_add(...) would leave the calendar: 9999-12-31 and 1 days."),
        ("matches(b, d)", "The pattern '(' cannot be read: missing ): (."),
        ("lookup(b, 'x')", "There is no collection 'x' to look something up in."),
        ("split(b, '')", "split(...) needs a separator that is not empty."),
        ("view(b, 'summary')", "view(...) shows a record, not 'x' (a text)."),
    ],
)
def test_what_a_function_cannot_do_is_said_in_words(text: str, message: str) -> None:
    data = {
        "a": 0,
        "b": "x",
        "c": [{"amount": 1, "currency": "EUR"}, {"amount": 1, "currency": "USD"}],
        "d": "(",
    }
    with pytest.raises(ExpressionError) as caught:
        compile_query(text, Scope()).run(data, {"": WORLD})
    assert str(caught.value) == message


def test_lookup_reads_the_world_that_its_text_names() -> None:
    final = SmallWorld(users=[{"id": "USR-001", "name": "Bo"}])
    both = SmallWorld()
    both.collections = {"users": WORLD.read("users"), "initial": WORLD, "final": final}
    for text, expected in [("users", "Ann"), ("initial.users", "Ann"), ("final.users", "Bo")]:
        query = compile_query(f"lookup('{text}', $id).name", Scope(names={"id": ANY}))
        assert query.run({}, {"": both, "id": "USR-001"}) == expected


def test_a_pattern_takes_time_linear_in_the_text() -> None:
    assert compile_query("matches(a, '^(\\w+\\s?)+$')", Scope()).run({"a": "a" * 5000 + "!"}, {}) is False


def test_every_function_is_described_and_every_filter_is_a_function() -> None:
    for function in FUNCTIONS.values():
        assert function.doc.endswith(".")
        assert function.name in function.example
    assert set(FILTERS.values()) <= set(FUNCTIONS)
