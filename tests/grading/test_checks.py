"""Checks of the state, of the way, and the reward they make."""

from pathlib import Path

import pytest

from .desk import desk, graded, only, problems

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
    assert "1 of 3" in result.detail and "T-2" in result.detail


def test_query_that_reads_the_final_world_is_never_remembered(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - query: final.tickets[0].status\n    expect: {equals: closed}\n")
    assert [only(graded(environment, *calls)).passed for calls in ((), (CLOSE,), ())] == [False, True, False]


def test_truth_by_way_of_a_final_given_is_never_remembered(tmp_path: Path) -> None:
    checks = "  - query: $now_open\n    expect: {count: 1}\n"
    environment = desk(tmp_path, checks, "given:\n  now_open: final.tickets[?status == 'open'].id\n")
    assert [only(graded(environment, *calls)).passed for calls in ((), (CLOSE,), ())] == [False, True, False]


def test_calls_can_be_asked_for(tmp_path: Path) -> None:
    checks = """\
  - calls:
      never: delete_*
      happened:
        - tool: set_status
          input: {ticketId: T-1}
      at_most: 2
"""
    environment = desk(tmp_path, checks)
    listing = ("list_tickets", {})
    assert only(graded(environment, listing, CLOSE)).passed
    assert not only(graded(environment, listing)).passed
    assert not only(graded(environment, listing, listing, CLOSE)).passed
    assert not only(graded(environment, CLOSE, ("delete_ticket", {"ticketId": "T-3"}))).passed


def test_order_of_calls_can_be_asked_for(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - calls:\n      before: [list_tickets, set_status]\n")
    assert only(graded(environment, ("list_tickets", {}), CLOSE)).passed
    assert not only(graded(environment, CLOSE, ("list_tickets", {}))).passed


def test_refused_call_has_not_happened(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - calls:\n      happened: set_status\n")
    assert not only(graded(environment, ("set_status", {"ticketId": "T-9"}))).passed


ANY_OF = """\
  - any_of:
      - - query: final.tickets[0].status
          expect: {equals: closed}
        - answer:
            mentions: [closed]
      - - answer:
            mentions: [refused]
"""


def test_one_of_several_ends_is_enough(tmp_path: Path) -> None:
    environment = desk(tmp_path, ANY_OF)
    assert only(graded(environment, CLOSE, output="closed")).passed
    assert only(graded(environment, output="refused")).passed
    assert not only(graded(environment, output="closed")).passed


def _hooked(tmp_path: Path, body: str) -> object:
    folder = tmp_path / "hooks"
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(f"def look(grading):\n    {body}\n")
    return desk(tmp_path, "  - label: Mine\n    python: mine.look\n")


def test_python_check_says_yes_no_or_why(tmp_path: Path) -> None:
    yes = _hooked(tmp_path / "a", "return grading.final.query('length(tickets)') == 3")
    why = _hooked(tmp_path / "b", "return 'because'")
    assert only(graded(yes)).passed
    assert only(graded(why)).detail == "because"


def test_python_check_that_raises_is_the_worlds_fault(tmp_path: Path) -> None:
    grade = graded(_hooked(tmp_path, "return 1 / 0"))
    assert not grade.passed
    assert grade.fault is not None and grade.fault.boundary == "hook mine.look"


def test_python_check_may_not_change_the_world(tmp_path: Path) -> None:
    grade = graded(_hooked(tmp_path, "grading.final['tickets']['T-1']['note'] = 'x'; return True"))
    assert not grade.passed and grade.fault is not None


def test_expression_that_cannot_be_worked_out_is_the_worlds_fault(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - query: sum(final.tickets[].price.amount)\n    expect: {below: '= output'}\n")
    grade = graded(environment, output="x")
    assert not grade.passed
    assert grade.fault is not None and "tasks/t.yaml" in grade.fault.boundary


WEIGHTED = """\
  - query: length(final.tickets)
    expect: {equals: 3}
  - answer: {mentions: [yes]}
    required: false
    weight: 3
"""


def test_reward_is_the_weighted_share_when_every_required_check_passed(tmp_path: Path) -> None:
    grade = graded(desk(tmp_path, WEIGHTED), output="no")
    assert (grade.passed, grade.share, grade.reward) == (True, 0.25, 0.25)


def test_reward_is_nothing_when_a_required_check_failed(tmp_path: Path) -> None:
    grade = graded(desk(tmp_path, WEIGHTED), ("delete_ticket", {"ticketId": "T-3"}), output="yes")
    assert (grade.passed, grade.share, grade.reward) == (False, 0.75, 0.0)


def test_check_without_a_label_is_named_by_what_it_asks(tmp_path: Path) -> None:
    assert only(graded(desk(tmp_path, "  - changes: nothing\n"))).label == "Nothing changes"


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ("query: final.tikets\n    expect: {empty: true}", "unknown-name"),
        ("query: final.tickets[?staus == 'x']\n    expect: {empty: true}", "unknown-field"),
        ("query: final.tickets\n    expect: {tolerance: 1}", "empty-check"),
        ("that: final.tickets['T-1'].stat == 'x'", "unknown-field"),
        ("answer: {number: 'length(initial.tikets)'}", "unknown-name"),
        ("answer: {text: {matches: '('}}", "wrong-form"),
    ],
)
def test_mistakes_in_checks_are_problems_at_load(tmp_path: Path, check: str, code: str) -> None:
    assert [one.code for one in problems(tmp_path, f"  - {check}\n")] == [code]
