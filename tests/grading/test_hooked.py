"""Checks that a hook makes."""

from pathlib import Path

import pytest

from silo_decl.engine.environment import Environment

from .desk import desk, graded, only, problems

CHECK = "  - label: Mine\n    python: mine.look\n"
CLOSE = ("set_status", {"ticketId": "T-1", "status": "closed"})


def hook(folder: Path, body: str, takes: str = "initial, final, output, calls") -> Path:
    (folder / "hooks").mkdir(parents=True)
    (folder / "hooks" / "mine.py").write_text(f"def look({takes}):\n    {body}\n")
    return folder


def hooked(folder: Path, body: str) -> Environment:
    return desk(hook(folder, body), CHECK)


@pytest.mark.parametrize(
    ("body", "passed", "detail"),
    [
        ("return final.query('length(tickets)') == 3", True, "mine.look says yes."),
        ("return initial['tickets']['T-1']['status'] == 'closed'", False, "mine.look says no."),
        ("return final['tickets']['T-1']['status'] == 'closed'", True, "mine.look says yes."),
        ("return output == 'done' and calls[0].name == 'set_status'", True, "mine.look says yes."),
        ("return calls[0].input['ticketId'] + calls[0].output['updated']['id']", False, "T-1T-1"),
        ("return ''", True, "mine.look says yes."),
        ("return {'passed': False, 'detail': 'too slow'}", False, "too slow"),
        ("return {'passed': True}", True, "mine.look says yes."),
    ],
)
def test_hook_says_yes_no_or_why(tmp_path: Path, body: str, passed: bool, detail: str) -> None:
    result = only(graded(hooked(tmp_path, body), CLOSE, output="done"))
    assert (result.passed, result.detail) == (passed, detail)


def test_hook_of_one_argument_gets_all_as_one_object(tmp_path: Path) -> None:
    environment = desk(hook(tmp_path, "return look.final.today == look.initial.today", "look"), CHECK)
    assert only(graded(environment)).passed


def test_hook_that_takes_other_arguments_is_a_problem_at_load(tmp_path: Path) -> None:
    assert [one.code for one in problems(hook(tmp_path, "return True", "initial, final"), CHECK)] == ["wrong-hook"]


@pytest.mark.parametrize(
    "body", ["return 1 / 0", "return None", "return 3", "return {'ok': True}", "return final['nope']"]
)
def test_hook_that_fails_is_the_worlds_fault(tmp_path: Path, body: str) -> None:
    grade = graded(hooked(tmp_path, body))
    assert not grade.passed
    assert grade.fault is not None and grade.fault.boundary == "hook mine.look"


def test_hook_may_not_change_a_world(tmp_path: Path) -> None:
    grade = graded(hooked(tmp_path, "final['tickets']['T-1']['note'] = 'x'; return True"))
    assert not grade.passed and grade.fault is not None
