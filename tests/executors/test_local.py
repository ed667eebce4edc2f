"""Suites on this machine, with real agents and real files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import new_run_id, read_suite, rollouts
from silo_decl.engine.environment import Environment, load_folder
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import RolloutResult
from silo_decl.executors.local import run_plan
from silo_decl.executors.suite import Plan, Summary, facts
from tests.engine.rollouts import are_gone

HELPDESK = Path(__file__).parent.parent / "examples" / "good" / "helpdesk"
ENVIRONMENT = load_folder(HELPDESK)
TASKS = ("count-open", "close-one", "rehome-tickets")
CLOSER = """\
import os
def agent(run):
    print("from", os.getpid())
    run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"})
    return "Closed T-002."
"""


def planned(folder: Path, agent: str, runs: int = 1, environment: Environment = ENVIRONMENT, **more: object) -> Plan:
    tasks = [environment.task(one) for one in TASKS]
    settings: dict[str, object] = {"suite": "core", **more}
    limits = Limits(20, 20_000, 300)
    return Plan(environment, agent_of(agent), tasks, runs, limits, new_run_id(), folder, **settings)  # type: ignore[arg-type]


@pytest.fixture
def closer(tmp_path: Path) -> str:
    (tmp_path / "closer.py").write_text(CLOSER, encoding="utf-8")
    return str(tmp_path / "closer.py")


def outcomes(summary: Summary) -> list[tuple[str, bool, str]]:
    return [(one.task_id, one.passed, one.termination_reason) for one in summary.results]


def test_solutions_pass_and_doing_nothing_does_not(tmp_path: Path) -> None:
    assert run_plan(planned(tmp_path, "solution", 2)).passed == 6
    assert run_plan(planned(tmp_path, "idle", 2)).passed == 0


@pytest.mark.parametrize(
    "more", [{}, {"folders": True}, {"concurrency": 3}, {"reuse": True}, {"reuse": True, "concurrency": 2}]
)
def test_results_are_the_same_however_a_suite_is_run(tmp_path: Path, closer: str, more: dict[str, object]) -> None:
    """Packed or in folders, one or several at a time, with fresh or kept processes: in the order of the plan."""
    plan = planned(tmp_path, closer, 3, **more)
    heard: list[RolloutResult] = []
    summary = run_plan(plan, heard.append)
    assert outcomes(summary) == [(task, task == "close-one", "completed") for task in TASKS for _ in range(3)]
    assert sorted(one.run_id for one in heard) == [job.run_id for job in plan.jobs()]
    records = list(rollouts(plan.folder))
    assert [record.run_id for record in records] == [job.run_id for job in plan.jobs()]
    assert [record.result["passed"] for record in records] == [one.passed for one in summary.results]
    processes = {record.log for record in records}
    assert len(processes) <= int(str(more.get("concurrency", 1))) if more.get("reuse") else len(processes) == 9


def test_same_suite_twice_gives_the_same_bytes(tmp_path: Path, closer: str) -> None:
    seen = []
    for _ in range(2):
        plan = planned(tmp_path, closer, folders=True)
        run_plan(plan)
        folders = sorted(path for path in plan.folder.iterdir() if path.is_dir())
        seen.append([(path / name).read_bytes() for path in folders for name in ("result.json", "state-diff.json")])
    assert len(seen[0]) == 6
    assert seen[0] == seen[1]


def test_suite_leaves_one_file_for_each_worker_and_one_about_itself(tmp_path: Path) -> None:
    plan = planned(tmp_path, "solution", 4, concurrency=2)
    run_plan(plan)
    names = {path.name for path in plan.folder.iterdir()}
    assert names <= {"suite.json", "worker-1.pack", "worker-2.pack"}
    about = read_suite(plan.folder)
    assert (about["suite"], about["planned"], about["passed"], about["met"]) == ("core", 12, 12, True)


def test_one_rollout_leaves_its_folder(tmp_path: Path) -> None:
    task = [ENVIRONMENT.task("close-one")]
    plan = Plan(ENVIRONMENT, agent_of("solution"), task, 1, Limits(), new_run_id(), tmp_path)
    summary = run_plan(plan)
    assert facts(summary)["runs"][0]["runDir"] == str(tmp_path / plan.run_id)
    assert (plan.folder / "result.json").is_file()


def test_mistake_of_the_world_breaks_its_rollouts_and_no_others(tmp_path: Path) -> None:
    shutil.copytree(HELPDESK, tmp_path / "env")
    hooks = tmp_path / "env" / "hooks" / "tickets.py"
    source = hooks.read_text(encoding="utf-8")
    hooks.write_text(source.replace('ticket["status"] = "closed"', "ticket['missing']['x']"), encoding="utf-8")
    summary = run_plan(planned(tmp_path, "solution", environment=load_folder(tmp_path / "env")))
    assert (summary.passed, summary.failed, summary.broken) == (2, 0, 1)
    fault = summary.results[1].fault
    assert fault is not None
    assert fault["of"] == "world"
    assert "tickets" in fault["where"]


_FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.executors.test_local import planned, run_plan
plan = planned(Path(sys.argv[1]), "solution", 4)
plan.folder.mkdir(parents=True)
(plan.folder / "worker-1.pack").write_bytes(b"\\n" * 30000)
resource.setrlimit(resource.RLIMIT_FSIZE, (33000, 33000))
summary = run_plan(plan)
print(summary.passed, summary.broken, {one.fault["of"] for one in summary.results if one.fault})
"""


