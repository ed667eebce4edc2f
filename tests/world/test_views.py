"""Views show a record as plain values, under the last name of each path."""

from __future__ import annotations

from typing import Any

import pytest

from silo_decl.errors import SiloError
from tests.world.worlds import loaded, problems

COLLECTIONS = """\
collections:
  deals:
    computed:
      ownerName: = people[ownerId].name
      owner: = people[ownerId]
      price: = money(amount.amount, 'EUR')
    views:
      summary:
        - id
        - amount.amount
        - ownerName
        - owner.age
        - price
        - note
        - ownerWhole: owner
        - shout: = upper(id) ~ '!'
        - told: "{{ ownerName }} owns {{ id }}"
      short: [id]
  people: {}
"""
DATA = {
    "deals": [
        {"id": "d1", "ownerId": "p1", "amount": {"amount": 5}, "note": ["x"]},
        {"id": "d2", "ownerId": None, "amount": None},
    ],
    "people": [{"id": "p1", "name": "Ann", "age": 30}],
}
WORLD = loaded(COLLECTIONS, DATA).new_world()


def shown(key: str, view: str = "summary") -> dict[str, Any]:
    return WORLD.view(WORLD.existing("deals", key), view)


def test_view_has_its_fields_in_its_order() -> None:
    assert list(shown("d1").items()) == [
        ("id", "d1"),
        ("amount", 5),
        ("ownerName", "Ann"),
        ("age", 30),
        ("price", {"amount": 5, "currency": "EUR"}),
        ("note", ["x"]),
        ("ownerWhole", {"id": "p1", "name": "Ann", "age": 30}),
        ("shout", "D1!"),
        ("told", "Ann owns d1"),
    ]


def test_what_a_record_does_not_have_is_nothing() -> None:
    nothing = {name for name, value in shown("d2").items() if value is None}
    assert nothing == {"amount", "ownerName", "age", "price", "note", "ownerWhole"}


def test_first_view_is_the_first_one_and_else_the_stored_fields() -> None:
    assert WORLD.first_view(WORLD.existing("deals", "d1")) == shown("d1")
    assert WORLD.first_view(WORLD.existing("people", "p1")) == DATA["people"][0]


def test_unknown_view_is_an_error_with_the_nearest() -> None:
    with pytest.raises(SiloError, match=r"deals has no view 'sumary'\. Did you mean 'summary'"):
        shown("d1", "sumary")


def test_path_that_no_record_has_is_a_problem_at_its_place() -> None:
    found = problems(COLLECTIONS.replace("- owner.age", "- owner.agee"), DATA)
    assert [(one.code, one.line, one.column) for one in found] == [("unknown-field", 15, 17)]
