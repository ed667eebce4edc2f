"""A rollout whose machinery broke: it says nothing about the agent, and is on the record as far as that can be."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from silo_decl.engine.rollout import Job, RolloutResult, Sink, run_facts

REASON = "machinery"


def broken_rollout(job: Job, wrong: OSError, sink: Sink | None = None) -> RolloutResult:
    """What is left of it, written to `sink` where that still can be written to."""
    fault = _fault(wrong)
    result = _result(job, fault)
    broken = RolloutResult(job.run_id, job.task.id, False, 0.0, 0.0, (), 0, 0, None, REASON, fault, result, {}, None)
    if sink is None:
        return broken
    with suppress(OSError):
        now = datetime.now(UTC)
        sink.finish(run_facts(job, now, now, 0.0), result, {}, b"")
        return replace(broken, run_dir=sink.path)
    return broken


def _fault(wrong: OSError) -> dict[str, str]:
    where = f" ({wrong.filename})" if wrong.filename else ""
    return {"of": "machinery", "where": "disk or processes", "message": f"{wrong.strerror or wrong}{where}"}


def _result(job: Job, fault: dict[str, str]) -> dict[str, Any]:
    return {
        "taskId": job.task.id,
        "passed": False,
        "reward": 0.0,
        "share": 0.0,
        "checks": [],
        "toolCalls": 0,
        "toolErrors": 0,
        "output": None,
        "terminationReason": REASON,
        "fault": fault,
    }
