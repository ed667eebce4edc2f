"""Whether a task's solution calls tools that exist with arguments that they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from silo_decl.errors import Problem, did_you_mean
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.environment_parts import is_expression
from silo_decl.specs.known import Known
from silo_decl.specs.parameters import input_schema, parameters_of
from silo_decl.specs.shapes import collection_shapes
from silo_decl.specs.structure import Path, Schema, Walk
from silo_decl.specs.task import CallStep, EachStep, StepSpec, TaskSpec
from silo_decl.specs.texts import Hole


@dataclass
class Solutions:
    """Holds the calls of solutions against the tools of an environment."""

    spec: EnvironmentSpec
    known: Known
    problems: list[Problem]
    _schemas: dict[str, Schema] = field(default_factory=dict)
    _shapes: Mapping[str, Shape] | None = None

    def check(self, task: TaskSpec) -> None:
        for step in _calls(task.solution):
            if step.call in self.spec.tools:
                self._arguments(step, task)
            elif step.call not in self.known.tools and not self.known.tools_lost:
                self.problems.append(
                    step.at.child("call").problem(
                        "unknown-tool",
                        f"There is no tool '{step.call}'.{did_you_mean(step.call, self.known.tools)}",
                        "A tool can be called once environment.yaml lists its file.",
                    )
                )

    def _arguments(self, step: CallStep, task: TaskSpec) -> None:
        given = {name: _literal(value) for name, value in step.input.items()}
        actor = self.spec.actor
        if actor is not None and task.acting_as and self.spec.tools[step.call].writes:
            given.setdefault(actor.parameter, Hole())
        at = step.at.child("input") if step.input else step.at
        _Arguments(self._schema(step.call), at, self.problems, noun="parameter").look(
            self._schema(step.call), given, ()
        )

    def _schema(self, name: str) -> Schema:
        if self._shapes is None:
            self._shapes = collection_shapes(self.spec)
        if name not in self._schemas:
            parameters = parameters_of(self.spec, self.spec.tools[name], self._shapes, open_types=True)
            self._schemas[name] = input_schema(parameters) | {"title": f"The tool {name}"}
        return self._schemas[name]


class _Arguments(Walk):
    """As for structure, but everything wrong is one thing: an argument that the tool refuses."""

    def say(self, path: Path, code: str, message: str, fix: str = "", key: bool = False) -> None:
        super().say(path, "refused-argument", message, fix, key)


def _calls(steps: tuple[StepSpec, ...]) -> Iterator[CallStep]:
    for step in steps:
        if isinstance(step, CallStep):
            yield step
        elif isinstance(step, EachStep):
            yield from _calls(step.do)


def _literal(value: Any) -> Any:
    """The value with a hole for every part that is worked out only when the solution runs."""
    if is_expression(value):
        return Hole()
    if isinstance(value, dict):
        return {key: _literal(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_literal(inner) for inner in value]
    return value
