"""Playing every solution while files are looked over: one that cannot be played, or that a check refuses, is told at
its place. No agent and no artifact is involved, so this costs about a millisecond a task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from silo_decl.errors import Problem
from silo_decl.grading.seat import Seat
from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.grading.telling import once_a_family
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base


def try_solutions(base: Base, toolbox: Toolbox, tasks: Iterable[Task]) -> list[Problem]:
    """What is wrong with the solutions of a world whose files have no error."""
    tried = (task for task in tasks if task.spec.solution)
    return once_a_family((task, problem) for task in tried for problem in _Trial(base, toolbox, task).problems())


class _Trial:
    def __init__(self, base: Base, toolbox: Toolbox, task: Task):
        self.base = base
        self.task = task
        self.seat = Seat(toolbox, base.new_world())

    def problems(self) -> Iterator[Problem]:
        try:
            output = self.seat.play(self.task.solution)
        except SolutionError as wrong:
            yield (
                self._broken()
                if self.seat.fault
                else wrong.at.problem(
                    "solution-fails",
                    f"The solution of this task stops here: {wrong}",
                    "Look at the calls with 'silo run --agent solution' and 'silo runs show'.",
                )
            )
            return
        if self.seat.fault:
            yield self._broken()
            return
        grade = self.task.grade(self.base.new_world(), self.seat.world, output, self.seat.calls)
        for (spec, _), result in zip(self.task.checks, grade.checks):
            if spec.required and not result.passed:
                message = f"The solution of this task does not pass this check: {result.detail}"
                yield spec.at.problem("solution-fails", message, "Mend the check or the solution.")

    def _broken(self) -> Problem:
        assert self.seat.fault is not None
        name, fault = self.seat.fault
        message = f"The tool {name} fails when the solution calls it ({fault.boundary}): {fault.message}"
        return self.task.spec.at.child("solution").problem("solution-fails", message, "Mend the tool.", key=True)
