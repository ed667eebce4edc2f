"""What must not matter: more reads, reads in another order, records created in another order, other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from silo_decl.proving.bench import Bench, End, Step
from silo_decl.proving.speech import Speech

READ_ORDER, MORE_READS, CREATION_ORDER, OTHER_WORDS = "read-order", "more-reads", "creation-order", "other-words"


@dataclass(frozen=True, slots=True)
class Variant:
    """The solution done otherwise, which must pass too."""

    kind: str
    did: str
    steps: tuple[Step, ...]
    output: str | None


def variants(bench: Bench, end: End, reading: Sequence[Step], speech: Speech | None) -> Iterator[Variant]:
    """Every variant but those of the order of creation, which turn up among the damaged orders."""
    turned = _reads_turned(bench)
    if turned != bench.steps:
        yield Variant(READ_ORDER, "The reads are made in another order.", turned, end.output)
    few = tuple(reading[:2])
    if few:
        names = " and ".join(step.name for step in few)
        yield Variant(MORE_READS, f"{names} are called too, first and last.", (*few, *bench.steps, *few), end.output)
    if speech is not None:
        for _, did, said in speech.reworded():
            yield Variant(OTHER_WORDS, did, bench.steps, said)


def _reads_turned(bench: Bench) -> tuple[Step, ...]:
    """The calls, with each stretch of reads between two changes turned round."""
    found: list[Step] = []
    stretch: list[Step] = []
    for step in bench.steps:
        if bench.may_change(step):
            found += [*reversed(stretch), step]
            stretch = []
        else:
            stretch.append(step)
    return (*found, *reversed(stretch))
