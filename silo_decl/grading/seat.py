"""The place of an agent without an engine around it: calls into one world, each on record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from silo_decl.grading.solution import Solution
from silo_decl.tools.call import Fault, ToolResult, encode
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact
from silo_decl.world.store import World


@dataclass
class Seat:
    """Makes calls as an agent does. `fault` is the first call that failed by a mistake of the world, with its tool."""

    toolbox: Toolbox
    world: World
    calls: list[CallFact] = field(default_factory=list)
    fault: tuple[str, Fault] | None = None

    def call(self, name: str, given: dict[str, Any]) -> ToolResult:
        result = self.toolbox.call(self.world, name, given)
        self.calls.append(CallFact(name, given, result.encoded, result.is_error))
        if result.fault is not None and self.fault is None:
            self.fault = (name, result.fault)
        return result

    def play(self, solution: Solution) -> str | None:
        """Play a solution; gives its answer as an agent's output. Raises SolutionError where it cannot go on."""
        return output_of(solution.play(self._answered))

    def _answered(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        result = self.call(name, given)
        return {"output": result.output, "is_error": result.is_error}


def output_of(answer: Any) -> str | None:
    """An answer as it is graded: a text as it is, anything else as JSON."""
    return answer if answer is None or isinstance(answer, str) else encode(answer).decode()
