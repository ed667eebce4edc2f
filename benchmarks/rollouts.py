"""Complete rollouts per second: a fresh world, ten calls, diff and grade, in every way to run an agent and keep it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import AgentSpec, agent_of
from silo_decl.engine.artifacts import Folder, Pack, Packed
from silo_decl.engine.environment import Environment
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import Job, Sink, run_rollout

AGENT = """\
def agent(run):
    for number in (7, 11):
        run.call_tool("move_deal", {"dealId": f"DEAL-{number:07}", "newOwnerId": "USR-002"})
    for number in range(20, 27):
        run.call_tool("get_deal", {"dealId": f"DEAL-{number:07}"})
    run.call_tool("list_deals", {"ownerId": "USR-002", "limit": 5})
    return "moved"
"""
_SECONDS = 1.5


def rates(environment: Environment, folder: Path) -> dict[str, float]:
    """Rollouts per second by the way they are run."""
    file = folder / "agent.py"
    file.write_text(AGENT, encoding="utf-8")
    space: dict[str, Any] = {}
    exec(compile(AGENT, str(file), "exec"), space)
    inside, outside = agent_of(space["agent"]), agent_of(str(file))
    return {
        "in process, nothing written": _rate(environment, inside, lambda job: Packed()),
        "in process, packed artifacts": _packed(environment, inside, folder),
        "in process, a run folder each": _rate(environment, inside, _folders(folder / "inside")),
        "a fresh agent process each, packed": _packed(environment, outside, folder),
        "kept agent processes (--reuse-agents), packed": _packed(environment, outside, folder, reuse=True),
        "a fresh agent process each, a run folder each": _rate(environment, outside, _folders(folder / "outside")),
    }


def _folders(folder: Path) -> Callable[[Job], Sink]:
    return lambda job: Folder(folder / job.run_id)


def _packed(environment: Environment, agent: AgentSpec, folder: Path, reuse: bool = False) -> float:
    pack = Pack(folder / f"{agent.kind}-{reuse}.pack")
    try:
        return _rate(environment, agent, lambda job: pack.rollout(), reuse)
    finally:
        pack.close()


def _rate(environment: Environment, agent: AgentSpec, sink: Callable[[Job], Sink], reuse: bool = False) -> float:
    host = AgentHost(agent, ahead=not reuse) if agent.function is None else None
    task = environment.tasks["TASK-001"]
    try:
        done, begin = 0, 0.0
        while not begin or time.perf_counter() - begin < _SECONDS:
            job = Job(environment, task, agent, Limits(), f"bench-{done}-{time.monotonic_ns()}", reuse)
            result = run_rollout(job, host, sink(job))
            if not result.passed:
                raise RuntimeError(f"The rollout did not pass: {result.result}")
            done += 1
            if done == 20:
                begin, done = time.perf_counter(), 21
        return (done - 21) / (time.perf_counter() - begin)
    finally:
        if host is not None:
            host.close()
