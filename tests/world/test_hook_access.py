"""What a hook has in its hands: dicts that may be changed in place, and never more than its own call."""

from __future__ import annotations

import copy
import json
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import IntEnum
from typing import Any

import orjson
import pytest

from silo_decl.errors import SiloError, ToolError
from silo_decl.world.hook_records import HookRecord
from silo_decl.world.hook_values import HookValueError
from silo_decl.world.store import World
from tests.world.worlds import ids, loaded

COLLECTIONS = """\
collections:
  deals:
    ids: "D{:02}"
    fields:
      ownerId: {}
      note: {type: text}
      stage: {default: new}
    computed:
      ownerName: = users[ownerId].name
      double: = price * 2
      worth: "= {'amount': double, 'parts': [double]}"
    views:
      short: [id, ownerName, note]
  users: {ids: "U{}"}
"""
DATA = {
    "deals": [
        {"id": "D01", "price": 10, "ownerId": "U1", "tags": ["a"], "at": {"x": {"y": [1]}}},
        {"id": "D02", "price": 20, "ownerId": "U2", "tags": [], "at": None},
        {"id": "D03", "price": 30, "ownerId": None, "tags": None, "at": {}},
    ],
    "users": [{"id": "U1", "name": "Ann"}, {"id": "U2", "name": "Bo"}],
}
TOOLS = """\
collection: deals
tools:
  - name: update_deal
    description: Set the price.
    update:
      input: {price: {type: number, description: The price.}}
      set: {price: = input.price}
  - name: delete_deal
    description: Delete a deal.
    delete: {}
  - name: create_deal
    description: Create a deal.
    create:
      input: {price: {type: number, description: The price.}}
      set: {price: = input.price}
  - name: get_deal
    description: Get a deal.
    get: {}
"""
ENVIRONMENT = loaded(COLLECTIONS, DATA, {"tools/deals.yaml": TOOLS})


@pytest.fixture
def world() -> Iterator[World]:
    yield ENVIRONMENT.new_world()
    assert ENVIRONMENT.new_world().plain()["deals"] == DATA["deals"]


def done(world: World, hook: Callable[[World], Any]) -> dict[str, Any]:
    """What a hook changed, by collection."""
    with world.transaction():
        hook(world)
    collections: dict[str, Any] = world.diff()["collections"]
    return collections


def fields_changed(world: World, hook: Callable[[World], Any]) -> dict[str, Any]:
    (change,) = done(world, hook)["deals"]["changed"]
    return {name: (each["from"], each["to"]) for name, each in change["fields"].items()}


# -- like a dict --------------------------------------------------------------------------------------------


def test_a_collection_behaves_like_a_dict_of_records(world: World) -> None:
    with world.transaction():
        deals = world["deals"]
        assert list(deals) == list(deals.keys()) == ["D01", "D02", "D03"]
        assert len(deals) == 3
        assert "D01" in deals and "D99" not in deals and None not in deals and 1 not in deals
        assert deals.get("D99") is None and deals.get("D99", 5) == 5
        assert deals["D01"] is deals["D01"] is deals.get("D01") is world["deals"]["D01"]
        assert [key for key, _ in deals.items()] == ids(world.read("deals"))
        assert [record["id"] for record in deals.values()] == ids(world.read("deals"))
        assert {**deals} == dict(deals) == {key: deals[key] for key in deals}
        assert max(deals.values(), key=lambda deal: deal["price"])["id"] == "D03"
        assert bool(deals) is True
    assert world.diff()["collections"] == {}


def test_a_record_is_a_dict_of_its_stored_fields_whose_computed_fields_can_be_read(world: World) -> None:
    with world.transaction():
        deal = world["deals"]["D01"]
        assert deal == DATA["deals"][0]
        assert isinstance(deal, dict)
        assert (deal["ownerName"], deal["double"]) == ("Ann", 20)
        assert deal.get("ownerName") == "Ann" and deal.get("typo") is None and deal.get("typo", 3) == 3
        assert "ownerName" not in deal and "ownerName" not in list(deal)
        with pytest.raises(KeyError, match="typo"):
            deal["typo"]


