"""Checks of the way: which calls were made."""

from pathlib import Path

from silo_decl.trace import CallFact

from .desk import desk, end, graded, only

CLOSE = ("set_status", {"ticketId": "T-1", "status": "closed"})


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


def test_reasons_say_what_was_expected_and_what_was_tried(tmp_path: Path) -> None:
    wanted = "{tool: set_status, input: {ticketId: T-1}}"
    environment = desk(tmp_path, f"  - calls:\n      happened: {wanted}\n      never: list_*\n")
    other = ("set_status", {"ticketId": "T-2", "status": "closed"})
    assert only(graded(environment, ("list_tickets", {}), other)).detail == (
        'Expected 1 call of set_status with {"ticketId": "T-1"} that succeeded; found 0 '
        '(called with {"ticketId": "T-2", "status": "closed"}); '
        "Expected no call of list_*; found 1 call of list_tickets."
    )


def test_arguments_may_be_worked_out_from_truths(tmp_path: Path) -> None:
    checks = "  - calls:\n      happened:\n        tool: set_status\n        input: {ticketId: = deal.id}\n"
    environment = desk(tmp_path, checks, "given:\n  deal: initial.tickets[?big] | [0]\n")
    assert only(graded(environment, CLOSE)).passed


def test_how_often_can_be_asked_for(tmp_path: Path) -> None:
    environment = desk(
        tmp_path, "  - calls:\n      happened: {tool: list_tickets, at_least: 2}\n      at_most: {set_*: 0}\n"
    )
    listing = ("list_tickets", {})
    assert only(graded(environment, listing, listing)).passed
    assert not only(graded(environment, listing)).passed
    assert not only(graded(environment, listing, listing, CLOSE)).passed


def test_argument_that_was_not_given_is_not_null(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - calls:\n      happened: {tool: list_tickets, input: {limit: null}}\n")
    assert not only(graded(environment, ("list_tickets", {}))).passed


def test_call_whose_input_is_no_object_is_looked_at_too(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - calls:\n      happened: {tool: list_tickets, input: {limit: 1}}\n")
    facts = [CallFact("list_tickets", [1], b"{}", True), CallFact("list_tickets", None, b"{}", False)]
    assert not only(end(environment, environment.new_world(), None, facts)).passed
