"""The table of meaning: truth, equality, order, parts, sums, texts and dates."""

from __future__ import annotations

import itertools
import json
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.records import plain
from tests.expressions.small_world import SmallCollection, SmallRecord

RECORD = SmallRecord({"id": "A", "n": 1})
COLLECTION = SmallCollection("things", [{"id": "A", "n": 1}, {"id": "B", "n": 2}])
EMPTY = SmallCollection("things", [])

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from([0.5, 1.0, 2.0, -0.0])
    | st.sampled_from(["", "a", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


# -- truth and equality -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, False, "", [], {}, (), EMPTY])
def test_nothing(value: Any) -> None:
    assert not meaning.truth(value)


@pytest.mark.parametrize("value", [True, 0, 0.0, 1, "0", "false", " ", [None], {"a": None}, RECORD, COLLECTION])
def test_everything_else_is_something(value: Any) -> None:
    assert meaning.truth(value)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (0, None, False),
        (False, None, False),
        ("", None, False),
        ([], None, False),
        ("1", 1, False),
        ([1, [True]], [1.0, [True]], True),
        ([1], [True], False),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1, "b": None}, {"a": 1}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ([1], (1,), True),
        (0.1, 0.1, True),
        (2**60, float(2**60), True),
        (2**60 + 1, float(2**60), False),
        (float("nan"), float("nan"), False),
        (RECORD, {"id": "A", "n": 1}, True),
        (RECORD, SmallRecord({"n": 1.0, "id": "A"}), True),
        (RECORD, {"id": "A"}, False),
        (RECORD, "A", False),
        (COLLECTION, [{"id": "A", "n": 1}, {"id": "B", "n": 2}], True),
        ([RECORD], [{"id": "A", "n": 1}], True),
    ],
)
def test_equality(left: Any, right: Any, same: bool) -> None:
    assert meaning.equals(left, right) is same
    assert meaning.equals(right, left) is same


@settings(max_examples=200, deadline=None)
@given(JSON, JSON)
def test_equality_is_that_of_json_texts(left: Any, right: Any) -> None:
    assert meaning.equals(left, right) is (_canonical(left) == _canonical(right))
    assert meaning.equals(left, json.loads(json.dumps(left)))


def _canonical(value: Any) -> str:
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key}:{_canonical(value[key])}' for key in sorted(value))}}}"
    return json.dumps(value)


# -- order --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">="])
def test_nothing_compared_by_order_is_false(operator: str) -> None:
    for value in (None, 1, "a", True, [], {}):
        assert meaning.compare(operator, value, None) is False
        assert meaning.compare(operator, None, value) is False


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, "1"),
        ("a", 2),
        (True, 1),
        (True, False),
        ([1], [2]),
        ({}, {}),
        (1, [1]),
        ("a", {}),
        (RECORD, 1),
        (COLLECTION, "a"),
    ],
)
def test_what_has_no_order_is_an_error_that_names_both(left: Any, right: Any) -> None:
    with pytest.raises(ExpressionError, match=r" is .* and .* is .*, so they cannot be compared with '<'"):
        meaning.compare("<", left, right)


def test_a_date_against_a_moment_is_an_error() -> None:
    for left, right in itertools.permutations(["2026-04-01", "2026-04-01T10:00:00Z"]):
        with pytest.raises(ExpressionError, match="date_of"):
            meaning.compare("<", left, right)
    assert meaning.compare("<", "2026-04-01", "2026-04-02")
    assert meaning.compare("<", "2026-04-01", "2026-04-01 or later")
    assert meaning.compare("<", "2026-04-01T09:00", "2026-04-01T10:00:00Z")


def test_sorting_puts_nothing_last_both_ways() -> None:
    values = [
        None,
        "b",
        2,
        True,
        1.5,
        "a",
        None,
        False,
        {"amount": 1.7, "currency": "EUR"},
        [3],
        {"amount": None, "currency": None},
    ]
    up = sorted(values, key=meaning.sort_key)
    down = sorted(values, key=meaning.descending_key)
    assert up[:8] == [False, True, 1.5, values[8], 2, "a", "b", [3]]
    assert down[:8] == [[3], "b", "a", 2, values[8], 1.5, True, False]
    assert [up[8:], down[8:]] == [[None, None, values[10]]] * 2


