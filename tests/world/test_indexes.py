"""An index never answers differently from looking at every record, whatever a world has changed."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.engine.environment import Environment
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.meaning import to_text
from silo_decl.world.store import World
from tests.world.worlds import ids, loaded

COLLECTIONS = """\
collections:
  things:
    ids: "T{}"
    fields:
      kind: {}
      flag: {}
      odd: {}
      at.place: {}
      ownerId: {}
      made: {type: date}
    computed:
      label: = text(kind) ~ '/' ~ id
      ownerName: = owners[ownerId].name
      age: = days_between(made, today)
      total: {from: parts, match: {thingId: = id}, sum: price}
      box: "= {'of': ownerName, 'total': total}"
  owners: {ids: "O{}"}
  parts: {ids: "P{}"}
"""
PATHS = (
    "kind",
    "flag",
    "odd",
    "at.place",
    "ownerId",
    "id",
    "label",
    "ownerName",
    "age",
    "total",
    "box.of",
    "box.total",
)
ODD: list[Any] = [None, True, False, 1, 0, 1.0, "1", "", "a", "A", [], [1], [True], {}, {"x": 1}, {"x": 1.0}, 2.5, -1]
ODD += [{"amount": 3, "currency": "EUR"}, "É", "\u0130", "a\x00b", 2**60, "true"]
PLAIN: Mapping[str, list[Any]] = {
    "kind": ["a", "b", "c", None, "Ä"],
    "flag": [True, False, None],
    "odd": ODD,
    "at": [None, {}, {"place": "x"}, {"place": None}, {"place": 1}, {"place": True}, {"place": [1]}],
    "ownerId": ["O1", "O2", "O3", None],
    "made": ["2026-01-01", "2026-02-03", None, "2026-03-31"],
}


def data(seed: int) -> dict[str, Any]:
    choose = random.Random(seed)
    things = []
    for number in choose.sample(range(1, 40), 24):
        record = {"id": f"T{number}", **{name: choose.choice(values) for name, values in PLAIN.items()}}
        things.append({name: value for name, value in record.items() if name == "id" or choose.random() < 0.85})
    owners = [{"id": "O1", "name": "Ann"}, {"id": "O2", "name": None}]
    parts = [
        {"id": f"P{n}", "thingId": choose.choice(things)["id"], "price": choose.choice([1, 2.5, None])}
        for n in range(12)
    ]
    return {"things": things, "owners": owners, "parts": parts}


@functools.cache
def environment(seed: int) -> Environment:
    return loaded(COLLECTIONS, data(seed))


# -- the plain way ------------------------------------------------------------------------------------------


def read(world: World, record: dict[str, Any], path: str) -> Any:
    found: Any = {**record, **computed(world, record)}
    for step in path.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def computed(world: World, record: dict[str, Any]) -> dict[str, Any]:
    plain = world.plain()
    owner = next((one for one in plain["owners"] if one["id"] == record.get("ownerId")), {})
    prices = [one["price"] for one in plain["parts"] if one["thingId"] == record["id"] and one["price"] is not None]
    days = {"2026-01-01": 90, "2026-02-03": 57, "2026-03-31": 1, None: None}[record.get("made")]
    moved = int(world.today[-2:]) - 1
    kind = record.get("kind")
    return {
        "label": f"{kind or ''}/{record['id']}",
        "ownerName": owner.get("name"),
        "age": None if days is None else days + moved,
        "total": sum(prices),
        "box": {"of": owner.get("name"), "total": sum(prices)},
    }


def same(one: Any, other: Any) -> bool:
    """Equal as JSON; 1 is 1.0 and nothing else."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    numbers = (int, float)
    if type(one) in numbers and type(other) in numbers:
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def scanned(world: World, meets: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    return [one for one in world.plain()["things"] if meets(one)]


def arranged(world: World, records: list[dict[str, Any]], sort: tuple[str, ...]) -> list[str]:
    """By insertion, one at a time behind everything that does not come after it."""
    found: list[dict[str, Any]] = []
    for record in records:
        place = len(found)
        while place and _before(world, record, found[place - 1], sort):
            place -= 1
        found.insert(place, record)
    return [one["id"] for one in found]


def _before(world: World, one: dict[str, Any], other: dict[str, Any], sort: tuple[str, ...]) -> bool:
    for path in sort:
        left, right = read(world, one, path.removeprefix("-")), read(world, other, path.removeprefix("-"))
        kinds = (_kind(left), _kind(right))
        if "nothing" in kinds:
            if kinds[0] != kinds[1]:
                return kinds[1] == "nothing"
            continue
        first, second = (right, left) if path.startswith("-") else (left, right)
        left_key, right_key = _key(first), _key(second)
        if left_key != right_key:
            return left_key < right_key
    return False


def _kind(value: Any) -> str:
    return "nothing" if value is None else "something"


def _key(value: Any) -> tuple[int, Any]:
    if isinstance(value, bool):
        return (0, value)
    if isinstance(value, dict) and set(value) == {"amount", "currency"}:
        return (1, value["amount"])
    if isinstance(value, (int, float)):
        return (1, value)
    return (2, value) if isinstance(value, str) else (5, to_text(value))


# -- random changes -----------------------------------------------------------------------------------------

VALUES = st.sampled_from(ODD)
ASKED = st.dictionaries(st.sampled_from(PATHS), VALUES | st.sampled_from(["O1", "Ann", "T3", "x", 90, 91]), max_size=2)
SORTS = st.lists(st.sampled_from([*PATHS, *(f"-{path}" for path in PATHS)]), max_size=2).map(tuple)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["change", "change", "delete", "create", "back", "owner", "part", "clock"]),
        st.integers(0, 30),
        st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in PLAIN.items()}),
    ),
    max_size=6,
)


