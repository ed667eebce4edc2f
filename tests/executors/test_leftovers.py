"""What the real command leaves on disk, and what it does when the disk is against it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from silo_decl.engine.artifacts import Folder, rollouts, unpack
from tests.cli.commands import DESK, answer, silo

START = [sys.executable, "-m", "silo_decl", "run", "--env", str(DESK)]
SLOW = """
import pathlib, time
def agent(run):
    run.call_tool("list_tickets", {})
    print("before the end", flush=True)
    pathlib.Path(__file__).with_name("begun").touch()
    time.sleep(60)
"""


def killed(folder: Path, *words: str) -> None:
    """A run that is killed while its agent is at work."""
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    process = subprocess.Popen([*START, "--agent", "./slow.py", *words], cwd=folder)
    until = time.monotonic() + 20
    while not (folder / "begun").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    process.kill()
    process.wait()


def test_killed_run_leaves_a_readable_trace(tmp_path: Path) -> None:
    killed(tmp_path, "--task", "close-one")
    shown = silo("runs", "show", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith("close-one was not finished")
    assert "list_tickets {}" in shown.stdout
    assert [event["type"] for event in answer("runs", "show", cwd=tmp_path)["trace"]] == [
        "run_start",
        "tool_call",
        "tool_result",
    ]
    assert answer("runs", "list", cwd=tmp_path)[0]["outcome"] == "not finished"


@pytest.mark.parametrize("folders", [[], ["--folders"]])
def test_killed_suite_keeps_what_was_finished(folders: list[str], tmp_path: Path) -> None:
    (tmp_path / "solves.py").write_text("", encoding="utf-8")
    text = SLOW.replace("def agent(run):", "def agent(run):\n    if 'T-002' in run.task: return 'Closed T-002.'")
    (tmp_path / "slow.py").write_text(text, encoding="utf-8")
    words = ["--task", "close-one", "--task", "count-open", "--agent", "./slow.py", *folders]
    process = subprocess.Popen([*START, *words], cwd=tmp_path)
    until = time.monotonic() + 20
    while not (tmp_path / "begun").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    process.kill()
    process.wait()
    shown = silo("runs", "show", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "close-one" in shown.stdout
    runs = answer("runs", "show", cwd=tmp_path)["runs"]
    assert runs[0]["taskId"] == "close-one"
    assert "not finished" in silo("runs", "list", cwd=tmp_path).stdout
    one = silo("runs", "show", runs[0]["runId"], cwd=tmp_path)
    assert (one.returncode, "Checks" in one.stdout) == (0, True)


def test_packed_suite_is_listed_shown_and_unpacked(tmp_path: Path) -> None:
    done = silo("run", "--env", DESK, "--suite", "core", "--agent", "solution", cwd=tmp_path)
    assert done.returncode == 0
    folder = next((tmp_path / ".silo" / "runs").iterdir())
    assert sorted(path.name for path in folder.iterdir()) == ["suite.json", "worker-1.pack"]
    before = list(rollouts(folder))
    shown = silo("runs", "show", folder.name, cwd=tmp_path)
    assert shown.stdout.count("pass") >= 4
    assert silo("runs", "unpack", folder.name, cwd=tmp_path).returncode == 0
    assert len([path for path in folder.iterdir() if path.is_dir()]) == len(before)
    assert unpack(folder) == []
    again = silo("runs", "show", folder.name, cwd=tmp_path)
    assert again.stdout == shown.stdout


@pytest.mark.parametrize("given", ["../../x", "..", ".", "/etc", "", "x/../y", "../runs.1", "a\x1bb", "é"])
def test_id_of_a_run_cannot_leave_the_folder(given: str, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    Folder(tmp_path / "x" / "run.1").close()
    (tmp_path / ".silo" / "runs").mkdir(parents=True)
    for words in (["runs", "show", given], ["runs", "unpack", given]):
        shown = silo(*words, cwd=tmp_path)
        assert (shown.returncode, shown.stdout) == (2, "")
        assert "There is no run" in shown.stderr


def test_runs_folder_that_is_not_there_or_is_a_file_is_said_in_words(tmp_path: Path) -> None:
    assert silo("runs", "list", cwd=tmp_path).returncode == 0
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for words in (["runs", "list"], ["runs", "show", "last"]):
        assert "Traceback" not in silo(*words, "--runs-dir", "file", cwd=tmp_path).stderr


@pytest.mark.parametrize("what", [["--task", "close-one"], ["--suite", "core"], ["--suite", "core", "--folders"]])
def test_runs_folder_that_cannot_be_made_is_said_in_words(what: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = silo("run", "--env", DESK, *what, "--agent", "solution", "--runs-dir", "file/runs", cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert "file" in done.stdout + done.stderr
    assert "defect" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_runs_folder_that_may_not_be_written_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    words = ["--suite", "core", "--agent", "solution", "--runs-dir", "locked/runs"]
    done = silo("run", "--env", DESK, *words, cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert "defect" not in done.stderr


def test_folder_that_goes_in_the_middle_breaks_the_rollout(tmp_path: Path) -> None:
    text = """
import pathlib, shutil
def agent(run):
    shutil.rmtree(pathlib.Path(__file__).with_name("runs"))
    return "Closed T-002."
"""
    (tmp_path / "deletes.py").write_text(text, encoding="utf-8")
    words = ["--task", "close-one", "--agent", "./deletes.py", "--runs-dir", "runs"]
    done = silo("run", "--env", DESK, *words, "--json", cwd=tmp_path)
    assert done.returncode == 1
    summary = json.loads(done.stdout)
    assert (summary["broken"], summary["runs"][0]["fault"]["of"]) == (1, "machinery")


def test_rollout_whose_machinery_broke_is_on_the_record(tmp_path: Path) -> None:
    """An agent that ends the process which starts agents breaks its own rollout, and no other."""
    text = """
import os, time
def agent(run):
    if "T-002" in run.task:
        os.kill(os.getppid(), 9)
        time.sleep(60)
    return run.call_tool("ticket_summary", {"status": "open"})["output"]["count"]
"""
    (tmp_path / "kills.py").write_text(text, encoding="utf-8")
    words = ["--task", "close-one", "--task", "count-open", "--agent", "./kills.py"]
    done = silo("run", "--env", DESK, *words, "--json", cwd=tmp_path)
    summary = json.loads(done.stdout)
    assert (summary["broken"], summary["passed"], done.returncode) == (1, 1, 1)
    shown = silo("runs", "show", cwd=tmp_path)
    assert (shown.returncode, "broken" in shown.stdout, "The machinery broke" in shown.stdout) == (0, True, True)
    assert "The machinery broke" in silo("runs", "show", summary["runs"][0]["runId"], cwd=tmp_path).stdout
