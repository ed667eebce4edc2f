"""Computed fields: each in terms of others, answered from other records, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from silo_decl.errors import ExpressionError, Problem
from silo_decl.specs.codes import ADVICE_CODES
from silo_decl.world.computed import ComputedError
from silo_decl.world.seed import build_base
from silo_decl.world.store import World
from tests.world.worlds import loaded, problems

COLLECTIONS = """\
collections:
  quotes:
    fields:
      parentId: {references: quotes}
    computed:
      lines: {from: lines, match: {quoteId: = id}, sort: [-total.amount], list: id}
      whole: {from: lines, match: {quoteId: = id}, sort: [-total.amount], first: id}
      count: {from: lines, match: {quoteId: = id}, count: true}
      priced: {from: lines, match: {quoteId: = id}, count: price}
      total: {from: lines, match: {quoteId: = id}, sum: total}
      least: {from: lines, match: {quoteId: = id}, min: price}
      most: {from: lines, match: {quoteId: = id}, where: price < $record.limit, max: price}
      double: = total.amount * 2
  lines:
    computed:
      currency: = quotes[quoteId].currency
      total: = money(price * pieces, currency)
      perPiece: = price / pieces
"""
DATA = {
    "quotes": [
        {"id": "Q1", "currency": "EUR", "limit": 10, "parentId": None},
        {"id": "Q2", "currency": "EUR", "limit": 0, "parentId": "Q1"},
    ],
    "lines": [
        {"id": "L1", "quoteId": "Q1", "price": 5, "pieces": 2},
        {"id": "L2", "quoteId": "Q1", "price": 12.1, "pieces": 3},
        {"id": "L3", "quoteId": "Q1", "price": None, "pieces": 0},
    ],
}
ENVIRONMENT = loaded(COLLECTIONS, DATA)


def read(collection: str, key: str, field: str, world: World | None = None) -> Any:
    record = (world or ENVIRONMENT.new_world()).record(collection, key)
    assert record is not None
    return record.read(field)


@pytest.mark.parametrize(
    ("field", "first", "second"),
    [
        ("lines", ["L2", "L1", "L3"], []),
        ("whole", "L2", None),
        ("count", 3, 0),
        ("priced", 2, 0),
        ("total", {"amount": 46.3, "currency": "EUR"}, {"amount": 0, "currency": "EUR"}),
        ("least", 5, None),
        ("most", 5, None),
        ("double", 92.6, 0),
    ],
)
def test_field_answered_from_other_records(field: str, first: Any, second: Any) -> None:
    assert read("quotes", "Q1", field) == first
    assert read("quotes", "Q2", field) == second


def test_field_follows_every_change_it_depends_on() -> None:
    world = ENVIRONMENT.new_world()
    assert read("quotes", "Q1", "double", world) == 92.6
    with world.transaction():
        world.touch("lines", "L1")["pieces"] = 4
        assert read("quotes", "Q1", "double", world) == 112.6
        world.remove("lines", "L2")
        assert read("quotes", "Q1", "lines", world) == ["L1", "L3"]
        world.touch("quotes", "Q1")["currency"] = "USD"
        assert read("quotes", "Q1", "total", world) == {"amount": 20, "currency": "USD"}
    assert read("quotes", "Q1", "double") == 92.6


def test_field_matched_by_a_computed_one_follows_what_that_depends_on() -> None:
    collections = """\
collections:
  quotes:
    computed:
      mine: {from: lines, match: {currency: = currency}, where: price > 1, count: true}
      none: {from: lines, match: {currency: = currency, price: = limit}, count: true}
  lines:
    computed:
      currency: = quotes[quoteId].currency