def test_whole_copies_are_plain_dicts(world: World) -> None:
    with world.transaction():
        deal = world["deals"]["D01"]
        for made in (
            copy.deepcopy(deal),
            copy.copy(deal),
            pickle.loads(pickle.dumps(deal)),
            dict(deal),
            {**deal},
            deal | {},
            {} | deal,
            deal.copy(),
            json.loads(json.dumps(deal)),
            OrderedDict(deal),
        ):
            assert made == DATA["deals"][0]
            assert not isinstance(made, HookRecord)
        inner = copy.deepcopy({"deal": deal})["deal"]
        inner["at"]["x"]["y"].append("not in the world")
    assert world.diff()["collections"] == {}


def test_a_collection_given_to_a_serializer_fails_loudly(world: World) -> None:
    with world.transaction():
        for dumps in (orjson.dumps, json.dumps):
            with pytest.raises(TypeError):
                dumps(world["deals"])


# -- changing in place --------------------------------------------------------------------------------------


def test_changes_in_place_are_written_back_at_any_depth(world: World) -> None:
    def hook(world: World) -> None:
        deal = world["deals"]["D01"]
        deal["price"] += 1
        deal["tags"].append("b")
        deal["at"]["x"]["y"][0] = {"deep": True}
        deal["new"] = [1]
        del deal["ownerId"]

    assert fields_changed(world, hook) == {
        "price": (10, 11),
        "tags": (["a"], ["a", "b"]),
        "at.x.y": ([1], [{"deep": True}]),
        "new": (None, [1]),
        "ownerId": ("U1", None),
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda deal: deal.update(price=11),
        lambda deal: deal.setdefault("more", 1),
        lambda deal: deal.pop("price"),
        lambda deal: deal.popitem(),
        lambda deal: deal.__ior__({"price": 5}),
        lambda deal: deal["at"].clear(),
        lambda deal: deal["tags"].extend("bc"),
        lambda deal: deal.__setitem__("price", True),
    ],
)
def test_every_way_of_changing_a_dict_is_seen(world: World, change: Callable[[Any], Any]) -> None:
    assert [one["id"] for one in done(world, lambda world: change(world["deals"]["D01"]))["deals"]["changed"]] == [
        "D01"
    ]


def test_records_that_are_looked_at_only_leave_no_trace(world: World) -> None:
    with world.transaction():
        for deal in world["deals"].values():
            deal["ownerName"], deal["price"], deal.get("worth")
        world["deals"]["D01"]["price"] = 10.0
        world["deals"]["D02"]["tags"].append(1)
        world["deals"]["D02"]["tags"].pop()
        assert not world.changed()
    assert world.diff() == {"collections": {}, "scalars": {}}
    assert world.touched == set()


def test_true_in_place_of_one_is_a_change(world: World) -> None:
    assert fields_changed(world, lambda world: world["deals"]["D01"]["at"]["x"].update(y=[True])) == {
        "at.x.y": ([1], [True])
    }


def test_what_is_kept_after_the_call_changes_nothing(world: World) -> None:
    with world.transaction():
        kept, deals = world["deals"]["D01"], world["deals"]
        kept["tags"].append("mine")
    kept["tags"].append("later")
    kept["price"] = 99
    assert world.read("deals").get("D01").stored["tags"] == ["a", "mine"]
    with world.transaction():
        assert world["deals"]["D01"]["price"] == 10
        assert world["deals"] is not deals
    with pytest.raises(SiloError):
        deals.create(price=3)
    assert world.ids("deals") == ["D01", "D02", "D03"]


def test_values_that_a_hook_shares_among_records_are_apart_afterwards(world: World) -> None:
    shared = ["s"]

    def first(world: World) -> None:
        world["deals"]["D01"]["tags"] = shared
        world["deals"]["D02"]["tags"] = shared
        made = world["deals"].create(tags=shared)
        assert made["tags"] is not shared

    done(world, first)
    shared.append("later")
    done(world, lambda world: world["deals"]["D01"]["tags"].append("one"))
    tags = [record.stored["tags"] for record in world.read("deals")]
    assert tags == [["s", "one"], ["s"], None, ["s"]]


