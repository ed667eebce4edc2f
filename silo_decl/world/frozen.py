"""One collection as the data says it: shared by every world of an environment and never changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from silo_decl.specs.environment import CollectionSpec
from silo_decl.world.copying import deep, deepen, deepener

if TYPE_CHECKING:
    from silo_decl.world.computed import Computed
    from silo_decl.world.indexes import Indexes

Stored = dict[str, Any]
Show = Callable[[Any], Stored]


class FrozenCollection:
    """The records of the data and what is the same for every world.

    `stored` maps ids to records, `ids` and `rows` hold the same in order. `computed`, `views` and `indexes` are
    filled while the base is built and not changed after. `places` maps an id to its place, made when first needed.
    """

    def __init__(self, spec: CollectionSpec):
        self.spec = spec
        self.name = spec.name
        self.key = spec.key
        self.rows: list[Stored] = list(spec.records)
        self.stored: dict[str, Stored] = {record[spec.key]: record for record in self.rows}
        self.ids: list[str] = list(self.stored)
        self._deepen_row = deepener(self.rows)
        self.computed: dict[str, Computed] = {}
        self.views: dict[str, Show] = {}
        self.indexes: Indexes
        self.blank = _blank(spec)
        self.order = _field_order(spec, self.rows)
        self.first_number = _first_number(spec.ids, self.ids)
        self._places: dict[str, int] | None = None

    @property
    def places(self) -> Mapping[str, int]:
        if self._places is None:
            self._places = dict(zip(self.ids, range(len(self.ids))))
        return self._places

    def copy(self, record: Stored) -> Stored:
        """A deep copy of a record, of the data or not."""
        made = record.copy()
        self.deepen(made, record)
        return made

    def deepen(self, made: Stored, record: Stored) -> None:
        """Make the shallow copy of a record deep."""
        if self.stored.get(record.get(self.key, "")) is record:
            self._deepen_row(made)
        else:
            deepen(made)

    def new_id(self, number: int) -> str:
        return self.spec.ids.format(number)

    def filled(self, fields: Mapping[str, Any]) -> Stored:
        """A new record: declared fields that are not given are null or their default; known fields come first."""
        blank = self.blank() if self.blank is not None else {}
        given = {**blank, **fields}
        record = {name: given.pop(name) for name in self.order if name in given}
        record.update(given)
        return record


def _blank(spec: CollectionSpec) -> Callable[[], Stored] | None:
    if not spec.fields:
        return None
    template: Stored = {}
    for path, field in spec.fields.items():
        inner = template
        *parents, last = path.split(".")
        for step in parents:
            present = inner.get(step)
            inner[step] = inner = present if isinstance(present, dict) else {}
        if last not in inner:
            inner[last] = field.default
    template.pop(spec.key, None)

    def blank() -> Stored:
        made: Stored = deep(template)
        return made

    return blank


def _field_order(spec: CollectionSpec, rows: Iterable[Stored]) -> tuple[str, ...]:
    names: dict[str, None] = {spec.key: None}
    for record in rows:
        names.update(dict.fromkeys(record))
    return tuple(names)


def _first_number(ids: str, present: Iterable[str]) -> int:
    """The number of the next id: one more than the highest that the format made."""
    if not ids:
        return 1
    before, _, rest = ids.partition("{")
    after = rest.partition("}")[2]
    pattern = re.compile(re.escape(before) + r"(\d+)" + re.escape(after))
    numbers = [int(found.group(1)) for one in present if (found := pattern.fullmatch(one))]
    return max(numbers, default=0) + 1
