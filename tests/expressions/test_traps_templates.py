"""What plain Jinja2 does behind an author's back, each tried while worlds were written, and how it is closed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, NUMBER, TEXT, Finding, Scope, Shape, list_of
from silo_decl.expressions.templates import Value, compile_condition, compile_text, compile_value
from tests.expressions.shapes_of_data import shape_of, world_scope
from tests.expressions.small_world import SmallWorld

ORDERS = [
    {
        "id": "O1",
        "items": [{"p": 5}, {"p": None}, {}],
        "st": "open",
        "n": 5,
        "zero": 0,
        "due": None,
        "tags": ["a", "b"],
    },
    {"id": "O2", "items": [], "st": "won", "n": 40, "zero": 0, "due": "2026-03-01", "tags": []},
]
ACCOUNTS = [{"id": "A1", "name": "Acme"}]
ORDER = {
    **ORDERS[0],
    "values": "business",
    "keys": [1],
    "copy": 2,
    "get": 3,
    "count": 4,
    "index": 6,
    "update": "u",
    "pop": "p",
    "self": "s",
    "accountId": None,
    "price": 2.675,
    "money": {"amount": 25.0, "currency": "EUR"},
    "text": "1,200",
    "flag": True,
    "off": False,
    "whole": 25.0,
    "note": "{{ 7 * 7 }} {% raw %} {# no #}",
}
WORLD = {"orders": ORDERS, "accounts": ACCOUNTS}
COLLECTIONS = world_scope(WORLD).collections
SCOPE = Scope(
    names={"input": Shape("object", fields={"p": TEXT, "n": NUMBER, "list": list_of(ANY), "any": ANY})},
    element=Shape("record", name="orders", fields={name: shape_of(value) for name, value in ORDER.items()}),
    collections=COLLECTIONS,
)
ENV: dict[str, Any] = {"input": {"p": "x", "n": 3, "list": [1, 2], "any": {"deep": "{{ 1 }}"}}}


def ran(made: Value) -> Any:
    assert made.findings == []
    return plain(made.run(ORDER, {**ENV, "": SmallWorld(**WORLD)}))


def value(text: str) -> Any:
    return ran(compile_value(f"= {text}", SCOPE))


def condition(text: str) -> bool:
    return truth(ran(compile_condition(text, SCOPE)))


def filled(text: str) -> Any:
    return ran(compile_text(text, SCOPE))


def said(text: str, make: Any = compile_condition) -> Finding:
    """The only finding, with its place turned into what stands there."""
    (finding,) = make(text, SCOPE).findings
    assert isinstance(finding, Finding)
    return finding


# -- one row of the table after the other -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["values", "keys", "copy", "get", "count", "index", "update", "pop", "self", "items"])
def test_a_dot_reads_a_field_and_never_a_method(name: str) -> None:
    assert value(f"record.{name}") == ORDER[name]
    assert value(name) == ORDER[name]
    assert filled(f"{{{{ {name} }}}}") != ""


@pytest.mark.parametrize(
    "text", ["tags.count", "tags.index", "st.upper", "n.real", "record.setdefault", "input.fromkeys"]
)
def test_what_is_no_field_is_a_problem(text: str) -> None:
    assert said(text).code in ("unknown-field", "field-of-text", "field-of-list")


@pytest.mark.parametrize(
    ("text", "place"),
    [("typo", "typo"), ("record.typo", "typo"), ("input.missing", "missing"), ("accounts['A1'].nme", "nme")],
)
def test_a_name_that_no_one_knows_is_a_problem(text: str, place: str) -> None:
    for make in (compile_condition, compile_value, compile_text):
        whole = {compile_condition: text, compile_value: f"= {text}", compile_text: f"a {{{{ {text} }}}}"}[make]
        finding = said(whole, make)
        assert finding.code in ("unknown-name", "unknown-field")
        assert whole[finding.offset :].startswith(place)


def test_null_and_none_are_nothing() -> None:
    assert value("null") is None
    assert value("none") is None
    assert value("None") is None
    assert condition("accountId == null") and condition("accountId is none")


def test_a_field_of_nothing_is_nothing() -> None:
    assert value("accounts[null].name") is None
    assert value("accounts[accountId].name") is None
    assert value("accounts['A9'].name") is None
    assert value("due.x.y") is None or said("due.x.y")


def test_nothing_compared_by_order_is_false() -> None:
    assert not condition("due < now") and not condition("due >= now") and not condition("now < due")


def test_one_is_not_true() -> None:
    assert condition("input.n == 3") and not condition("input.any == true")
    equal = compile_condition("input.any == true", SCOPE)
    assert equal.run(ORDER, {"input": {"any": 1}}) is False
    assert equal.run(ORDER, {"input": {"any": True}}) is True
    literal = compile_condition("input.any == 1", SCOPE)
    assert [literal.run(ORDER, {"input": {"any": one}}) for one in (1, 1.0, True, "1")] == [True, True, False, False]


def test_a_text_becomes_a_number_only_where_it_is_one() -> None:
    assert value("number('12.5')") == 12.5
    with pytest.raises(ExpressionError):
        value("number('abc')")
    assert [said(f"text | {name}").code for name in ("int", "float")] == ["unknown-function"] * 2


def test_halves_round_up() -> None:
    assert value("round(price, 2)") == 2.68
    assert value("price | round(2)") == 2.68
    assert json.dumps(value("round(2.5)")) == "3"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.1 + 0.2", "0.3"),
        ("100 * 0.29", "29"),
        ("10 / 5", "2"),
        ("whole / 10", "2.5"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("n + due", "null"),
    ],
)
def test_sums_are_exact(text: str, shown: str) -> None:
    assert json.dumps(value(text)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{ none }}", ""),
        ("{{ due }}!", "!"),
        ("{{ 25.0 }}", "25"),
        ("{{ whole }}", "25"),
        ("{{ tags }}", "a, b"),
        ("{{ true }} {{ off }}", "true false"),
        ("{{ money }}", "25 EUR"),
        ("{{ n }} and {{ price }}", "5 and 2.675"),
        ("{{ {'a': 1} }}", "a: 1"),
        ("{{ '=' }} 5", "= 5"),
    ],
)
def test_values_in_a_text_print_as_an_author_means_them(text: str, shown: str) -> None:
    assert filled(text) == shown
    assert compile_value(text, SCOPE).shape == TEXT


def test_a_collection_gives_records_and_tests_ids() -> None:
    assert value("first(accounts).name") == "Acme"
    assert value("accounts | first") == ACCOUNTS[0]
    assert condition("'A1' in accounts") and not condition("'A2' in accounts")
    assert condition("accountId not in accounts")


def test_no_generator_comes_out() -> None:
    for text in (
        "tags | map('upper')",
        "tags | select",
        "orders | selectattr('n')",
        "tags | batch(2)",
        "tags | groupby('x')",
    ):
        assert said(text).code == "unknown-function"
    assert value("range(3)") == [0, 1, 2]
    with pytest.raises(ExpressionError, match="at most"):
        value("range(1000000000)")


def test_a_sum_leaves_out_what_is_not_there() -> None:
    assert value("sum(items, 'p')") == 5
    assert value("items | sum('p')") == 5


@pytest.mark.parametrize("text", ["lipsum()", "cycler('a')", "range(10**9)", "dict(a=1)", "joiner()", "namespace()"])
def test_there_are_no_globals_of_jinja(text: str) -> None:
    assert {one.code for one in compile_condition(text, SCOPE).findings} <= {"unknown-function", "wrong-arithmetic"}
    assert compile_condition(text, SCOPE).findings


def test_powers_are_not_part_of_the_format() -> None:
    finding = said("10 ** 10 ** 10 > 1")
    assert (finding.code, finding.message) == ("wrong-arithmetic", "'**' is not part of the format.")


@pytest.mark.parametrize(
    "text", ["{% for x in tags %}{{ x }}{% endfor %}", "a {%- if n %}b{% endif %}", "{% set x = 1 %}"]
)
def test_blocks_are_refused(text: str) -> None:
    for make in (compile_text, compile_value):
        finding = said(text, make)
        assert finding.code == "block-tags"
        assert text[finding.offset :].startswith("{%")


def test_what_is_filled_in_is_never_looked_at_again() -> None:
    assert filled("{{ note }}") == ORDER["note"]
    assert filled("{{ note ~ '{{ n }}' }}") == ORDER["note"] + "{{ n }}"
    assert filled("{{ input.any.deep }}") == "{{ 1 }}"
    assert value("note ~ ''") == ORDER["note"]


# -- the same text read as a query and as a condition -------------------------------------------------------


def asked(text: str) -> bool:
    """The same text as a query over the record."""
    query = compile_query(text, SCOPE)
    assert query.findings == []
    return truth(query.run(ORDER, {**ENV, "": SmallWorld(**WORLD)}))


def test_a_number_used_as_a_truth_is_a_problem() -> None:
    for text in ("zero", "zero or st == 'x'", "not n", "n and st == 'x'", "'a' if n else 'b'"):
        finding = said(text)
        assert (finding.code, text[finding.offset :][:1]) == (
            "number-as-truth",
            text.removeprefix("not ").removeprefix("'a' if ")[:1],
        )
    assert compile_value("= zero or 7", SCOPE).findings[0].code == "number-as-truth"


@pytest.mark.parametrize(
    "text", ["not st == 'x'", "not st == 'open'", "not st in ['open']", "not n > 3 and st == 'open'"]
)
def test_the_word_not_binds_looser_than_a_comparison(text: str) -> None:
    assert condition(text) == asked(text)


@pytest.mark.parametrize("text", ["1 < n < 9", "n == zero == off", "1 < n <= 9"])
def test_comparisons_in_a_row_are_a_problem(text: str) -> None:
    assert said(text).code == compile_query(text, SCOPE).findings[0].code == "chained-comparison"


def test_the_fix_of_comparisons_in_a_row_is_right() -> None:
    assert said("1 < n < 9").fix == "Write 1 < n and n < 9."


def test_a_text_may_stand_in_either_quotes_in_a_condition() -> None:
    assert condition('st == "open"') and condition("st == 'open'")
    assert compile_query('st == "open"', SCOPE).findings[0].code == "text-in-double-quotes"


def test_a_filter_against_a_number_compares_what_it_gives() -> None:
    assert condition("length(tags) > 1") and asked("length(tags) > 1")
    assert compile_query("tags | length > 1", SCOPE).findings


def test_a_field_of_a_text_is_a_problem_in_both() -> None:
    assert said("st.x").code == compile_query("st.x", SCOPE).findings[0].code == "field-of-text"
    anything = compile_value("= input.any.x", SCOPE)
    for run in (anything.run, compile_query("$input.any.x", SCOPE).run):
        with pytest.raises(ExpressionError):
            run(ORDER, {"input": {"any": "text"}})


def test_a_sum_stands_in_a_value() -> None:
    assert value("n + 1") == 6
    assert compile_query("n + 1", SCOPE).findings[0].fix == "In a query write add(..., ...)."
