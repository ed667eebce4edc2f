"""A folder made ready to run: everything read, looked over and built before the first agent starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import Folder, Packed, new_run_id
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import limits_of
from silo_decl.engine.rollout import Job, RolloutResult, needs_host, run_rollout, tools_json
from silo_decl.errors import Problem, ProblemsFound, UsageError, did_you_mean
from silo_decl.grading.advice import advise_tasks
from silo_decl.grading.families import add_members
from silo_decl.grading.task import Task, build_task
from silo_decl.grading.trial import try_solutions
from silo_decl.specs.advice import advise
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.find import find_environment
from silo_decl.specs.known import Known
from silo_decl.specs.load import load_environment
from silo_decl.specs.selections import is_selector, select, select_again
from silo_decl.specs.suite import SuiteSpec
from silo_decl.tools.signature import signature
from silo_decl.tools.toolbox import Toolbox, build_toolbox
from silo_decl.world.seed import Base, build_base, try_computed
from silo_decl.world.store import World


@dataclass(frozen=True)
class Environment:
    """One environment, loaded and built. Frozen: worlds come from it and never change it.

    `tasks` and `suites` are by id and name. `problems` are warnings and notes: one with errors is never made.
    """

    spec: EnvironmentSpec
    base: Base
    toolbox: Toolbox
    tasks: Mapping[str, Task]
    problems: tuple[Problem, ...]

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def root(self) -> Path:
        return self.spec.root

    @property
    def suites(self) -> Mapping[str, SuiteSpec]:
        return self.spec.suites

    def new_world(self) -> World:
        """A fresh world in the state of the data; worlds share what they do not change."""
        return self.base.new_world()

    @cached_property
    def signatures(self) -> list[dict[str, Any]]:
        """The tools as an agent sees them: `name`, `description`, `inputSchema`."""
        return [signature(tool) for tool in self.toolbox.tools.values()]

    @cached_property
    def tools_json(self) -> bytes:
        return tools_json(self.signatures)

    def told(self, task: Task) -> str:
        """What an agent is told: the policy, where there is one, and the task."""
        return f"{self.spec.policy.strip()}\n\n{task.instruction}" if self.spec.policy.strip() else task.instruction

    def run(
        self,
        task_id: str,
        agent: str | Path | Callable[[Any], Any] | None = None,
        *,
        max_tool_calls: int | None = None,
        timeout_ms: int | None = None,
        runs_dir: str | Path | None = None,
    ) -> RolloutResult:
        """One rollout of one task. `agent` is what `--agent` takes, or a function, which is called in this process.

        `timeout_ms` is in milliseconds. With `runs_dir`, a folder of artifacts is written under it. Raises UsageError
        for an unknown task or an agent that cannot be started.
        """
        spec = agent_of(agent)
        job = Job(self, self.task(task_id), spec, limits_of((max_tool_calls, timeout_ms)), new_run_id())
        sink = Packed() if runs_dir is None else Folder(Path(runs_dir) / job.run_id)
        if not needs_host(spec):
            return run_rollout(job, None, sink)
        with AgentHost(spec) as host:
            return run_rollout(job, host, sink)

    def task(self, task_id: str) -> Task:
        """The task of this id; raises UsageError with the nearest one."""
        if task_id not in self.tasks:
            if task_id in self.spec.families:
                raise UsageError(
                    f"{task_id} is a family of tasks.",
                    f"Name a member, such as {self._first_of(task_id)}, or write family:{task_id} for all of them.",
                )
            raise UsageError(
                f"{self.name} has no task '{task_id}'.{did_you_mean(task_id, self.tasks)}",
                f"See 'silo task list --env {self.name}'.",
            )
        return self.tasks[task_id]

    def chosen(self, selectors: Iterable[str]) -> list[Task]:
        """The tasks that are meant: an id each, or as in a suite tag:…, difficulty:…, family:… or an id with *."""
        found: dict[str, Task] = {}
        for one in selectors:
            if one in self.tasks or not is_selector(one):
                found[one] = self.task(one)
                continue
            problems: list[Problem] = []
            ids = select(self.spec.at, [one], self.spec.tasks, Known(), problems)
            if problems:
                raise UsageError(problems[0].message, problems[0].fix)
            found |= {task_id: self.tasks[task_id] for task_id in ids}
        return list(found.values())

    def _first_of(self, family: str) -> str:
        return next(name for name, task in self.tasks.items() if task.spec.family == family)

    def suite(self, name: str) -> SuiteSpec:
        """The suite of this name; raises UsageError with the ones there are."""
        if name not in self.suites:
            raise UsageError(
                f"{self.name} has no suite '{name}'.{did_you_mean(name, self.suites)}",
                f"Its suites: {', '.join(self.suites) or 'none'}.",
            )
        return self.suites[name]


def load(name_or_path: str | Path) -> Environment:
    """The environment of this name or folder, ready to run.

    Raises ProblemsFound with every error of every file, and UsageError where there is no such environment.
    """
    return load_folder(find_environment(str(name_or_path)))


def load_folder(root: Path) -> Environment:
    """As `load`, for a folder that is known to exist."""
    environment, problems = _built(root)
    errors = [problem for problem in problems if problem.level == "error"]
    if errors or environment is None:
        raise ProblemsFound(errors)
    return environment


def check(root: Path) -> list[Problem]:
    """Every problem of an environment's files, in the order of files and places."""
    environment, problems = _built(root)
    if environment is not None and not any(problem.level == "error" for problem in problems):
        found: list[Problem] = []
        try_computed(environment.base, found)
        if not found:
            found += advise(
                environment.spec, {name: tool.parameters for name, tool in environment.toolbox.tools.items()}
            )
            found += try_solutions(environment.base, environment.toolbox, environment.tasks.values())
            found += advise_tasks(environment.base, environment.toolbox, environment.tasks.values())
        problems = in_order([*problems, *found])
    return problems


def _built(root: Path) -> tuple[Environment | None, list[Problem]]:
    spec, problems = load_environment(root)
    if spec is None:
        return None, in_order(problems)
    base = build_base(spec, problems)
    toolbox = build_toolbox(base, problems)
    base.caller = toolbox.call
    tasks = {name: build_task(base, toolbox, task, problems) for name, task in spec.tasks.items()}
    if spec.families:
        tasks = add_members(base, toolbox, tasks, problems)
        specs = {name: task.spec for name, task in tasks.items()}
        spec = replace(spec, tasks=specs, suites=select_again(spec.suites, specs, problems))
    ordered = in_order(problems)
    quiet = tuple(problem for problem in ordered if problem.level != "error")
    return Environment(spec, base, toolbox, tasks, quiet), ordered


def in_order(problems: list[Problem]) -> list[Problem]:
    """Without repeats, by file and place; environment.yaml first."""
    unique = dict.fromkeys(problems)
    return sorted(unique, key=lambda p: (p.file != "environment.yaml", p.file, p.line, p.column, p.code, p.message))
