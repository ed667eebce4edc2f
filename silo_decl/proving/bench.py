"""Where calls are made again: the solution of one task as recorded calls, and any change of them, played and graded."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from silo_decl.grading.reward import Grade
from silo_decl.grading.seat import Seat
from silo_decl.grading.task import Task
from silo_decl.proving.likeness import end_signature, new_records, renamed
from silo_decl.specs.task import AnswerCheck, AnyOfCheck, CheckSpec, PythonCheck
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact
from silo_decl.world.seed import Base
from silo_decl.world.store import World


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One call to make. `recorded` is what it gave in the solution, None for a call that the solution does not make."""

    name: str
    input: Mapping[str, Any]
    recorded: CallFact | None = None


@dataclass
class End:
    """How a play ended. `refused` are the places of the calls that were refused."""

    world: World
    output: str | None
    calls: Sequence[CallFact]
    fault: str = ""
    refused: tuple[int, ...] = ()
    diff: dict[str, Any] = field(default_factory=dict)


class Bench:
    """One task on the bench. `told` is the text that an agent gets."""

    def __init__(self, base: Base, toolbox: Toolbox, task: Task, told: str):
        self.base = base
        self.toolbox = toolbox
        self.task = task
        self.told = told
        self.steps: tuple[Step, ...] = ()
        self.changing: tuple[int, ...] = ()
        self._new: frozenset[str] = frozenset()
        self._keys = {name: one.key for name, one in base.collections.items()}
        self._initial = base.new_world()
        self._forks: dict[int, World] = {}

    # -- the solution ---------------------------------------------------------------------------------------

    def play_solution(self) -> End:
        """Play the solution as its author wrote it. Raises SolutionError where it cannot go on."""
        seat = self._seat(self.base.new_world())
        return self._end(seat, seat.play(self.task.solution))

    @cached_property
    def solution(self) -> End:
        """The recorded calls made once more, with a world kept from before each that changes something."""
        end = self.play_solution()
        self.steps = tuple(Step(one.name, one.input, one) for one in end.calls)
        seat = self._seat(self.base.new_world())
        changing = []
        for place, step in enumerate(self.steps):
            if self.may_change(step):
                self._forks[place] = seat.world.fork()
                before = seat.world.diff()
                seat.call(step.name, dict(step.input))
                if not seat.calls[-1].is_error and self._outside_audit(seat.world.diff()) != self._outside_audit(
                    before
                ):
                    changing.append(place)
            else:
                seat.call(step.name, dict(step.input))
        self.changing = tuple(changing)
        self._new = frozenset(new_records(end.diff, self._keys))
        return end

    def may_change(self, step: Step) -> bool:
        tool = self.toolbox.tools.get(step.name)
        return tool is not None and tool.spec.writes

    # -- playing and grading --------------------------------------------------------------------------------

    def perform(self, steps: Sequence[Step], output: str | None) -> End:
        """Make these calls, one after the other; what is refused is passed over.

        A record that gets another id than in the solution is called by that one from then on.
        """
        same = 0
        for mine, theirs in zip(self.steps, steps):
            if mine is not theirs:
                break
            same += 1
        start = max((place for place in self._forks if place <= same), default=0)
        world = self._forks[start].fork() if start else self.base.new_world()
        seat = self._seat(world)
        seat.calls += [one.recorded for one in self.steps[:start] if one.recorded is not None]
        names: dict[str, str] = {}
        for step in steps[start:]:
            seat.call(step.name, renamed(dict(step.input), names) if names else dict(step.input))
            if (
                step.recorded is not None
                and not step.recorded.is_error
                and step.recorded.encoded != seat.calls[-1].encoded
            ):
                _follow(step.recorded.output, seat.calls[-1].output, self._new, names)
        said = output
        for old, new in names.items():
            said = said.replace(old, new) if said is not None and old != new else said
        return self._end(seat, said)

    def grade(self, end: End) -> Grade:
        return self.task.grade(self._initial, end.world, end.output, end.calls, end.diff)

    def signature(self, end: End) -> str:
        """What two ends share that are the same: the world but for the ids of new records, and where it counts the
        answer."""
        return end_signature(self._outside_audit(end.diff), end.output if self.answers else None, self._keys)

    @cached_property
    def answers(self) -> bool:
        """Whether any check reads the answer."""
        return any(map(reads_answer, self.task.spec.checks))

    def _seat(self, world: World) -> Seat:
        return Seat(self.toolbox, world)

    def _end(self, seat: Seat, output: str | None) -> End:
        refused = tuple(place for place, one in enumerate(seat.calls) if one.is_error)
        fault = "" if seat.fault is None else f"{seat.fault[0]}: {seat.fault[1].message}"
        return End(seat.world, output, tuple(seat.calls), fault, refused, seat.world.diff())

    def _outside_audit(self, diff: dict[str, Any]) -> dict[str, Any]:
        audit = self.base.spec.audit
        if audit is None or audit.collection not in diff["collections"]:
            return diff
        rest = {name: one for name, one in diff["collections"].items() if name != audit.collection}
        return {**diff, "collections": rest}


def reads_answer(check: CheckSpec) -> bool:
    """Whether a check looks at what was said; of a function in Python it is not known, so yes."""
    if isinstance(check.body, AnyOfCheck):
        return any(reads_answer(one) for group in check.body.groups for one in group)
    return isinstance(check.body, (AnswerCheck, PythonCheck)) or "output" in str(check.body)


def _follow(recorded: Any, given: Any, new: Collection[str], names: dict[str, str]) -> None:
    """Note by which id each new record of a recorded result is called now."""
    if isinstance(recorded, dict) and isinstance(given, dict):
        for name, value in recorded.items():
            _follow(value, given.get(name), new, names)
    elif isinstance(recorded, list) and isinstance(given, list):
        for one, other in zip(recorded, given):
            _follow(one, other, new, names)
    elif isinstance(recorded, str) and isinstance(given, str) and recorded in new:
        names.setdefault(recorded, given)
