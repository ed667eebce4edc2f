"""Playing every solution while files are looked over: one that cannot be played, or that a check refuses, is told at
its place. No agent and no artifact is involved, so this costs about a millisecond a task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from silo_decl.errors import Problem
from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.grading.telling import once_a_family
from silo_decl.tools.call import Fault, encode
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact
from silo_decl.world.seed import Base


def try_solutions(base: Base, toolbox: Toolbox, tasks: Iterable[Task]) -> list[Problem]:
    """What is wrong with the solutions of a world whose files have no error."""
    tried = (task for task in tasks if task.spec.solution)
    return once_a_family((task, problem) for task in tried for problem in _Trial(base, toolbox, task).problems())


class _Trial:
    def __init__(self, base: Base, toolbox: Toolbox, task: Task):
        self.base = base
        self.toolbox = toolbox
        self.task = task
        self.calls: list[CallFact] = []
        self.fault: tuple[str, Fault] | None = None

    def problems(self) -> Iterator[Problem]:
        world = self.base.new_world()

        def call(name: str, given: dict[str, Any]) -> Mapping[str, Any]:
            result = self.toolbox.call(world, name, given)
            self.calls.append(CallFact(name, given, result.encoded, result.is_error))
            if result.fault is not None and self.fault is None:
                self.fault = (name, result.fault)
            return {"output": result.output, "is_error": result.is_error}

        try:
            answer = self.task.solution.play(call)
        except SolutionError as wrong:
            yield (
                self._broken()
                if self.fault
                else wrong.at.problem(
                    "solution-fails",
                    f"The solution of this task stops here: {wrong}",
                    "Look at the calls with 'silo run --agent solution' and 'silo runs show'.",
                )
            )
            return
        if self.fault:
            yield self._broken()
            return
        output = answer if answer is None or isinstance(answer, str) else encode(answer).decode()
        grade = self.task.grade(self.base.new_world(), world, output, self.calls)
        for (spec, _), result in zip(self.task.checks, grade.checks):
            if spec.required and not result.passed:
                message = f"The solution of this task does not pass this check: {result.detail}"
                yield spec.at.problem("solution-fails", message, "Mend the check or the solution.")

    def _broken(self) -> Problem:
        assert self.fault is not None
        name, fault = self.fault
        message = f"The tool {name} fails when the solution calls it ({fault.boundary}): {fault.message}"
        return self.task.spec.at.child("solution").problem("solution-fails", message, "Mend the tool.", key=True)
