"""Tools that only look: filters, pages, orders, search, summaries and queries."""

from pathlib import Path
from typing import Any

import pytest

from silo_decl.world.store import World

from .shop import call, refused, shop

LISTS = """\
  - name: list_orders
    description: List orders.
    list:
      filters:
        personId: Whose.
        status: In which state.
        atLeast: {field: total.amount, test: at_least, description: Least.}
        atMost: {field: total.amount, test: at_most, description: Most.}
        above: {field: total.amount, test: above, description: Above.}
        below: {field: total.amount, test: below, description: Below.}
        notStatus: {field: status, test: not_equals, description: Not in this state.}
        states: {field: status, test: one_of, description: In one of these.}
        words: {field: note, test: contains, description: With these words.}
        like: {field: note, test: matches, description: A pattern.}
        large:
          description: Only large ones.
          where: large and status == 'new'
      sort: [-total.amount]
      view: short
  - name: list_people
    description: List people.
    collection: people
    list:
      where: active
      sort: [-balance, name]
  - name: list_lines
    description: List lines.
    collection: lines
    list: {}
  - name: search_people
    description: Search people.
    collection: people
    search:
      in: [id, name, balance]
      filters:
        active: Only active or inactive ones.
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return shop(tmp_path, LISTS).new_world()


def ids(world: World, name: str, /, **given: Any) -> list[str]:
    return [one["id"] for one in call(world, name, acting=False, **given)["results"]]


def test_page_tells_the_total_and_what_is_on_it(world: World) -> None:
    page = call(world, "list_orders", acting=False, limit=1, offset=1)
    assert page == {
        "total": 2,
        "count": 1,
        "offset": 1,
        "results": [{"id": "O-002", "status": "sent", "personName": "Çelik"}],
    }
    assert call(world, "list_orders", acting=False, offset=9)["count"] == 0


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ["O-001", "O-002"]),
        ({"personId": "P-3"}, ["O-002"]),
        ({"status": "new"}, ["O-001"]),
        ({"status": "paid"}, []),
        ({"atLeast": 150}, ["O-001"]),
        ({"atMost": 20.5}, ["O-002"]),
        ({"above": 150}, []),
        ({"below": 150}, ["O-002"]),
        ({"notStatus": "new"}, ["O-002"]),
        ({"states": ["paid", "sent"]}, ["O-002"]),
        ({"states": []}, []),
        ({"words": "FIRST"}, ["O-001"]),
        ({"like": "^f.*t$"}, ["O-001"]),
        ({"large": True}, ["O-001"]),
        ({"large": False}, ["O-001", "O-002"]),
        ({"personId": "P-1", "status": "sent"}, []),
    ],
)
def test_filter_keeps_what_passes_its_test(world: World, given: dict[str, Any], found: list[str]) -> None:
    assert ids(world, "list_orders", **given) == found


def test_filter_by_an_unknown_reference_is_not_found(world: World) -> None:
    error = refused(world, "list_orders", acting=False, personId="P-9")
    assert error == {"code": "not_found", "message": 'Person "P-9" was not found.'}


def test_pattern_that_cannot_be_read_is_the_agents_mistake(world: World) -> None:
    error = refused(world, "list_orders", acting=False, like="(")
    assert error["code"] == "invalid_input" and '"like"' in error["message"]


def test_pattern_over_an_agents_text_takes_linear_time(world: World) -> None:
    assert ids(world, "list_orders", like=r"^(\w+\s?)+$") == ["O-001"]


@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": 501}, {"offset": -1}])
def test_limit_is_1_to_500_and_offset_not_below_0(world: World, given: dict[str, Any]) -> None:
    assert refused(world, "list_orders", acting=False, **given)["code"] == "invalid_input"


def test_limit_is_50_unless_said(world: World) -> None:
    with world.transaction():
        for _ in range(60):
            world.insert("lines", {"orderId": "O-001", "quantity": 1})
    page = call(world, "list_lines", acting=False)
    assert (page["total"], page["count"]) == (62, 50)


def test_nothing_sorts_last_in_both_directions_and_ties_stand_as_the_records_do(world: World) -> None:
    with world.transaction():
        world.touch("people", "P-2")["active"] = True
        world.insert("people", {"name": "Ada", "active": True})
    assert ids(world, "list_people") == ["P-1", "P-3", "P-4", "P-2"]


def test_records_have_the_first_view_or_their_stored_fields(world: World) -> None:
    assert call(world, "list_lines", acting=False, limit=1)["results"] == [
        {"id": "L-1", "orderId": "O-001", "quantity": 2}
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ann", ["P-1"]),
        ("ÇEL", ["P-3"]),
        ("c\u0327el", ["P-3"]),
        ("p-", ["P-1", "P-2", "P-3"]),
        ("10", ["P-1"]),
        ("0.1", ["P-3"]),
        ("nowhere", []),
        ("", ["P-1", "P-2", "P-3"]),
    ],
)
def test_search_minds_no_case_and_copes_with_numbers_accents_and_nothing(
    world: World, query: str, found: list[str]
) -> None:
    assert ids(world, "search_people", query=query) == found


def test_search_takes_filters_too(world: World) -> None:
    assert ids(world, "search_people", query="p-", active=False) == ["P-2"]


GETS = """\
  - name: get_order
    description: Get an order.
    get:
      rule: unsent
      view: long
      show:
        owner: = personName
        lineCount: = count(lines, "orderId")
      include:
        lines:
          from: lines
          match:
            orderId: = id
          where: quantity > 0
          sort: [quantity]
          limit: 1
  - name: get_line
    description: Get a line.
    collection: lines
    get: {}
  - name: find_person
    description: Find a person by name.
    collection: people
    get:
      by: [name]
      ignore_case: true
  - name: find_line
    description: Find a line by order.
    collection: lines
    get:
      by: [orderId]
