"""A small world to let agents loose in, each in a real process."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import Folder, RunRecord, read_folder
from silo_decl.engine.environment import Environment, load_folder
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import Job, RolloutResult, run_rollout

HELPDESK = Path(__file__).parent.parent / "examples" / "good" / "helpdesk"
ENVIRONMENT = load_folder(HELPDESK)
ENOUGH = Limits(20, 20_000, 300)
SHORT = Limits(20, 500, 200)
FEW = Limits(3, 20_000, 200)


@dataclass(frozen=True)
class Tried:
    """One rollout: its result, and what it left on disk."""

    result: RolloutResult
    record: RunRecord

    @property
    def ended(self) -> str:
        return self.result.termination_reason

    @property
    def output(self) -> str | None:
        return self.result.output

    @property
    def message(self) -> str:
        assert self.result.fault is not None
        return self.result.fault["message"]

    @property
    def log(self) -> str:
        return self.record.log


class Desk:
    """Writes agents to a folder and tries them on the task `close-one`."""

    def __init__(self, folder: Path, environment: Environment = ENVIRONMENT):
        self.folder = folder
        self.environment = environment
        self._count = 0

    def write(self, source: str, name: str = "agent.py") -> Path:
        path = self.folder / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        path.chmod(0o755)
        return path

    def tried(self, source: str, name: str = "agent.py", limits: Limits = ENOUGH) -> Tried:
        return self.tried_often(source, 1, name, limits)[0]

    def tried_often(
        self,
        source: str,
        times: int,
        name: str = "agent.py",
        limits: Limits = ENOUGH,
        reuse: bool = False,
        ahead: bool = False,
    ) -> list[Tried]:
        path = self.write(source, name)
        agent = agent_of(f"cmd: {path}" if path.suffix == ".sh" else str(path))
        with AgentHost(agent, ahead) as host:
            return [self.one(host, limits, reuse) for _ in range(times)]

    def one(self, host: AgentHost, limits: Limits = ENOUGH, reuse: bool = False) -> Tried:
        self._count += 1
        folder = Folder(self.folder / "runs" / f"run-{self._count}")
        task = self.environment.tasks["close-one"]
        result = run_rollout(Job(self.environment, task, host.agent, limits, folder.path.name, reuse), host, folder)
        return Tried(result, read_folder(folder.path))


def is_gone(pid: int, seconds: float = 3.0) -> bool:
    """Whether there is no such process, or soon is none."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_dead(pid):
            return True
        time.sleep(0.01)
    return False


def _is_dead(pid: int) -> bool:
    """Whether it only waits to be taken note of by a parent that is none of ours."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return not sys.platform.startswith("linux")


def numbers(text: Any) -> list[int]:
    return [int(word) for word in str(text).split()]
