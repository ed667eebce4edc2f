"""Playing a task's solution: the author's calls, with what they save and loop over, as an agent would make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.meaning import shown
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.source import At
from silo_decl.specs.task import AnswerStep, CallStep, EachStep, StepSpec, TaskSpec
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

CallTool = Callable[[str, dict[str, Any]], Mapping[str, Any]]
Env = dict[str, Any]


class SolutionError(ExpressionError):
    """A solution that cannot be played on: `at` is the step, the message says why."""

    def __init__(self, at: At, message: str):
        self.at = at
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Call:
    at: At
    name: str
    input: Any
    save: str


@dataclass(frozen=True, slots=True)
class _Each:
    at: At
    items: Any
    as_: str
    steps: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    at: At
    value: Any


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution of one task, ready to be played any number of times.

    `known` are values its expressions may use beside what is saved: what a member of a family is about.
    """

    steps: tuple[Any, ...]
    fill: Mapping[str, Mapping[str, Any]]
    base: Base
    known: Mapping[str, Any] = field(default_factory=dict)

    def play(self, call: CallTool) -> Any:
        """Make the calls; gives the answer, None where there is none.

        Raises SolutionError when a call is refused and its refusal is not saved, or a value cannot be worked out.
        """
        env: Env = {"": self.base.new_world(), **self.known}
        answer: list[Any] = [None]
        self._steps(self.steps, env, call, answer)
        return answer[0]

    def _steps(self, steps: tuple[Any, ...], env: Env, call: CallTool, answer: list[Any]) -> None:
        for step in steps:
            if isinstance(step, _Call):
                self._call(step, env, call)
            elif isinstance(step, _Each):
                self._each(step, env, call, answer)
            else:
                answer[0] = _worked_out(step.at, step.value, env)

    def _call(self, step: _Call, env: Env, call: CallTool) -> None:
        given = {**self.fill.get(step.name, {}), **_worked_out(step.at, step.input, env)}
        result = call(step.name, given)
        output = result.get("output")
        if result.get("is_error") and not step.save:
            said = output.get("message", "") if isinstance(output, dict) else ""
            raise SolutionError(step.at, f"{step.name} refused: {said}")
        if step.save:
            env[step.save] = output

    def _each(self, step: _Each, env: Env, call: CallTool, answer: list[Any]) -> None:
        items = _worked_out(step.at, step.items, env)
        if not isinstance(items, list):
            raise SolutionError(step.at, f"'for_each' gives {shown(items)}, not a list.")
        for item in items:
            self._steps(step.steps, {**env, step.as_: item} if step.as_ else env, call, answer)


def _worked_out(at: At, value: Any, env: Env) -> Any:
    try:
        return plain(value.run(None, env))
    except ExpressionError as wrong:
        raise SolutionError(at, str(wrong)) from wrong


def build_solution(
    base: Base, toolbox: Toolbox, spec: TaskSpec, problems: list[Problem], known: Mapping[str, Shape]
) -> Solution:
    """Compile a solution; what is wrong with its expressions goes to `problems`. `known` names values it may use."""
    names = {**known, **dict.fromkeys(_saved(spec.solution), ANY)}
    steps = tuple(_step(one, names, problems) for one in spec.solution)
    return Solution(steps, _filled(base, toolbox, spec), base)


def _filled(base: Base, toolbox: Toolbox, spec: TaskSpec) -> dict[str, dict[str, Any]]:
    """The actor's parameter of every tool that takes it."""
    actor = base.spec.actor
    if actor is None or not spec.acting_as:
        return {}
    taking = [name for name, tool in toolbox.tools.items() if any(p.name == actor.parameter for p in tool.parameters)]
    return {name: {actor.parameter: spec.acting_as} for name in taking}


def _saved(steps: tuple[StepSpec, ...]) -> list[str]:
    names = []
    for step in steps:
        if isinstance(step, CallStep) and step.save:
            names.append(step.save)
        elif isinstance(step, EachStep):
            names += _saved(step.do)
    return names


def _step(step: StepSpec, names: Mapping[str, Shape], problems: list[Problem]) -> Any:
    scope = Scope(names)
    if isinstance(step, CallStep):
        return _Call(
            step.at, step.call, compiled.value(step.at.child("input"), dict(step.input), scope, problems), step.save
        )
    if isinstance(step, AnswerStep):
        return _Answer(step.at, compiled.value(step.at.child("answer"), step.value, scope, problems))
    text = step.for_each.strip()
    if text.startswith("="):
        items = compiled.value(step.at.child("for_each"), text, scope, problems)
    else:
        items = compiled.condition(step.at.child("for_each"), step.for_each, scope, problems)
    inner = tuple(_step(one, {**names, step.as_: ANY}, problems) for one in step.do)
    return _Each(step.at, items, step.as_, inner)
