"""One rollout: a fresh world, an agent, a grade, and what is left of it.

The order is always the same: build a fresh world, keep its initial state, bind the tools, load the agent, hand over,
take the output, diff the world, grade, write the artifacts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from silo_decl.engine import session as ends
from silo_decl.engine.agent import AgentSpec
from silo_decl.engine.host import AgentHost
from silo_decl.engine.in_process import run_function
from silo_decl.engine.limits import Limits
from silo_decl.engine.session import Ending, Session
from silo_decl.expressions.records import plain
from silo_decl.grading.reward import CheckResult, Grade
from silo_decl.grading.task import Task
from silo_decl.specs.task import (
    AnswerCheck,
    AnyOfCheck,
    CallsCheck,
    ChangesCheck,
    CheckBody,
    CheckSpec,
    PythonCheck,
    QueryCheck,
    ThatCheck,
)
from silo_decl.trace import line, writable
from silo_decl.versions import versions

if TYPE_CHECKING:
    from silo_decl.engine.environment import Environment

_KINDS: dict[type, str] = {
    AnswerCheck: "answer",
    AnyOfCheck: "any_of",
    CallsCheck: "calls",
    ChangesCheck: "changes",
    PythonCheck: "python",
    QueryCheck: "query",
    ThatCheck: "that",
}


class Sink(Protocol):
    """Where a rollout is written: a folder, a packed file or memory."""

    path: Any

    def write(self, line: bytes, /) -> object: ...

    def finish(self, run: dict[str, Any], result: dict[str, Any], diff: dict[str, Any], log: bytes) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class RolloutResult:
    """How a rollout ended. `fault` is None or `{of, where, message}` with `of` agent, world or machinery.

    `result` and `diff` are what `result.json` and `state-diff.json` hold. `run_dir` is None where nothing was written.
    """

    run_id: str
    task_id: str
    passed: bool
    share: float
    reward: float
    checks: tuple[CheckResult, ...]
    tool_calls: int
    tool_errors: int
    output: str | None
    termination_reason: str
    fault: dict[str, str] | None
    result: dict[str, Any]
    diff: dict[str, Any]
    run_dir: Path | None = None

    @property
    def broken(self) -> bool:
        """Whether it says nothing about the agent, because the world or the machinery broke."""
        return self.fault is not None and self.fault["of"] in ("world", "machinery")


@dataclass(frozen=True)
class Job:
    """What is to be done: one task, one agent, under limits."""

    environment: Environment
    task: Task
    agent: AgentSpec
    limits: Limits
    run_id: str
    reuse: bool = False


def run_rollout(job: Job, host: AgentHost | None, sink: Sink) -> RolloutResult:
    """Do one rollout. Whatever the agent does is in the result; only errors of the disk come out (OSError)."""
    environment, task = job.environment, job.task
    started, begin = datetime.now(UTC), time.perf_counter()
    world = environment.new_world()
    session = Session(environment.toolbox, world, job.limits, sink.write)
    sink.write(line(_start_event(job)))
    ending = _ended(job, host, session)
    output, ending = _written(ending)
    sink.write(line({"type": "agent_output", "output": output}))
    diff = world.diff()
    grade = task.grade(world.initial(), world, output, session.calls, diff)
    fault = _fault(ending, session, grade)
    result = _result(task, session, ending, output, grade, fault)
    sink.write(line({"type": "run_end", "terminationReason": ending.reason, "fault": fault}))
    sink.write(line({"type": "verifier_result", **{key: result[key] for key in ("passed", "reward", "checks")}}))
    run = run_facts(job, started, datetime.now(UTC), time.perf_counter() - begin)
    sink.finish(run, result, diff, host.log_text() if host is not None else ending.log)
    return RolloutResult(
        job.run_id,
        task.id,
        grade.passed,
        grade.share,
        grade.reward,
        grade.checks,
        len(session.calls),
        session.errors,
        output,
        ending.reason,
        fault,
        result,
        diff,
        sink.path,
    )


def _ended(job: Job, host: AgentHost | None, session: Session) -> Ending:
    session.begin()
    if job.agent.kind == "idle":
        return Ending(ends.COMPLETED)
    if job.agent.kind == "solution":
        return ends.play_solution(session, job.task)
    if job.agent.function is not None:
        told, tools = job.environment.told(job.task), job.environment.signatures
        return run_function(job.agent.function, session, told, tools)
    assert host is not None
    return ends.run_process(host, session, job.environment.told(job.task), job.environment.tools_json, job.reuse)


def _written(ending: Ending) -> tuple[str | None, Ending]:
    """The output as text: a text as it is, anything else as JSON; what JSON cannot hold is the agent's error."""
    value = ending.output
    if value is None:
        return None, ending
    if isinstance(value, str):
        return writable(value), ending
    try:
        return writable(json.dumps(plain(value), ensure_ascii=False, allow_nan=False)), ending
    except (TypeError, ValueError, RecursionError) as wrong:
        reason = ends.AGENT_ERROR if ending.reason == ends.COMPLETED else ending.reason
        return None, Ending(reason, message=f"What the agent returned cannot be written as JSON: {wrong}.")


