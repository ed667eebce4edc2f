"""What the builder of one tool has at hand: its spec, the names its expressions may use, and where problems go.

Everything compiled here knows its place, so that an expression that cannot be worked out names its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.shapes import ANY, Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.environment import CollectionSpec
from silo_decl.specs.source import At
from silo_decl.specs.tool import ParameterSpec, ToolSpec
from silo_decl.tools.hooks import Hooks
from silo_decl.tools.placing import Run, placed
from silo_decl.tools.rules import Rule
from silo_decl.tools.write.audit import Note
from silo_decl.tools.write.writing import Soundness
from silo_decl.world.seed import Base


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
    rules: Mapping[str, Rule]
    audit: Note | None
    hooks: Hooks
    soundness: Soundness
    names: Mapping[str, Shape] = field(default_factory=dict)
    element: str = ""

    def naming(self, names: Mapping[str, Shape]) -> Draft:
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

    def _scope(self) -> Scope:
        return self._named(self.base.scope(self.element or None))

    def _named(self, scope: Scope) -> Scope:
        return replace(scope, names={**scope.names, **self.names})

    # -- expressions ----------------------------------------------------------------------------------------

    def value(self, at: At, raw: Any) -> Made:
        made = compiled.value(at, raw, self._scope(), self.problems)
        return Made(placed(at, made.run), made.shape, made.constant)

    def condition(self, at: At, text: str) -> Made:
        made = compiled.condition(at, text, self._scope(), self.problems)
        return Made(placed(at, made.run), made.shape)

    def text(self, at: At, text: str) -> Made:
        made = compiled.text(at, text, self._scope(), self.problems)
        return Made(placed(at, made.run), made.shape)

    def world_query(self, at: At, text: str) -> Made:
        """A query whose plain names are collections; run it over the world."""
        made = compiled.query(at, text, self._named(self.base.world_scope()), self.problems)
        return Made(placed(at, made.run), made.shape)

    def record_query(self, at: At, text: str, collection: str) -> Made:
        """A query over one record of the collection."""
        made = compiled.query(at, text, self._named(self.base.scope(collection)), self.problems)
        return Made(placed(at, made.run), made.shape)


@dataclass(frozen=True, slots=True)
class Made:
    """A compiled expression: what runs it, and what is known of its result."""

    run: Run
    shape: Shape = ANY
    constant: bool = False
