"""The proof of one task: is it solvable, free, does its grader bite, is it fair and steady."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.proving.bench import Bench, End, Step
from silo_decl.proving.fairness import CREATION_ORDER, Variant, variants
from silo_decl.proving.hints import hint
from silo_decl.proving.laziness import IDLE, lazy_ways
from silo_decl.proving.mutants import OUT_OF_ORDER, Mutant, call_mutants
from silo_decl.proving.neighbours import Neighbourhood
from silo_decl.proving.sources import Sources
from silo_decl.proving.speech import Speech
from silo_decl.proving.strays import Strays
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.call import encode
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

_MOST_STRAYS = 3


@dataclass(frozen=True)
class Finding:
    """Something that passed and should not have, or the other way round: its kind, what it did, what would help."""

    kind: str
    did: str
    hint: str = ""


@dataclass
class Proof:
    """What proving one task found. `tried` and `caught` count mutants by kind."""

    task_id: str
    family: str = ""
    solvable: bool = False
    unsolved: str = ""
    unobtainable: list[str] = field(default_factory=list)
    idle_fails: bool = False
    free: list[Finding] = field(default_factory=list)
    tried: dict[str, int] = field(default_factory=dict)
    caught: dict[str, int] = field(default_factory=dict)
    survivors: list[Finding] = field(default_factory=list)
    fair_tried: int = 0
    unfair: list[Finding] = field(default_factory=list)
    steady: bool = True
    faults: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether it is solvable, not free and steady."""
        return self.solvable and not self.unobtainable and self.idle_fails and not self.free and self.steady

    @property
    def mutants(self) -> tuple[int, int]:
        """How many mutants were tried, and how many of them were caught."""
        return sum(self.tried.values()), sum(self.caught.values())

    def as_facts(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def of(facts: dict[str, Any]) -> Proof:
        """The proof that `as_facts` gave. Raises TypeError for anything else."""
        lists = {name: [Finding(**one) for one in facts[name]] for name in ("free", "survivors", "unfair")}
        return Proof(**{**facts, **lists})


class Prover:
    """Proves the tasks of one environment; what they share is made ready once."""

    def __init__(self, base: Base, toolbox: Toolbox, spoken: str):
        """`spoken` is what the tools say of themselves (`sources.spoken_by`)."""
        self.base = base
        self.toolbox = toolbox
        self.spoken = spoken
        self.near = Neighbourhood(base)
        self.strays = Strays(base, toolbox)

    def prove(self, task: Task, told: str) -> Proof:
        """`told` is what an agent is told: the policy and the instruction."""
        return _Proving(self, Bench(self.base, self.toolbox, task, told)).proof()


class _Proving:
    def __init__(self, prover: Prover, bench: Bench):
        self.prover = prover
        self.bench = bench
        self.found = Proof(bench.task.id, bench.task.spec.family)

    def proof(self) -> Proof:
        if not self.bench.task.spec.solution:
            self.found.unsolved = "It has no solution, so nothing can be proven."
            return self.found
        try:
            end = self.bench.solution
        except SolutionError as wrong:
            self.found.unsolved = str(wrong)
            return self.found
        self._solvable(end)
        self._obtainable()
        if self.found.solvable:
            speech = self._speech(end)
            self._steady(end)
            self._not_free(end)
            creations = self._bites(end, speech)
            self._fair(end, speech, creations)
        return self.found

    # -- 1: solvable ----------------------------------------------------------------------------------------

    def _solvable(self, end: End) -> None:
        if end.fault:
            self.found.unsolved = f"A tool fails by a mistake of this environment: {end.fault}"
            return
        grade = self.bench.grade(end)
        wrong = next((one for one in grade.checks if one.required and not one.passed), None)
        if wrong is not None:
            self.found.unsolved = f"{wrong.label}: {wrong.detail}"
        self.found.solvable = grade.passed

    def _obtainable(self) -> None:
        """Every argument must have been there to be found before it was used."""
        known = Sources(self.bench.told, self.prover.spoken)
        for place, step in enumerate(self.bench.steps):
            parameters = {one.name: one for one in self.bench.toolbox.tools[step.name].parameters}
            for name, value in step.input.items():
                parameter = parameters.get(name)
                if parameter is None:
                    continue
                for part in known.lack(value, parameter):
                    if not self._is_free_text(place, parameter, part):
                        self.found.unobtainable.append(
                            f"Call {place + 1}, {step.name}: {name} is {_shown(part)}, which stands neither in the"
                            " instruction, the policy or the tools, nor in an earlier result."
                        )
            if step.recorded is not None:
                known.learn(step.recorded.output)

    def _is_free_text(self, place: int, parameter: ParameterSpec, part: Any) -> bool:
        """Whether an agent may put it in its own words: other words pass as well."""
        step = self.bench.steps[place]
        if parameter.references or step.input[parameter.name] != part or " " not in str(part).strip():
            return False
        other = Step(step.name, {**step.input, parameter.name: f"In other words: {part}"}, step.recorded)
        steps = (*self.bench.steps[:place], other, *self.bench.steps[place + 1 :])
        end = self.bench.perform(steps, self.bench.solution.output)
        return not end.calls[place].is_error and self.bench.grade(end).passed

    def _steady(self, end: End) -> None:
        again = self.bench.play_solution()
        same = encode(again.diff) == encode(end.diff) and again.output == end.output
        results = [one.encoded for one in again.calls] == [one.encoded for one in end.calls]
        self.found.steady = same and results and self.bench.grade(again) == self.bench.grade(end)

    # -- 2: not free ----------------------------------------------------------------------------------------

    def _not_free(self, end: End) -> None:
        self.found.idle_fails = True
        for way in lazy_ways(self.bench, end, self.prover.strays.reading()):
            if self._passes(self.bench.perform(way.steps, way.output)):
                self.found.idle_fails &= way.kind != IDLE
                self.found.free.append(Finding(way.kind, way.did))

    # -- 3: bites -------------------------------------------------------------------------------------------

    def _bites(self, end: End, speech: Speech | None) -> list[Variant]:
        """Try every mutant; gives those orders that end as the solution, which are to pass."""
        own = self.bench.signature(end)
        seen, creations = {own}, []
        for mutant, done in filter(None, map(self._done, self._mutants(end, speech))):
            signature = self.bench.signature(done)
            if mutant.kind == OUT_OF_ORDER and signature == own:
                if len(done.refused) <= len(end.refused) and done.diff != end.diff:
                    did = f"{mutant.did.rstrip('.')}, which changes only the ids of new records."
                    creations.append(Variant(CREATION_ORDER, did, mutant.steps, mutant.output))
            elif signature not in seen:
                seen.add(signature)
                self._try(mutant, done, end)
        return creations

    def _mutants(self, end: End, speech: Speech | None) -> Iterable[Mutant]:
        audit = self.prover.base.spec.audit.collection if self.prover.base.spec.audit else ""
        touched = frozenset(end.diff["collections"].keys() - {audit})
        strays = self.prover.strays.changing(touched, self.bench.task.spec.acting_as)
        yield from call_mutants(self.bench, end, self.prover.near, _spread(strays))
        for kind, did, said in speech.damaged() if speech is not None else ():
            yield Mutant(kind, did, self.bench.steps, said)

    def _done(self, mutant: Mutant) -> tuple[Mutant, End] | None:
        """The mutant, or the first of its variants, whose changed call is not refused, with its end."""
        for one in (mutant, *mutant.other):
            end = self.bench.perform(one.steps, one.output)
            if one.at < 0 or not end.calls[one.at].is_error:
                return one, end
        return None

    def _try(self, mutant: Mutant, done: End, end: End) -> None:
        tried, caught = self.found.tried, self.found.caught
        tried[mutant.kind] = tried.get(mutant.kind, 0) + 1
        if done.fault:
            self.found.faults.append(f"{mutant.did} {done.fault}")
        if not self._passes(done):
            caught[mutant.kind] = caught.get(mutant.kind, 0) + 1
            return
        self.found.survivors.append(Finding(mutant.kind, mutant.did, hint(self.bench, end, done, mutant.kind)))

    # -- 4: fair --------------------------------------------------------------------------------------------

    def _fair(self, end: End, speech: Speech | None, creations: list[Variant]) -> None:
        reading = self.prover.strays.reading()
        for variant in (*variants(self.bench, end, reading, speech), *creations):
            grade = self.bench.grade(self.bench.perform(variant.steps, variant.output))
            self.found.fair_tried += 1
            if not grade.passed:
                wrong = next(one for one in grade.checks if one.required and not one.passed)
                self.found.unfair.append(Finding(variant.kind, variant.did, f"{wrong.label}: {wrong.detail}"))

    # -- shared ---------------------------------------------------------------------------------------------

    def _passes(self, end: End) -> bool:
        return self.bench.grade(end).passed

    def _speech(self, end: End) -> Speech | None:
        if end.output is None or not self.bench.answers:
            return None
        given = dict.fromkeys(text for one in end.calls for text in _texts(one.output))
        return Speech(
            end.output, [one for one in given if one in end.output], self.bench.task.instruction, self.prover.near
        )


def _spread(strays: list[Any]) -> list[Any]:
    """The first, which touches what the solution touches where one does, and some of the others."""
    rest = strays[1:]
    step = max(1, len(rest) // _MOST_STRAYS)
    return [*strays[:1], *rest[::step][: _MOST_STRAYS - 1]]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
