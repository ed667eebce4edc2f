"""What queries mean beyond plain JMESPath, and what is known of one before it runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions.queries import Query, compile_query
from silo_decl.expressions.query_parser import parse_query
from silo_decl.expressions.query_print import written
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, DATE, NUMBER, TEXT, Scope, Shape, list_of
from tests.expressions.jmespath_cases import queries, records
from tests.expressions.small_world import SmallCollection, SmallWorld

DEALS = [
    {"id": "D1", "status": "open", "n": 10, "ownerId": "U1", "amount": {"amount": 5, "currency": "EUR"}, "tags": ["a"]},
    {"id": "D2", "status": "won", "n": 20, "ownerId": "U1", "amount": {"amount": 7.5, "currency": "EUR"}, "tags": []},
    {"id": "D3", "status": "open", "n": 30, "ownerId": None, "amount": None, "true": "odd"},
    {"id": "D4", "status": "lost", "n": 40, "ownerId": "U2", "not": 1, "in": "x", "due": "2026-03-01"},
]
USERS = [{"id": "U1", "name": "Ann", "active": True}, {"id": "U2", "name": "Bo", "active": False}]


def ids(text: str, **names: object) -> list[str]:
    """The ids of the deals for which a condition holds."""
    scope = Scope(names=dict.fromkeys(names, ANY))
    query = compile_query(f"deals[?{text}].id", scope)
    assert query.findings == []
    world = SmallWorld(deals=DEALS, users=USERS)
    env = {"": world, **names}
    found = query.run({"deals": DEALS}, env)
    assert found == query.run(world, env), "a list and a collection of the same records answer alike"
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("status == 'open' and n > 15", ["D3"]),
        ("status == 'won' or n > 35", ["D2", "D4"]),
        ("status == 'open' && n < 15 || status == 'lost'", ["D1", "D4"]),
        ("not status == 'open'", ["D2", "D4"]),
        ("not status == 'open' and n > 30", ["D4"]),
        ("not (status == 'open' or n > 30)", ["D2"]),
        ("not not ownerId", ["D1", "D2", "D4"]),
        ("!ownerId", ["D3"]),
        ("!(status == 'open')", ["D2", "D4"]),
        ("n > 12.5", ["D2", "D3", "D4"]),
        ("n == 10.0", ["D1"]),
        ("n in [10, 40]", ["D1", "D4"]),
        ("n in [10]", ["D1"]),
        ("n not in [10]", ["D2", "D3", "D4"]),
        ("status in ['open', 'won']", ["D1", "D2", "D3"]),
        ("status not in ['open', 'won']", ["D4"]),
        ("'a' in tags", ["D1"]),
        ("'pe' in status", ["D1", "D3"]),
        ("not 'a' in tags", ["D2", "D3", "D4"]),
        ("ownerId == null", ["D3"]),
        ("ownerId != null", ["D1", "D2", "D4"]),
        ("due < '2026-04-01'", ["D4"]),
        ("due < $today", ["D4"]),
        ("ownerId == $user.id", ["D1", "D2"]),
        ("$user.id == ownerId and n > 15", ["D2"]),
        ("amount.amount >= 7.5", ["D2"]),
        ("amount['amount'] == 5", ["D1"]),
        ("lookup('users', ownerId).active", ["D1", "D2"]),
        ("\"true\" == 'odd'", ["D3"]),
        ("not == `1`", ["D4"]),
        ("in == 'x'", ["D4"]),
        ("true and status == 'won'", ["D2"]),
        ("false or status == 'won'", ["D2"]),
        ("subtract(n, 10) == 0", ["D1"]),
        ("contains(['open'], status) and n != 30", ["D1"]),
    ],
)
def test_words_and_values_of_the_dialect_choose_as_they_read(text: str, expected: list[str]) -> None:
    assert ids(text, user={"id": "U1"}) == expected


def test_a_word_is_a_field_where_it_stands_as_one() -> None:
    value = {"and": 1, "or": {"not": 2}, "in": [3]}
    assert compile_query("{and: and, not: or.not, in: in[0]}", Scope()).run(value, {}) == {"and": 1, "not": 2, "in": 3}


def test_records_of_collections_are_read_by_key_place_and_range() -> None:
    world = SmallWorld(deals=DEALS)
    for text, expected in [
        ("deals['D2'].n", 20),
        ("deals['D9'].n", None),
        ("deals[0].id", "D1"),
        ("deals[-1].id", "D4"),
        ("deals[9].id", None),
        ("deals[1:3].id", ["D2", "D3"]),
        ("deals[].id | [0]", "D1"),
        ("deals[*].tags[]", ["a"]),
        ("length(deals)", 4),
        ("deals[?n > 15] | [0].id", "D2"),
        ("sort_by(deals, &n)[-1].id", "D4"),
        ("sum(deals[].n)", 100),
        ("sum(deals, 'n')", 100),
        ("sum(deals[].amount).amount", 12.5),
        ("map(&n, deals)", [10, 20, 30, 40]),
        ("group_by(deals, &status).open[].id", ["D1", "D3"]),
        ("deals[?n > 35].{id: id, owner: ownerId}", [{"id": "D4", "owner": "U2"}]),
        ("deals.*", None),
        ("keys(deals[1].amount)", ["amount", "currency"]),
        ("length(keys(deals[0]))", 6),
        ("view(deals[0], 'summary') == null", False),
    ]:
        assert plain(compile_query(text, Scope()).run(world, {"": _Viewing(world)})) == expected, text


class _Viewing:
    def __init__(self, world: SmallWorld):
        self.world = world

    def view(self, record: object, name: str) -> dict[str, str]:
        return {"view": name}


@pytest.mark.parametrize(
    ("condition", "equal", "tested"),
    [
        ("status == 'open'", {"status": "open"}, False),
        ("'open' == status", {"status": "open"}, False),
        ("status == 'open' and n > 15", {"status": "open"}, True),
        ("status == 'open' and ownerId == $user", {"status": "open", "ownerId": "U1"}, False),
        ("(status == 'open' and n > 15) and ownerId == $user", {"status": "open", "ownerId": "U1"}, True),
        ("amount.currency == 'EUR'", {"amount.currency": "EUR"}, False),
        ("ownerId == null and n > 15", {"ownerId": None}, True),
        ("id == lower($user)", {"id": "u1"}, False),
        ("status == 'open' and status == 'won'", {"status": "open"}, True),
        ("status == 'open' or n > 15", {}, True),
        ("not status == 'open'", {}, True),
        ("ownerId == id", {}, True),
        ("tags == $list", {}, True),
        ("n > 15", {}, True),
    ],
)
def test_equalities_are_left_to_the_indexes_of_a_collection(condition: str, equal: dict, tested: bool) -> None:
    collection = SmallCollection("deals", DEALS)
    query = compile_query(f"deals[?{condition}]", Scope(names={"user": TEXT, "list": ANY}))
    found = query.run({"deals": collection}, {"user": "U1", "list": ["a"]})
    assert collection.asked == [(equal, tested)]
    assert plain(found) == compile_query(f"[?{condition}]", Scope(names={"user": TEXT, "list": ANY})).run(
        DEALS, {"user": "U1", "list": ["a"]}
    )


@settings(max_examples=400, deadline=None)
@given(queries(1), st.lists(records, max_size=4))
def test_a_collection_answers_a_filter_as_a_list_of_its_records_does(condition: str, found: list) -> None:
    query = compile_query(f"[?{condition}].a", Scope())
    if query.findings:
        return
    assert _answer(query, SmallCollection("all", found)) == _answer(query, found)


def _answer(query: Query, among: object) -> object:
    try:
        return plain(query.run(among, {}))
    except ExpressionError:
        return "an error"


def test_a_condition_chooses_by_itself_as_in_a_filter() -> None:
    query = compile_query("status == 'open' and n > $least", Scope(names={"least": NUMBER}))
    collection = SmallCollection("deals", DEALS)
    assert plain(query.choose(collection, {"least": 15})) == [DEALS[2]] == query.choose(DEALS, {"least": 15})
    assert collection.asked == [({"status": "open"}, True)]


def test_what_a_query_reads_is_known_before_it_runs() -> None:
    record = Shape("record", name="deals", fields={"status": TEXT, "amount": ANY, "ownerId": TEXT})
    deals = Shape("collection", of=record, name="deals")
    users = Shape("collection", of=Shape("record", name="users", fields={"name": TEXT}), name="users")
    collections = {"deals": deals, "users": users}
    scope = Scope(element=Shape("object", name="world", fields=collections), collections=collections)
    at_top = compile_query("deals[?lookup('users', ownerId).name == 'Ann'].status", scope)
    assert at_top.reads == {"deals", "users"}
    assert at_top.shape == list_of(TEXT)
    assert not at_top.clock
    of_record = compile_query("status == 'open' and amount.amount > 3 and $today > '2026-01-01'", scope.inside(record))
    assert of_record.fields == {"status", "amount"}
    assert of_record.clock


def test_a_query_with_a_mistake_does_not_run() -> None:
    query = compile_query("a = 1", Scope())
    with pytest.raises(ExpressionError, match="A single '=' compares nothing"):
        query.run({}, {})


def test_values_that_cannot_be_compared_are_an_error_when_they_meet() -> None:
    for text, message in [
        ("[?n >= a]", "cannot be compared with '>='"),
        ("[?d < m]", "compared with the moment in time"),
        ("[?a.x]", "so it has no field 'x'"),
        ("[?starts_with(n, 'x')]", "starts_with"),
    ]:
        with pytest.raises(ExpressionError, match=message):
            compile_query(text, Scope()).run([{"n": 1, "a": "x", "d": "2026-01-01", "m": "2026-01-01T00:00:00"}], {})


def test_nothing_compared_by_order_is_false_for_every_sign() -> None:
    for sign in ("<", "<=", ">", ">="):
        assert compile_query(f"[?a {sign} 1 or 1 {sign} a or a {sign} b]", Scope()).run([{"a": None}, {}], {}) == []


def test_the_clock_comes_from_the_world_unless_it_is_given() -> None:
    world = SmallWorld(now="2026-04-01T10:00:00")
    assert compile_query("$now", Scope()).run({}, {"": world}) == "2026-04-01T10:00:00"
    assert compile_query("$today", Scope()).run({}, {"": world}) == "2026-04-01"
    assert compile_query("$today", Scope(names={"today": DATE})).run({}, {"today": "2026-05-01"}) == "2026-05-01"


def test_a_very_long_or_deep_query_is_read_or_refused_in_words() -> None:
    long = " and ".join(f"n != {number}" for number in range(2, 400))
    assert compile_query(f"[?{long}]", Scope()).run([{"n": 1}, {"n": 5}], {}) == [{"n": 1}]
    deep = compile_query("(" * 5000 + "a" + ")" * 5000, Scope())
    assert [finding.message for finding in deep.findings] == ["The query is nested too deeply to be read."]
    path = ".".join("a" * 300)
    assert compile_query(f"[?{path}]", Scope()).run([{"a": {"a": None}}], {}) == []


@settings(max_examples=300, deadline=None)
@given(queries())
def test_the_canonical_text_is_the_same_query(text: str) -> None:
    tree = parse_query(text)
    printed = written(tree)
    assert _bare(parse_query(printed)) == _bare(tree)
    assert written(parse_query(printed)) == printed


def _bare(node: object) -> object:
    """The tree without places and without which of the two signs for not was written."""
    if not isinstance(node, dict):
        return node
    value = None if node["type"] == "not_expression" else repr(node.get("value"))
    return (node["type"], value, tuple(_bare(child) for child in node["children"]))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a&&!b||`5`>c", "a and not b or 5 > c"),
        ("deals[?status=='open'&&n>`30`].id|[0]", "deals[?status == 'open' and n > 30].id | [0]"),
        ("!a.b", "(not a).b"),
        ("x in ['a','b']", "x in ['a', 'b']"),
        ("\"first name\" == 'it\\'s'", "\"first name\" == 'it\\'s'"),
        ("[`0`]", "[`0`]"),
        ("m['k'].x", "m['k'].x"),
    ],
)
def test_the_canonical_text_is_in_the_words_of_the_dialect(text: str, canonical: str) -> None:
    assert written(parse_query(text)) == canonical