@settings(max_examples=100, deadline=None)
@given(st.lists(JSON, max_size=6))
def test_any_values_can_be_sorted_and_ties_stay(values: list[Any]) -> None:
    marked = [[value, place] for place, value in enumerate(values)]
    for key in (meaning.sort_key, meaning.descending_key):
        ordered = sorted(marked, key=lambda one, key=key: key(one[0]))  # type: ignore[misc]
        assert sorted(map(json.dumps, ordered)) == sorted(map(json.dumps, marked))
        for one, other in itertools.pairwise(ordered):
            assert one[1] < other[1] or key(one[0]) != key(other[0])


# -- parts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "key", "expected"),
    [
        (None, "a", None),
        (None, 0, None),
        ({"a": 1}, "a", 1),
        ({"a": 1}, "b", None),
        ({"a": 1}, 0, None),
        ({"a": 1}, None, None),
        ([1, 2], 0, 1),
        ([1, 2], -1, 2),
        ([1, 2], 2, None),
        ([1, 2], -3, None),
        ([1, 2], 1.0, 2),
        ([1, 2], "a", None),
        ("text", 0, None),
        (5, 0, None),
        (COLLECTION, "B", {"id": "B", "n": 2}),
        (COLLECTION, "C", None),
        (RECORD, "n", 1),
        (RECORD, "m", None),
    ],
)
def test_a_part_of_a_value(value: Any, key: Any, expected: Any) -> None:
    assert plain(meaning.item(value, key)) == expected


@pytest.mark.parametrize(
    ("value", "key"), [("text", "a"), (5, "a"), (True, "a"), ([1], 0.5), ([1], True), ({}, True), ({}, [])]
)
def test_what_has_no_such_part_is_an_error(value: Any, key: Any) -> None:
    with pytest.raises(ExpressionError):
        meaning.item(value, key)


def test_a_dot_never_reads_a_method() -> None:
    for name in ("items", "keys", "__class__", "get"):
        assert meaning.field({}, name) is None
        assert meaning.field(RECORD, name) is None
        assert meaning.field([], name) is None
        with pytest.raises(ExpressionError):
            meaning.field("text", name)


@pytest.mark.parametrize(
    ("container", "item", "expected"),
    [
        (None, "a", False),
        ("abc", "b", True),
        ("abc", None, False),
        ("", "", True),
        (["a", None], None, True),
        ([1], True, False),
        ([1.0], 1, True),
        ({"a": 1}, "a", True),
        ({"a": 1}, 1, False),
        (COLLECTION, "A", True),
        (COLLECTION, "C", False),
        (COLLECTION, None, False),
        (RECORD, "n", True),
    ],
)
def test_what_is_in_what(container: Any, item: Any, expected: bool) -> None:
    assert meaning.contains(container, item) is expected


@pytest.mark.parametrize(("container", "item"), [("abc", 1), (5, 1), (True, True)])
def test_nothing_can_be_in_some_values(container: Any, item: Any) -> None:
    with pytest.raises(ExpressionError):
        meaning.contains(container, item)


# -- sums ---------------------------------------------------------------------------------------------------

NUMBERS = st.integers(-(10**6), 10**6) | st.decimals(-1000, 1000, places=2).map(float)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from("+-*/"), NUMBERS, NUMBERS)
def test_sums_are_those_of_decimals(operator: str, left: Any, right: Any) -> None:
    one, other = Decimal(str(left)), Decimal(str(right))
    if operator == "/" and other == 0:
        with pytest.raises(ExpressionError, match="divided by zero"):
            meaning.arithmetic(operator, left, right)
        return
    expected = {"+": one + other, "-": one - other, "*": one * other}.get(operator)
    found = meaning.arithmetic(operator, left, right)
    if expected is None:
        assert abs(Decimal(str(found)) - one / other) <= abs(one / other) * Decimal("1e-15")
    else:
        assert Decimal(str(found)) == expected or found == float(expected)
    assert not (isinstance(found, float) and found == int(found))


@settings(max_examples=200, deadline=None)
@given(NUMBERS, NUMBERS)
def test_what_is_left_over_is_what_is_left_over(left: Any, right: Any) -> None:
    if right == 0:
        return
    whole, rest = meaning.arithmetic("//", left, right), meaning.arithmetic("%", left, right)
    assert isinstance(whole, int)
    assert Decimal(str(whole)) * Decimal(str(right)) + Decimal(str(rest)) == Decimal(str(left))
    assert abs(rest) < abs(right) and (rest == 0 or (rest > 0) == (right > 0))


