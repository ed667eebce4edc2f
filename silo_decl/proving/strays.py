"""Calls that no task asks for and that work: what an agent could do beside its task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from silo_decl.grading.seat import Seat
from silo_decl.proving.bench import Step
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.toolbox import Tool, Toolbox
from silo_decl.world.seed import Base

_TRIES = 8


class Strays:
    """For one environment, at most one working call of each tool that changes something, and of each that reads."""

    def __init__(self, base: Base, toolbox: Toolbox):
        self.base = base
        self.toolbox = toolbox
        self._world = base.new_world()
        self._changing: list[tuple[Step, frozenset[str]]] | None = None
        self._reading: list[Step] | None = None

    def changing(self, touched: frozenset[str], acting_as: str) -> list[Step]:
        """Working changes of different collections, first those of collections that the solution touches too."""
        if self._changing is None:
            self._changing = list(self._working())
        actor = self.base.spec.actor
        ordered = sorted(self._changing, key=lambda one: not one[1] & touched)
        found: dict[frozenset[str], Step] = {}
        for step, collections in ordered:
            if actor is not None and acting_as and actor.parameter in step.input:
                step = Step(step.name, {**step.input, actor.parameter: acting_as})
            found.setdefault(collections, step)
        return list(found.values())

    def reading(self) -> list[Step]:
        """One call of every tool that only reads."""
        if self._reading is None:
            tools = [tool for tool in self.toolbox.tools.values() if not tool.spec.writes and not tool.spec.stub]
            self._reading = [
                Step(tool.name, next(iter(self._arguments(tool, every_optional=False)), {})) for tool in tools
            ]
        return self._reading

    def _working(self) -> Iterator[tuple[Step, frozenset[str]]]:
        audit = self.base.spec.audit.collection if self.base.spec.audit else ""
        for tool in self.toolbox.tools.values():
            if not tool.spec.writes or tool.spec.stub:
                continue
            for given in self._arguments(tool, every_optional=tool.spec.kind == "update"):
                seat = Seat(self.toolbox, self.base.new_world())
                if seat.call(tool.name, given).is_error:
                    continue
                diff = seat.world.diff()
                collections = frozenset(diff["collections"].keys() - {audit}) or frozenset(diff["scalars"])
                if collections:
                    yield Step(tool.name, given), collections
                    break

    def _arguments(self, tool: Tool, every_optional: bool) -> Iterator[dict[str, Any]]:
        """Arguments that the tool may take, with other records at each try; `every_optional` gives one that it could
        do without too, as an update without any changes nothing."""
        needed = [one for one in tool.parameters if one.required]
        optional = [one for one in tool.parameters if not one.required and one.name != "clear"]
        for turn in range(_TRIES):
            extra = [optional[turn % len(optional)]] if optional and every_optional else []
            yield {one.name: self._value(one, turn) for one in [*needed, *extra]}

    def _value(self, parameter: ParameterSpec, turn: int) -> Any:
        if parameter.enum:
            return parameter.enum[turn % len(parameter.enum)]
        if parameter.references in self.base.collections:
            ids = self._world.ids(parameter.references)
            return ids[(turn * 7) % len(ids)] if ids else ""
        kinds: dict[str, Callable[[], Any]] = {
            "number": lambda: max(parameter.minimum or 0, 1) + turn,
            "integer": lambda: int(max(parameter.minimum or 0, 1)) + turn,
            "boolean": lambda: turn % 2 == 0,
            "date": lambda: self._world.today,
            "datetime": lambda: self._world.now,
            "money": lambda: {"amount": 1 + turn, "currency": "USD"},
            "list": lambda: [self._value(parameter.of, turn)] if parameter.of is not None else [],
            "object": lambda: {name: self._value(one, turn) for name, one in parameter.fields.items() if one.required},
        }
        made = kinds.get(parameter.type)
        return made() if made is not None else "Something else"
