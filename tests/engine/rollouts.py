"""Rollouts of agents that are written as text, in processes as in a real run."""

from __future__ import annotations

import os
import shutil
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import Folder, RunRecord, read_folder
from silo_decl.engine.environment import Environment, load_folder
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import Job, RolloutResult, run_rollout

DESK = Path(__file__).parent.parent / "examples" / "good" / "helpdesk"
QUICK = Limits(max_tool_calls=20, timeout_ms=5_000, grace_ms=200)
SHORT = Limits(max_tool_calls=20, timeout_ms=400, grace_ms=200)

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


class Bench:
    """One folder with agents in it; each `run` is a rollout of one of them with artifacts on disk."""

    def __init__(self, folder: Path, environment: Environment):
        self.folder = folder
        self.environment = environment
        self.record: RunRecord
        self._count = 0

    def file(self, text: str, suffix: str = ".py") -> str:
        self._count += 1
        path = self.folder / f"agent{self._count}{suffix}"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return str(path)

    def python(self, text: str, limits: Limits = QUICK, **more: Any) -> RolloutResult:
        return self.run(self.file(text), limits, **more)

    def javascript(self, text: str, limits: Limits = QUICK, **more: Any) -> RolloutResult:
        return self.run(self.file(text, ".mjs"), limits, **more)

    def shell(self, text: str, limits: Limits = QUICK, **more: Any) -> RolloutResult:
        return self.run(f"cmd: sh {self.file(text, '.sh')}", limits, **more)

    def run(self, agent: Any, limits: Limits = QUICK, task: str = "close-one") -> RolloutResult:
        spec = agent_of(agent)
        with AgentHost(spec) as host:
            return self.on(host, limits, task)

    def on(
        self, host: AgentHost, limits: Limits = QUICK, task: str = "close-one", reuse: bool = False
    ) -> RolloutResult:
        """A rollout on a host that stays; what it left is in `record`."""
        self._count += 1
        run_id = f"run-{self._count}"
        job = Job(self.environment, self.environment.task(task), host.agent, limits, run_id, reuse)
        folder = self.folder / "runs" / run_id
        result = run_rollout(job, host, Folder(folder))
        self.record = read_folder(folder)
        return result

    @property
    def log(self) -> str:
        return self.record.log

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.record.trace if event["type"] == kind]


@pytest.fixture(scope="session")
def desk() -> Environment:
    return load_folder(DESK)


@pytest.fixture
def bench(tmp_path: Path, desk: Environment) -> Iterator[Bench]:
    yield Bench(tmp_path, desk)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be waited for does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def are_gone(pids: list[int], seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while any(map(is_alive, pids)):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True
