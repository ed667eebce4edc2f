"""A person in the agent's seat: the same tools, refusals and grade, and every change can be undone."""

import os
import pty
import re
import select
import shutil
import sys
import time
from pathlib import Path

import pytest

from silo_decl import load
from silo_decl.authoring.new_environment import new_environment
from silo_decl.authoring.play import PlaySession, parse_call, value_of
from silo_decl.errors import UsageError
from silo_decl.specs.source import NOWHERE
from silo_decl.specs.tool import ParameterSpec
from tests.cli.commands import ROOT, answer, silo

DEAL = [
    "search_deals query=tills",
    'create_contact accountId=ACC-001 name="Edda Moor" email=edda@lumen.test primary=yes',
    "list_stages",
    "move_deal dealId=DEA-001 stageId=STG-2",
    "move_deal dealId=DEA-001 stageId=STG-1",
    "undo",
    "move_deal dealId=DEA-001 stageId=STG-3",
    'update_deal {"dealId": "DEA-001", "amount": 11500}',
    "answer Done.",
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    new_environment("sales", "crm", tmp_path / "environments")
    return tmp_path


def _play(place: Path, lines: list[str], *words: str) -> tuple[int, str, str]:
    done = silo("play", "--env", "sales", *words, cwd=place, input="\n".join(lines) + "\n")
    return done.returncode, done.stdout, done.stderr


def test_a_task_can_be_solved_by_hand(place: Path) -> None:
    code, said, _ = _play(place, DEAL, "--task", "TASK-005")
    assert code == 0
    assert "Took back move_deal." in said
    assert "Refused, conflict: DEA-001 is in STG-2 already." in said
    assert "Passed, reward 1.00." in said


def test_doing_nothing_fails_the_task(place: Path) -> None:
    code, said, _ = _play(place, ["quit"], "--task", "TASK-005")
    assert (code, "Not passed, reward 0.00." in said) == (1, True)


def test_without_a_task_one_looks_around(place: Path) -> None:
    code, said, _ = _play(place, ["list_stages", "diff", "calls", "undo", "raw", "list_stages", "checks", "answer"])
    assert code == 0
    assert "Negotiate" in said
    assert "Nothing has changed." in said
    assert '"name": "Negotiate"' in said
    assert "There is no task, so there are no checks." in said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("list_dealz", "There is no tool or command 'list_dealz'. Did you mean 'list_deals'?"),
        ("get_deal dealID=DEA-001", '"dealId" is required; "dealID" is not a parameter'),
        ("get_deal DEA-001", "'DEA-001' does not say which argument it is."),
        ('get_deal {"dealId"', "This is no JSON"),
        ('get_deal dealId="DEA', "A quote is not closed."),
        ("get_deal dealId=DEA-999", "Refused, not_found"),
        ("list_deals minAmount=much", '"minAmount" must be a number'),
        ("help get_dael", "There is no tool 'get_dael'."),
    ],
)
def test_mistakes_are_told_and_the_session_goes_on(place: Path, line: str, said: str) -> None:
    code, out, err = _play(place, [line, "list_stages"])
    assert code == 0
    assert said in out
    assert "Negotiate" in out
    assert err == ""


def test_what_was_done_becomes_the_solution(place: Path) -> None:
    file = place / "environments/sales/tasks/TASK-005-new-contact.yaml"
    before = file.read_text("utf-8")
    refused = _play(place, DEAL, "--task", "TASK-005", "--record")
    assert (refused[0], "has a solution already" in refused[2]) == (2, True)
    assert file.read_text("utf-8") == before
    code, _, said = _play(place, DEAL, "--task", "TASK-005", "--record", "--force")
    assert code == 0, said
    after = file.read_text("utf-8")
    assert after.partition("solution:")[0] == before.partition("solution:")[0]
    assert "dealId: = step1.results[0].id" in after
    assert "STG-1" not in after
    assert answer("run", "--env", "sales", "--task", "TASK-005", "--agent", "solution", cwd=place)["passed"] == 1


def test_a_task_that_is_not_passed_is_not_recorded(place: Path) -> None:
    file = place / "environments/sales/tasks/TASK-001-weighted.yaml"
    text = file.read_text("utf-8")
    file.write_text(text[: text.index("solution:")], "utf-8")
    before = file.read_bytes()
    code, _, said = _play(place, ["answer 7"], "--task", "TASK-001", "--record")
    assert (code, "not passed, so nothing was recorded" in said) == (2, True)
    assert file.read_bytes() == before


CRM_TASKS = sorted(name for name, task in load("crm").tasks.items() if not task.spec.family)


