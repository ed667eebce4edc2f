"""What plain JMESPath does behind an author's back, each tried while worlds were written, and how it is closed."""

from __future__ import annotations

from typing import Any

import pytest

from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.query_parser import QueryParser
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, TEXT, Scope, Shape, list_of
from tests.expressions.shapes_of_data import world_scope
from tests.expressions.small_world import SmallWorld

ORDERS = [
    {
        "id": "O1",
        "user_id": "u",
        "ok": True,
        "s": "open",
        "st": "x",
        "zip": "19122",
        "n": 5,
        "zero": 0,
        "tags": ["a", "b"],
        "items": [{"name": "pen", "price": 150}, {"name": "ink", "price": 50}],
        "variants": {"v1": {"available": True, "price": 3}, "v2": {"available": False, "price": 4}},
        "payment_methods": {"p1": {"balance": 10}},
        "first-name": "Ann",
        "bagged/bagless": "bagged",
        "screen size": "13 inch",
        "name": "O'Brien",
        "stage": None,
    },
    {
        "id": "O2",
        "user_id": "w",
        "ok": False,
        "s": "won",
        "st": "y",
        "zip": "19123",
        "n": 40,
        "zero": 0,
        "tags": [],
        "items": [],
        "variants": {},
        "payment_methods": {"p2": {"balance": 20}},
        "first-name": "Bo",
        "bagged/bagless": "bagless",
        "screen size": "15 inch",
        "name": None,
        "stage": "s1",
    },
]
USERS = [{"id": "u", "name": "Ann"}]


def keyed(scope: Scope) -> Scope:
    """The scope with the objects that are keyed by id known as such."""
    record = scope.collections["orders"].element
    fields = {**record.fields}
    for name, inner in [("variants", {"available": ANY, "price": ANY}), ("payment_methods", {"balance": ANY})]:
        fields[name] = Shape("map", of=Shape("object", fields=inner))
    orders = Shape("collection", of=Shape("record", name="orders", fields=fields), name="orders")
    collections = {**scope.collections, "orders": orders}
    return Scope(scope.names, Shape("object", name="world", fields=collections), collections, scope.worlds)


SCOPE = keyed(
    world_scope(
        {"orders": ORDERS, "users": USERS},
        input=Shape("object", fields={"p": TEXT, "a": list_of(ANY), "b": list_of(ANY)}),
    )
)
ENV = {"input": {"p": "p1", "a": ["x"], "b": ["y"]}}


def answer(text: str) -> Any:
    query = compile_query(text, SCOPE)
    assert query.findings == []
    world = SmallWorld(orders=ORDERS, users=USERS)
    return plain(query.run(world, {**ENV, "": world}))


def said(text: str, scope: Scope = SCOPE) -> tuple[str, str, str]:
    """The code, the marked part's beginning and the fix of the only finding."""
    (finding,) = compile_query(text, scope).findings
    return finding.code, text[finding.offset :], finding.fix


def test_a_filter_behind_a_filter_is_a_problem_that_shows_the_right_form() -> None:
    code, place, fix = said("orders[?user_id=='u'].items[?price > `100`].name")
    assert (code, place) == ("filter-after-filter", "[?price > `100`].name")
    assert fix == "Write orders[?user_id == 'u'].items[] | [?price > 100]."
    assert answer("orders[?user_id == 'u'].items[] | [?price > 100].name") == ["pen"]
    assert answer("orders[*].items[?price > 100].name[]") == ["pen"]


def test_a_filter_right_behind_a_filter_of_the_same_list_is_one_condition() -> None:
    assert said("orders[?ok][?n > 3 or ok]")[2] == "Write orders[?ok and (n > 3 or ok)]."
    assert said("orders[].items[][?price > 1]")[::2] == (
        "filter-after-filter",
        "Write orders[].items[] | [?price > 1].",
    )
    assert answer("orders[].items[] | [?price > 1].name") == ["pen", "ink"]


