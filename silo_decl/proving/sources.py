"""Where an agent could have an argument from: what it is told, what the tools say of themselves, earlier results."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from silo_decl.expressions.meaning import exact
from silo_decl.grading.dates import Reading, days
from silo_decl.grading.numbers import stated
from silo_decl.specs.tool import ParameterSpec

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_WORD = re.compile(r"[\w@.+'-]+")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CENT = Decimal("0.005")


class Sources:
    """What an agent knows at a point of the solution. Texts are compared without regard to case and spacing."""

    def __init__(self, told: str, spoken: str):
        """`told` is the instruction with the policy; `spoken` what tools and their parameters say of themselves."""
        self._texts: list[str] = []
        self._words: set[str] = set()
        self._numbers: set[Decimal] = {Decimal(0), Decimal(1)}
        self._told: set[Decimal] = set()
        self._days: set[Reading] = set()
        self._weekdays = any(day in told.casefold() for day in _WEEKDAYS)
        for text in (told, spoken):
            self._hear(text)
            numbers = {reading for one in stated(text) for reading in one.readings}
            self._numbers |= numbers
            self._days |= {reading for day in days(text) for reading in day.readings}
            if text is told:
                self._told = numbers

    def learn(self, result: Any) -> None:
        """Take in the result of a call."""
        leaves = list(_leaves(result))
        self._hear("\n".join(one for one in leaves if isinstance(one, str)))
        for one in leaves:
            if isinstance(one, bool) or one is None:
                continue
            if isinstance(one, (int, float)):
                self._numbers.add(exact(one))
            elif isinstance(one, str) and _ISO.match(one):
                self._days |= {reading for day in days(one[:10]) for reading in day.readings}
        self._numbers |= set(_totals(result))

    def lack(self, value: Any, parameter: ParameterSpec) -> list[Any]:
        """The parts of an argument that stand nowhere and follow from nothing that is known."""
        if value is None or isinstance(value, bool) or value in parameter.enum:
            return []
        if isinstance(value, list):
            inner = parameter.of or parameter
            return [part for one in value for part in self.lack(one, inner)]
        if isinstance(value, dict):
            return [
                part for name, one in value.items() for part in self.lack(one, parameter.fields.get(name, parameter))
            ]
        if parameter.has_default and value == parameter.default:
            return []
        if isinstance(value, (int, float)):
            paging = parameter.name in ("limit", "offset")
            return [] if paging or self._has_number(exact(value)) else [value]
        return [] if self._has_text(str(value)) else [value]

    # -- texts ----------------------------------------------------------------------------------------------

    def _hear(self, text: str) -> None:
        folded = _folded(text)
        self._texts.append(folded)
        self._words |= {word.strip(".'") for word in _WORD.findall(folded)}

    def _has_text(self, text: str) -> bool:
        folded = _folded(text)
        if any(folded in one for one in self._texts):
            return True
        if _ISO.match(text):
            return self._has_day(text)
        words = [word.strip(".'") for word in _WORD.findall(folded)]
        return len(words) > 1 and all(word in self._words for word in words)

    # -- days -----------------------------------------------------------------------------------------------

    def _has_day(self, text: str) -> bool:
        try:
            wanted = datetime.date.fromisoformat(text[:10])
        except ValueError:
            return False
        if (wanted.year, wanted.month, wanted.day) in self._days or (None, wanted.month, wanted.day) in self._days:
            return True
        return any(self._leads_to(known, wanted) for known in self._known_days())

    def _known_days(self) -> Iterator[datetime.date]:
        for year, month, day in self._days:
            if year is not None:
                try:
                    yield datetime.date(year, month, day)
                except ValueError:
                    continue

    def _leads_to(self, known: datetime.date, wanted: datetime.date) -> bool:
        """Whether a day can be named from another: so many days or months on, a weekday near it, an end of a month."""
        apart = abs((wanted - known).days)
        months = abs((wanted.year - known.year) * 12 + wanted.month - known.month)
        counts = {Decimal(1), *self._told}
        if any(Decimal(apart) == count * step for count in counts for step in (1, 7)):
            return True
        if wanted.day == known.day and (Decimal(months) in counts or Decimal(months) / 12 in counts):
            return True
        if months <= 12 and (wanted.day == 1 or (wanted + datetime.timedelta(days=1)).day == 1):
            return True
        return self._weekdays and apart <= 14

    # -- numbers --------------------------------------------------------------------------------------------

    def _has_number(self, wanted: Decimal) -> bool:
        if wanted in self._numbers or -wanted in self._numbers:
            return True
        return any(abs(made - wanted) <= _CENT for made in self._worked_out())

    def _worked_out(self) -> Iterator[Decimal]:
        """What one step of reckoning with a number of the task gives, and the differences of two known numbers."""
        for told in self._told:
            for known in self._numbers:
                yield known + told
                yield known - told
                yield told - known
                yield known * told
                yield known * told / 100
                yield known * (100 + told) / 100
                yield known * (100 - told) / 100
                if told:
                    yield known / told


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    else:
        yield value


def _totals(value: Any) -> Iterator[Decimal]:
    """How many things each list holds, and the sum of each of their numbers."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _totals(one)
    elif isinstance(value, list):
        yield Decimal(len(value))
        yield from _sums(value)
        for one in value:
            yield from _totals(one)


def _sums(records: Iterable[Any]) -> Iterator[Decimal]:
    sums: dict[str, Decimal] = {}
    for record in records:
        for path, number in _numbers(record, ""):
            sums[path] = sums.get(path, Decimal(0)) + number
    yield from sums.values()


def _numbers(value: Any, path: str) -> Iterator[tuple[str, Decimal]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _numbers(one, f"{path}.{name}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, exact(value)


def spoken_by(tools: Iterable[dict[str, Any]]) -> str:
    """Everything that the signatures of tools say: descriptions, choices, defaults, bounds."""
    said: list[str] = []

    def listen(value: Any) -> None:
        if isinstance(value, dict):
            for name, one in value.items():
                if name not in ("type", "pattern", "required", "additionalProperties"):
                    listen(one)
        elif isinstance(value, list):
            for one in value:
                listen(one)
        elif value is not None:
            said.append(str(value))

    for tool in tools:
        listen({"name": tool["name"], "description": tool["description"], "schema": tool["inputSchema"]})
    return "\n".join(said)
