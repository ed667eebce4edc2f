"""What the builder of one tool has at hand: its spec, the names its expressions may use, and where problems go.

Everything compiled here knows its place, so that an expression that cannot be worked out names its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import CollectionSpec
from silo_decl.specs.source import NOWHERE, At
from silo_decl.specs.tool import ParameterSpec, ToolSpec
from silo_decl.world.seed import Base

Env = dict[str, Any]
Run = Callable[[Any, Env], Any]


class PlacedError(ExpressionError):
    """An expression that could not be worked out, with the place where it stands."""

    def __init__(self, at: At, message: str):
        self.at = at
        super().__init__(message)


def placed(at: At, run: Run) -> Run:
    """The same, saying where it stands when it cannot be worked out."""

    def run_placed(element: Any, env: Env) -> Any:
        try:
            return run(element, env)
        except PlacedError:
            raise
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return run_placed


@dataclass(frozen=True)
class Draft:
    """One tool while it is built.

    `element` is the collection whose fields are bare names in values and conditions, '' where there are none.
    `names` are the values from outside, by name. `problems` is shared by all drafts of an environment.
    """

    base: Base
    spec: ToolSpec
    parameters: tuple[ParameterSpec, ...]
    problems: list[Problem]
    names: Mapping[str, Shape] = field(default_factory=dict)
    element: str = ""

    def naming(self, **names: Shape) -> Draft:
        """The same with more names."""
        return replace(self, names={**self.names, **names})

    def over(self, collection: str) -> Draft:
        """The same with the fields of a record of the collection as bare names."""
        return replace(self, element=collection)

    def quietly(self) -> Draft:
        """The same, for a text whose problems were told before."""
        return replace(self, problems=[])

    @property
    def collection(self) -> CollectionSpec | None:
        """The collection the tool works on; None where there is none or it is not known."""
        return self.base.spec.collections.get(self.spec.collection)

    def known(self, collection: str) -> bool:
        return collection in self.base.spec.collections

    def record_shape(self, collection: str) -> Shape:
        """What is known of a record of the collection."""
        shape = self.base.shapes.get(collection)
        return shape.element if shape is not None else ANY

    # -- expressions ----------------------------------------------------------------------------------------

    def value(self, at: At, raw: Any) -> Made:
        scope = self.base.scope(self.element or None, **self.names)
        made = compiled.value(at, raw, scope, self.problems)
        return Made(placed(at, made.run), made.shape, made.constant)

    def condition(self, at: At, text: str) -> Made:
        scope = self.base.scope(self.element or None, **self.names)
        made = compiled.condition(at, text, scope, self.problems)
        return Made(placed(at, made.run), made.shape)

    def text(self, at: At, text: str) -> Made:
        scope = self.base.scope(self.element or None, **self.names)
        made = compiled.text(at, text, scope, self.problems)
        return Made(placed(at, made.run), made.shape)

    def world_query(self, at: At, text: str) -> Made:
        """A query whose plain names are collections; run it over the world."""
        made = compiled.query(at, text, self.base.world_scope(**self.names), self.problems)
        return Made(placed(at, made.run), made.shape)

    def record_query(self, at: At, text: str, collection: str) -> Made:
        """A query over one record of the collection."""
        made = compiled.query(at, text, self.base.scope(collection, **self.names), self.problems)
        return Made(placed(at, made.run), made.shape)


@dataclass(frozen=True, slots=True)
class Made:
    """A compiled expression: what runs it, and what is known of its result."""

    run: Run
    shape: Shape = ANY
    constant: bool = False


NO_PLACE = NOWHERE
