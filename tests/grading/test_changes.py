"""What must, may and may not differ."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from silo_decl.engine.environment import Environment

from .desk import desk, end, graded, only, problems

CLOSE = ("set_status", {"ticketId": "T-1", "status": "closed"})
NOTE = ("set_status", {"ticketId": "T-1", "note": "done"})
OTHER = ("set_status", {"ticketId": "T-2", "status": "closed"})

CHECK = """\
  - changes:
      tickets:
        - records: initial.tickets[?big].id
          to: {status: closed}
          may: [note]
"""


def test_exactly_the_named_change_passes(tmp_path: Path) -> None:
    assert only(graded(desk(tmp_path, CHECK), CLOSE)).passed


def test_what_may_change_may_change_too(tmp_path: Path) -> None:
    assert only(graded(desk(tmp_path, CHECK), CLOSE, NOTE)).passed


def test_record_that_does_not_end_so_fails(tmp_path: Path) -> None:
    result = only(graded(desk(tmp_path, CHECK)))
    assert not result.passed
    assert "tickets T-1 has status 'open' at the end, not 'closed'" in result.detail


def test_record_that_nobody_named_may_not_change(tmp_path: Path) -> None:
    result = only(graded(desk(tmp_path, CHECK), CLOSE, OTHER))
    assert not result.passed
    assert "tickets T-2 changed: status from 'open' to 'closed'" in result.detail


def test_field_that_nobody_named_may_not_change(tmp_path: Path) -> None:
    owner = ("set_status", {"ticketId": "T-1", "ownerId": "P-2"})
    assert not only(graded(desk(tmp_path, CHECK), CLOSE, owner)).passed


def test_collection_that_nobody_named_may_not_change(tmp_path: Path) -> None:
    result = only(graded(desk(tmp_path, CHECK), CLOSE, ("add_note", {"text": "hi"})))
    assert "notes N-1 was created" in result.detail


def test_audit_is_outside_unless_it_is_named(tmp_path: Path) -> None:
    named = CHECK + "      audit:\n        - created: 2\n"
    assert only(graded(desk(tmp_path, CHECK), CLOSE)).passed
    assert not only(graded(desk(tmp_path / "b", named), CLOSE)).passed
    assert only(graded(desk(tmp_path / "c", named), CLOSE, NOTE)).passed


def test_field_set_and_set_back_is_no_change(tmp_path: Path) -> None:
    back = ("set_status", {"ticketId": "T-2", "status": "open"})
    assert only(graded(desk(tmp_path, CHECK), CLOSE, OTHER, back)).passed


def test_nothing_may_change(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - changes: nothing\n")
    assert only(graded(environment)).passed
    assert not only(graded(environment, NOTE)).passed


def test_created_records_are_counted_and_looked_at(tmp_path: Path) -> None:
    checks = "  - changes:\n      notes:\n        - created: 1\n          to: {text: hi}\n"
    environment = desk(tmp_path, checks)
    assert only(graded(environment, ("add_note", {"text": "hi"}))).passed
    assert not only(graded(environment, ("add_note", {"text": "ho"}))).passed
    assert not only(graded(environment)).passed
    assert not only(graded(environment, ("add_note", {"text": "hi"}), ("add_note", {"text": "hi"}))).passed


def test_groups_of_created_records_are_told_apart_by_where(tmp_path: Path) -> None:
    checks = """\
  - changes:
      notes:
        - created: 1
          where: text == 'a'
        - created: 2
          where: text == 'b'
