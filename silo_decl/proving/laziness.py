"""What an agent can do without doing its task: nothing, only reading, reciting what it read, refusing, echoing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from silo_decl.proving.bench import Bench, End, Step
from silo_decl.trace import CallFact

IDLE, READS, RECITES, REFUSES, ECHOES = "idle", "reads-only", "recites", "refuses", "echoes"

_REFUSALS = (
    "I am sorry, but I cannot do that.",
    "This is not allowed, so I changed nothing.",
)
_LONGEST = 45_000


@dataclass(frozen=True, slots=True)
class Lazy:
    """One way of not doing the task, and what it is in words."""

    kind: str
    did: str
    steps: tuple[Step, ...]
    output: str | None


def lazy_ways(bench: Bench, end: End, reading: Sequence[Step]) -> Iterator[Lazy]:
    """Every way; that of refusing only where refusing is no right end."""
    own = tuple(step for step in bench.steps if not bench.may_change(step))
    every = (*own, *reading)
    yield Lazy(IDLE, "Doing nothing passes.", (), None)
    yield Lazy(READS, "Calling every tool that reads and answering nothing passes.", every, None)
    told = _recited(bench.perform(every, None).calls)
    yield Lazy(RECITES, "Answering with all that the tools that read give passes.", every, told)
    if not _is_refusal(bench, end):
        for said in _REFUSALS:
            yield Lazy(REFUSES, f"Refusing passes: '{said}'", (), said)
    yield Lazy(ECHOES, "Answering with the instruction itself passes.", (), bench.task.instruction)


def _recited(calls: Sequence[CallFact]) -> str:
    """The results one below the other, as long as answers may be."""
    text = "\n".join(one.encoded.decode("utf-8", "replace") for one in calls if not one.is_error)
    return text[:_LONGEST]


def _is_refusal(bench: Bench, end: End) -> bool:
    """Whether the solution itself is refused something and changes nothing."""
    return bool(end.refused) and not bench.changing
