"""What hooks do to their dicts is what becomes of the world, and nothing else does."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.world.hook_records import HookRecord
from silo_decl.world.hook_values import HookValueError
from silo_decl.world.store import World
from tests.world.worlds import loaded, plain_world

COLLECTIONS = """\
collections:
  leads:
    ids: "L{}"
    fields:
      note: {type: text}
      tags: {type: list, default: [new]}
    computed:
      ownerName: = owners[ownerId].name
      size: = length(tags)
      twins: {from: leads, match: {status: = status}, count: id}
    views:
      summary: [id, status, tags, ownerName]
  owners: {}
"""
LEADS = [
    {"id": "L1", "status": "open", "ownerId": "o", "tags": ["a", ["b"]], "at": {"x": {"y": 1}}, "big": 2**70},
    {"id": "L2", "status": "open", "ownerId": "p", "tags": [], "at": {"x": 1}},
]
ENVIRONMENT = loaded(COLLECTIONS, {"leads": LEADS, "owners": [{"id": "o", "name": "Ann"}, {"id": "p", "name": "Bo"}]})


def called(hook: Callable[[World], Any], world: World | None = None) -> tuple[World, Any]:
    """A world after a hook was called in it, and what the hook gave."""
    world = ENVIRONMENT.new_world() if world is None else world
    with world.transaction():
        given = hook(world)
    return world, given


def change(hook: Callable[[Any], Any]) -> dict[str, Any]:
    """The fields that a hook changed, to what they are now."""

    def run(world: World) -> None:
        hook(world["leads"]["L1"])

    found = called(run)[0].diff()["collections"].get("leads", {"changed": []})["changed"]
    return {path: one["to"] for path, one in found[0]["fields"].items()} if found else {}


def test_computed_fields_follow_what_the_hook_changed() -> None:
    def hook(world: World) -> None:
        lead, other = world["leads"]["L1"], world["leads"]["L2"]
        lead["tags"].append("c")
        assert lead["size"] == 3
        world["owners"]["o"]["name"] = "Eve"
        assert lead["ownerName"] == "Eve"
        assert lead["twins"] == 2
        other["status"] = "lost"
        assert lead["twins"] == 1
        assert world.query("leads[?status == $status].id", status="lost") == ["L2"]

    called(hook)


def test_looking_is_no_change_and_neither_is_changing_back() -> None:
    def hook(lead: Any) -> None:
        lead["tags"].append("x")
        lead["tags"].pop()
        lead["status"], lead["status"] = "won", "open"
        lead.update(dict(reversed(lead.items())))

    def look(world: World) -> bool:
        hook(world["leads"]["L1"])
        list(world["leads"].values())
        return world.changed()

    world, was_changed = called(look)
    assert not was_changed
    assert world.diff() == ENVIRONMENT.new_world().diff()


def test_failed_part_of_a_hook_takes_back_only_itself() -> None:
    def hook(world: World) -> Any:
        lead = world["leads"]["L1"]
        lead["status"] = "kept"
        with pytest.raises(ValueError), world.transaction():
            lead["status"] = "undone"
            world["leads"]["L2"]["status"] = "undone"
            raise ValueError
        return lead["status"], world["leads"]["L2"]["status"]

    world, given = called(hook)
    assert given == ("kept", "open")
    assert world.stored("leads", "L1")["status"] == "kept"  # type: ignore[index]


def test_what_a_hook_keeps_after_its_call_changes_nothing() -> None:
    kept: list[Any] = []

    def hook(world: World) -> None:
        kept.extend([world["leads"]["L1"], world["leads"]["L1"]["tags"], world["leads"].create(tags=["x"])])
        kept.append(world.view(world["leads"]["L1"], "summary"))
        kept.append(world.query("leads"))

    def damage(world: World) -> None:
        kept[0]["status"] = "damaged"
        kept[0]["at"]["x"]["y"] = 99
        kept[1].append("damaged")
        kept[2]["tags"].append("damaged")
        kept[3]["tags"].append("damaged")
        kept[4][0]["tags"].append("damaged")
        assert kept[0]["ownerName"] == "Ann"

    world, _ = called(hook)
    before = plain_world(world)
    damage(world)
    called(damage, world)
    assert plain_world(world) == before
    assert plain_world(ENVIRONMENT.new_world())["leads"] == LEADS


def test_collection_kept_from_an_earlier_call_is_the_present_one() -> None:
    kept: list[Any] = []
    world, _ = called(lambda world: kept.append(world["leads"]))
    called(lambda world: kept[0]["L1"].update(status="second call"), world)
    assert world.stored("leads", "L1")["status"] == "second call"  # type: ignore[index]


def test_view_of_a_record_shows_it_as_the_hook_made_it() -> None:
    def hook(world: World) -> Any:
        lead = world["leads"]["L1"]
        lead["status"] = "won"
        return world.view(lead, "summary")

    assert called(hook)[1] == {"id": "L1", "status": "won", "tags": ["a", ["b"]], "ownerName": "Ann"}


def test_what_json_writes_as_null_is_not_taken_for_null() -> None:
    called(lambda world: world["leads"].create(note=None))
    with pytest.raises(HookValueError, match="is nan"):
        called(lambda world: world["leads"].create(note=None).update(note=math.nan))


def test_large_numbers_of_the_data_survive_a_change_beside_them() -> None:
    assert change(lambda lead: lead.update(status="won")) == {"status": "won"}


VALUES = st.recursive(
    st.sampled_from([None, True, 1, 1.0, "x", ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["set", "append", "drop", "create", "delete", "read"]), st.integers(0, 3), VALUES),
    max_size=12,
)


@given(STEPS)
@settings(max_examples=200, deadline=None)
def test_hook_does_to_the_world_what_it_would_do_to_plain_dicts(steps: list[Any]) -> None:
    plain: dict[str, Any] = {one["id"]: json.loads(json.dumps(one)) for one in LEADS}
    number = 3

    def hook(world: World) -> None:
        nonlocal number
        leads: Any = world["leads"]
        for what, place, value in steps:
            if what == "create":
                leads.create(more=value)
                plain[f"L{number}"] = {"id": f"L{number}", "more": fresh(value), "note": None, "tags": ["new"]}
                number += 1
                continue
            if not plain:
                continue
            key = list(plain)[place % len(plain)]
            if what == "delete":
                leads.delete(key)
                del plain[key]
            elif what == "read":
                assert leads[key]["twins"] == sum(
                    one.get("status") == plain[key].get("status") for one in plain.values()
                )
            else:
                _alter(leads[key], what, value)
                _alter(plain[key], what, value)

    world, _ = called(hook)
    assert [dict(sorted(one.items())) for one in plain_world(world)["leads"]] == [
        dict(sorted(one.items())) for one in plain.values()
    ]
    assert plain_world(ENVIRONMENT.new_world())["leads"] == LEADS


def _alter(record: Any, what: str, value: Any) -> None:
    assert isinstance(record, (dict, HookRecord))
    if what == "set":
        record["extra"] = fresh(value)
    elif what == "append" and isinstance(record.get("tags"), list):
        record["tags"].append(fresh(value))
    elif what == "drop":
        record.pop("status", None)


def fresh(value: Any) -> Any:
    return json.loads(json.dumps(value))