def test_a_record_put_into_another_is_copied(world: World) -> None:
    def hook(world: World) -> None:
        world["deals"]["D02"]["at"] = world["deals"]["D01"]

    assert fields_changed(world, hook) == {"at": (None, DATA["deals"][0])}


def test_a_call_that_fails_takes_everything_back(world: World) -> None:
    def hook(world: World) -> None:
        world["deals"]["D01"]["tags"].append("b")
        world["deals"].create(price=1)
        world["deals"].delete("D02")
        assert world.changed()
        raise ToolError("invalid_state", "No.")

    with pytest.raises(ToolError):
        done(world, hook)
    assert world.diff() == {"collections": {}, "scalars": {}}
    done(world, lambda world: world["deals"].create(price=1))
    assert world.ids("deals")[-1] == "D04"


# -- what cannot be -----------------------------------------------------------------------------------------


def test_an_unknown_id_is_not_found(world: World) -> None:
    for act in (
        lambda deals: deals["D99"],
        lambda deals: deals.delete("D99"),
        lambda deals: deals.__delitem__("D99"),
        lambda deals: deals[None],
    ):
        with pytest.raises(ToolError) as told, world.transaction():
            act(world["deals"])
        assert told.value.code == "not_found"
    with pytest.raises(ToolError, match='Deal "D99" was not found'), world.transaction():
        world["deals"]["D99"]


def test_an_unknown_collection_is_told_with_the_nearest(world: World) -> None:
    with pytest.raises(SiloError, match="There is no collection 'deal'. Did you mean 'deals'"), world.transaction():
        world["deal"]


def test_records_are_not_set_by_key(world: World) -> None:
    with pytest.raises(HookValueError, match="create"), world.transaction():
        world["deals"]["D05"] = {}  # type: ignore[index]


def test_computed_fields_and_the_id_cannot_be_set(world: World) -> None:
    with pytest.raises(HookValueError, match="'double' of deals is computed"):
        done(world, lambda world: world["deals"]["D01"].update(double=3))
    with pytest.raises(HookValueError, match="The id of deals D01 cannot be changed"):
        done(world, lambda world: world["deals"]["D01"].update(id="D09"))
    with pytest.raises(HookValueError, match="The id of deals D01 cannot be changed"):
        done(world, lambda world: world["deals"]["D01"].pop("id"))
    with pytest.raises(HookValueError, match="'double' of deals is computed"):
        done(world, lambda world: world["deals"].create(double=3))
    assert world.diff()["collections"] == {}


class Level(IntEnum):
    HIGH = 3


class Text(str):
    pass


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (float("nan"), "'at.x[0]' of {} is nan, which is no number that JSON can hold."),
        (float("-inf"), "'at.x[0]' of {} is -inf, which is no number that JSON can hold."),
        ({1, 2}, "'at.x[0]' of {} is a set, which JSON cannot hold."),
        (2**64, "'at.x[0]' of {} is 18446744073709551616, which is too large a number for JSON."),
        (-(2**63) - 1, "'at.x[0]' of {} is -9223372036854775809, which is too large a number for JSON."),
        (Decimal("1.5"), "'at.x[0]' of {} is a Decimal, which JSON cannot hold."),
        (b"x", "'at.x[0]' of {} is a bytes, which JSON cannot hold."),
        ({1: 2}, "'at.x[0]' of {} has the key 1, which is not a text."),
        ({"y": {None: 2}}, "'at.x[0].y' of {} has the key None, which is not a text."),
        ("\ud800", "'at.x[0]' of {} has half of a character pair, which JSON cannot hold."),
        ({"\ud800": 1}, "'at.x[0]' of {} has half of a character pair, which JSON cannot hold."),
    ],
)
def test_what_json_cannot_hold_is_refused_with_its_place(world: World, value: Any, told: str) -> None:
    with pytest.raises(HookValueError) as refused:
        done(world, lambda world: world["deals"]["D02"].update(at={"x": [value]}))
    assert str(refused.value) == told.format("deals D02")
    with pytest.raises(HookValueError) as refused:
        done(world, lambda world: world["deals"].create(at={"x": [value]}))
    assert str(refused.value) == told.format("deals")
    assert world.diff()["collections"] == {}