"""


def test_get_shows_the_view_values_and_what_belongs_to_the_record(tmp_path: Path) -> None:
    world = shop(tmp_path, GETS).new_world()
    assert call(world, "get_order", acting=False, orderId="O-001") == {
        "id": "O-001",
        "status": "new",
        "personId": "P-1",
        "note": "first",
        "total": {"amount": 150, "currency": "USD"},
        "count": 1,
        "owner": "Ann",
        "lineCount": 2,
        "lines": [{"id": "L-2", "orderId": "O-001", "quantity": 1}],
    }


def test_get_holds_its_rule_against_the_record(tmp_path: Path) -> None:
    world = shop(tmp_path, GETS).new_world()
    assert refused(world, "get_order", acting=False, orderId="O-002")["code"] == "invalid_state"
    assert refused(world, "get_order", acting=False, orderId="O-9")["message"] == 'Order "O-9" was not found.'


def test_get_without_a_view_shows_stored_fields(tmp_path: Path) -> None:
    world = shop(tmp_path, GETS).new_world()
    assert call(world, "get_line", acting=False, lineId="L-1") == {"id": "L-1", "orderId": "O-001", "quantity": 2}


def test_get_by_fields_minds_no_case_where_it_says_so(tmp_path: Path) -> None:
    world = shop(tmp_path, GETS).new_world()
    assert call(world, "find_person", acting=False, name="çELIK")["id"] == "P-3"
    error = refused(world, "find_person", acting=False, name="Zoe")
    assert error == {"code": "not_found", "message": 'Person with name "Zoe" was not found.'}


def test_several_hits_are_a_conflict_that_names_them(tmp_path: Path) -> None:
    world = shop(tmp_path, GETS).new_world()
    error = refused(world, "find_line", acting=False, orderId="O-001")
    assert error["code"] == "conflict" and "L-1, L-2" in error["message"]
    assert error["details"] == {"ids": ["L-1", "L-2"]}


SUMMARIES = """\
  - name: sum_up
    description: Sum orders up.
    summarize:
      input:
        least: {type: number, default: 0, description: From which amount on.}
      filters:
        status: In which state.
      where: total.amount >= $input.least
      show:
        least: = input.least
      measures:
        orders: count
        total: {sum: total}
        smallest: {min: total.amount}
        largest: {max: total.amount}
        mean: {avg: total.amount}
      groups:
        byState:
          by: {state: status}
          measures: {orders: count, amount: {sum: total.amount}}
          sort: [-amount]
        byPerson:
          each: people
          where: active
          sort: [-id]
          match:
            personId: = id
          show:
            person: = name
          measures: {orders: count, total: {sum: total}}
      records:
        biggest: {view: short, sort: [-total.amount], limit: 1}
