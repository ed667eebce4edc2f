"""From data to worlds: ids that go on, declared fields of new records, and what is wrong at load."""

from __future__ import annotations

import pytest

from silo_decl.errors import SiloError, ToolError
from silo_decl.world.store import World
from tests.world.worlds import loaded, problems

COLLECTIONS = """\
collections:
  opportunities:
    ids: "OPP-{:03}"
    fields:
      status: {enum: [open, won], default: open}
      address.city: {type: text}
      address.zip: {type: text, default: "0"}
      tags: {type: list, default: []}
  quoteLines:
    key: number
    ids: "Q{}/x"
  notes: {}
"""
DATA = {
    "opportunities": [
        {"id": "OPP-009", "name": "a", "extra": 1, "status": "won"},
        {"id": "OPP-1", "name": "b"},
        {"id": "OTHER", "name": "c"},
    ],
    "quoteLines": {"Q12/x": {"text": "x"}, "Q3": {"text": "y"}},
    "notes": [],
}
ENVIRONMENT = loaded(COLLECTIONS, DATA)


@pytest.fixture
def world() -> World:
    return ENVIRONMENT.new_world()


# -- ids ----------------------------------------------------------------------------------------------------


def test_next_id_continues_after_the_highest_of_the_data(world: World) -> None:
    with world.transaction():
        assert [world.insert("opportunities", {}).id for _ in range(2)] == ["OPP-010", "OPP-011"]
        assert world.insert("quoteLines", {}).plain() == {"number": "Q13/x"}


def test_counter_goes_back_with_a_call_that_fails(world: World) -> None:
    with pytest.raises(ValueError), world.transaction():
        world.insert("opportunities", {})
        raise ValueError
    with world.transaction():
        assert world.insert("opportunities", {}).id == "OPP-010"


def test_id_of_a_deleted_record_is_not_given_again(world: World) -> None:
    with world.transaction():
        world.remove("opportunities", world.insert("opportunities", {}).id)
        assert world.insert("opportunities", {}).id == "OPP-011"


def test_id_that_is_taken_is_left_out(world: World) -> None:
    with world.transaction():
        world.insert("opportunities", {"id": "OPP-010"})
        assert world.insert("opportunities", {}).id == "OPP-011"


def test_record_without_id_and_counter_is_refused(world: World) -> None:
    with pytest.raises(SiloError, match="New records of notes need their id: it has no 'ids'"), world.transaction():
        world.insert("notes", {})
    with pytest.raises(SiloError, match="must be a text"), world.transaction():
        world.insert("notes", {"id": 5})
    with pytest.raises(ToolError, match='Quote line "Q3" exists already'), world.transaction():
        world.insert("quoteLines", {"number": "Q3"})


# -- new records --------------------------------------------------------------------------------------------


def test_declared_fields_that_are_not_given_are_null_or_their_default(world: World) -> None:
    with world.transaction():
        made = world.insert("opportunities", {"more": 1, "name": "n"}).plain()
    assert list(made.items()) == [
        ("id", "OPP-010"),
        ("name", "n"),
        ("status", "open"),
        ("address", {"city": None, "zip": "0"}),
        ("tags", []),
        ("more", 1),
    ]


def test_defaults_are_each_records_own(world: World) -> None:
    with world.transaction():
        first, second = world.insert("opportunities", {}).id, world.insert("opportunities", {}).id
        world.touch("opportunities", first)["tags"].append("x")
        world.touch("opportunities", first)["address"]["city"] = "Oslo"
    assert world.stored("opportunities", second) == {
        "id": second,
        "status": "open",
        "address": {"city": None, "zip": "0"},
        "tags": [],
    }
    assert world.stored("opportunities", first)["tags"] == ["x"]  # type: ignore[index]


# -- at load ------------------------------------------------------------------------------------------------


def test_computed_field_of_the_name_of_a_stored_one_is_a_problem() -> None:
    collections = (
        "collections:\n  notes:\n    fields:\n      a: {type: text}\n    computed:\n      a: = 1\n      b: = 2\n"
    )
    found = problems(collections, {"notes": [{"id": "n", "b": 5}]})
    assert [(one.code, one.line) for one in found] == [("computed-clash", 9), ("computed-clash", 10)]
