"""Computed fields made ready: each is compiled when another first asks for its shape, so that its shape is known.

Whatever asks for a field that is just being compiled has found a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.shapes import ANY, Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import ComputedSpec
from silo_decl.specs.source import At
from silo_decl.world.computed import Computed
from silo_decl.world.frozen import FrozenCollection
from silo_decl.world.gathering import build_gather

Key = tuple[str, str]


def build_computed(
    frozen: Mapping[str, FrozenCollection], shapes: Mapping[str, Shape], problems: list[Problem]
) -> dict[str, Shape]:
    """Put every computed field into its collection; gives the shapes with what each of the fields is."""
    return _Build(frozen, shapes, problems).build()


class _Fields(dict[str, Shape]):
    """The fields of a record. Asking for the shape of one that is `waiting` has it compiled."""

    def __init__(self, fields: Mapping[str, Shape], waiting: set[str], compile_field: Callable[[str], Shape]):
        super().__init__(fields)
        self.waiting = waiting
        self.compile_field = compile_field

    def __getitem__(self, name: str) -> Shape:
        return self.compile_field(name) if name in self.waiting else super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401


class _Build:
    def __init__(self, frozen: Mapping[str, FrozenCollection], shapes: Mapping[str, Shape], problems: list[Problem]):
        self.frozen = frozen
        self.problems = problems
        self.under_way: list[Key] = []
        self.cyclic: set[Key] = set()
        self.fields = {name: self._fields(name, shape) for name, shape in shapes.items()}
        self.shapes = {
            name: replace(shape, of=replace(shape.element, fields=self.fields[name])) for name, shape in shapes.items()
        }

    def _fields(self, collection: str, shape: Shape) -> _Fields:
        computed = set(self.frozen[collection].spec.computed)
        return _Fields(shape.element.fields, computed, lambda name: self.compile((collection, name)))

    def build(self) -> dict[str, Shape]:
        for collection, one in self.frozen.items():
            for name in one.spec.computed:
                if name in self.fields[collection].waiting:
                    self.compile((collection, name))
        for collection, name in self.cyclic:
            self.frozen[collection].computed.pop(name, None)
        return self.shapes

    def compile(self, key: Key) -> Shape:
        """Compile a computed field; its shape, which is anything where the field needs itself."""
        if key in self.under_way:
            self._tell_cycle(self.under_way[self.under_way.index(key) :])
            return ANY
        collection, name = key
        self.under_way.append(key)
        run, shape = self._compiled(collection, self.frozen[collection].spec.computed[name])
        self.under_way.pop()
        self.frozen[collection].computed[name] = Computed(collection, name, run, shape)
        fields = self.fields[collection]
        fields.waiting.discard(name)
        fields[name] = found = shape.maybe()
        return found

    def _compiled(self, collection: str, spec: ComputedSpec) -> tuple[Callable[[Any, Any], Any], Shape]:
        scope = Scope(element=self.shapes[collection].element, collections=self.shapes)
        at = self._at((collection, spec.name))
        if spec.gather is not None:
            return build_gather(at, spec.gather, scope, self.problems)
        made = compiled.value(at, spec.value, scope, self.problems)
        return made.run, made.shape

    def _at(self, key: Key) -> At:
        return self.frozen[key[0]].spec.at.child("computed", key[1])

    def _tell_cycle(self, cycle: list[Key]) -> None:
        self.cyclic.update(cycle)
        start = cycle.index(min(cycle))
        turned = [*cycle[start:], *cycle[:start]]
        said = " needs ".join(f"{collection}.{name}" for collection, name in [*turned, turned[0]])
        problem = self._at(turned[0]).problem(
            "computed-cycle",
            f"This field can never be worked out: {said}.",
            "Let one of them read stored fields only.",
            key=True,
        )
        if problem not in self.problems:
            self.problems.append(problem)
