"""The story of a rollout, told from what it left on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from silo_decl.engine.artifacts import read_folder
from silo_decl.reports.story import WIDTH, calls_of, story
from tests.reports.desks import ENVIRONMENT


def told(agent: Any, runs_dir: Path, task: str = "close-one") -> dict[str, list[str]]:
    """The lines under each heading; what is before the first is under ''."""
    result = ENVIRONMENT.run(task, agent, runs_dir=runs_dir)
    assert result.run_dir is not None
    return by_heading(result.run_dir)


def by_heading(folder: Path) -> dict[str, list[str]]:
    record = read_folder(folder)
    run = record.run or record.trace[0]
    found: dict[str, list[str]] = {"": []}
    for kind, text in story(run, record.trace, record.result, record.diff):
        if kind == "heading":
            found[text] = []
        else:
            found[list(found)[-1]].append(text)
    return found


def closes(run: Any) -> str:
    run.call_tool("get_ticket", {"ticketId": "T-009"})
    run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"})
    return "Closed T-002."


def test_story_tells_calls_answer_changes_and_checks(tmp_path: Path) -> None:
    said = told(closes, tmp_path)
    assert said[""] == ["close-one passed, reward 1.00", "helpdesk, agent closes, ended: completed"]
    assert said["Calls (2)"][0] == 'get_ticket {"ticketId": "T-009"}'
    assert "refused: " in said["Calls (2)"][1]
    assert "(not_found)" in said["Calls (2)"][1]
    assert said["Answer"] == ["Closed T-002."]
    assert "tickets T-002: status: waiting -> closed, closedDate: null -> 2026-04-01" in said["What changed"]
    assert any(line.startswith("auditLog + ") and "close_ticket" in line for line in said["What changed"])
    assert [line[:4] for line in said["Checks"] if not line.startswith(" ")] == ["pass", "pass", "pass"]
    assert "Likely cause" not in said


def test_story_of_a_failure_gives_reasons_and_a_likely_cause(tmp_path: Path) -> None:
    said = told(lambda run: "I closed T-002.", tmp_path)
    assert said[""][0] == "close-one failed, reward 0.00"
    assert said["Calls (0)"] == []
    assert said["What changed"] == ["nothing"]
    failed = said["Checks"].index(next(line for line in said["Checks"] if line.startswith("FAIL")))
    assert said["Checks"][failed + 1].strip()
    assert said["Likely cause"] == ["The agent called no tool at all."]


def test_long_values_are_cut_to_a_line(tmp_path: Path) -> None:
    said = told(lambda run: "long\n" * 1000, tmp_path)
    assert len(said["Answer"]) == 1
    assert len(said["Answer"][0]) == WIDTH


def test_story_of_a_run_that_was_cut_off_says_so(tmp_path: Path) -> None:
    result = ENVIRONMENT.run("close-one", closes, runs_dir=tmp_path)
    assert result.run_dir is not None
    trace = (result.run_dir / "trace.jsonl").read_bytes().splitlines(keepends=True)
    for name in ("run.json", "result.json", "state-diff.json", "agent.log"):
        (result.run_dir / name).unlink()
    (result.run_dir / "trace.jsonl").write_bytes(b"".join(trace[:4]) + trace[4][:20])
    said = by_heading(result.run_dir)
    assert said[""] == ["close-one was not finished", "cut off before its end"]
    assert said["Calls (2)"][-1].strip() == "cut off before it was answered"
    assert list(said) == ["", "Calls (2)"]


def test_call_without_a_result_is_not_answered() -> None:
    trace = [{"type": "tool_call", "callId": "call-1", "name": "a", "input": {}}, {"type": "noise"}]
    assert [call.answered for call in calls_of(trace)] == [False]


def test_nothing_but_noise_has_a_story_too() -> None:
    assert list(story({}, [{"a": 1}], {}, {}))[0] == ("title", "? was not finished")