def test_true_and_false_are_values() -> None:
    assert answer("orders[?ok == true].id") == ["O1"]
    assert answer("orders[?ok == false].id") == ["O2"]
    assert answer("orders[?stage == null].id") == ["O1"]


def test_a_text_without_its_quotes_is_asked_about() -> None:
    (finding,) = compile_query("orders[?s == open]", SCOPE).findings
    assert finding.code == "unknown-field"
    assert "Did you mean the text 'open'?" in finding.message
    assert finding.fix == "Write it between single quotes: 'open'."
    assert said('orders[?s == "open"]')[::2] == (
        "text-in-double-quotes",
        "Write the text between single quotes: 'open'.",
    )


def test_an_unknown_field_is_told_with_the_nearest_one() -> None:
    (finding,) = compile_query("orders[?user_idd == 'x']", SCOPE).findings
    assert finding.message == "No record of orders has a field 'user_idd'. Did you mean 'user_id'?"
    assert finding.offset == len("orders[?")


def test_a_literal_of_another_kind_is_a_problem() -> None:
    assert said("orders[?zip == `19122`]")[::2] == (
        "wrong-comparison",
        "Write a text between single quotes: '19122'.",
    )
    assert said("orders[?n == '5']")[::2] == ("wrong-comparison", "Write the number without quotes: 5.")
    assert said("orders[?n >= '30']")[::2] == ("wrong-comparison", "Write the number without quotes: 30.")


def test_an_object_keyed_by_id_is_not_filtered_like_a_list() -> None:
    assert said("orders[].variants[?available]")[::2] == ("keyed-by-id", "Write values(variants)[?available].")
    assert said("orders[0].variants.available")[::2] == (
        "keyed-by-id",
        "Write values(orders[0].variants)[].available.",
    )
    assert answer("values(orders[0].variants)[?available].price") == [3]
    assert answer("orders[].values(variants)[] | [?available].price") == [3]


def test_a_key_is_read_from_an_object() -> None:
    assert answer("orders[].at(payment_methods, $input.p).balance") == [10]
    assert answer("orders[0].payment_methods['p1'].balance") == 10
    assert said("orders[0].payment_methods[$input.p]")[2].startswith("Write at(..., $input)")
    assert said("orders[0].payment_methods[p]")[2].startswith("For the key 'p' write ['p']")


def test_a_list_against_a_text_is_a_problem() -> None:
    assert said("orders[?ok].id == '1'")[::2] == (
        "list-against-text",
        "Write contains(orders[?ok].id, '1'), or take one element: orders[?ok].id | [0].",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sort_by(orders, &stage)[].id", ["O2", "O1"]),
        ("max_by(orders, &stage).id", "O2"),
        ("orders[?starts_with(name, 'O')].id", ["O1"]),
        ("orders[?contains(name, 'Brien')].id", ["O1"]),
        ("orders[?length(name) > 3].id", ["O1"]),
        ("sum(orders[*].items[0].price)", 150),
        ("sum(orders, &items[0].price)", 150),
        ("join(',', orders[*].[name][])", "O'Brien"),
    ],
)
def test_one_record_without_the_field_breaks_nothing(text: str, expected: Any) -> None:
    assert answer(text) == expected


@pytest.mark.parametrize(
    ("text", "place", "fix"),
    [
        ("orders[?first-name == 'Ann']", "first-name == 'Ann']", '"first-name"'),
        ("orders[?bagged/bagless == 'x']", "bagged/bagless == 'x']", '"bagged/bagless"'),
        ("orders[?screen size == '13']", "screen size == '13']", '"screen size"'),
    ],
)
def test_a_name_that_needs_double_quotes_is_shown_with_them(text: str, place: str, fix: str) -> None:
    code, marked, told = said(text)
    assert (code, marked) == ("expression-syntax", place)
    assert f"Put the name between double quotes: {fix}" in told


