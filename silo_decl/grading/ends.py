"""The two ends of a rollout as checks see them: the world before and after, what was said and what was called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.expressions.records import WorldLike
from silo_decl.expressions.shapes import TEXT, Scope, Shape
from silo_decl.trace import CallFact
from silo_decl.world.seed import Base
from silo_decl.world.store import World

WORLDS = ("initial", "final")


class Ends(WorldLike):
    """What a query of a check begins at: `initial`, `final`, and the collections of the initial world."""

    __slots__ = ("final", "initial")

    def __init__(self, initial: World, final: World):
        self.initial = initial
        self.final = final

    @property
    def now(self) -> str:  # type: ignore[override]
        return self.final.now

    @property
    def today(self) -> str:  # type: ignore[override]
        return self.final.today

    def read(self, name: str) -> Any:
        if name == "final":
            return self.final
        return self.initial if name == "initial" else self.initial.read(name)

    def plain(self) -> dict[str, Any]:
        return {"initial": self.initial.plain(), "final": self.final.plain()}

    def view(self, record: Any, name: str) -> Any:
        """A record in one of its views; `view(...)` in an expression asks for it."""
        return record.world.view(record, name)


@dataclass
class Outcome:
    """Everything a check may look at. `env` is what its expressions read."""

    initial: World
    final: World
    output: str | None
    calls: Sequence[CallFact]
    diff: dict[str, Any]
    env: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ends = Ends(self.initial, self.final)
        self.env = {"": ends, "initial": self.initial, "final": self.final, "output": self.output}

    @property
    def root(self) -> Ends:
        found: Ends = self.env[""]
        return found

    def naming(self, **names: Any) -> dict[str, Any]:
        return {**self.env, **names}


def root_shape(base: Base) -> Shape:
    """What a query of a check begins at."""
    world = base.world_shape
    return Shape("object", name="world", fields={**world.fields, "initial": world, "final": world})


def query_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a query of a check."""
    return Scope(names, root_shape(base), base.shapes, WORLDS)


def value_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a condition or a value of a check."""
    world = base.world_shape
    own = {"initial": world, "final": world, "output": TEXT.maybe()}
    return Scope({**own, **names}, None, base.shapes, WORLDS)
