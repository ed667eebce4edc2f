"""What the data must be: fields of their declared types and choices, and references that lead somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from silo_decl.errors import Problem, choices, did_you_mean
from silo_decl.expressions.meaning import DATE, DATETIME
from silo_decl.specs.data import Several, kind_words
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec, FieldSpec, ReferenceSpec
from silo_decl.specs.known import Known
from silo_decl.specs.source import At
from silo_decl.specs.texts import Step

Record = Mapping[str, Any]


def check_data(spec: EnvironmentSpec, known: Known, problems: list[Problem]) -> None:
    """Hold every record against what `fields` says; quiet about collections whose data could not be read."""
    ids = {name: {record[one.key] for record in one.records} for name, one in spec.collections.items()}
    for collection in spec.collections.values():
        if collection.data_at is None:
            continue
        several = Several(problems)
        checking = _Checking(collection, ids, known, several)
        for field in collection.fields.values():
            checking.field(field)
        several.close(collection.data_at)


def fits(kind: str, value: Any) -> bool:
    """Whether a value (never null) is of a field type."""
    return _TESTS[kind](value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_date(value: Any) -> bool:
    return isinstance(value, str) and bool(DATE.match(value)) and _parses(date.fromisoformat, value)


def _is_datetime(value: Any) -> bool:
    return isinstance(value, str) and bool(DATETIME.match(value)) and _parses(datetime.fromisoformat, value)


def _parses(parse: Callable[[str], Any], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


def _is_money(value: Any) -> bool:
    if not isinstance(value, Mapping) or set(value) != {"amount", "currency"}:
        return False
    amount, currency = value["amount"], value["currency"]
    return (amount is None or _is_number(amount)) and (currency is None or isinstance(currency, str))


_TESTS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": _is_number,
    "integer": lambda value: _is_number(value) and value == int(value),
    "boolean": lambda value: isinstance(value, bool),
    "date": _is_date,
    "datetime": _is_datetime,
    "money": _is_money,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
    "": lambda value: True,
}

_TYPE_WORDS = {
    "text": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "date": "a date such as 2026-04-01",
    "datetime": "a moment such as 2026-04-01T09:00",
    "money": "an object with amount and currency",
    "list": "a list",
    "object": "an object",
}

_ALIKE: tuple[set[type], ...] = ({str}, {int, float}, {bool})
_PLAIN_TYPES: dict[str, set[type]] = {"": {list, dict}, "list": {list}, "object": {dict}}


def type_words(kind: str) -> str:
    """What a field type is called in a message."""
    return _TYPE_WORDS[kind]


class _Checking:
    """Holds the records of one collection against its fields, a whole column at a time."""

    def __init__(self, collection: CollectionSpec, ids: Mapping[str, set[str]], known: Known, several: Several):
        self.collection = collection
        self.ids = ids
        self.known = known
        self.several = several

    def field(self, field: FieldSpec) -> None:
        steps = field.path.split(".")
        if len(steps) == 1:
            column = [record.get(field.path) for record in self.collection.records]
            if self._plainly_right(field, column):
                return
        for place, record in enumerate(self.collection.records):
            for value, path in _values(record, steps, ()):
                self._value(field, value, (self.collection.record_steps[place], *path), record)

    def _plainly_right(self, field: FieldSpec, column: list[Any]) -> bool:
        """A quick yes for a whole column of plain values; anything else is looked at one by one."""
        if field.of is not None or field.fields or (field.references and field.references.by):
            return False
        kinds = set(map(type, column)) - {type(None)}
        if not any(kinds <= alike for alike in _ALIKE):
            return kinds <= _PLAIN_TYPES.get(field.type, set()) and not field.enum and field.references is None
        values = set(column) - {None}
        if not all(fits(field.type, value) for value in values):
            return False
        if field.enum and not (kinds <= {str} and values <= set(field.enum)):
            return False
        if field.references is None or not values:
            return True
        target = field.references.collection
        return kinds <= {str} and (self._unknown(target) or values <= self.ids[target])

    def _unknown(self, collection: str) -> bool:
        """Whether the ids of a collection are not known, so that nothing can be said about references to it."""
        return collection not in self.ids or collection in self.known.data_lost

    def _value(self, field: FieldSpec, value: Any, path: tuple[Step, ...], record: Record) -> None:
        if value is None:
            return
        if field.references is not None:
            self._reference(field, field.references, value, path, record)
        elif not fits(field.type, value):
            self._wrong_type(field, value, path)
            return
        if field.enum and not any(value == one and type(value) is type(one) for one in field.enum):
            self._not_among(field, value, path)
        if field.of is not None and isinstance(value, list):
            for place, element in enumerate(value):
                self._value(field.of, element, (*path, place), record)
        if field.fields and isinstance(value, Mapping):
            for name, inner in field.fields.items():
                self._value(inner, value.get(name), (*path, name), record)

    def _at(self, path: tuple[Step, ...]) -> At:
        assert self.collection.data_at is not None
        return self.collection.data_at.child(*path)

    def _name(self, path: tuple[Step, ...]) -> str:
        return ".".join(step for step in path[1:] if isinstance(step, str))

    def _reference(
        self, field: FieldSpec, reference: ReferenceSpec, value: Any, path: tuple[Step, ...], record: Record
    ) -> None:
        if not isinstance(value, str):
            self._not_an_id(value, path)
            return
        target = reference.collection
        if reference.by:
            kind = next((found for found, _ in _values(record, reference.by.split("."), ())), None)
            if kind is None:
                return
            if not isinstance(kind, str) or kind not in reference.collections:
                self._unknown_kind(reference, kind, path)
                return
            target = reference.collections[kind]
        if not self._unknown(target) and value not in self.ids[target]:
            self.several.add(
                f"broken references to {target}",
                lambda: self._at(path).problem(
                    "broken-reference",
                    f"{self._name(path)} is '{value}', but {target} has no record with this id.",
                    f"Write the id of a record of {target}, or null for none.",
                ),
            )

    def _not_an_id(self, value: Any, path: tuple[Step, ...]) -> None:
        if _is_number(value):
            self.several.add(
                f"numbers for ids in {self._name(path)}",
                lambda: self._at(path).problem(
                    "id-as-number",
                    f"{self._name(path)} is the number {value}; an id is a text.",
                    f'Put it between quotes: "{value}"',
                ),
            )
        else:
            self.several.add(
                f"values of {self._name(path)}",
                lambda: self._at(path).problem(
                    "wrong-value", f"{self._name(path)} holds an id, so it is a text, not {kind_words(value)}."
                ),
            )

    def _unknown_kind(self, reference: ReferenceSpec, kind: Any, path: tuple[Step, ...]) -> None:
        known = list(reference.collections)
        hint = did_you_mean(kind, known) if isinstance(kind, str) else ""
        self.several.add(
            f"unknown kinds in {reference.by}",
            lambda: self._at(path).problem(
                "broken-reference",
                f"What {self._name(path)} refers to is not known, because {reference.by} is '{kind}'.{hint}",
                f"Known: {choices(known)}.",
            ),
        )

    def _wrong_type(self, field: FieldSpec, value: Any, path: tuple[Step, ...]) -> None:
        shown = f"'{value}'" if isinstance(value, str) else kind_words(value)
        self.several.add(
            f"values of {self._name(path)}",
            lambda: self._at(path).problem(
                "wrong-value", f"{self._name(path)} must be {type_words(field.type)}, not {shown}."
            ),
        )

    def _not_among(self, field: FieldSpec, value: Any, path: tuple[Step, ...]) -> None:
        hint = did_you_mean(value, map(str, field.enum)) if isinstance(value, str) else ""
        self.several.add(
            f"values of {self._name(path)}",
            lambda: self._at(path).problem(
                "wrong-value",
                f"'{value}' is not among the values of {self._name(path)}.{hint}",
                f"Use one of: {choices(map(str, field.enum))}; or add it to 'enum'.",
            ),
        )


def _values(value: Any, steps: list[str], path: tuple[Step, ...]) -> Iterator[tuple[Any, tuple[Step, ...]]]:
    """The values at a field path, each with its place; lists on the way are gone through."""
    if not steps:
        yield value, path
    elif isinstance(value, list):
        for place, element in enumerate(value):
            yield from _values(element, steps, (*path, place))
    elif isinstance(value, Mapping) and steps[0] in value:
        yield from _values(value[steps[0]], steps[1:], (*path, steps[0]))