@settings(max_examples=200, deadline=None)
@given(NUMBERS, st.integers(-3, 4))
def test_halves_round_up(value: Any, digits: int) -> None:
    step = Decimal(1).scaleb(-digits)
    expected = Decimal(str(value)).quantize(step, rounding=ROUND_HALF_UP)
    assert Decimal(str(meaning.rounded(value, digits))) == expected


def test_nothing_in_a_sum_gives_nothing() -> None:
    for operator in ("+", "-", "*", "/", "//", "%"):
        assert meaning.arithmetic(operator, None, 1) is None
        assert meaning.arithmetic(operator, 1, None) is None
    assert meaning.negative(None) is None and meaning.rounded(None) is None


@pytest.mark.parametrize(("left", "right"), [("a", 1), (1, "1"), (True, 1), (1, False), ([1], 1), ({}, 1), ("a", "b")])
def test_only_numbers_are_added(left: Any, right: Any) -> None:
    with pytest.raises(ExpressionError, match="works with numbers"):
        meaning.arithmetic("+", left, right)


def test_what_is_too_large_is_an_error() -> None:
    for left, right in [(10**30, 10), (1e300, 1e300), (10**25, 10**25)]:
        with pytest.raises(ExpressionError, match="too large"):
            meaning.arithmetic("*", left, right)


def test_totals() -> None:
    assert meaning.total([]) == 0
    assert meaning.total([None, None]) == 0
    assert meaning.total([0.1, 0.2, None]) == 0.3
    assert meaning.total([0.1] * 10) == 1 and isinstance(meaning.total([0.1] * 10), int)
    euros = [{"amount": 0.1, "currency": "EUR"}, None, {"amount": 0.2, "currency": "EUR"}]
    assert meaning.total(euros) == {"amount": 0.3, "currency": "EUR"}
    with pytest.raises(ExpressionError, match=r"several currencies has no meaning: EUR, USD\."):
        meaning.total([*euros, {"amount": 1, "currency": "USD"}])
    for wrong in (["a"], [1, "a"], [True], [euros[0], 1], [1, euros[0]]):
        with pytest.raises(ExpressionError):
            meaning.total(wrong)


# -- texts and dates ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (25.0, "25"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (2.675, "2.675"),
        (10**20, "100000000000000000000"),
        (1e15, "1000000000000000"),
        ([1, None, "a", [True]], "1, , a, true"),
        ({"amount": 25.0, "currency": "EUR"}, "25 EUR"),
        ({"a": 1, "b": [2]}, "a: 1, b: 2"),
        (RECORD, "id: A, n: 1"),
        ("'{{ x }}'", "'{{ x }}'"),
    ],
)
def test_how_a_value_prints(value: Any, text: str) -> None:
    assert meaning.to_text(value) == text


@pytest.mark.parametrize(
    "value", ["2026-04-01", "2026-04-01T10:00:00Z", "2026-04-01 10:00", "2026-04-01T10:00:00.5+02:00"]
)
def test_dates_and_moments(value: str) -> None:
    assert meaning.as_date(value, "This").isoformat() == "2026-04-01"
    assert meaning.as_moment(value, "This").date().isoformat() == "2026-04-01"


@pytest.mark.parametrize(
    "value", [None, 5, "", "tomorrow", "2026-02-30", "2026-4-1", "01.04.2026", "2026-04-01T25:00:00", "２０２６-04-01"]
)
def test_what_is_no_date_is_an_error(value: Any) -> None:
    with pytest.raises(ExpressionError, match="needs a date"):
        meaning.as_moment(value, "This")
    if value != "2026-04-01T25:00:00":
        with pytest.raises(ExpressionError, match="needs a date"):
            meaning.as_date(value, "This")


@pytest.mark.parametrize(
    ("value", "kind"),
    [(None, "nothing"), (True, "true or false"), (1, "a number"), ("a", "a text"), ([], "a list"), ({}, "an object")]
    + [(RECORD, "a record"), (COLLECTION, "the collection 'things'")],
)
def test_what_an_author_would_call_it(value: Any, kind: str) -> None:
    assert meaning.kind_of(value) == kind
    assert len(meaning.shown(["x" * 500])) == 60
