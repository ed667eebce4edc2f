"""What the builder of one check has at hand: its place, the names its expressions may use, and where problems go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.shapes import Shape
from silo_decl.grading.ends import Outcome, query_scope, value_scope
from silo_decl.specs import compiled
from silo_decl.specs.source import At
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

_FINAL = re.compile(r"\bfinal\b|\boutput\b")


@dataclass(slots=True)
class Truth:
    """An expression of a check. One that reads the initial world only is worked out once for all rollouts.

    `steady` says that it is such a one; `begins_at_worlds` that its element is the two worlds (a query).
    """

    at: At
    made: Any
    shape: Shape
    begins_at_worlds: bool
    steady: bool
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


@dataclass(frozen=True)
class Draft:
    """One check while it is built. `names` are the `given` names and items of loops; `steady` the former that read
    the initial world only."""

    base: Base
    toolbox: Toolbox
    at: At
    problems: list[Problem]
    names: Mapping[str, Shape] = field(default_factory=dict)
    steady: frozenset[str] = frozenset()

    def placed(self, at: At) -> Draft:
        return replace(self, at=at)

    def naming(self, **names: Shape) -> Draft:
        return replace(self, names={**self.names, **names})

    def query(self, at: At, text: str) -> Truth:
        made = compiled.query(at, text, query_scope(self.base, dict(self.names)), self.problems)
        return Truth(at, made, made.shape, True, self._is_steady(text))

    def condition(self, at: At, text: str) -> Truth:
        made = compiled.condition(at, text, value_scope(self.base, dict(self.names)), self.problems)
        return Truth(at, made, made.shape, False, False)

    def value(self, at: At, raw: Any) -> Truth:
        made = compiled.value(at, raw, value_scope(self.base, dict(self.names)), self.problems)
        return Truth(at, made, made.shape, False, made.constant)

    def query_or_value(self, at: At, raw: Any) -> Truth:
        """A text is a query unless it begins with '='; anything else is a value."""
        return self.query(at, raw) if isinstance(raw, str) and not raw.startswith("=") else self.value(at, raw)

    def say(self, at: At, code: str, message: str, fix: str = "") -> None:
        self.problems.append(at.problem(code, message, fix))

    def _is_steady(self, text: str) -> bool:
        if _FINAL.search(text):
            return False
        return all(name in self.steady for name in self.names if re.search(rf"\$ *{re.escape(name)}\b", text))
