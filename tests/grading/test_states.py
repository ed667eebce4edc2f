"""Checks of the state at the end."""

from pathlib import Path

import pytest

from .desk import desk, end, graded, only, problems

CLOSE = ("set_status", {"ticketId": "T-1", "status": "closed"})


@pytest.mark.parametrize(
    ("query", "expect", "right"),
    [
        ("length(final.tickets)", "{equals: 3}", True),
        ("length(final.tickets)", "{at_least: 3, at_most: 3}", True),
        ("length(final.tickets)", "{above: 3}", False),
        ("final.tickets[].id", "{count: 3}", True),
        ("final.tickets[].id", "{same_items: [T-3, T-1, T-2]}", True),
        ("final.tickets[].id", "{same_items: [T-3, T-1]}", False),
        ("final.tickets[].id", "{contains: T-1}", True),
        ("final.tickets[0].ownerName", "{one_of: [Ann, Bo]}", True),
        ("final.tickets[0].ownerName", "{matches: ^A}", True),
        ("final.tickets[0].price.amount", "{equals: 150, tolerance: 1}", True),
        ("final.tickets[0].price.amount", "{equals: 150, tolerance: 0.1}", False),
        ("final.tickets[?big]", "{empty: false}", True),
        ("final.tickets[0].big", "{equals: true}", True),
        ("final.tickets[0].big", "{equals: 1}", False),
    ],
)
def test_expectations(tmp_path: Path, query: str, expect: str, right: bool) -> None:
    environment = desk(tmp_path, f"  - query: {query}\n    expect: {expect}\n")
    assert only(graded(environment)).passed is right


def test_empty_that_was_empty_at_the_start_shows_nothing(tmp_path: Path) -> None:
    never = "  - query: final.tickets[?note == 'nope']\n    expect: {empty: true}\n"
    assert not only(graded(desk(tmp_path, never))).passed
    assert only(graded(desk(tmp_path / "b", never + "    allow_empty: true\n"))).passed
    became = "  - query: final.tickets[?big and status == 'open']\n    expect: {empty: true}\n"
    assert only(graded(desk(tmp_path / "c", became), CLOSE)).passed


def test_for_each_that_finds_nothing_shows_nothing(tmp_path: Path) -> None:
    check = "  - for_each: initial.tickets[?note == 'nope']\n    as: one\n    that: one.big\n"
    assert not only(graded(desk(tmp_path, check))).passed
    assert only(graded(desk(tmp_path / "b", check + "    allow_empty: true\n"))).passed


def test_for_each_names_what_it_does_not_hold_for(tmp_path: Path) -> None:
    check = "  - for_each: initial.tickets\n    as: one\n    that: final.tickets[one.id].status == 'closed'\n"
    result = only(graded(desk(tmp_path, check), CLOSE))
    assert not result.passed
    assert result.detail == (
        "Expected final.tickets[one.id].status == 'closed' for all 3; it does not hold for 1 of 3: [\"T-2\"]; "
        "found final.tickets[one.id].status is 'open'."
    )


def test_query_that_reads_the_final_world_is_never_remembered(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - query: final.tickets[0].status\n    expect: {equals: closed}\n")
    assert [only(graded(environment, *calls)).passed for calls in ((), (CLOSE,), ())] == [False, True, False]


def test_truth_by_way_of_a_final_given_is_never_remembered(tmp_path: Path) -> None:
    checks = "  - query: $now_open\n    expect: {count: 1}\n"
    environment = desk(tmp_path, checks, "given:\n  now_open: final.tickets[?status == 'open'].id\n")
    assert [only(graded(environment, *calls)).passed for calls in ((), (CLOSE,), ())] == [False, True, False]


def test_reason_says_what_was_expected_and_found(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - query: final.tickets[?big].status\n    expect: {same_items: [closed]}\n")
    assert only(graded(environment)).detail == (
        'Expected the same items as ["closed"]; final.tickets[?big].status gives ["open"].'
    )


@pytest.mark.parametrize(
    ("that", "reason"),
    [
        ("final.tickets['T-1'].status == 'closed'", "; found final.tickets['T-1'].status is 'open'."),
        ("output == 'x' and final.tickets['T-2'].big", "; found final.tickets['T-2'].big is false."),
        ("not final.tickets['T-1'].big", "; found final.tickets['T-1'].big is true."),
        ("final.tickets['T-1'].note in ['a', 'b']", "; found final.tickets['T-1'].note is nothing."),
        ("contains(output, 'y')", "; found contains(output, 'y') is false."),
    ],
)
def test_reason_of_a_condition_shows_the_side_that_failed(tmp_path: Path, that: str, reason: str) -> None:
    result = only(graded(desk(tmp_path, f"  - that: {that}\n"), output="x"))
    assert not result.passed
    assert result.detail == f"Expected {that}{reason}"


def test_clock_of_both_worlds_can_be_read(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - that: final.today == '2026-04-03' and initial.today == today\n")
    world = environment.new_world()
    assert not only(end(environment, world, None, [])).passed
    with world.transaction():
        world.set_now("2026-04-03T08:00:00")
    assert only(end(environment, world, None, [])).passed


def test_truth_of_the_first_world_does_not_move_with_the_clock(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - that: output == start\n", "given:\n  start: $today\n")
    world = environment.new_world()
    with world.transaction():
        world.set_now("2027-01-01")
    assert only(end(environment, world, "2026-04-01", [])).passed


def test_empty_at_the_start_is_asked_of_truths_too(tmp_path: Path) -> None:
    checks = "  - query: $big_open\n    expect: {empty: true}\n"
    environment = desk(tmp_path, checks, "given:\n  big_open: final.tickets[?big and status == 'open']\n")
    assert only(graded(environment, CLOSE)).passed


def test_count_of_what_is_no_list_is_the_worlds_fault(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - query: length(final.tickets)\n    expect: {count: 3}\n")
    assert graded(environment).fault is not None


@pytest.mark.parametrize(
    "check",
    [
        "query: length(initial.tickets)\n    expect: {equals: 3}",
        "that: today == '2026-04-01'",
        "for_each: initial.tickets\n    as: one\n    that: one.id != 'x'",
    ],
)
def test_check_that_reads_nothing_of_the_rollout_is_warned_of(tmp_path: Path, check: str) -> None:
    found = problems(tmp_path, f"  - {check}\n")
    assert [(one.code, one.level) for one in found] == [("empty-check", "warning")]


def test_value_that_can_never_be_met_is_warned_of(tmp_path: Path) -> None:
    found = problems(tmp_path, "  - query: final.tickets['T-1'].status\n    expect: {equals: clsoed}\n")
    assert [(one.code, one.level) for one in found] == [("wrong-comparison", "warning")]
    assert "Did you mean 'closed'?" in found[0].message


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ("query: final.tikets\n    expect: {empty: true}", "unknown-name"),
        ("query: final.tickets[?staus == 'x']\n    expect: {empty: true}", "unknown-field"),
        ("query: final.tickets\n    expect: {tolerance: 1}", "empty-check"),
        ("query: final.tickets[].id\n    expect: {matches: '('}", "wrong-form"),
        ("for_each: length(final.tickets)\n    as: one\n    that: one == 1", "wrong-type"),
        ("that: final.tickets['T-1'].stat == 'x'", "unknown-field"),
        ("answer: {number: 'length(initial.tikets)'}", "unknown-name"),
        ("answer: {text: {matches: '('}}", "wrong-form"),
    ],
)
def test_mistakes_in_checks_are_problems_at_load(tmp_path: Path, check: str, code: str) -> None:
    assert [one.code for one in problems(tmp_path, f"  - {check}\n")] == [code]
