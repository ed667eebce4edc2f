"""Computed fields at work: worked out one at a time when asked for, and remembered where that holds in every world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.shapes import Shape

if TYPE_CHECKING:
    from silo_decl.world.records import Record

Env = dict[str, Any]
Run = Callable[[Any, Env], Any]

CLOCK = "now"
_SCALARS = (str, int, float, bool, type(None))


class ComputedError(ExpressionError):
    """A computed field, `name` of `collection`, that could not be worked out for a record."""

    def __init__(self, collection: str, name: str, message: str):
        self.collection = collection
        self.name = name
        super().__init__(message)


@dataclass(slots=True)
class Computed:
    """One computed field of one collection.

    What comes out for a record of the data holds in every world that has not changed the record or anything that was
    read on the way. `remembered` keeps it by id; `depends` names the collections (and 'now') that were ever read.
    """

    collection: str
    name: str
    run: Run
    shape: Shape
    depends: frozenset[str] = frozenset()
    remembered: dict[str, Any] = field(default_factory=dict)

    def value(self, record: Record) -> Any:
        """The value for a record. Raises ComputedError where it cannot be worked out."""
        world, frozen, stored = record.world, record.frozen, record.stored
        if world.held is not None:
            world.held.write_back(self.depends)
        if world.touched.isdisjoint(self.depends):
            record_id: str = stored.get(frozen.key, "")
            if frozen.stored.get(record_id) is stored:
                remembered = self.remembered
                if record_id in remembered:
                    if world.reads is not None:
                        world.reads |= self.depends
                    return remembered[record_id]
                return self._first_value(record, record_id)
        return self._worked_out(record)

    def _first_value(self, record: Record, record_id: str) -> Any:
        world = record.world
        outer, world.reads = world.reads, set()
        try:
            value = self._worked_out(record)
        finally:
            reads, world.reads = world.reads, outer
            if outer is not None:
                outer |= reads
        if not reads <= self.depends:
            self.depends |= reads
        if is_plain(value) and world.touched.isdisjoint(reads):
            self.remembered[record_id] = value
        return value

    def _worked_out(self, record: Record) -> Any:
        try:
            return self.run(record, record.world.env)
        except ComputedError:
            raise
        except ExpressionError as wrong:
            raise self._error(record, str(wrong)) from wrong
        except RecursionError:
            raise self._error(record, "It needs itself, or too many other computed fields.") from None

    def _error(self, record: Record, reason: str) -> ComputedError:
        said = f"'{self.name}' of {self.collection} {record.stored.get(record.frozen.key)} cannot be worked out"
        return ComputedError(self.collection, self.name, f"{said}: {reason}")


def is_plain(value: Any) -> bool:
    """Whether a value is of no world: records belong to the world that they were read from."""
    if type(value) is dict:
        return all(type(inner) in _SCALARS for inner in value.values())
    return type(value) in _SCALARS