def test_a_list_that_contains_itself_is_refused(world: World) -> None:
    def hook(world: World) -> None:
        tags = world["deals"]["D01"]["tags"]
        tags.append(tags)

    with pytest.raises(HookValueError, match="nested too deeply, or contains itself"):
        done(world, hook)


def test_values_of_kinds_like_those_of_json_become_those_of_json(world: World) -> None:
    def hook(world: World) -> None:
        deal = world["deals"]["D02"]
        deal["at"] = (1, Level.HIGH, Text("x"), OrderedDict(a=1), 2**63, True)
        deal["tags"] = world["deals"]["D01"]["tags"]

    done(world, hook)
    held = world.read("deals").get("D02").stored["at"]
    assert json.dumps(held) == '[1, 3, "x", {"a": 1}, 9223372036854775808, true]'
    assert [type(one) for one in held] == [int, int, str, dict, int, bool]
    assert orjson.dumps(held) == b'[1,3,"x",{"a":1},9223372036854775808,true]'


# -- records that come and go -------------------------------------------------------------------------------


def test_a_created_record_has_its_id_its_defaults_and_its_place(world: World) -> None:
    with world.transaction():
        deal = world["deals"].create({"price": 4}, ownerId="U2")
        assert deal == {"id": "D04", "price": 4, "ownerId": "U2", "note": None, "stage": "new"}
        assert (deal["ownerName"], deal["double"]) == ("Bo", 8)
        deal["note"] = "after"
        assert list(world["deals"]) == ["D01", "D02", "D03", "D04"]
        assert world["deals"]["D04"] is deal
    assert world.read("deals").get("D04").stored["note"] == "after"
    assert world.diff()["collections"]["deals"]["changed"] == []


def test_a_deleted_record_is_gone_and_may_come_back_at_the_end(world: World) -> None:
    def hook(world: World) -> None:
        deals = world["deals"]
        gone = deals["D01"]
        gone["price"] = 77
        del deals["D01"]
        assert "D01" not in deals and len(deals) == 2
        gone["price"] = 78
        with pytest.raises(HookValueError, match="deleted"):
            gone["ownerName"]
        back = deals.create(id="D01", price=5)
        assert back is not gone and back["price"] == 5
        gone["price"] = 79
        assert list(deals) == ["D02", "D03", "D01"]

    done(world, hook)
    assert world.ids("deals") == ["D02", "D03", "D01"]
    assert world.read("deals").get("D01").stored["price"] == 5


def test_an_id_that_is_taken_is_a_conflict(world: World) -> None:
    with pytest.raises(ToolError, match='conflict: Deal "D01" exists already'), world.transaction():
        world["deals"].create(id="D01")


@pytest.mark.parametrize("given", [5, "", True, ["x"]])
def test_an_id_is_a_text(world: World, given: Any) -> None:
    with pytest.raises(SiloError, match="must be a text"), world.transaction():
        world["deals"].create(id=given)


def test_a_collection_may_change_while_it_is_walked(world: World) -> None:
    def hook(world: World) -> None:
        deals = world["deals"]
        for number, deal in enumerate(deals.values()):
            if number == 0:
                deals.create(price=1)
                deals.delete("D02")
            deal["price"] += 1

    with pytest.raises(ToolError, match="not_found"):
        done(world, hook)

    def careful(world: World) -> None:
        for key in world["deals"]:
            if key == "D02":
                world["deals"].delete(key)
            else:
                world["deals"].create(price=world["deals"][key]["price"])

    done(world, careful)
    assert world.ids("deals") == ["D01", "D03", "D04", "D05"]


# -- computed fields and what else reads the world ----------------------------------------------------------


def test_computed_fields_follow_what_the_hook_changed(world: World) -> None:
    with world.transaction():
        deal = world["deals"]["D01"]
        assert deal["double"] == 20
        deal["price"] = 50
        assert deal["double"] == 100
        assert deal["worth"] == {"amount": 100, "parts": [100]}
        world["users"]["U1"]["name"] = "Anna"
        assert deal["ownerName"] == "Anna"
        deal["ownerId"] = "U2"
        assert deal["ownerName"] == "Bo"
        deal["worth"]["parts"].append("not kept")
        assert deal["worth"] == {"amount": 100, "parts": [100]}
    fresh = ENVIRONMENT.new_world()
    assert fresh.read("deals").get("D01").read("worth") == {"amount": 20, "parts": [20]}


