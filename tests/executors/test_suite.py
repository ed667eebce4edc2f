"""A suite as a list of rollouts, and what became of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.environment import load_folder
from silo_decl.engine.limits import GRACE_MS, MAX_TOOL_CALLS, TIMEOUT_MS, Limits, limits_of
from silo_decl.engine.rollout import RolloutResult
from silo_decl.executors.suite import Plan, Summary, facts

ENVIRONMENT = load_folder(Path(__file__).parent.parent / "examples" / "good" / "helpdesk")


def plan(tasks: list[str], runs: int, suite: str = "core") -> Plan:
    chosen = [ENVIRONMENT.task(one) for one in tasks]
    return Plan(ENVIRONMENT, agent_of("idle"), chosen, runs, Limits(), "20260401-090000-aaaaaa", Path("runs"), suite)


def ended(passed: bool, of: str = "") -> RolloutResult:
    fault = {"of": of, "where": "there", "message": "oh"} if of else None
    return RolloutResult("r", "t", passed, 0.0, 0.0, (), 0, 0, None, "completed", fault, {}, {})


def test_every_task_is_planned_as_often_as_asked_in_order() -> None:
    jobs = plan(["count-open", "close-one"], 2).jobs()
    assert [job.task.id for job in jobs] == ["count-open", "count-open", "close-one", "close-one"]
    assert [job.run_id for job in jobs] == [f"20260401-090000-aaaaaa.{number}" for number in (1, 2, 3, 4)]


def test_ids_of_rollouts_sort_as_they_are_planned() -> None:
    ids = [job.run_id for job in plan(["count-open"], 120).jobs()]
    assert ids == sorted(ids)


def test_one_rollout_outside_a_suite_has_the_id_of_the_run() -> None:
    alone = plan(["count-open"], 1, suite="")
    assert alone.single
    assert [job.run_id for job in alone.jobs()] == [alone.run_id]
    assert not plan(["count-open"], 1).single


def test_limits_are_the_first_that_are_given() -> None:
    assert limits_of() == Limits(MAX_TOOL_CALLS, TIMEOUT_MS, GRACE_MS)
    assert limits_of((None, 5), (7, 8)) == Limits(7, 5)
    assert limits_of((0, None), (7, 8)) == Limits(0, 8)


def test_broken_rollout_counts_neither_as_passed_nor_as_failed() -> None:
    summary = Summary(
        5, [ended(True), ended(False), ended(True, "world"), ended(False, "machinery"), ended(False, "agent")]
    )
    assert (summary.passed, summary.failed, summary.broken, summary.graded) == (1, 2, 2, 3)
    assert {key: facts(summary)[key] for key in ("planned", "passed", "failed", "broken")} == {
        "planned": 5,
        "passed": 1,
        "failed": 2,
        "broken": 2,
    }


@pytest.mark.parametrize(
    ("results", "rate", "met"),
    [
        ([True, True], None, True),
        ([True, False], None, False),
        ([True, False], 0.5, True),
        ([True, False, False], 0.5, False),
        ([], 0.0, False),
    ],
)
def test_bar_is_met_by_the_rate_or_else_by_all(results: list[bool], rate: float | None, met: bool) -> None:
    assert Summary(len(results), [ended(one) for one in results]).met(rate) is met


def test_bar_is_not_met_by_a_run_that_broke_or_was_cut_off() -> None:
    assert not Summary(2, [ended(True), ended(True, "world")]).met(0.1)
    assert not Summary(2, [ended(True)]).met(0.1)
    assert not Summary(1, [ended(True)], interrupted=True).met(0.1)