"""
    environment = loaded(collections, DATA)
    assert [read("quotes", key, "mine", environment.new_world()) for key in ("Q1", "Q2")] == [2, 2]
    world = environment.new_world()
    with world.transaction():
        world.touch("quotes", "Q1")["currency"] = "USD"
    assert read("quotes", "Q2", "mine", world) == 0
    assert read("quotes", "Q2", "none", world) == 0
    assert read("quotes", "Q2", "mine", environment.new_world()) == 2


def test_change_that_is_taken_back_leaves_no_trace_in_what_is_remembered() -> None:
    world = ENVIRONMENT.new_world()
    with pytest.raises(ValueError), world.transaction():
        world.touch("lines", "L1")["price"] = 1000
        assert read("quotes", "Q1", "double", world) == 4072.6
        raise ValueError
    assert read("quotes", "Q1", "double", world) == read("quotes", "Q1", "double") == 92.6


def test_field_first_read_in_a_changed_world_is_not_that_of_the_others() -> None:
    environment = loaded(COLLECTIONS, DATA)
    world = environment.new_world()
    with world.transaction():
        world.touch("lines", "L1")["price"] = 1000
    assert read("quotes", "Q1", "count", world) == 3
    assert read("quotes", "Q1", "double", world) == 4072.6
    assert read("quotes", "Q1", "double", environment.new_world()) == 92.6


def test_records_that_a_field_gives_are_of_the_world_that_is_asked() -> None:
    collections = "collections:\n  quotes: {computed: {rows: {from: lines, match: {quoteId: = id}, list: true}}}\n"
    environment = loaded(collections + "  lines: {computed: {currency: '= quotes[quoteId].currency'}}\n", DATA)
    first, second = environment.new_world(), environment.new_world()
    assert read("quotes", "Q1", "rows", first)[0].read("currency") == "EUR"
    with first.transaction():
        first.touch("quotes", "Q1")["currency"] = "USD"
    assert read("quotes", "Q1", "rows", second)[0].read("currency") == "EUR"


def test_money_of_several_currencies_has_no_sum() -> None:
    data = {**DATA, "lines": [*DATA["lines"], {"id": "L4", "quoteId": "Q2", "price": 1, "pieces": 1}]}
    collections = COLLECTIONS.replace("sum: total}", "sum: total}\n      all: {from: lines, sum: total}")
    world = loaded(collections, data).new_world()
    with world.transaction():
        world.touch("quotes", "Q2")["currency"] = "USD"
    with pytest.raises(ExpressionError, match="several currencies"):
        read("quotes", "Q1", "all", world)


def test_sum_over_nothing_has_no_currency_where_the_data_has_several() -> None:
    data = {**DATA, "lines": [*DATA["lines"], {"id": "L4", "quoteId": "Q3", "price": 1, "pieces": 1}]}
    data["quotes"] = [*data["quotes"], {"id": "Q3", "currency": "USD", "limit": 0, "parentId": None}]
    assert read("quotes", "Q2", "total", loaded(COLLECTIONS, data).new_world()) == {"amount": 0, "currency": None}


def test_field_that_cannot_be_worked_out_names_the_record_and_breaks_no_other() -> None:
    assert read("lines", "L1", "perPiece") == 2.5
    world = ENVIRONMENT.new_world()
    with world.transaction():
        world.touch("lines", "L3")["price"] = 1
    with pytest.raises(ComputedError) as wrong:
        read("lines", "L3", "perPiece", world)
    assert str(wrong.value) == "'perPiece' of lines L3 cannot be worked out: 1 is divided by zero."
    assert read("lines", "L1", "perPiece", world) == 2.5


# -- at load ------------------------------------------------------------------------------------------------


def codes(collections: str) -> list[str]:
    found = [problem.code for problem in problems("collections:\n" + collections, DATA)]
    return [code for code in found if code not in ADVICE_CODES]


def test_cycle_is_named_from_field_to_field() -> None:
    collections = """\
  quotes:
    computed:
      total: {from: lines, match: {quoteId: = id}, sum: share}
  lines:
    computed:
      share: = price / quotes[quoteId].total
"""
    found = problems("collections:\n" + collections, DATA)
    assert [(one.code, one.message) for one in found] == [
        (
            "computed-cycle",
            "This field can never be worked out: lines.share needs quotes.total needs lines.share.",
        )
    ]
    assert found[0].line == 10


def test_fields_of_a_cycle_are_left_out_so_that_nothing_else_is_told_of_them() -> None:
    spec = loaded("collections:\n  quotes: {computed: {total: = limit}}\n  lines: {}\n", DATA).spec
    quotes = spec.collections["quotes"]
    again = replace(quotes.computed["total"], value="= total + 1")
    found: list[Problem] = []
    base = build_base(replace(spec, collections={"quotes": replace(quotes, computed={"total": again})}), found)
    assert [one.code for one in found] == ["computed-cycle"]
    assert base.collections["quotes"].computed == {}


@pytest.mark.parametrize(
    "fields",
    [
        "a: = a",
        "a: {from: quotes, match: {a: = id}, count: id}",
        "a: {from: quotes, where: a > 1, count: id}",
        "a: {from: quotes, sort: [a], first: id}",
        "a: = b\n      b: = [c]\n      c: '{{ a }}'",
        "a: = quotes[parentId].b\n      b: = lookup('quotes', parentId).a",
    ],
)
def test_field_that_needs_itself_is_a_cycle(fields: str) -> None:
    assert codes(f"  quotes:\n    computed:\n      {fields}\n  lines: {{}}\n") == ["computed-cycle"]


def test_fields_of_one_name_in_two_collections_are_no_cycle() -> None:
    collections = """\
  quotes:
    computed:
      rows: {from: lines, match: {quoteId: = id}, list: true}
      total: = rows[0].total
  lines:
    computed:
      total: = price * quotes[quoteId].limit
"""
    assert codes(collections) == []


def test_fields_of_a_computed_record_are_known() -> None:
    collections = """\
  quotes:
    computed:
      row: {from: lines, match: {quoteId: = id}, first: true}
      tax: = row.tax
      wrong: = row.taxx
  lines: {computed: {tax: = price * 2}}
"""
    assert codes(collections) == ["unknown-field"]
    assert codes(collections.replace("taxx", "tax.x")) == ["field-of-text"]


def test_recursion_that_no_one_can_see_at_load_is_an_error_in_words() -> None:
    collections = """\
collections:
  quotes:
    computed:
      shown: = view(quotes[id], 'all').id
    views:
      all: [id, shown]
  lines: {}
"""
    with pytest.raises(ExpressionError, match="It needs itself, or too many other computed fields"):
        read("quotes", "Q1", "shown", loaded(collections, DATA).new_world())