def _fault(ending: Ending, session: Session, grade: Grade) -> dict[str, str] | None:
    """Whose mistake it was, the world's before the agent's: an agent is not to blame for a broken world."""
    found = session.fault or grade.fault
    if found is not None:
        return {"of": "world", "where": writable(found.boundary), "message": writable(found.message)}
    if ending.reason in (ends.AGENT_ERROR, ends.AGENT_CRASHED):
        return {"of": "agent", "where": "agent", "message": writable(ending.message)}
    return None


def _start_event(job: Job) -> dict[str, Any]:
    return {
        "type": "run_start",
        "taskId": job.task.id,
        "task": job.environment.told(job.task),
        "config": _config(job),
        "tools": list(job.environment.toolbox.tools),
    }


def _config(job: Job) -> dict[str, Any]:
    limits = job.limits
    return {"maxToolCalls": limits.max_tool_calls, "timeoutMs": limits.timeout_ms, "reuseAgents": job.reuse}


def _result(
    task: Task, session: Session, ending: Ending, output: str | None, grade: Grade, fault: dict[str, str] | None
) -> dict[str, Any]:
    return {
        "taskId": task.id,
        "passed": grade.passed,
        "reward": grade.reward,
        "share": grade.share,
        "checks": [_check(one, spec) for one, (spec, _) in zip(grade.checks, task.checks, strict=True)],
        "toolCalls": len(session.calls),
        "toolErrors": session.errors,
        "output": output,
        "terminationReason": ending.reason,
        "fault": fault,
    }


def _check(check: CheckResult, spec: CheckSpec) -> dict[str, Any]:
    return {
        "label": check.label,
        "kind": _kind(spec.body),
        "passed": check.passed,
        "detail": check.detail,
        "required": check.required,
        "weight": check.weight,
    }


def _kind(body: CheckBody) -> str:
    """The kind of a check by its word in YAML; alternatives are of the kind they have in common."""
    if isinstance(body, AnyOfCheck):
        inner = {_kind(one.body) for group in body.groups for one in group}
        return inner.pop() if len(inner) == 1 else "any_of"
    return _KINDS[type(body)]


def run_facts(job: Job, started: datetime, finished: datetime, seconds: float) -> dict[str, Any]:
    """What `run.json` holds."""
    return {
        "runId": job.run_id,
        "environment": job.environment.name,
        "contentHash": job.environment.spec.content_hash,
        "taskId": job.task.id,
        "agent": job.agent.name,
        "config": _config(job),
        "versions": versions(),
        "startedAt": started.isoformat(timespec="milliseconds"),
        "finishedAt": finished.isoformat(timespec="milliseconds"),
        "durationMs": round(seconds * 1000, 3),
    }


def needs_host(agent: AgentSpec) -> bool:
    """Whether the agent runs in a process of its own."""
    return agent.kind in ("python", "exec")


def tools_json(signatures: Sequence[dict[str, Any]]) -> bytes:
    """The tools as an agent in another process gets them."""
    return orjson.dumps(list(signatures))