@pytest.mark.parametrize("task_id", CRM_TASKS)
def test_playing_a_shipped_solution_by_hand_records_one_that_passes(tmp_path: Path, task_id: str) -> None:
    """Recorded from the very calls of the shipped solution, with every value as a person would type it."""
    from silo_decl.authoring.recording import record

    shutil.copytree(ROOT / "environments/crm", tmp_path / "crm", ignore=shutil.ignore_patterns(".silo"))
    env = load(tmp_path / "crm")
    session = PlaySession(env, env.task(task_id))

    def call(name: str, given: dict[str, object]) -> dict[str, object]:
        played = session.call(name, given)
        return {"output": played.output, "is_error": played.is_error}

    said = env.tasks[task_id].solution.play(call)
    session.answer = said if said is None or isinstance(said, str) else None
    if said is not None and session.answer is None:
        return
    assert session.grade().passed
    record(session, force=True)
    assert load(tmp_path / "crm").run(task_id, agent="solution").passed


def test_undo_brings_back_the_world_as_it_was(place: Path) -> None:
    session = PlaySession(load(place / "environments/sales"))
    session.call("move_deal", {"dealId": "DEA-001", "stageId": "STG-3", "actingUserId": "USR-001"})
    between = session.diff()
    session.call("lose_deal", {"dealId": "DEA-001", "reason": "x", "actingUserId": "USR-001"})
    session.call("get_deal", {"dealId": "DEA-001"})
    assert session.undo() is not None
    assert session.diff() == between
    assert [one.name for one in session.calls] == ["move_deal"]
    session.undo()
    assert session.diff() == {"collections": {}, "scalars": {}}
    assert session.undo() is None


def test_values_are_read_as_people_type_them() -> None:
    def read(text: str, kind: str) -> object:
        return value_of(text, ParameterSpec(NOWHERE, "x", kind))

    assert read("12", "text") == "12"
    assert read("12", "number") == 12
    assert read("yes", "boolean") is True
    assert read("a, b", "list") == ["a", "b"]
    assert read('["a"]', "list") == ["a"]
    assert read("2026-01-31", "date") == "2026-01-31"
    assert read("much", "number") == "much"


def test_a_line_that_cannot_be_read_is_refused_in_words(place: Path) -> None:
    tool = load(place / "environments/sales").toolbox.tools["get_deal"]
    with pytest.raises(UsageError, match="the tool takes dealId"):
        parse_call(tool, "DEA-001")


class _Terminal:
    """`silo play` on a terminal of its own."""

    def __init__(self, place: Path, *words: str):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(place)
            os.environ.update(TERM="xterm", COLUMNS="120", LINES="40", NO_COLOR="1", PYTHONPATH=str(ROOT))
            os.execv(sys.executable, [sys.executable, "-m", "silo_decl", "play", *words])

    def until(self, wanted: str, seconds: float = 30) -> str:
        """What was shown up to a text; what the terminal is asked about itself is answered."""
        start, end = len(self.seen), time.monotonic() + seconds
        while wanted not in self.seen[start:]:
            assert time.monotonic() < end, self.seen[start:]
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    chunk = os.read(self.fd, 65536).decode("utf-8", "replace")
                except OSError:
                    break
                if "\x1b[6n" in chunk:
                    os.write(self.fd, b"\x1b[1;1R")
                self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", chunk)
        assert wanted in self.seen[start:]
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def test_on_a_terminal_words_are_completed_and_forms_ask(place: Path) -> None:
    terminal = _Terminal(place, "--env", "sales", "--task", "TASK-001")
    terminal.until("quit.")
    terminal.until(">")
    terminal.type("pipeline_s\t")
    terminal.until("ummary")
    terminal.type("\r")
    terminal.until("byOwner")
    terminal.until(">")
    terminal.type("get_deal\r")
    terminal.until("dealId: ")
    terminal.type("DEA-001\r")
    terminal.until("Lumen tills")
    terminal.until(">")
    terminal.type("half a line")
    terminal.until("half a line")
    terminal.type("\x03")
    terminal.until(">")
    terminal.type("answer 5\r")
    terminal.until("Noted")
    terminal.until(">")
    terminal.type("\x04")
    terminal.until("Not passed")
    assert terminal.end() == 1


def test_solution_of_a_family_is_not_overwritten_by_what_was_done_in_one_member() -> None:
    from silo_decl.authoring.recording import record

    env = load("crm")
    session = PlaySession(env, env.chosen(["family:HANDOVER"])[0])
    session.answer = "Done."
    with pytest.raises(UsageError, match="a member of the family HANDOVER"):
        record(session, force=True)
