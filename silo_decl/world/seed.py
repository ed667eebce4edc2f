"""The base of an environment: its data made ready once, shared by all worlds and never changed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import islice
from typing import Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.queries import Query, compile_query
from silo_decl.expressions.shapes import ANY, Scope, Shape
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.shapes import collection_shapes, world_shape
from silo_decl.world.computed_build import build_computed
from silo_decl.world.frozen import FrozenCollection
from silo_decl.world.indexes import Indexes
from silo_decl.world.measures import only_currency
from silo_decl.world.store import World
from silo_decl.world.views import build_view

Caller = Callable[[World, str, dict[str, Any]], Any]

_QUERIES_KEPT = 512
_TRIED = 2000


class Base:
    """What all worlds of an environment share.

    `collections` holds the records and how they are read; `shapes` is what is known of each collection, computed
    fields too. `caller` calls a tool of the environment's toolbox in a world, once there is one.
    """

    def __init__(self, spec: EnvironmentSpec):
        self.spec = spec
        self.now = spec.now
        self.collections: dict[str, FrozenCollection] = {
            name: FrozenCollection(one) for name, one in spec.collections.items()
        }
        self.shapes: dict[str, Shape] = collection_shapes(spec)
        self.world_shape = world_shape(self.shapes)
        self.caller: Caller | None = None
        self._queries: dict[tuple[str, tuple[str, ...]], Query] = {}
        self._currencies: dict[tuple[str, str], str | None] = {}

    def new_world(self) -> World:
        """A fresh world, in the state of the data."""
        return World(self)

    def scope(self, element: str | None = None, **names: Shape) -> Scope:
        """The names of values and conditions; with `element`, the fields of a record of that collection too."""
        shape = self.shapes[element].element if element in self.shapes else None
        return Scope(names, shape, self.shapes)

    def world_scope(self, **names: Shape) -> Scope:
        """The names of a query that begins at the collections."""
        return Scope(names, self.world_shape, self.shapes)

    def query(self, text: str, names: tuple[str, ...]) -> Query:
        """A query over the collections, compiled once. Raises ExpressionError where it has errors."""
        found = self._queries.get((text, names))
        if found is None:
            found = compile_query(text, self.world_scope(**dict.fromkeys(names, ANY)))
            wrong = [one for one in found.findings if one.level == "error"]
            if wrong:
                raise ExpressionError(f"The query {text!r} cannot be used: {wrong[0].message} {wrong[0].fix}".strip())
            if len(self._queries) >= _QUERIES_KEPT:
                self._queries.pop(next(iter(self._queries)), None)
            self._queries[(text, names)] = found
        return found

    def only_currency(self, collection: str, path: str) -> str | None:
        """The currency of a money field where the data has only one."""
        key = (collection, path)
        if key not in self._currencies:
            self._currencies[key] = only_currency(self.new_world(), collection, path)
        return self._currencies[key]

    def freeze_memory(self) -> None:
        """Tell the garbage collector that what is loaded now stays: collections then cost nothing for it."""
        gc.collect()
        gc.freeze()


def build_base(spec: EnvironmentSpec, problems: list[Problem]) -> Base:
    """The base of an environment. What is wrong with computed fields and views is appended to `problems`."""
    base = Base(spec)
    for frozen in base.collections.values():
        frozen.indexes = Indexes(frozen, base.new_world())
        _clashes(frozen, problems)
    base.shapes = build_computed(base.collections, base.shapes, problems)
    base.world_shape = world_shape(base.shapes)
    for name, frozen in base.collections.items():
        _views(base, name, frozen, problems)
    return base


def try_computed(base: Base, problems: list[Problem]) -> None:
    """Work every computed field out for the first records of the data; one that cannot be is a problem, told once."""
    for frozen in base.collections.values():
        for name in frozen.spec.computed:
            problem = _first_failure(base, frozen, name)
            if problem is not None:
                problems.append(problem)


def _first_failure(base: Base, frozen: FrozenCollection, name: str) -> Problem | None:
    for record in islice(base.new_world().read(frozen.name), _TRIED):
        try:
            record.read(name)
        except ExpressionError as wrong:
            return frozen.spec.at.child("computed", name).problem(
                "computed-fails",
                str(wrong),
                "Correct the record, or let the expression cope with it.",
                key=True,
            )
    return None


def _views(base: Base, name: str, frozen: FrozenCollection, problems: list[Problem]) -> None:
    for view in frozen.spec.views.values():
        frozen.views[view.name] = build_view(view, base.scope(name), frozen.computed, problems)


def _clashes(frozen: FrozenCollection, problems: list[Problem]) -> None:
    """A computed field of the name of a stored one would hide one of the two."""
    spec = frozen.spec
    stored = {*frozen.order, *(path.partition(".")[0] for path in spec.fields)}
    for name in spec.computed:
        if name in stored:
            problems.append(
                spec.at.child("computed", name).problem(
                    "computed-clash",
                    f"'{name}' is a computed field and a stored one too.",
                    "Take it out of the data, or give the computed field another name.",
                    key=True,
                )
            )
