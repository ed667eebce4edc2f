"""Cost follows what a rollout touches: what is made, copied and looked at, told by what is there and not by a clock."""

from __future__ import annotations

import gc
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.world.store import World
from tests.world.worlds import ids, loaded

COLLECTIONS = """\
collections:
  teams:
    computed:
      won: {from: people, match: {teamId: = id}, sum: won}
      rank: = 'top' if won > 100 else 'low'
  people:
    computed:
      won: {from: deals, match: {ownerId: = id}, where: late == false, sum: price}
      team: = teams[teamId].name
  deals:
    ids: "D{}"
    computed:
      late: = due < today
      teamRank: = teams[people[ownerId].teamId].rank
      label: = name ~ ' of ' ~ people[ownerId].team
  notes: {}
"""
DATA = {
    "teams": [{"id": "T1", "name": "North"}, {"id": "T2", "name": "South"}],
    "people": [{"id": "P1", "teamId": "T1"}, {"id": "P2", "teamId": "T2"}, {"id": "P3", "teamId": None}],
    "deals": [
        {"id": f"D{n}", "name": f"deal {n}", "ownerId": f"P{n % 4}", "price": 30 + n, "due": f"2026-0{3 + n % 3}-15"}
        for n in range(1, 9)
    ],
    "notes": [{"id": "N1", "text": "x", "tags": ["a"]}, {"id": "N2", "text": "y", "tags": []}],
}
ENVIRONMENT = loaded(COLLECTIONS, DATA)
BASE = ENVIRONMENT.base


def test_a_fresh_world_has_touched_nothing() -> None:
    world = ENVIRONMENT.new_world()
    assert all(world.overlay(name) is None for name in DATA)
    assert world.touched == set()
    for name in DATA:
        collection = world.read(name)
        assert all(record.stored is stored for record, stored in zip(collection, BASE.collections[name].rows))
        assert len(collection) == len(DATA[name])
        list(collection), collection.get("D1"), collection.select({"id": "D1"}, None)
    assert all(world.overlay(name) is None for name in DATA)


def test_a_change_copies_the_one_record_that_it_changes() -> None:
    world = ENVIRONMENT.new_world()
    with world.transaction():
        world.touch("notes", "N1")["text"] = "z"
        world.insert("notes", {"id": "N3"})
    overlay = world.overlay("notes")
    assert overlay is not None
    assert (list(overlay.changed), list(overlay.added), overlay.deleted) == (["N1"], ["N3"], set())
    assert [world.overlay(name) for name in DATA if name != "notes"] == [None] * 3
    others = world.read("notes").get("N2")
    assert others is not None and others.stored is BASE.collections["notes"].stored["N2"]


def test_a_fork_shares_the_records_of_its_parent() -> None:
    world = ENVIRONMENT.new_world()
    with world.transaction():
        world.touch("notes", "N1")["text"] = "z"
    fork = world.fork()
    assert fork.stored("notes", "N1") is world.stored("notes", "N1")
    with fork.transaction():
        fork.touch("notes", "N1")["tags"].append("b")
    assert world.stored("notes", "N1") == {"id": "N1", "text": "z", "tags": ["a"]}
    with world.transaction():
        world.touch("notes", "N1")["tags"].append("c")
    assert fork.stored("notes", "N1") == {"id": "N1", "text": "z", "tags": ["a", "b"]}


def test_a_page_hands_out_the_records_of_the_data() -> None:
    world = ENVIRONMENT.new_world()
    page = world.read("deals").page({"ownerId": "P1"}, ("-price",), 0, 1)
    assert page is not None and page[0] == 2
    assert page[1][0].stored is BASE.collections["deals"].stored["D5"]


def test_memory_that_stays_is_out_of_the_collectors_way() -> None:
    before = gc.get_freeze_count()
    try:
        BASE.freeze_memory()
        assert gc.get_freeze_count() > before
        assert ids(ENVIRONMENT.new_world().read("notes")) == ["N1", "N2"]
    finally:
        gc.unfreeze()


# -- remembered for all worlds, and never wrong in one -------------------------------------------------------

COMPUTED = [(name, field) for name, one in BASE.collections.items() for field in one.computed]
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("teams"), st.sampled_from(["T1", "T2"]), st.just("name"), st.sampled_from(["North", "East"])),
        st.tuples(
            st.just("people"), st.sampled_from(["P1", "P2"]), st.just("teamId"), st.sampled_from(["T1", "T2", None])
        ),
        st.tuples(st.just("deals"), st.sampled_from(["D1", "D4"]), st.just("price"), st.sampled_from([0, 500])),
        st.tuples(st.just("deals"), st.sampled_from(["D1", "D2"]), st.just("ownerId"), st.sampled_from(["P1", "P3"])),
        st.tuples(
            st.just("now"), st.just(""), st.just(""), st.sampled_from(["2026-06-01", "2026-01-01", "2026-04-01"])
        ),
        st.tuples(st.just("notes"), st.just("N1"), st.just("text"), st.just("changed")),
    ),
    max_size=5,
)


def _all(world: World) -> dict[str, Any]:
    return {
        f"{name}.{record.id}.{field}": record.read(field) for name, field in COMPUTED for record in world.read(name)
    }


def _change(world: World, changes: list[tuple[str, str, str, Any]]) -> None:
    with world.transaction():
        for collection, key, field, value in changes:
            if collection == "now":
                world.set_now(value)
            else:
                world.touch(collection, key)[field] = value


@settings(max_examples=150, deadline=None)
@given(CHANGES, CHANGES, st.booleans())
def test_what_is_remembered_is_what_a_world_of_its_own_would_say(one: Any, other: Any, forked: bool) -> None:
    first = ENVIRONMENT.new_world()
    _all(first)
    _change(first, one)
    _all(first)
    second = first.fork() if forked else ENVIRONMENT.new_world()
    _change(second, other)
    changes = [*one, *other] if forked else other
    assert _all(second) == _worked_out_anew(changes)
    assert _all(first) == _worked_out_anew(one)
    assert _all(ENVIRONMENT.new_world()) == _worked_out_anew([])


def _worked_out_anew(changes: list[tuple[str, str, str, Any]]) -> dict[str, Any]:
    """By hand, from copies of the data."""
    data = {name: {one["id"]: dict(one) for one in records} for name, records in DATA.items()}
    today = "2026-04-01"
    for collection, key, field, value in changes:
        if collection == "now":
            today = value
        else:
            data[collection][key][field] = value
    teams, people, deals = data["teams"], data["people"], data["deals"]
    late = {key: deal["due"] < today for key, deal in deals.items()}
    won = {
        key: sum(deal["price"] for deal in deals.values() if deal["ownerId"] == key and not late[deal["id"]])
        for key in people
    }
    team_won = {key: sum(won[one["id"]] for one in people.values() if one["teamId"] == key) for key in teams}
    rank = {key: "top" if team_won[key] > 100 else "low" for key in teams}
    team = {key: teams[one["teamId"]]["name"] if one["teamId"] else None for key, one in people.items()}
    found: dict[str, Any] = {}
    for key in teams:
        found |= {f"teams.{key}.won": team_won[key], f"teams.{key}.rank": rank[key]}
    for key in people:
        found |= {f"people.{key}.won": won[key], f"people.{key}.team": team[key]}
    for key, deal in deals.items():
        owner = people.get(deal["ownerId"])
        found[f"deals.{key}.late"] = late[key]
        found[f"deals.{key}.teamRank"] = rank.get(owner["teamId"]) if owner else None
        found[f"deals.{key}.label"] = f"{deal['name']} of {team.get(deal['ownerId']) or ''}"
    return found
