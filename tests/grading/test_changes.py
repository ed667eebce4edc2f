"""What must, may and may not differ."""

from pathlib import Path

from .desk import desk, graded, only, problems

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
