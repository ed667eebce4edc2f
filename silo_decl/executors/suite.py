"""A suite, or a few tasks, as a list of rollouts to do, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import AgentSpec
from silo_decl.engine.environment import Environment
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import Job, RolloutResult
from silo_decl.grading.task import Task


@dataclass(frozen=True)
class Plan:
    """The rollouts of one use of `silo run`, in order: every task, `runs` times each.

    `pass_rate` is the share of graded rollouts that must pass, or None where all must.
    """

    environment: Environment
    agent: AgentSpec
    tasks: Sequence[Task]
    runs: int
    limits: Limits
    run_id: str
    runs_dir: Path
    suite: str = ""
    pass_rate: float | None = None
    concurrency: int = 1
    folders: bool = False
    reuse: bool = False

    @property
    def folder(self) -> Path:
        return self.runs_dir / self.run_id

    @property
    def single(self) -> bool:
        """Whether it is one rollout, which has a folder of its own."""
        return not self.suite and len(self.tasks) * self.runs == 1

    def jobs(self) -> list[Job]:
        width = len(str(len(self.tasks) * self.runs))
        jobs: list[Job] = []
        for task in self.tasks:
            for _ in range(self.runs):
                number = len(jobs) + 1
                run_id = self.run_id if self.single else f"{self.run_id}.{number:0{width}}"
                jobs.append(Job(self.environment, task, self.agent, self.limits, run_id, self.reuse))
        return jobs


@dataclass
class Summary:
    """What became of a plan: `planned` rollouts, and the results there are, in the order of the plan.

    A broken rollout says nothing about the agent; it counts neither as passed nor as failed. `remark` is for people.
    """

    planned: int
    results: list[RolloutResult] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    remark: str = ""

    @property
    def broken(self) -> int:
        return sum(one.broken for one in self.results)

    @property
    def passed(self) -> int:
        return sum(one.passed and not one.broken for one in self.results)

    @property
    def failed(self) -> int:
        return len(self.results) - self.passed - self.broken

    @property
    def graded(self) -> int:
        return self.passed + self.failed

    def met(self, pass_rate: float | None) -> bool:
        """Whether it is good enough: all passed, or the rate of the graded ones where a bar is set and none broke."""
        if self.interrupted or self.broken or len(self.results) < self.planned or not self.graded:
            return False
        return self.passed / self.graded >= (1.0 if pass_rate is None else pass_rate)


def facts(summary: Summary) -> dict[str, Any]:
    """The summary as `silo run --json` prints it."""
    return {
        "planned": summary.planned,
        "passed": summary.passed,
        "failed": summary.failed,
        "broken": summary.broken,
        "runs": [_facts(one) for one in summary.results],
    }


def _facts(result: RolloutResult) -> dict[str, Any]:
    return {
        "runId": result.run_id,
        "taskId": result.task_id,
        "passed": result.passed,
        "reward": result.reward,
        "terminationReason": result.termination_reason,
        "toolCalls": result.tool_calls,
        "toolErrors": result.tool_errors,
        "fault": result.fault,
        "runDir": None if result.run_dir is None else str(result.run_dir),
    }
