"""A task as a whole: the grade, the reward and what an agent is told."""

from pathlib import Path

from silo_decl.engine.environment import load_folder

from .desk import ENVIRONMENT, desk, graded, only, problems, task, write

CLOSE = ("set_status", {"ticketId": "T-1", "status": "closed"})

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


def test_truth_that_cannot_be_worked_out_fails_every_check(tmp_path: Path) -> None:
    checks = "  - changes: nothing\n  - that: output == 'x'\n"
    environment = desk(tmp_path, checks, "given:\n  bad: date_of(initial.tickets[2].note)\n")
    grade = graded(environment, output="x")
    assert [check.passed for check in grade.checks] == [False, False]
    assert grade.fault is not None and grade.fault.boundary == "expression tasks/t.yaml:5:8"


def test_task_without_a_required_check_is_a_problem_at_load(tmp_path: Path) -> None:
    found = problems(tmp_path, "  - changes: nothing\n    required: false\n")
    assert [one.code for one in found] == ["empty-check"]


def test_grades_are_the_same_again(tmp_path: Path) -> None:
    environment = desk(tmp_path, WEIGHTED + ANY_OF)
    assert graded(environment, CLOSE, output="closed") == graded(environment, CLOSE, output="closed")


ACTOR = "actor:\n  parameter: actorUserId\n  references: people\n"


def acting(folder: Path, more: str = "") -> str:
    write(folder, task("  - changes: nothing\n", f"acting_as: P-1\n{more}"))
    (folder / "environment.yaml").write_text(ENVIRONMENT.replace("tools:\n", f"{ACTOR}tools:\n"))
    return load_folder(folder).tasks["T"].instruction


def test_agent_is_told_in_one_sentence_who_it_acts_as(tmp_path: Path) -> None:
    assert acting(tmp_path) == (
        "Do it for 30 days.\n\nYou are acting as Ann (P-1): give P-1 as actorUserId to tools that ask for it."
    )