"""
    environment = desk(tmp_path, checks)
    a, b, c = (("add_note", {"text": text}) for text in "abc")
    assert only(graded(environment, b, a, b)).passed
    assert not only(graded(environment, a, a, b)).passed
    assert not only(graded(environment, a, b, b, c)).passed


def test_deleted_records_are_counted_or_named(tmp_path: Path) -> None:
    gone = ("delete_ticket", {"ticketId": "T-3"})
    counted = desk(tmp_path, "  - changes:\n      tickets:\n        - deleted: 1\n")
    named = desk(tmp_path / "b", "  - changes:\n      tickets:\n        - deleted: [T-2]\n")
    assert only(graded(counted, gone)).passed
    assert not only(graded(counted)).passed
    assert not only(graded(named, gone)).passed
    assert only(graded(named, ("delete_ticket", {"ticketId": "T-2"}))).passed


def test_group_that_names_no_record_shows_nothing(tmp_path: Path) -> None:
    named = "records: initial.tickets[?note == 'none'].id\n          may: [note]\n"
    checks = f"  - changes:\n      tickets:\n        - {named}"
    assert not only(graded(desk(tmp_path, checks))).passed


def test_one_record_may_be_named_without_a_list(tmp_path: Path) -> None:
    checks = "  - changes:\n      tickets:\n        - records: $deal\n          to: {status: closed}\n"
    environment = desk(tmp_path, checks, "given:\n  deal: initial.tickets[?big] | [0]\n")
    assert only(graded(environment, CLOSE)).passed


def test_values_may_be_worked_out_from_the_record(tmp_path: Path) -> None:
    checks = "  - changes:\n      tickets:\n        - records: [T-1]\n          to: {note: = before.ownerName}\n"
    environment = desk(tmp_path, checks)
    assert only(graded(environment, ("set_status", {"ticketId": "T-1", "note": "Ann"}))).passed
    assert not only(graded(environment, NOTE)).passed


def test_mistyped_field_is_a_problem_at_load(tmp_path: Path) -> None:
    found = problems(tmp_path, "  - changes:\n      tickets:\n        - records: [T-1]\n          to: {staus: x}\n")
    assert [one.code for one in found] == ["unknown-field"]
    assert "status" in found[0].message


def test_group_without_a_question_is_a_problem_at_load(tmp_path: Path) -> None:
    found = problems(tmp_path, "  - changes:\n      tickets:\n        - records: [T-1]\n")
    assert [one.code for one in found] == ["empty-check"]


def test_created_groups_are_told_apart_by_how_they_end(tmp_path: Path) -> None:
    group = "        - created: 1\n          to: {text: %s}\n"
    environment = desk(tmp_path, "  - changes:\n      notes:\n" + group % "a" + group % "b")
    a, b = (("add_note", {"text": text}) for text in "ab")
    assert only(graded(environment, b, a)).passed
    assert not only(graded(environment, a, a)).passed
    assert not only(graded(environment, a)).passed


def test_created_record_may_be_named_too(tmp_path: Path) -> None:
    checks = "  - changes:\n      notes:\n        - records: final.notes\n          to: {text: a}\n"
    environment = desk(tmp_path, checks)
    assert only(graded(environment, ("add_note", {"text": "a"}))).passed
    assert not only(graded(environment, ("add_note", {"text": "b"}))).passed


def test_part_of_an_object_that_came_may_not_bring_others(tmp_path: Path) -> None:
    checks = "  - changes:\n      tickets:\n        - records: [T-1]\n          may: [price.amount]\n"
    environment = desk(tmp_path, checks)
    world = environment.new_world()
    for price, right in (
        ({"amount": 3, "currency": "USD"}, True),
        ({"amount": 3, "currency": "EUR"}, False),
        (None, False),
    ):
        with world.transaction():
            world.touch("tickets", "T-1")["price"] = price
        assert only(end(environment, world, None, [])).passed is right


def test_computed_fields_may_be_named_in_to(tmp_path: Path) -> None:
    group = "records: [T-1]\n          to: {ownerName: Bo}\n          may: [ownerId]\n"
    environment = desk(tmp_path, f"  - changes:\n      tickets:\n        - {group}")
    assert only(graded(environment, ("set_status", {"ticketId": "T-1", "ownerId": "P-2"}))).passed
    assert not only(graded(environment)).passed


def test_clock_that_moved_is_a_change(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - changes: nothing\n")
    world = environment.new_world()
    with world.transaction():
        world.set_now("2026-04-02")
    assert only(end(environment, world, None, [])).detail == "now moved from 2026-04-01 to 2026-04-02."


def test_value_that_a_field_can_never_have_is_warned_of(tmp_path: Path) -> None:
    found = problems(
        tmp_path, "  - changes:\n      tickets:\n        - records: [T-1]\n          to: {status: clsed}\n"
    )
    assert [(one.code, one.level) for one in found] == [("wrong-comparison", "warning")]


# -- against a full comparison ------------------------------------------------------------------------------

ORACLE = """\
  - changes:
      tickets:
        - records: [T-1]
          to: {status: closed}
          may: [note]
        - deleted: [T-3]
      notes:
        - created: 1
"""
IDS = st.sampled_from(["T-1", "T-2", "T-3"])
FIELDS = {"status": st.sampled_from(["open", "closed"]), "note": st.sampled_from(["x", "y"]), "ownerId": st.just("P-1")}
CALLS = st.one_of(
    st.builds(
        lambda one, given: ("set_status", {"ticketId": one, **given}), IDS, st.fixed_dictionaries({}, optional=FIELDS)
    ),
    st.builds(lambda one: ("delete_ticket", {"ticketId": one}), IDS),
    st.just(("add_note", {"text": "n"})),
)


def _by_hand(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """ORACLE in Python, over both worlds written out whole."""
    old, new = ({one["id"]: one for one in world["tickets"]} for world in (before, after))
    t1, kept = new.get("T-1"), {"status", "note"}
    return (
        before["people"] == after["people"]
        and t1 is not None
        and t1["status"] == "closed"
        and all(t1[name] == old["T-1"][name] for name in old["T-1"].keys() | t1.keys() if name not in kept)
        and new.get("T-2") == old["T-2"]
        and set(new) == {"T-1", "T-2"}
        and len(after["notes"]) == 1
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.lists(CALLS, max_size=6))
@example([CLOSE, ("delete_ticket", {"ticketId": "T-3"}), ("add_note", {"text": "n"})])
def test_changes_agree_with_a_full_comparison(oracle: Environment, calls: list[tuple[str, dict[str, Any]]]) -> None:
    world = oracle.new_world()
    for name, given_ in calls:
        oracle.toolbox.call(world, name, given_)
    assert only(end(oracle, world, None, [])).passed == _by_hand(oracle.new_world().plain(), world.plain())


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return desk(tmp_path_factory.mktemp("oracle"), ORACLE)
