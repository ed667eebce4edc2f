"""Answers, damaged and said in other words: the numbers, days and names in them are found and written anew."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from silo_decl.grading.dates import days
from silo_decl.grading.numbers import stated
from silo_decl.proving.neighbours import Neighbourhood, day_beside, misspelt

ANSWER_OFF, ANSWER_SIGN, ANSWER_NEIGHBOUR = "answer-off", "answer-sign", "answer-neighbour"
ANSWER_DENIED, ANSWER_BURIED = "answer-denied", "answer-buried"

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ISO = re.compile(r"(?<![\w-])(\d{4})-(\d{2})-(\d{2})(?![\w-])")
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Part:
    """A number, day or name in an answer: its kind, how it is written, and what it says."""

    kind: str
    text: str
    number: Decimal = Decimal(0)
    unit: str = ""
    others: tuple[str, ...] = ()


Saying = tuple[str, str, str]


class Speech:
    """The answer of a solution, taken apart. `given` are texts of its results, among which names are looked for.

    What the instruction says already is no part of an answer, unless it names several to choose from.
    """

    def __init__(self, answer: str, given: Sequence[str], asked: str, near: Neighbourhood):
        self.answer = answer
        self.asked = asked
        self.data = _data(answer)
        self.near = near
        self.parts: list[Part] = [*self._names(given), *self._days()]
        self.parts += list(self._numbers())

    def damaged(self) -> Iterator[Saying]:
        """Wrong answers: kind, what is wrong in words, the answer."""
        if isinstance(self.data, (dict, list)):
            yield from _damaged_data(self.data, self.near)
            return
        for part in self.parts:
            for kind, other in _wrong(part):
                yield kind, f"The answer says '{other}' instead of '{part.text}'.", self._saying(part, other)

    def reworded(self) -> Iterator[Saying]:
        """The same answer, written in other ways."""
        if isinstance(self.data, (dict, list)):
            yield "json", "The answer is JSON on several lines.", json.dumps(self.data, indent=2, ensure_ascii=False)
            yield "json", "The answer is JSON in a fence.", f"```json\n{self.answer}\n```"
            return
        for part in self.parts:
            for kind, other in _same(part):
                yield kind, f"The answer says '{other}' instead of '{part.text}'.", self._saying(part, other)
        yield "words", "Words stand around the answer.", f"Here is what I found.\n\n{self.answer}\n\nAnything else?"

    def _saying(self, part: Part, other: str) -> str:
        return _whole(part.text).sub(lambda match: other, self.answer)

    def _names(self, given: Sequence[str]) -> Iterator[Part]:
        left = self.answer
        for text in sorted(dict.fromkeys(given), key=lambda one: (-len(one), one)):
            if len(text) < _SHORTEST or text not in left or not _whole(text).search(left):
                continue
            others = self.near.values(text)
            if _whole(text).search(self.asked):
                others = [one for one in self.near.values_of_field(text) if _whole(one).search(self.asked)]
            left = _whole(text).sub(" ", left) if self.near.values(text) else left
            if others:
                yield Part("name", text, others=tuple(others))

    def _numbers(self) -> Iterator[Part]:
        names = [part.text for part in self.parts]
        asked = {reading for one in stated(self.asked) for reading in one.readings}
        for one in dict.fromkeys(stated(self.answer)):
            if one.text not in self.answer[one.start : one.end] or any(one.text in name for name in names):
                continue
            if re.search(r"\d", one.text) is None or not _whole(one.text).search(self.answer):
                continue
            if asked.intersection(one.readings):
                continue
            unit = "$" if "$" in one.text else "%" if one.kind == "percent" else ""
            yield Part("number", one.text, one.readings[0], unit)

    def _days(self) -> Iterator[Part]:
        asked = {reading for day in days(self.asked) for reading in day.readings}
        for text in dict.fromkeys(match.group() for match in _ISO.finditer(self.answer)):
            if any(not asked.intersection(day.readings) for day in days(text)):
                yield Part("day", text)


def _whole(text: str) -> re.Pattern[str]:
    before = r"(?<!\w)" if text[:1].isalnum() else ""
    return re.compile(rf"{before}{re.escape(text)}(?!\w|[.,]\d)")


# -- wrong answers ------------------------------------------------------------------------------------------


def _wrong(part: Part) -> Iterator[tuple[str, str]]:
    if part.kind == "number":
        yield from _wrong_number(part)
    elif part.kind == "day":
        yield ANSWER_OFF, day_beside(part.text, 1)
        yield ANSWER_BURIED, ", ".join([day_beside(part.text, -3), part.text, day_beside(part.text, 4)])
    else:
        yield ANSWER_NEIGHBOUR, part.others[0]
        yield ANSWER_BURIED, ", ".join([part.others[0], part.text, *part.others[1:3]])
    yield ANSWER_DENIED, f"not {part.text}"


def _wrong_number(part: Part) -> Iterator[tuple[str, str]]:
    near = part.number + max(_unit(part.number), abs(part.number) * Decimal("0.02")).quantize(_unit(part.number))
    yield ANSWER_OFF, _written(near, part)
    if part.number:
        yield ANSWER_SIGN, _written(-part.number, part)
    guesses = [part.number - 2 * (near - part.number), part.number, near, 3 * near]
    yield ANSWER_BURIED, ", ".join(_written(one, part) for one in guesses)


def _unit(number: Decimal) -> Decimal:
    """One of the last place that is written."""
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(min(exponent, 0)) if isinstance(exponent, int) else Decimal(1)


def _written(number: Decimal, part: Part) -> str:
    sign, size = ("-" if number < 0 else ""), f"{abs(number):f}"
    if part.unit == "$":
        return f"{sign}${size}"
    return f"{sign}{size}{'%' if part.unit == '%' else ''}"


def _damaged_data(data: Any, near: Neighbourhood) -> Iterator[Saying]:
    """Every leaf of JSON once wrong."""
    for path, value in _leaves(data, ()):
        for kind, other in _wrong_leaf(value, near):
            did = f"The answer has {json.dumps(other)} at {'.'.join(map(str, path))} instead of {json.dumps(value)}."
            yield kind, did, json.dumps(_with(data, path, other), ensure_ascii=False)


def _wrong_leaf(value: Any, near: Neighbourhood) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield ANSWER_DENIED, not value
    elif isinstance(value, (int, float)):
        yield ANSWER_OFF, value + max(1, abs(value) * 0.02)
        if value:
            yield ANSWER_SIGN, -value
    elif isinstance(value, str):
        others = near.values(value)
        yield ANSWER_NEIGHBOUR, (day_beside(value, 1) or (others[0] if others else misspelt(value)))


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(one, (*path, name))
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _leaves(one, (*path, place))
    else:
        yield path, value


def _with(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    first, rest = path[0], path[1:]
    if isinstance(value, dict):
        return {name: _with(one, rest, other) if name == first else one for name, one in value.items()}
    return [_with(one, rest, other) if place == first else one for place, one in enumerate(value)]


# -- the same answer ----------------------------------------------------------------------------------------


def _same(part: Part) -> Iterator[tuple[str, str]]:
    """Other ways of writing a part; the rewritings of a number keep every digit of it."""
    yield "bold", f"**{part.text}**"
    if part.kind == "number":
        yield from _numbers_again(part)
    elif part.kind == "day":
        year, month, day = part.text.split("-")
        yield "day", f"{_MONTHS[int(month) - 1]} {int(day)}, {year}"
        yield "day", f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
    else:
        yield "code", f"`{part.text}`"
        yield "capitals", part.text.upper()


def _numbers_again(part: Part) -> Iterator[tuple[str, str]]:
    number = part.number
    grouped = f"{number:,f}"
    whole = number == number.to_integral_value()
    if part.unit == "$":
        cents = f"{number:,.2f}" if number == number.quantize(Decimal("0.01")) else grouped
        yield from (("number", f"${cents}"), ("number", f"{cents} USD"), ("number", f"{number:f} dollars"))
    elif part.unit == "%":
        yield from (("number", f"{number:f} %"), ("number", f"{number:f} percent"))
    else:
        if number >= 1000:
            yield "number", grouped
        if whole and 0 <= number < len(_SMALL):
            yield "number", _SMALL[int(number)]


def _data(answer: str) -> Any:
    if not answer.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None