"""


def test_summary_counts_and_adds_in_all_and_by_groups(tmp_path: Path) -> None:
    world = shop(tmp_path, SUMMARIES).new_world()
    assert call(world, "sum_up", acting=False) == {
        "least": 0,
        "orders": 2,
        "total": {"amount": 170.5, "currency": "USD"},
        "smallest": 20.5,
        "largest": 150,
        "mean": 85.25,
        "byState": [{"state": "new", "orders": 1, "amount": 150}, {"state": "sent", "orders": 1, "amount": 20.5}],
        "byPerson": [
            {"person": "Çelik", "orders": 1, "total": {"amount": 20.5, "currency": "USD"}},
            {"person": "Ann", "orders": 1, "total": {"amount": 150, "currency": "USD"}},
        ],
        "biggest": [{"id": "O-001", "status": "new", "personName": "Ann"}],
    }


def test_summary_of_nothing_is_zero_in_the_only_currency(tmp_path: Path) -> None:
    world = shop(tmp_path, SUMMARIES).new_world()
    found = call(world, "sum_up", acting=False, least=1000)
    assert (found["orders"], found["total"]) == (0, {"amount": 0, "currency": "USD"})
    assert (found["smallest"], found["mean"], found["byState"]) == (None, None, [])
    assert [one["orders"] for one in found["byPerson"]] == [0, 0]


def test_sum_over_several_currencies_is_the_worlds_fault(tmp_path: Path) -> None:
    world = shop(tmp_path, SUMMARIES).new_world()
    with world.transaction():
        world.touch("orders", "O-002")["total"] = {"amount": 1, "currency": "EUR"}
    result = world.call("sum_up", {})
    assert result.output["code"] == "tool_failed"
    assert result.fault.boundary == "expression tools/all.yaml:15:22" and "currencies" in result.fault.message


QUERIES = """\
  - name: pair_up
    description: Pair lines with amounts.
    query:
      input:
        lineIds: {type: list, of: text, description: Lines.}
        amounts: {type: list, of: number, description: An amount for each.}
      find:
        rows:
          for_each: zip($input.lineIds, $input.amounts)
          as: pair
          find:
            line: lines[?id == $pair[0]] | [0]
            place: $index
            worth: multiply($line.quantity, $pair[1])
        total: sum($rows[].worth)
      require:
        - for_each: $rows
          as: row
          that: row.line
          code: not_found
          message: Line {{ input.lineIds[index] }} is not there.
        - when: rows == []
          that: input.amounts
          code: invalid_input
          message: Nothing to pair.
      returns:
        total: = total
        places: = map("place", rows)
        first: = rows[0].line
"""


def test_query_finds_in_order_and_answers_in_plain_values(tmp_path: Path) -> None:
    world = shop(tmp_path, QUERIES).new_world()
    assert call(world, "pair_up", acting=False, lineIds=["L-1", "L-2"], amounts=[10, 0.1]) == {
        "total": 20.1,
        "places": [0, 1],
        "first": {"id": "L-1", "orderId": "O-001", "quantity": 2},
    }


def test_query_refuses_with_the_message_of_the_item_that_fails(tmp_path: Path) -> None:
    world = shop(tmp_path, QUERIES).new_world()
    error = refused(world, "pair_up", acting=False, lineIds=["L-1", "L-9"], amounts=[1, 1])
    assert error == {"code": "not_found", "message": "Line L-9 is not there."}
    assert refused(world, "pair_up", acting=False, lineIds=[], amounts=[])["message"] == "Nothing to pair."
