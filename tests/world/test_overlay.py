"""A world is an overlay on shared data; it behaves as a deep copy of that data would."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from silo_decl.errors import ToolError
from silo_decl.world.store import World
from tests.world.worlds import loaded, plain_world

COLLECTIONS = """\
collections:
  things: {ids: "TH-{:02}"}
  notes: {ids: "N{}"}
"""
DATA = {
    "things": [
        {"id": "TH-01", "name": "Lamp", "price": 25.5, "tags": ["a", ["b"]], "at": {"x": 1, "y": None}},
        {"id": "TH-02", "name": "Desk", "price": 100, "tags": [], "at": {"x": True, "y": {"z": [1]}}},
        {"id": "TH-07", "name": None, "price": 1, "tags": ["c"], "at": {}},
    ],
    "notes": {"N3": {"text": "one"}, "N1": {"text": "two"}},
}
ENVIRONMENT = loaded(COLLECTIONS, DATA)
BYTES = json.dumps(ENVIRONMENT.new_world().plain())

NAMES = st.sampled_from(["things", "things", "things", "notes"])
IDS = {"things": ["TH-01", "TH-02", "TH-07", "TH-09"], "notes": ["N1", "N3", "N4", "N6"]}
PLACES = st.integers(-4, 3)
VALUES = st.sampled_from([None, True, 1, 1.0, "x", ["q"], {"x": 1}, {"x": [{"y": 2}]}, 0, False])
FIELDS = st.dictionaries(st.sampled_from(["name", "price", "tags", "at", "more"]), VALUES, max_size=3)
MOMENTS = st.sampled_from(["2026-04-01", "2026-04-02", "2026-05-01"])


def fresh(value: Any) -> Any:
    """A copy in which no part stands twice."""
    return json.loads(json.dumps(value))


class Undone(Exception):
    """Takes a transaction back."""


class Plain:
    """A world as a deep copy: each collection a dict by id, with a counter beside it."""

    def __init__(self) -> None:
        self.now = "2026-04-01"
        self.records: dict[str, dict[str, Any]] = {
            "things": {one["id"]: one for one in copy.deepcopy(DATA["things"])},
            "notes": {key: {"id": key, **one} for key, one in copy.deepcopy(DATA["notes"]).items()},  # type: ignore
        }
        self.numbers = {"things": 8, "notes": 4}

    def some_id(self, name: str, place: int) -> str:
        """An id that is there, counted from either end, or one that was or could be."""
        present = list(self.records[name])
        if -len(present) <= place < len(present):
            return present[place]
        return IDS[name][place]

    def new_id(self, name: str) -> str:
        while True:
            number = self.numbers[name]
            self.numbers[name] += 1
            made = f"TH-{number:02}" if name == "things" else f"N{number}"
            if made not in self.records[name]:
                return made

    def plain(self) -> dict[str, Any]:
        return {name: list(records.values()) for name, records in self.records.items()}


class Overlays(RuleBasedStateMachine):
    """Random changes, made in a world and in a plain copy; transactions nest, and end well or badly."""

    def __init__(self) -> None:
        super().__init__()
        self.world = ENVIRONMENT.new_world()
        self.copy = Plain()
        self.open: list[tuple[Any, Plain]] = []
        self.beside: list[tuple[World, str]] = []

    def begin(self) -> None:
        context = self.world.transaction()
        context.__enter__()
        self.open.append((context, copy.deepcopy(self.copy)))

    @initialize()
    def first(self) -> None:
        self.begin()

    @rule()
    @precondition(lambda self: len(self.open) < 4)
    def nest(self) -> None:
        self.begin()

    @rule()
    @precondition(lambda self: self.open)
    def succeed(self) -> None:
        self.open.pop()[0].__exit__(None, None, None)

    @rule()
    @precondition(lambda self: self.open)
    def fail(self) -> None:
        context, self.copy = self.open.pop()
        wrong = Undone()
        assert not context.__exit__(Undone, wrong, None)

    @rule()
    @precondition(lambda self: not self.open)
    def fork(self) -> None:
        self.beside.append((self.world, json.dumps(plain_world(self.world))))
        self.world = self.world.fork()

    @rule(name=NAMES, fields=FIELDS)
    @precondition(lambda self: self.open)
    def create(self, name: str, fields: dict[str, Any]) -> None:
        made = self.world.insert(name, fresh(fields))
        new = self.copy.new_id(name)
        assert made.id == new
        self.copy.records[name][new] = {"id": new, **fresh(fields)}

    @rule(name=NAMES, place=PLACES, fields=FIELDS)
    @precondition(lambda self: self.open)
    def create_with_an_id(self, name: str, place: int, fields: dict[str, Any]) -> None:
        record_id = self.copy.some_id(name, place) if place < 0 else IDS[name][place]
        if record_id in self.copy.records[name]:
            with pytest.raises(ToolError, match="conflict"):
                self.world.insert(name, {"id": record_id, **fresh(fields)})
            return
        self.world.insert(name, {"id": record_id, **fresh(fields)})
        self.copy.records[name][record_id] = {"id": record_id, **fresh(fields)}

    @rule(name=NAMES, place=PLACES, field=st.sampled_from(["name", "tags", "new"]), value=VALUES)
    @precondition(lambda self: self.open)
    def change(self, name: str, place: int, field: str, value: Any) -> None:
        record_id = self.copy.some_id(name, place)
        if record_id not in self.copy.records[name]:
            with pytest.raises(ToolError, match="not_found"):
                self.world.touch(name, record_id)
            return
        self.world.touch(name, record_id)[field] = fresh(value)
        self.copy.records[name][record_id][field] = fresh(value)

    @rule(name=NAMES, place=PLACES)
    @precondition(lambda self: self.open)
    def change_deep_inside(self, name: str, place: int) -> None:
        record_id = self.copy.some_id(name, place)
        if record_id not in self.copy.records[name]:
            return
        for record in (self.world.touch(name, record_id), self.copy.records[name][record_id]):
            for value in record.values():
                if isinstance(value, list):
                    value.append(["deep"])
                    if value and isinstance(value[0], list):
                        value[0].append("deeper")
                if isinstance(value, dict):
                    value.setdefault("deep", []).append(1)

    @rule(name=NAMES, place=PLACES)
    @precondition(lambda self: self.open)
    def delete(self, name: str, place: int) -> None:
        record_id = self.copy.some_id(name, place)
        if self.copy.records[name].pop(record_id, None) is None:
            with pytest.raises(ToolError, match="not_found"):
                self.world.remove(name, record_id)
        else:
            self.world.remove(name, record_id)

    @rule(now=MOMENTS)
    @precondition(lambda self: self.open)
    def move_the_clock(self, now: str) -> None:
        self.world.set_now(now)
        self.copy.now = now

    @invariant()
    def the_same(self) -> None:
        assert _ordered(self.world.plain()) == _ordered(self.copy.plain())
        assert self.world.now == self.copy.now
        for name, records in self.copy.records.items():
            assert self.world.ids(name) == list(records)
            assert len(self.world.read(name)) == len(records)

    @invariant()
    def diff_is_that_of_a_full_compare(self) -> None:
        assert self.world.diff() == _full_compare(self.copy)

    def teardown(self) -> None:
        while self.open:
            self.fail()
            self.the_same()
        for world, before in self.beside:
            assert json.dumps(plain_world(world)) == before
        assert json.dumps(ENVIRONMENT.new_world().plain()) == BYTES


def _ordered(world: dict[str, Any]) -> str:
    """The world as text in which 1, 1.0 and true differ; fields of a record in any order."""
    return json.dumps({name: [dict(sorted(one.items())) for one in records] for name, records in world.items()})


def _full_compare(world: Plain) -> dict[str, Any]:
    first = Plain()
    found: dict[str, Any] = {"collections": {}, "scalars": {}}
    for name, records in world.records.items():
        before = first.records[name]
        change = {
            "added": [one for key, one in records.items() if key not in before],
            "removed": [before[key] for key in sorted(before) if key not in records],
            "changed": [
                {"id": key, "fields": fields}
                for key in sorted(before)
                if key in records and (fields := _fields(before[key], records[key], ""))
            ],
        }
        if any(change.values()):
            found["collections"][name] = change
    if world.now != first.now:
        found["scalars"]["now"] = {"from": first.now, "to": world.now}
    return found


def _fields(one: dict[str, Any], other: dict[str, Any], prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in [*one, *(name for name in other if name not in one)]:
        before, after = one.get(name), other.get(name)
        if isinstance(before, dict) and isinstance(after, dict):
            found |= _fields(before, after, f"{prefix}{name}.")
        elif not _same(before, after):
            found[prefix + name] = {"from": before, "to": after}
    return found


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one).replace("1.0", "1") == json.dumps(other).replace("1.0", "1")


TestOverlays = Overlays.TestCase
TestOverlays.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