def test_names_between_double_quotes_are_fields() -> None:
    assert answer("orders[?\"first-name\" == 'Ann' and \"screen size\" == '13 inch'].id") == ["O1"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("orders[?ok and n < 30].id", ["O1"]),
        ("orders[?not ok].id", ["O2"]),
        ("orders[?n > 30].id", ["O2"]),
        ("orders[?s in ['open', 'lost']].id", ["O1"]),
        ("orders[?contains(['open'], s)].id", ["O1"]),
    ],
)
def test_what_an_author_writes_first_is_accepted(text: str, expected: list[str]) -> None:
    assert answer(text) == expected


def test_signs_that_are_not_accepted_have_words_of_their_own() -> None:
    assert said("orders[?s = 'open']") == ("expression-syntax", "= 'open']", "Write '=='.")
    assert said("orders[?n + 1 > 3]") == ("expression-syntax", "+ 1 > 3]", "In a query write add(..., ...).")
    assert said("orders[?n * 2 > 3]")[2] == "In a query write multiply(..., ...)."
    assert said("orders[?n - zero > 3]")[2] == "In a query write subtract(..., ...)."


def test_a_place_behind_joined_lists_is_a_problem() -> None:
    code, _, fix = said("zip($input.a, $input.b)[].{x: [0]}")
    assert code == "index-after-flatten"
    assert fix == "Write [*] in place of [] to keep each list: zip($input.a, $input.b)[*]."
    assert answer("zip($input.a, $input.b)[*].{x: [0], y: [1]}") == [{"x": "x", "y": "y"}]


def test_records_that_are_no_dicts_go_into_every_function() -> None:
    assert answer("length(keys(orders[0])) == length(orders[0])") is True
    assert answer("length(values(users[0]))") == 2
    assert answer("merge(users[0], {age: 3})") == {"id": "u", "name": "Ann", "age": 3}
    assert answer("type(users[0])") == "object"
    assert answer("type(users)") == "array"


def test_the_parser_shares_no_cache_with_the_library() -> None:
    import jmespath
    from jmespath.parser import Parser

    compile_query("a and b_not_in_the_library", Scope())
    assert "a and b_not_in_the_library" not in Parser._CACHE
    assert QueryParser._CACHE is not Parser._CACHE
    with pytest.raises(jmespath.exceptions.ParseError):
        jmespath.compile("a and b_not_in_the_library")


def test_lookup_names_its_world_where_there_are_several() -> None:
    scope = Scope(collections=SCOPE.collections, element=SCOPE.element, worlds=("initial", "final"))
    assert compile_query("lookup('final.users', 'u').name", scope).findings == []
    assert compile_query("lookup('final.users', 'u').name", scope).shape.kind == "text"
    assert said("lookup('finall.users', 'u')", scope)[:2] == ("unknown-name", "'finall.users', 'u')")
    assert said("lookup('user', 'u')", scope)[0] == "unknown-name"


def test_a_quote_in_a_text_is_written_with_a_backslash() -> None:
    assert answer("orders[?name == 'O\\'Brien'].id") == ["O1"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("zero", "number-as-truth"),
        ("zero or 7", "number-as-truth"),
        ("1 < n < 9", "chained-comparison"),
        ("n == zero == n", "chained-comparison"),
        ('st == "open"', "text-in-double-quotes"),
        ("tags | length > 1", "pipe-into-function"),
        ("st.x", "field-of-text"),
        ("n + 1", "expression-syntax"),
    ],
)
def test_what_reads_in_two_ways_is_a_problem_in_a_query(text: str, code: str) -> None:
    scope = SCOPE.inside(SCOPE.collections["orders"].element)
    assert code in [finding.code for finding in compile_query(text, scope, truth=True).findings]


def test_the_word_not_binds_looser_than_a_comparison() -> None:
    scope = SCOPE.inside(SCOPE.collections["orders"].element)
    query = compile_query("not st == 'x'", scope, truth=True)
    assert [query.run(order, {}) for order in ORDERS] == [False, True]
    assert said("!st == 'x'", scope)[::2] == ("wrong-comparison", "Write not st == 'x'.")
