"""A task, ready to be given to an agent and graded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from silo_decl.errors import Problem, SiloError
from silo_decl.expressions.shapes import Shape
from silo_decl.grading.checks import Check, build_check
from silo_decl.grading.draft import Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.grading.reward import CheckResult, Grade, grade_of
from silo_decl.grading.solution import Solution, build_solution
from silo_decl.specs.source import At
from silo_decl.specs.task import CheckSpec, TaskSpec
from silo_decl.tools.call import Fault
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact
from silo_decl.world.seed import Base
from silo_decl.world.store import World


@dataclass(frozen=True, slots=True)
class Built:
    """What is compiled of a task: its truths, in order, its checks and its solution."""

    given: tuple[tuple[str, Truth], ...]
    checks: tuple[tuple[CheckSpec, Check], ...]
    solution: Solution


@dataclass(frozen=True)
class Task:
    """One task. `instruction` is what the agent is told, without the policy.

    A member of a family is compiled when it is first used: a family is looked over once, and may have many members.
    """

    spec: TaskSpec
    instruction: str
    build: Callable[[], Built] = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        return self.spec.id

    @cached_property
    def built(self) -> Built:
        return self.build()

    @property
    def given(self) -> tuple[tuple[str, Truth], ...]:
        return self.built.given

    @property
    def checks(self) -> tuple[tuple[CheckSpec, Check], ...]:
        return self.built.checks

    @property
    def solution(self) -> Solution:
        return self.built.solution

    def grade(
        self,
        initial: World,
        final: World,
        output: str | None,
        calls: Sequence[CallFact],
        diff: dict[str, Any] | None = None,
    ) -> Grade:
        """Grade the end of a rollout; `diff` is `final.diff()` where it is known already.

        What cannot be worked out fails, and the grade's `fault` says where; a truth that cannot fails every check.
        """
        faults: list[Fault] = []
        try:
            outcome = Outcome(initial, final, output, calls, final.diff() if diff is None else diff, self.given)
        except SiloError as wrong:
            results = [_broken(spec, _fault(wrong, self.spec.at), faults) for spec, _ in self.checks]
        else:
            results = [_result(spec, check, outcome, faults) for spec, check in self.checks]
        return grade_of(results, faults[0] if faults else None)


def _result(spec: CheckSpec, check: Check, outcome: Outcome, faults: list[Fault]) -> CheckResult:
    try:
        passed, detail = check(outcome)
    except SiloError as wrong:
        return _broken(spec, _fault(wrong, spec.at), faults)
    return CheckResult(spec.label, passed, spec.required, spec.weight, detail)


def _broken(spec: CheckSpec, fault: Fault, faults: list[Fault]) -> CheckResult:
    faults.append(fault)
    detail = f"This check could not be worked out ({fault.boundary}): {fault.message}"
    return CheckResult(spec.label, False, spec.required, spec.weight, detail)


def _fault(wrong: SiloError, at: At) -> Fault:
    where = getattr(wrong, "at", at)
    problem = where.problem("", "")
    place = f"{problem.file}:{problem.line}:{problem.column}" if problem.line else problem.file
    boundary = getattr(wrong, "boundary", "") or f"expression {place}"
    return Fault(boundary, str(wrong), getattr(wrong, "trace", ""))


def build_task(base: Base, toolbox: Toolbox, spec: TaskSpec, problems: list[Problem]) -> Task:
    """Compile a task; what is wrong with its expressions, and checks that can show nothing, go to `problems`."""
    built = compile_task(Draft(base, toolbox, spec.at, problems), spec)
    return Task(spec, instruction_of(base, spec), lambda: built)


def compile_task(draft: Draft, spec: TaskSpec, known: Mapping[str, Shape] | None = None) -> Built:
    """Everything of a task that is compiled. The draft's names are there for truths and checks, `known` for steps."""
    for one in spec.given:
        draft = draft.giving(one.name, draft.query(one.at, one.query))
    checks = tuple((check, build_check(draft, check, spec.instruction)) for check in spec.checks)
    if not any(check.required for check in spec.checks):
        said = "No check of this task is required, so everything passes it."
        draft.say(spec.at.child("checks"), "empty-check", said, "Take 'required: false' from at least one check.")
    solution = build_solution(draft.base, draft.toolbox, spec, draft.problems, known or {})
    return Built(tuple(draft.given.items()), checks, solution)


def instruction_of(base: Base, spec: TaskSpec) -> str:
    """The instruction, and in one sentence who the agent acts as."""
    actor = base.spec.actor
    text = spec.instruction.strip()
    if not spec.acting_as or actor is None:
        return text
    record = base.new_world().record(actor.references, spec.acting_as) if actor.references in base.collections else None
    name = _name(record) if record is not None else ""
    who = f"{name} ({spec.acting_as})" if name else spec.acting_as
    return f"{text}\n\nYou are acting as {who}: give {spec.acting_as} as {actor.parameter} to tools that ask for it."


def _name(record: Any) -> str:
    name = record.read("name")
    if isinstance(name, str):
        return name
    parts = [record.read("firstName"), record.read("lastName")]
    return " ".join(part for part in parts if isinstance(part, str))
