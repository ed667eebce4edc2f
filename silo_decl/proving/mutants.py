"""Damaged solutions: the recorded calls with one thing wrong, each said in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from silo_decl.proving.bench import Bench, End, Step
from silo_decl.proving.neighbours import Neighbourhood, misspelt, values_beside
from silo_decl.specs.tool import ParameterSpec

LEFT_OUT, TWICE, OTHER_RECORD, OTHER_VALUE = "left-out", "done-twice", "other-record", "other-value"
OUT_OF_ORDER, EXTRA_CHANGE = "out-of-order", "extra-change"

# Calls of one tool that are damaged in one way: a loop over hundreds of records shows nothing new after these.
_EACH = 100
_SOME = 8
_STRAYS = 3


@dataclass(frozen=True, slots=True)
class Mutant:
    """One damaged solution: its kind, what it does in words, its calls and its answer.

    `other` calls are variants to try where this one comes to nothing, because its changed call is refused.
    """

    kind: str
    did: str
    steps: tuple[Step, ...]
    output: str | None
    at: int = -1
    other: tuple[Mutant, ...] = ()


def call_mutants(bench: Bench, end: End, near: Neighbourhood, strays: Sequence[Step]) -> Iterator[Mutant]:
    """Every damage to the calls."""
    return _Damage(bench, end, near).all(strays)


class _Damage:
    def __init__(self, bench: Bench, end: End, near: Neighbourhood):
        self.bench = bench
        self.steps = bench.steps
        self.output = end.output
        self.near = near
        actor = bench.base.spec.actor
        self.actor = actor.parameter if actor is not None else ""
        self.asked = " ".join(bench.told.casefold().split())

    def all(self, strays: Sequence[Step]) -> Iterator[Mutant]:
        for place in self._chosen(_EACH):
            yield self._mutant(LEFT_OUT, f"{self._call(place)} is left out", self._with(place))
        for place in self._chosen(_SOME):
            again = Step(self.steps[place].name, self.steps[place].input)
            yield self._mutant(TWICE, f"{self._call(place)} is made twice", self._with(place, self.steps[place], again))
        for place in self._chosen(_SOME):
            yield from self._arguments(place)
        yield from self._orders()
        yield from self._extras(strays)

    def _mutant(self, kind: str, did: str, steps: tuple[Step, ...], at: int = -1, other: Any = ()) -> Mutant:
        return Mutant(kind, f"{did}.", steps, self.output, at, tuple(other))

    def _chosen(self, most: int) -> list[int]:
        """The changing calls, of each tool at most so many, evenly over the solution."""
        by_tool: dict[str, list[int]] = {}
        for place in self.bench.changing:
            by_tool.setdefault(self.steps[place].name, []).append(place)
        found = []
        for places in by_tool.values():
            count = min(most, len(places))
            found += [places[number * len(places) // count] for number in range(count)]
        return sorted(found)

    def _with(self, place: int, *instead: Step) -> tuple[Step, ...]:
        return (*self.steps[:place], *instead, *self.steps[place + 1 :])

    def _call(self, place: int) -> str:
        return f"Call {place + 1}, {self.steps[place].name},"

    # -- arguments ------------------------------------------------------------------------------------------

    def _arguments(self, place: int) -> Iterator[Mutant]:
        step = self.steps[place]
        for parameter in self.bench.toolbox.tools[step.name].parameters:
            value = step.input.get(parameter.name)
            if value is None or parameter.name == self.actor:
                continue
            yield from self._argument(place, parameter, value)
            if not parameter.required:
                rest = {name: one for name, one in step.input.items() if name != parameter.name}
                did = f"{self._call(place)} is made without {parameter.name}"
                if self._is_asked(value):
                    yield self._mutant(OTHER_VALUE, did, self._with(place, Step(step.name, rest, step.recorded)), place)

    def _argument(self, place: int, parameter: ParameterSpec, value: Any) -> Iterator[Mutant]:
        collection = parameter.references or (self.near.collection_of(value) if isinstance(value, str) else "")
        if isinstance(value, str) and collection:
            others = [
                self._changed(OTHER_RECORD, place, parameter.name, one) for one in self._around(collection, value)
            ]
            if others:
                yield _first(others)
        elif isinstance(value, list):
            yield from self._list(place, parameter, value)
        elif isinstance(value, str) and not values_beside(value, parameter):
            if self._is_asked(value):
                yield self._changed(OTHER_VALUE, place, parameter.name, misspelt(value))
        else:
            beside = [self._changed(OTHER_VALUE, place, parameter.name, one) for one in values_beside(value, parameter)]
            if parameter.enum:
                yield from beside
            elif beside:
                yield _first(beside)

    def _list(self, place: int, parameter: ParameterSpec, value: list[Any]) -> Iterator[Mutant]:
        if len(value) > 1:
            yield self._changed(OTHER_VALUE, place, parameter.name, value[:-1])
        if value and parameter.of is not None:
            for other in self._beside_element(parameter.of, value[0]):
                yield self._changed(OTHER_VALUE, place, parameter.name, [other, *value[1:]])

    def _beside_element(self, parameter: ParameterSpec, value: Any) -> list[Any]:
        """A neighbour of one element; of an object, one for each of its parts."""
        if isinstance(value, str):
            collection = parameter.references or self.near.collection_of(value)
            if collection:
                return list(self._around(collection, value))[:1]
        if isinstance(value, dict) and parameter.fields:
            return [
                {**value, name: other}
                for name, one in parameter.fields.items()
                if name in value
                for other in self._beside_element(one, value[name])
            ]
        return values_beside(value, parameter)[:1]

    def _around(self, collection: str, value: str) -> Iterator[str]:
        """Neighbours in the data; of a record that the solution made, the first ones of the collection."""
        found = list(self.near.records(collection, value))
        ids = found or self.bench.base.new_world().ids(collection)
        return iter([one for one in ids[:12] if one != value])

    def _changed(self, kind: str, place: int, name: str, value: Any) -> Mutant:
        step = self.steps[place]
        changed = Step(step.name, {**step.input, name: value}, step.recorded)
        did = f"{self._call(place)} gets {name} {_shown(value)} instead of {_shown(step.input[name])}"
        return self._mutant(kind, did, self._with(place, changed), place)

    def _is_asked(self, value: Any) -> bool:
        """Whether the value stands in what the agent is told; the rest is in its own words."""
        return not isinstance(value, str) or " ".join(value.casefold().split()) in self.asked

    # -- order and more -------------------------------------------------------------------------------------

    def _orders(self) -> Iterator[Mutant]:
        changing = self.bench.changing
        for first, second in islice(pairwise(changing), 4 * _SOME):
            rest = [*self.steps[:first], self.steps[second], *self.steps[first:second], *self.steps[second + 1 :]]
            did = f"{self._call(second)} is made before call {first + 1}, {self.steps[first].name}"
            yield self._mutant(OUT_OF_ORDER, did, tuple(rest))
        if len(changing) > 2:
            places = dict(zip(changing, reversed(changing)))
            turned = tuple(self.steps[places.get(place, place)] for place in range(len(self.steps)))
            yield self._mutant(OUT_OF_ORDER, "The changing calls are made from the last to the first", turned)

    def _extras(self, strays: Sequence[Step]) -> Iterator[Mutant]:
        for place in self._firsts():
            variants = self._copies(place)
            if variants:
                yield _first(variants)
        for stray in strays:
            did = f"At the end {stray.name} is called too, with {_shown(stray.input)}"
            yield self._mutant(EXTRA_CHANGE, did, (*self.steps, stray), len(self.steps))

    def _firsts(self) -> list[int]:
        """The first changing call of each tool."""
        return list({self.steps[place].name: place for place in reversed(self.bench.changing)}.values())[:_STRAYS]

    def _copies(self, place: int) -> list[Mutant]:
        """The same call once more, for another record."""
        step = self.steps[place]
        for parameter in self.bench.toolbox.tools[step.name].parameters:
            value = step.input.get(parameter.name)
            if not parameter.references or parameter.name == self.actor or not isinstance(value, str):
                continue
            found = []
            for other in self._around(parameter.references, value):
                extra = Step(step.name, {**step.input, parameter.name: other})
                did = f"At the end {step.name} is called once more, for {parameter.name} {_shown(other)}"
                found.append(self._mutant(EXTRA_CHANGE, did, (*self.steps, extra), len(self.steps)))
            return found
        return []


def _first(variants: Sequence[Mutant]) -> Mutant:
    """The first of variants, with the others to fall back on."""
    first = variants[0]
    return Mutant(first.kind, first.did, first.steps, first.output, first.at, tuple(variants[1:]))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 60 else f"'{value[:57]}...'"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(one)}" for name, one in value.items())
    if isinstance(value, list):
        inner = ", ".join(_shown(one) for one in value[:4])
        return f"[{inner}{', ...' if len(value) > 4 else ''}]"
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