def changed(seed: int, steps: list[Any]) -> World:
    world = environment(seed).new_world()
    deleted: list[str] = []
    with world.transaction():
        for what, number, fields in steps:
            present = world.ids("things")
            chosen = present[number % len(present)]
            own = json.loads(json.dumps(fields))
            if what == "change":
                world.touch("things", chosen).update(own)
            elif what == "delete":
                world.remove("things", chosen)
                deleted.append(chosen)
            elif what == "back" and deleted:
                world.insert("things", {"id": deleted.pop(), **own})
            elif what == "create":
                world.insert("things", own)
            elif what == "owner":
                world.touch("owners", "O1")["name"] = f"Ann{number}"
            elif what == "part":
                world.insert("parts", {"thingId": chosen, "price": number})
            elif what == "clock":
                world.set_now("2026-04-02")
    return world


SEEDS = st.integers(0, 2)


@settings(max_examples=120, deadline=None)
@given(SEEDS, STEPS, ASKED)
def test_selecting_by_equality_is_a_scan(seed: int, steps: list[Any], asked: dict[str, Any]) -> None:
    world = changed(seed, steps)
    wanted = scanned(world, lambda one: all(same(read(world, one, path), value) for path, value in asked.items()))
    assert ids(world.read("things").select(asked, None)) == [one["id"] for one in wanted]
    half = [one["id"] for one in wanted if one.get("kind") == "a"]
    assert ids(world.read("things").select(asked, lambda record: record.read("kind") == "a")) == half


@settings(max_examples=120, deadline=None)
@given(SEEDS, STEPS, ASKED, SORTS, st.integers(0, 12), st.integers(1, 8))
def test_a_page_is_a_cut_of_the_sorted_scan(
    seed: int, steps: list[Any], asked: dict[str, Any], sort: tuple[str, ...], offset: int, limit: int
) -> None:
    world = changed(seed, steps)
    page = world.read("things").page(asked, sort, offset, limit)
    if page is None:
        assert steps or any(isinstance(value, (list, dict)) for value in asked.values())
        return
    wanted = scanned(world, lambda one: all(same(read(world, one, path), value) for path, value in asked.items()))
    assert (page[0], ids(page[1])) == (len(wanted), arranged(world, wanted, sort)[offset : offset + limit])


@settings(max_examples=120, deadline=None)
@given(
    SEEDS,
    STEPS,
    st.lists(st.sampled_from(PATHS), min_size=1, max_size=3, unique=True).map(tuple),
    st.sampled_from(
        ["a", "A", "1", "ann", "/", "t1", "O1", "é", "i", ", ", "b\x00", "\x00", "\x01", "true", "eur", "5"]
    ),
    SORTS,
    st.integers(0, 6),
)
def test_a_search_is_a_scan_of_folded_texts(
    seed: int, steps: list[Any], paths: tuple[str, ...], said: str, sort: tuple[str, ...], offset: int
) -> None:
    world = changed(seed, steps)
    needle = fold(said)
    page = world.read("things").search_page(paths, needle, sort, offset, 5)
    if page is None:
        assert steps or "\x00" in needle or "\x01" in needle
        return
    wanted = scanned(world, lambda one: any(needle in fold(to_text(read(world, one, path))) for path in paths))
    assert (page[0], ids(page[1])) == (len(wanted), arranged(world, wanted, sort)[offset : offset + 5])


@settings(max_examples=100, deadline=None)
@given(SEEDS, STEPS)
def test_computed_fields_are_never_stale(seed: int, steps: list[Any]) -> None:
    for record in environment(seed).new_world().read("things"):
        for name in ("label", "ownerName", "age", "total", "box"):
            record.read(name)
    world = changed(seed, steps)
    for record in world.read("things"):
        wanted = computed(world, record.stored)
        assert {name: record.read(name) for name in wanted} == wanted


def test_the_data_is_as_it_was_after_all_of_it() -> None:
    for seed in range(3):
        assert environment(seed).new_world().plain() == data(seed)
