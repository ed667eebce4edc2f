"""Mistakes of the world's author are the fault of the world, and what is odd is written down all the same."""

from __future__ import annotations

import contextlib
import errno
import json
from pathlib import Path
from typing import Any

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import Packed, read_folder
from silo_decl.engine.host import AgentHost
from silo_decl.engine.rollout import Job, RolloutResult, run_rollout
from tests.engine.rollouts import QUICK, Bench
from tests.reports.desks import ENVIRONMENT, broken_desk


def closes(run: Any) -> str:
    return json.dumps(run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"}))


def closed_by(hook: str, folder: Path) -> RolloutResult:
    return broken_desk(folder, hook).run("close-one", closes, runs_dir=folder / "runs")


@pytest.mark.parametrize(
    ("hook", "said"),
    [
        ("raise ValueError('no luck')", "ValueError: no luck"),
        ("raise ValueError('half \\ud800')", "ValueError: half ?"),
        ("raise SystemExit(3)", "SystemExit"),
        ("return {1, 2}", "a set"),
        ("return float('nan')", "nan"),
        ("world['tickets']['T-002']['subject'] = '\\ud800'; return {}", "half of a character pair"),
        ("x = {}; x['x'] = x; return x", "contains itself"),
    ],
)
def test_hook_that_goes_wrong_breaks_the_rollout_and_changes_nothing(hook: str, said: str, tmp_path: Path) -> None:
    result = closed_by(f"world['tickets']['T-001']['status'] = 'waiting'; {hook}", tmp_path)
    assert (result.broken, result.termination_reason, result.tool_errors) == (True, "completed", 1)
    assert result.fault is not None
    assert (result.fault["of"], result.fault["where"]) == ("world", "hook tickets.close")
    assert said in result.fault["message"]
    assert result.diff == {"collections": {}, "scalars": {}}
    assert json.loads(result.output or "")["output"]["code"] == "tool_failed"


def test_author_finds_the_trace_of_a_hook_and_the_agent_does_not(tmp_path: Path) -> None:
    result = closed_by("raise ValueError('half \\ud800')", tmp_path)
    assert result.run_dir is not None
    record = read_folder(result.run_dir)
    event = next(event for event in record.trace if event["type"] == "tool_result")
    assert "tickets.py" in event["fault"]["traceback"]
    assert "ValueError" not in json.dumps(event["output"])
    assert record.result["fault"] == result.fault


def test_fault_of_the_world_is_told_before_the_error_of_the_agent(tmp_path: Path) -> None:
    def agent(run: Any) -> None:
        closes(run)
        raise ValueError("the agent's own")

    result = broken_desk(tmp_path, "raise KeyError('world')").run("close-one", agent)
    assert result.fault is not None
    assert (result.fault["of"], result.termination_reason) == ("world", "agent_error")


def test_very_big_integers_stay_exact_on_their_way_to_the_agent_and_the_disk(tmp_path: Path) -> None:
    result = closed_by("return {'big': 10**40}", tmp_path)
    assert json.loads(result.output or "")["output"]["big"] == 10**40
    assert result.run_dir is not None
    record = read_folder(result.run_dir)
    assert next(event for event in record.trace if event["type"] == "tool_result")["output"]["big"] == 10**40


@pytest.mark.parametrize("levels", [101, 300, 900])
def test_arguments_that_are_nested_too_deeply_are_refused(bench: Bench, levels: int) -> None:
    text = f"""
    def agent(run):
        deep = []
        for _ in range({levels}):
            deep = [deep]
        return run.call_tool("get_ticket", {{"ticketId": deep}})["output"]
    """
    result = bench.python(text)
    assert json.loads(result.output or "")["code"] == "invalid_input"
    assert "levels deep" in json.loads(result.output or "")["message"]
    assert (result.tool_calls, result.tool_errors, result.fault) == (1, 1, None)


def test_many_arguments_that_are_not_deep_are_no_trouble() -> None:
    result = ENVIRONMENT.run("close-one", lambda run: run.call_tool("get_ticket", {"a": [[]] * 500})["output"])
    assert "levels deep" not in (result.output or "")


def test_what_a_hook_prints_is_a_remark_and_no_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = closed_by("print('looking for a mistake'); return {}", tmp_path)
    assert result.fault is None
    said = capsys.readouterr()
    assert (said.out, "looking for a mistake" in said.err) == ("", True)


class FullDisk(Packed):
    """A place to write to in which there is room for three events."""

    def __init__(self) -> None:
        super().__init__()
        self.write = self._write

    def _write(self, line: bytes) -> None:
        if len(self.events) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.events.append(line)


def catches(run: Any) -> str:
    for _ in range(5):
        with contextlib.suppress(Exception):
            run.call_tool("list_tickets", {})
    return "ok"


def test_full_disk_is_not_taken_for_the_agent_s_error() -> None:
    job = Job(ENVIRONMENT, ENVIRONMENT.task("close-one"), agent_of(catches), QUICK, "run-1")
    with pytest.raises(OSError, match="No space left"):
        run_rollout(job, None, FullDisk())


def test_agent_whose_rollout_broke_is_not_kept_for_the_next(bench: Bench) -> None:
    path = bench.file("def agent(run):\n    for _ in range(5): run.call_tool('list_tickets', {})\n    return 'ok'\n")
    with AgentHost(agent_of(path)) as host:
        assert bench.on(host, reuse=True).output == "ok"
        job = Job(ENVIRONMENT, ENVIRONMENT.task("close-one"), host.agent, QUICK, "run-1", reuse=True)
        with pytest.raises(OSError, match="No space left"):
            run_rollout(job, host, FullDisk())
        assert bench.on(host, reuse=True).output == "ok"
