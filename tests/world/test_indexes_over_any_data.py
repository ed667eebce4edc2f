"""An index never answers differently from looking at every record, whatever a world has changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError, ToolError
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_values import path_reader
from silo_decl.expressions.meaning import equals, to_text
from silo_decl.world.ordering import rank_of
from silo_decl.world.records import Collection
from silo_decl.world.seed import Base, build_base
from silo_decl.world.store import World
from tests.world.worlds import ids, loaded

COLLECTIONS = """\
collections:
  people: {ids: "P{}"}
  deals:
    ids: "D{}"
    fields:
      ownerId: {references: people}
      day: {type: date}
      status: {enum: [open, won, 1]}
    computed:
      ownerName: = people[ownerId].name
      isOld: = day < today
      peers: {from: deals, match: {status: = status}, count: id}
"""
PEOPLE = [{"id": "P1", "name": "Ada"}, {"id": "P2", "name": "Zoë"}]
DEAL = {"id": "D1", "ownerId": "P1", "status": "open", "n": 1, "at": {"x": 1}, "name": "Straße", "day": "2026-03-01"}
SPEC = loaded(COLLECTIONS, {"deals": [DEAL], "people": PEOPLE}).spec

SCALARS: list[Any] = [None, True, False, 0, 1, 1.0, 2.5, "1", "", "open"]
ANYTHING = st.sampled_from([*SCALARS, [], ["open"], [1], {"x": 1}, {"x": True}])
TEXTS = st.sampled_from(["Straße", "STRASSE", "e\u0301cole", "École", "", "a\x00b", "a\x01a", "aa", None])
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "ownerId": st.sampled_from(["P1", "P2", "P3", None]),
        "status": st.sampled_from(["open", "won", None, 1]),
        "n": ANYTHING,
        "at": st.one_of(st.none(), st.fixed_dictionaries({}, optional={"x": ANYTHING})),
        "name": TEXTS,
        "day": st.sampled_from(["2026-03-01", "2026-04-01", "2026-05-01", None]),
    },
)
EQUAL = st.dictionaries(
    st.sampled_from(["id", "ownerId", "status", "n", "at", "at.x", "name", "ownerName", "isOld", "peers"]),
    st.one_of(ANYTHING, st.sampled_from(["D1", "P1", "Ada", "Zoë", "Straße"])),
    max_size=3,
)
SORT = st.lists(
    st.sampled_from(["id", "-id", "n", "-n", "at.x", "name", "-ownerName", "isOld", "-peers"]), max_size=3
).map(tuple)
NEEDLES = st.sampled_from(["stra", "straße", "ss", "ÉCOLE", "a", "\x00", "\x01", "b", "zo", "1", "true", "x: 1"])
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("change"), st.integers(0, 9), FIELDS),
        st.tuples(st.just("create"), st.integers(0, 9), FIELDS),
        st.tuples(st.just("delete"), st.integers(0, 9), st.just({})),
        st.tuples(st.just("person"), st.integers(0, 9), FIELDS),
        st.tuples(st.just("clock"), st.integers(0, 9), st.just({})),
    ),
    max_size=6,
)


def base_of(deals: Sequence[dict[str, Any]]) -> Base:
    """The base of the small environment with these deals in it."""
    records = tuple({"id": f"D{place}", **json.loads(json.dumps(one))} for place, one in enumerate(deals, 1))
    collections = {**SPEC.collections, "deals": replace(SPEC.collections["deals"], records=records)}
    return build_base(replace(SPEC, collections=collections), [])


def changed(world: World, changes: Sequence[tuple[str, int, dict[str, Any]]]) -> World:
    with world.transaction():
        for kind, number, fields in changes:
            fields, key = json.loads(json.dumps(fields)), f"D{number}"
            if kind == "clock":
                world.set_now(f"2026-04-{number + 1:02}")
            elif kind == "person":
                world.touch("people", "P1")["name"] = fields.get("name")
            elif world.stored("deals", key) is None:
                world.insert("deals", {**fields, "id": key} if kind == "create" else fields)
            elif kind == "delete":
                world.remove("deals", key)
            else:
                world.touch("deals", key).update(fields)
    return world


def looked_at(deals: Collection, equal: dict[str, Any], sort: tuple[str, ...] = ()) -> list[str]:
    """The ids of the records that equal all of `equal`, by looking at every one of them."""
    found = [one for one in deals if all(equals(path_reader(path)(one), value) for path, value in equal.items())]
    return ids(sorted(found, key=rank_of(sort)) if sort else found)


WORLDS = st.tuples(st.lists(FIELDS, max_size=8), st.lists(CHANGES, min_size=1, max_size=3))


@given(WORLDS, EQUAL)
@settings(max_examples=400, deadline=None)
def test_selection_by_equality_is_that_of_every_record(made: Any, equal: dict[str, Any]) -> None:
    deals, steps = made
    base = base_of(deals)
    for changes in steps:
        world = changed(base.new_world(), changes)
        assert ids(world.read("deals").select(equal, None)) == looked_at(world.read("deals"), equal)


@given(WORLDS, EQUAL, SORT, st.integers(0, 9), st.integers(1, 9))
@settings(max_examples=400, deadline=None)
def test_page_is_the_part_of_all_records_in_order(
    made: Any, equal: dict[str, Any], sort: tuple[str, ...], offset: int, limit: int
) -> None:
    deals, steps = made
    base = base_of(deals)
    for changes in steps:
        world = changed(base.new_world(), changes)
        every = looked_at(world.read("deals"), equal, sort)
        page = world.read("deals").page(equal, sort, offset, limit)
        if page is not None:
            assert page[0] == len(every)
            assert ids(page[1]) == every[offset : offset + limit]


@given(WORLDS, NEEDLES, SORT, st.integers(0, 5), st.integers(1, 9))
@settings(max_examples=400, deadline=None)
def test_search_finds_what_is_in_one_of_the_fields(
    made: Any, text: str, sort: tuple[str, ...], offset: int, limit: int
) -> None:
    deals, steps = made
    base, paths, needle = base_of(deals), ("name", "ownerName", "n", "at.x"), fold(text)
    for changes in steps:
        world = changed(base.new_world(), changes)
        found = world.read("deals")
        every = [one for one in found if any(needle in fold(to_text(path_reader(path)(one))) for path in paths)]
        page = found.search_page(paths, needle, sort, offset, limit)
        if page is not None:
            ordered = ids(sorted(every, key=rank_of(sort)) if sort else every)
            assert page[0] == len(ordered)
            assert ids(page[1]) == ordered[offset : offset + limit]


def test_pages_and_searches_of_stored_fields_are_answered_in_changed_worlds_too() -> None:
    world = changed(base_of([{"name": "Oslo"}, {"name": "Bergen"}]).new_world(), [("change", 1, {"n": 3})])
    deals = world.read("deals")
    assert deals.page({"name": "Oslo"}, ("-n", "id"), 0, 5) is not None
    assert deals.search_page(("name",), "oslo", ("id",), 0, 5) is not None


def test_index_on_a_computed_field_rests_while_what_it_depends_on_is_changed() -> None:
    base = base_of([{"ownerId": "P1", "status": "open"}, {"ownerId": "P1"}])
    world = base.new_world()
    assert world.read("deals").page({"ownerName": "Ada"}, (), 0, 5) is not None
    with world.transaction():
        world.touch("people", "P1")["name"] = "Eve"
    assert world.read("deals").page({"ownerName": "Ada"}, (), 0, 5) is None
    assert world.read("deals").search_page(("name",), "s", ("ownerName",), 0, 5) is None
    assert world.read("deals").search_page(("ownerName",), "eve", (), 0, 5) is None
    assert ids(world.read("deals").select({"ownerName": "Eve", "status": "open"}, None)) == ["D1"]
    assert base.new_world().read("deals").page({"ownerName": "Ada"}, (), 0, 5) is not None


def test_index_on_a_computed_field_is_back_when_the_change_is_undone() -> None:
    world = base_of([{"ownerId": "P1"}]).new_world()
    with pytest.raises(ToolError), world.transaction():
        world.touch("people", "P1")["name"] = "Eve"
        raise ToolError("conflict", "No.")
    assert world.read("deals").page({"ownerName": "Ada"}, (), 0, 5) is not None


def test_every_kind_of_value_is_told_from_every_other() -> None:
    kinds = [*SCALARS, [], ["open"], [1], [True], {"x": 1}, {"x": True}, {}]
    deals = base_of([{"n": value, "at": {"x": value}} for value in kinds * 2]).new_world().read("deals")
    for value in kinds:
        assert ids(deals.select({"n": value}, None)) == looked_at(deals, {"n": value})
        assert ids(deals.select({"n": value, "at.x": value}, None)) == looked_at(deals, {"n": value, "at.x": value})


def test_many_equal_records_and_few_are_found_alike() -> None:
    base = base_of([{"status": "open", "n": place % 7} for place in range(500)])
    deals = base.new_world().read("deals")
    for equal in ({"status": "open"}, {"status": "open", "n": 3}, {"n": 3, "name": None}, {"n": 3, "status": "won"}):
        assert ids(deals.select(equal, None)) == looked_at(deals, equal)


@pytest.mark.parametrize("broken", [{"at": "text"}, {"at": 5}])
def test_record_that_cannot_be_read_breaks_only_what_looks_at_it(broken: dict[str, Any]) -> None:
    base = base_of([{"at": {"x": 1}, "status": "open"}, {**broken, "status": "won"}])
    deals = base.new_world().read("deals")
    assert ids(deals.select({"status": "open", "at.x": 1}, None)) == ["D1"]
    assert deals.page({"status": "open"}, ("at.x",), 0, 5) is None
    with pytest.raises(ExpressionError):
        deals.select({"at.x": 1}, None)
