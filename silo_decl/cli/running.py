"""`silo run`."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import Screen, out, print_json, table
from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import new_run_id
from silo_decl.engine.environment import Environment, load
from silo_decl.engine.limits import limits_of
from silo_decl.engine.rollout import RolloutResult
from silo_decl.errors import UsageError
from silo_decl.executors.local import run_plan
from silo_decl.executors.suite import Plan, Summary, facts
from silo_decl.specs.suite import SuiteSpec


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The words of one `silo run`."""

    env: str
    tasks: tuple[str, ...]
    suite: str | None
    agent: str | None
    runs: int | None
    max_tool_calls: int | None
    timeout_ms: int | None
    concurrency: int
    folders: bool
    reuse_agents: bool
    runs_dir: Path
    json: bool


def run(request: RunRequest) -> None:
    """Run it; Failed where it was not good enough."""
    if bool(request.tasks) == bool(request.suite):
        raise UsageError("Say what to run: either tasks or a suite.", "Give --task ID or --suite NAME.")
    environment = load(request.env)
    plan = _plan(environment, request)
    progress = Progress(Screen(sys.stderr), len(plan.tasks) * plan.runs)
    summary = run_plan(plan, progress.one)
    progress.clear()
    if request.json:
        print_json(facts(summary))
    else:
        _tell(plan, summary)
    if summary.remark:
        print(summary.remark, file=sys.stderr)
    if summary.interrupted:
        raise KeyboardInterrupt
    if not summary.met(plan.pass_rate):
        raise Failed


def _plan(environment: Environment, request: RunRequest) -> Plan:
    suite: SuiteSpec | None = environment.suite(request.suite) if request.suite else None
    ids = suite.selected if suite is not None else request.tasks
    bounds = (suite.max_tool_calls, suite.timeout_ms) if suite is not None else (None, None)
    return Plan(
        environment,
        agent_of(request.agent),
        environment.chosen(ids),
        request.runs or (suite.runs if suite is not None else 1),
        limits_of((request.max_tool_calls, request.timeout_ms), bounds),
        new_run_id(),
        request.runs_dir,
        suite.name if suite is not None else "",
        suite.pass_rate if suite is not None else None,
        request.concurrency,
        request.folders,
        request.reuse_agents,
    )


class Progress:
    """One line on a terminal that says how far it is; nothing in a pipe."""

    def __init__(self, screen: Screen, planned: int):
        self._screen = screen
        self._planned = planned
        self._done = self._passed = 0

    def one(self, result: RolloutResult) -> None:
        self._done += 1
        self._passed += result.passed
        self._screen.over(f"{self._done} of {self._planned} done, {self._passed} passed")

    def clear(self) -> None:
        self._screen.over("")


def _tell(plan: Plan, summary: Summary) -> None:
    screen = out()
    what = f"suite {plan.suite}" if plan.suite else f"{len(plan.tasks)} task{'s' if len(plan.tasks) != 1 else ''}"
    times = f" x {plan.runs}" if plan.runs > 1 else ""
    print(screen.styled(f"{plan.environment.spec.title}: {what}{times}, agent {plan.agent.name}", "bold"))
    print(_table(plan, summary, screen))
    _tell_reasons(plan, summary, screen)
    print(f"\n{_counts(summary)}{_bar(plan, summary)}")
    print(f"Artifacts: {_short(plan.folder)}   Story: silo runs show {_first(plan, summary)}")


def _table(plan: Plan, summary: Summary, screen: Screen) -> str:
    rows = []
    for one in summary.results:
        title = plan.environment.tasks[one.task_id].spec.title
        ended = "" if one.termination_reason == "completed" else one.termination_reason
        verdict = "broken" if one.broken else "pass" if one.passed else "FAIL"
        number = one.run_id.rpartition(".")[2] if not plan.single else ""
        rows.append([number, one.task_id, title, verdict, f"{one.reward:.2f}", str(one.tool_calls), ended])
    return table(rows, ["run", "task", "title", "", "reward", "calls", ""], screen, right=[4, 5])


def _tell_reasons(plan: Plan, summary: Summary, screen: Screen) -> None:
    """For one rollout each check with its reason, for several the faults."""
    if plan.single and summary.results:
        for check in summary.results[0].checks:
            colour = "green" if check.passed else "red"
            print(f"  {screen.styled('pass' if check.passed else 'FAIL', colour)}  {check.label}: {check.detail}")
    for one in summary.results:
        if one.fault is not None:
            print(screen.styled(f"  {one.task_id}: fault of the {one.fault['of']}: {one.fault['message']}", "yellow"))


def _counts(summary: Summary) -> str:
    rate = f" ({summary.passed / summary.graded:.0%} of those graded)" if summary.graded else ""
    stopped = f"Stopped after {len(summary.results)} of {summary.planned}. " if summary.interrupted else ""
    text = (
        f"{stopped}{summary.passed} of {summary.planned} passed{rate}, {summary.failed} failed, {summary.broken} broken"
    )
    return f"{text}, {summary.seconds:.1f} s."


def _bar(plan: Plan, summary: Summary) -> str:
    if plan.pass_rate is None:
        return ""
    return f" The bar of {plan.pass_rate:.0%} is {'met' if summary.met(plan.pass_rate) else 'not met'}."


def _first(plan: Plan, summary: Summary) -> str:
    """The rollout whose story is worth reading first: one that did not pass."""
    worth = [one for one in summary.results if not one.passed] or summary.results
    return worth[0].run_id if worth and not plan.single else plan.run_id


def _short(path: Path) -> str:
    return os.path.relpath(path)
