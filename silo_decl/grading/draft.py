"""What the builder of one check has at hand: its place, the names its expressions may use, and where problems go."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from silo_decl.errors import ExpressionError, Level, Problem
from silo_decl.expressions.shapes import Shape, words
from silo_decl.grading.ends import Outcome, query_scope, value_scope
from silo_decl.specs import compiled
from silo_decl.specs.source import At
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

_OF_THE_ROLLOUT = re.compile(r"\b(?:final|output)\b")


@dataclass(slots=True)
class Truth:
    """An expression of a check. `steady`: it reads nothing of a rollout, so it is worked out once for all of them.

    `begins_at_worlds` says that its element is the two worlds (a query); `reads` are the collections it may read, by
    way of `given` truths too.
    """

    at: At
    made: Any
    shape: Shape
    begins_at_worlds: bool
    steady: bool
    reads: frozenset[str] = frozenset()
    _kept: list[Any] = field(default_factory=list)

    def get(self, outcome: Outcome, env: Mapping[str, Any] | None = None) -> Any:
        """The value in this outcome. Raises CheckError with the place for what cannot be worked out."""
        if self.steady and self._kept:
            return self._kept[0]
        try:
            element = outcome.root if self.begins_at_worlds else None
            value = self.made.run(element, outcome.env if env is None else env)
        except ExpressionError as wrong:
            raise CheckError(self.at, str(wrong)) from wrong
        if self.steady:
            self._kept.append(value)
        return value


class CheckError(ExpressionError):
    """A check that could not be worked out by a mistake of the world; `at` is where it stands."""

    def __init__(self, at: At, message: str, trace: str = "", boundary: str = ""):
        self.at = at
        self.trace = trace
        self.boundary = boundary
        super().__init__(message)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", text) is not None


@dataclass(frozen=True)
class Draft:
    """One check while it is built. `names` are the `given` truths and items of loops, `loops` the latter alone."""

    base: Base
    toolbox: Toolbox
    at: At
    problems: list[Problem]
    names: Mapping[str, Shape] = field(default_factory=dict)
    given: Mapping[str, Truth] = field(default_factory=dict)
    loops: frozenset[str] = frozenset()

    def placed(self, at: At) -> Draft:
        return replace(self, at=at)

    def naming(self, **names: Shape) -> Draft:
        """With the items of a loop, or the record at hand, among the names."""
        return replace(self, names={**self.names, **names}, loops=self.loops | set(names))

    def giving(self, name: str, truth: Truth) -> Draft:
        """With one more truth among the names."""
        return replace(self, names={**self.names, name: truth.shape}, given={**self.given, name: truth})

    # -- expressions ----------------------------------------------------------------------------------------

    def query(self, at: At, text: str) -> Truth:
        made = compiled.query(at, text, query_scope(self.base, dict(self.names)), self.problems)
        return self._truth(at, made, text, begins_at_worlds=True)

    def condition(self, at: At, text: str) -> Truth:
        return self._truth(at, compiled.condition(at, text, self.scope, self.problems), text)

    def value(self, at: At, raw: Any) -> Truth:
        made = compiled.value(at, raw, self.scope, self.problems)
        return self._truth(at, made, "" if made.constant else raw)

    def query_or_value(self, at: At, raw: Any) -> Truth:
        """A text is a query unless it begins with '='; anything else is a value."""
        return self.query(at, raw) if isinstance(raw, str) and not raw.startswith("=") else self.value(at, raw)

    @property
    def scope(self) -> Any:
        """The names of values and conditions."""
        return value_scope(self.base, dict(self.names))

    def _truth(self, at: At, made: Any, raw: Any, begins_at_worlds: bool = False) -> Truth:
        text = raw if isinstance(raw, str) else json.dumps(raw, default=str)
        reads = made.reads.union(*(truth.reads for truth in self._used(text)))
        return Truth(at, made, made.shape, begins_at_worlds, self.is_steady(text), reads)

    def _used(self, text: str) -> list[Truth]:
        """The `given` truths that an expression names."""
        return [truth for name, truth in self.given.items() if name not in self.loops and _names(text, name)]

    def is_steady(self, text: str, item: str = "") -> bool:
        """Whether an expression reads nothing of a rollout; `item` is a loop's that is known to be so."""
        if _OF_THE_ROLLOUT.search(text) or any(_names(text, name) for name in self.loops - {item}):
            return False
        return all(truth.steady for truth in self._used(text))

    # -- problems -------------------------------------------------------------------------------------------

    def say(self, at: At, code: str, message: str, fix: str = "", level: Level = "error") -> None:
        self.problems.append(at.problem(code, message, fix, level=level))

    def wants(self, truth: Truth, kinds: tuple[str, ...], what: str) -> None:
        """The truth must be able to give a value of these kinds."""
        if truth.shape.kind not in ("any", "nothing", *kinds):
            self.say(truth.at, "wrong-type", f"This gives {words(truth.shape)}, and {what} is wanted here.")

    def must_look_at_the_rollout(self, at: At, *truths: Truth) -> None:
        """A check that reads nothing of the rollout says the same whatever an agent does, so a warning."""
        if all(truth.steady for truth in truths):
            said = "This looks only at the first world, so it says the same whatever the agent does."
            self.say(at, "empty-check", said, "Read the world at the end: final.…", "warning")