def test_full_disk_breaks_what_does_not_fit_and_the_rest_goes_on(tmp_path: Path) -> None:
    root = str(Path(__file__).parent.parent.parent)
    command = [sys.executable, "-c", _FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.stderr == ""
    passed, broken, faults = done.stdout.split(maxsplit=2)
    assert int(passed) + int(broken) == 12
    assert int(broken) > 0
    assert faults.strip() == "{'machinery'}"


SLEEPER = """\
import os, subprocess, time
def agent(run):
    if "T-002" in run.task:
        return "quick"
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    with open(os.path.join(os.path.dirname(__file__), f"pids-{os.getpid()}"), "w") as file:
        file.write(f"{os.getpid()} {os.getppid()} {child.pid}")
    time.sleep(600)
"""


@pytest.mark.parametrize("concurrency", [1, 3])
def test_interrupt_ends_the_agents_and_keeps_what_is_finished(tmp_path: Path, concurrency: int) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER, encoding="utf-8")
    words = ["run", "--env", str(HELPDESK), "--agent", "./sleeper.py", "--concurrency", str(concurrency), "--json"]
    tasks = ["--task", "close-one", "--task", "count-open", "--task", "rehome-tickets"]
    command = [sys.executable, "-m", "silo_decl", *words, *tasks]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    sleeping = min(2, concurrency)
    until = time.monotonic() + 20
    while len(files := [one for one in tmp_path.glob("pids-*") if len(one.read_text().split()) == 3]) < sleeping:
        assert time.monotonic() < until
        time.sleep(0.02)
    folder = next((tmp_path / ".silo" / "runs").iterdir())
    while not list(rollouts(folder)):
        assert time.monotonic() < until
        time.sleep(0.02)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, remarks = process.communicate(timeout=20)
    assert time.monotonic() - begin < 5
    assert (process.returncode, "Traceback" in remarks) == (130, False)
    assert [(one["taskId"], one["terminationReason"]) for one in json.loads(said)["runs"]] == [
        ("close-one", "completed")
    ]
    assert [record.result["taskId"] for record in rollouts(folder)] == ["close-one"]
    assert are_gone([int(pid) for one in files for pid in one.read_text().split()])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties processes together")
def test_engine_that_is_killed_leaves_no_process_and_no_folder_behind(tmp_path: Path) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    words = ["run", "--env", str(HELPDESK), "--agent", "./sleeper.py", "--task", "count-open"]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    process = subprocess.Popen([sys.executable, "-m", "silo_decl", *words], cwd=tmp_path, env=environment)
    until = time.monotonic() + 20
    while not (files := [one for one in tmp_path.glob("pids-*") if len(one.read_text().split()) == 3]):
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert are_gone([int(pid) for pid in files[0].read_text().split()])
    while list((tmp_path / "temporary").iterdir()) and time.monotonic() < until:
        time.sleep(0.02)
    assert list((tmp_path / "temporary").iterdir()) == []