def test_a_query_and_a_view_see_what_the_hook_changed(world: World) -> None:
    with world.transaction():
        world["deals"]["D01"]["price"] = 50
        assert world.query("deals[?price > $least].id", least=40) == ["D01"]
        assert world.query("deals[?double == 100].id") == ["D01"]
        world["deals"]["D01"]["ownerId"] = "U2"
        assert world.view(world["deals"]["D01"], "short") == {"id": "D01", "ownerName": "Bo", "note": None}
        assert world.record("deals", "D01").read("double") == 100  # type: ignore[union-attr]


def test_a_query_gives_copies(world: World) -> None:
    with world.transaction():
        world.query("deals[0]")["tags"].append("x")
        world.query("deals[].tags")[0].append("x")
        world.query("deals[0].worth")["parts"].append("x")
    assert world.diff()["collections"] == {}
    assert world.query("deals[0].worth.parts") == [20]


def test_a_tool_called_by_a_hook_sees_and_is_seen(world: World) -> None:
    with world.transaction():
        deal = world["deals"]["D01"]
        deal["note"] = "mine"
        assert world.call("get_deal", {"dealId": "D01"}).output["note"] == "mine"
        assert not world.call("update_deal", {"dealId": "D01", "price": 60}).is_error
        assert (deal["price"], deal["note"], deal["double"]) == (60, "mine", 120)
        assert world["deals"]["D01"] is deal
        deal["price"] += 1
        assert world.call("create_deal", {"price": 1}).output["created"]["id"] == "D04"
        assert world["deals"]["D04"]["price"] == 1
        assert not world.call("delete_deal", {"dealId": "D02"}).is_error
        assert "D02" not in world["deals"]
    assert world.read("deals").get("D01").stored["price"] == 61
    assert world.ids("deals") == ["D01", "D03", "D04"]


def test_a_tool_that_fails_within_a_hook_undoes_its_own_work_only(world: World) -> None:
    with world.transaction():
        deal = world["deals"]["D01"]
        deal["tags"].append("kept")
        with pytest.raises(ZeroDivisionError), world.transaction():
            world.touch("deals", "D01")["tags"].append("undone")
            world.touch("deals", "D02")["price"] = 1
            1 / 0  # noqa: B018
        assert world.call("update_deal", {"dealId": "D99", "price": 60}).is_error
        deal["note"] = "still here"
    assert world.read("deals").get("D01").stored["tags"] == ["a", "kept"]
    assert world.read("deals").get("D01").stored["note"] == "still here"
    assert world.read("deals").get("D02").stored["price"] == 20


def test_a_read_may_not_change_anything(world: World) -> None:
    for act in (
        lambda: world["deals"].create(price=1),
        lambda: world["deals"].delete("D01"),
        lambda: world["deals"]["D01"].update(price=1),
        lambda: world.set_now("2027-01-01"),
        lambda: world.touch("deals", "D01"),
    ):
        with pytest.raises(SiloError, match="read, so it may not change"), world.reading():
            act()
        assert world.diff() == {"collections": {}, "scalars": {}}
        assert world.touched == set()
    with world.reading():
        assert world["deals"]["D01"]["double"] == 20
    with pytest.raises(SiloError), world.transaction():
        with world.reading():
            world["deals"]["D01"]["price"]
        world["deals"]["D01"]["price"] = 3
        with world.reading():
            assert world["deals"]["D01"]["price"] == 3
        assert world["deals"]["D01"]["double"] == 6
        world["deal"]


def test_nothing_is_changed_outside_of_a_transaction(world: World) -> None:
    with pytest.raises(SiloError, match="only within a transaction"):
        world["deals"].create(price=1)
    with pytest.raises(SiloError, match="only within a transaction"):
        world.set_now("2027-01-01")
    assert world.diff() == {"collections": {}, "scalars": {}}
