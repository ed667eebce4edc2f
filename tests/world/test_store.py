"""One world: its clock, its queries, its forks, and what is handed out of it."""

from __future__ import annotations

from typing import Any

import pytest

from silo_decl.errors import ExpressionError, SiloError
from silo_decl.world.store import World
from tests.world.worlds import ids, loaded, plain_world

COLLECTIONS = """\
collections:
  opportunities:
    ids: "OPP-{:03}"
  notes: {}
"""
DATA = {
    "opportunities": [
        {"id": "OPP-009", "name": "a", "tags": ["x"], "status": "won"},
        {"id": "OPP-1", "name": "b", "tags": []},
        {"id": "OTHER", "name": "c", "tags": [["deep"]]},
    ],
    "notes": [],
}
ENVIRONMENT = loaded(COLLECTIONS, DATA)


@pytest.fixture
def world() -> World:
    return ENVIRONMENT.new_world()


# -- the clock ----------------------------------------------------------------------------------------------


def test_clock_moves_within_a_call_and_is_in_the_diff(world: World) -> None:
    with pytest.raises(SiloError, match="only within a transaction"):
        world.set_now("2026-04-02")
    with world.transaction():
        world.set_now("2026-04-02T09:30:00Z")
    assert (world.now, world.today) == ("2026-04-02T09:30:00Z", "2026-04-02")
    assert world.diff()["scalars"] == {"now": {"from": "2026-04-01", "to": "2026-04-02T09:30:00Z"}}
    assert (world.initial().now, world.fork().now) == ("2026-04-01", "2026-04-02T09:30:00Z")


@pytest.mark.parametrize("now", ["tomorrow", "2026-13-01", "", 5, None])
def test_clock_shows_dates_and_moments_only(world: World, now: Any) -> None:
    with pytest.raises(ExpressionError, match="The clock needs a date"), world.transaction():
        world.set_now(now)
    assert world.now == "2026-04-01"


# -- queries and records ------------------------------------------------------------------------------------


def test_query_gives_plain_copies(world: World) -> None:
    found = world.query("opportunities[?status == $status]", status="won")
    assert found == [DATA["opportunities"][0]]
    found[0]["name"] = "damaged"
    assert world.query("opportunities[0].name") == "a"


def test_query_that_cannot_be_used_says_why(world: World) -> None:
    with pytest.raises(ExpressionError, match=r"cannot be used: .*Did you mean 'opportunities'"):
        world.query("opportunitys[]")
    with pytest.raises(ExpressionError, match="cannot be used"):
        world.query("opportunities[?status == $status]")


def test_snapshot_stays_as_the_record_was(world: World) -> None:
    with world.transaction():
        world.touch("opportunities", "OTHER")["name"] = "first"
        record = world.existing("opportunities", "OTHER")
        before = world.snapshot(record)
        world.touch("opportunities", "OTHER")["name"] = "second"
    assert (before.read("name"), record.read("name")) == ("first", "second")


def test_collection_that_is_changed_while_it_is_gone_through_is_gone_through_as_it_was(world: World) -> None:
    seen = []
    with world.transaction():
        for record in world.read("opportunities"):
            seen.append(record.id)
            world.insert("opportunities", {})
            world.remove("opportunities", record.id)
    assert seen == ["OPP-009", "OPP-1", "OTHER"]
    assert ids(list(world.read("opportunities"))) == ["OPP-010", "OPP-011", "OPP-012"]


def test_a_diff_is_the_readers_own(world: World) -> None:
    with world.transaction():
        world.remove("opportunities", "OTHER")
        world.touch("opportunities", "OPP-1")["tags"] = ["x"]
        world.insert("opportunities", {"tags": ["y"]})
    before = plain_world(world)
    found = world.diff()["collections"]["opportunities"]
    found["removed"][0]["name"] = "damaged"
    found["added"][0]["tags"].append("damaged")
    found["changed"][0]["fields"]["tags"]["to"].append("damaged")
    assert plain_world(world) == before
    assert plain_world(ENVIRONMENT.new_world())["opportunities"] == DATA["opportunities"]


# -- forks --------------------------------------------------------------------------------------------------


def test_fork_begins_as_its_parent_is_and_goes_its_own_way(world: World) -> None:
    with world.transaction():
        world.touch("opportunities", "OTHER")["tags"][0].append("parent")
        world.insert("opportunities", {"name": "new"})
    fork = world.fork()
    before = plain_world(world)
    assert plain_world(fork) == before
    with fork.transaction():
        fork.touch("opportunities", "OTHER")["tags"][0].append("fork")
        fork.touch("opportunities", "OPP-010")["name"] = "renamed"
        fork.remove("opportunities", "OPP-1")
        assert fork.insert("opportunities", {}).id == "OPP-011"
    assert plain_world(world) == before
    with world.transaction():
        assert world.insert("opportunities", {}).id == "OPP-011"


def test_fork_in_the_middle_of_a_call_does_not_follow_the_rest_of_it(world: World) -> None:
    with world.transaction():
        world.touch("opportunities", "OTHER")["name"] = "first"
        world["opportunities"]["OPP-1"]["name"] = "hook"
        fork = world.fork()
        world.touch("opportunities", "OTHER")["name"] = "second"
        world["opportunities"]["OPP-1"]["name"] = "later"
    assert [one.read("name") for one in fork.read("opportunities")] == ["a", "hook", "first"]
    assert [one.read("name") for one in world.read("opportunities")] == ["a", "later", "second"]


def test_initial_world_is_as_nothing_had_happened(world: World) -> None:
    with world.transaction():
        world.touch("opportunities", "OTHER")["name"] = "x"
    assert plain_world(world.initial())["opportunities"] == DATA["opportunities"]
    assert world.initial().diff() == {"collections": {}, "scalars": {}}
