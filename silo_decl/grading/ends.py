"""The two ends of a rollout as checks see them: the world before and after, what was said and what was called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.expressions.records import WorldLike
from silo_decl.expressions.shapes import DATE, TEXT, Scope, Shape
from silo_decl.trace import CallFact
from silo_decl.world.seed import Base
from silo_decl.world.store import World

WORLDS = ("initial", "final")
UNCHANGED: dict[str, Any] = {"collections": {}, "scalars": {}}


class End(WorldLike):
    """One of the two worlds, with its clock as fields: `final.now`, `final.today`."""

    __slots__ = ("world",)

    def __init__(self, world: World):
        self.world = world

    @property
    def now(self) -> str:  # type: ignore[override]
        return self.world.now

    @property
    def today(self) -> str:  # type: ignore[override]
        return self.world.today

    def read(self, name: str) -> Any:
        found = self.world.read(name)
        if found is None and name in ("now", "today"):
            return self.world.now if name == "now" else self.world.today
        return found

    def plain(self) -> dict[str, Any]:
        return self.world.plain()


class Ends(End):
    """What a query of a check begins at: `initial`, `final`, and the collections and the clock of the initial world."""

    __slots__ = ("final", "initial")

    def __init__(self, initial: World, final: World):
        super().__init__(initial)
        self.initial = End(initial)
        self.final = End(final)

    def read(self, name: str) -> Any:
        if name == "final":
            return self.final
        return self.initial if name == "initial" else super().read(name)

    def plain(self) -> dict[str, Any]:
        return {"initial": self.initial.plain(), "final": self.final.plain()}

    def view(self, record: Any, name: str) -> Any:
        """A record in one of its views; `view(...)` in an expression asks for it."""
        return record.world.view(record, name)


@dataclass
class Outcome:
    """Everything a check may look at. `env` is what its expressions read; making one works out the `given` truths.

    Raises CheckError where one of those cannot be worked out.
    """

    initial: World
    final: World
    output: str | None
    calls: Sequence[CallFact]
    diff: dict[str, Any]
    given: Sequence[tuple[str, Any]] = ()
    env: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ends = Ends(self.initial, self.final)
        self.env = {"": ends, "initial": ends.initial, "final": ends.final, "output": self.output}
        for name, truth in self.given:
            self.env[name] = truth.get(self)

    @property
    def root(self) -> Ends:
        found: Ends = self.env[""]
        return found

    def naming(self, **names: Any) -> dict[str, Any]:
        return {**self.env, **names}

    def at_start(self) -> Outcome:
        """The outcome if nothing had happened."""
        return Outcome(self.initial, self.initial, self.output, (), UNCHANGED, self.given)


def _end_shape(base: Base) -> Shape:
    world = base.world_shape
    return Shape("object", name="world", fields={"now": TEXT, "today": DATE, **world.fields})


def query_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a query of a check."""
    end = _end_shape(base)
    root = Shape("object", name="world", fields={**base.world_shape.fields, "initial": end, "final": end})
    return Scope(names, root, base.shapes, WORLDS)


def value_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a condition or a value of a check."""
    end = _end_shape(base)
    own = {"initial": end, "final": end, "output": TEXT.maybe()}
    return Scope({**own, **names}, None, base.shapes, WORLDS)


def first_query_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a query that is asked before there is a rollout."""
    root = Shape("object", name="world", fields={**base.world_shape.fields, "initial": _end_shape(base)})
    return Scope(names, root, base.shapes, WORLDS[:1])


def first_value_scope(base: Base, names: dict[str, Shape]) -> Scope:
    """The names of a value or a text that is worked out before there is a rollout."""
    return Scope({"initial": _end_shape(base), **names}, None, base.shapes, WORLDS[:1])
