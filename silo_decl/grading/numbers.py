"""Numbers as people write them: `$1,234.50`, `1.2M`, `38%`, `1 234,50`, `(500)`, `five`, or the leaves of JSON.

A number counts as stated when it stands for itself. What is part of an id (`OPP-012`), of a word (`Q3`), of a date, a
time, a version or an address, or numbers the lines of a list, states nothing. Where a way of writing has two readings
(`1.234`, `38%`), both are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from silo_decl.grading.dates import DATES
from silo_decl.grading.marks import denied, is_summing, set_apart, summed_up, without_markup
from silo_decl.grading.number_words import IDLE, WRITTEN_OUT, value_of
from silo_decl.grading.things import label_before, numbered, thing_after

_SIGN = r"[$€£¥₹₽₩₪₺₫₱₦฿]"
_CODE = r"(?:USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|INR|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|SGD|HKD|KRW|TRY)"
_WORD = r"(?:dollars?|euros?|pounds?|francs?|yen|rupees?|cents?|bucks)"
_SCALES = {"k": 3, "tsd": 3, "thousand": 3, "m": 6, "mm": 6, "mio": 6, "mn": 6, "million": 6}
_SCALES |= {"b": 9, "bn": 9, "mrd": 9, "billion": 9, "tn": 12, "trillion": 12}
_NUMBER = re.compile(
    rf"""
    (?<![\w.,/#-])(?<!\d:)
    (?P<open>\()?
    (?P<sign>[-−–+]|minus\s)?
    (?:(?P<before>[A-Z]{{0,2}}{_SIGN}|{_CODE})\s?)?
    (?P<inner>[-−])?
    (?P<digits>\d{{1,3}}(?:[ \u00a0\u202f'’]\d{{3}}){{1,6}}(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*|\.\d+)
    (?P<power>e[+-]?\d{{1,3}})?
    (?:\s?(?P<scale>{"|".join(sorted(_SCALES, key=len, reverse=True))})\b\.?)?
    (?:\s?(?P<after>%|(?:percent|pct)\b|{_SIGN}|(?:{_CODE}|{_WORD})\b))?
    (?P<close>\))?
    (?![\w]|[-−]\w|[.,:/]\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERING = re.compile(r"^[ \t>]*(?:[-*•]\s{0,3})?\(?(\d{1,3})[.):](?=[ \t]+\S)", re.MULTILINE)
_WHOLE = re.compile(r"\s*(?:[^\W\d_]+\s+){0,2}?(?:out\s+)?of\s+(?:the\s+|all\s+|a\s+total\s+of\s+){0,2}", re.IGNORECASE)
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+|[\w.+-]{1,64}@[\w-]+\.[\w.-]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number in an answer: how it is written, where, what kind of number it is and what it may mean.

    `kind` is money, percent, year, label (`step 3`) or plain; `thing` is what a plain number counts ('deal' in
    '12 deals'), where that is said. `step` is the smallest difference that its digits show; `gap` what stands between
    it and the number before. `marked`: set apart by the answer. `idle`: a word such as 'one' or 'no' that mostly counts
    nothing. `denied`: said not to be the number ('not 12').
    """

    text: str
    kind: str
    readings: tuple[Decimal, ...]
    start: int = 0
    end: int = 0
    thing: str = ""
    step: Decimal = Decimal(1)
    gap: str = ""
    marked: bool = False
    idle: bool = False
    denied: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it is what others are a part of, as 10 in '3 of 10'."""
        return _WHOLE.fullmatch(self.gap) is not None

    def meets(self, wanted: Decimal, tolerance: Decimal) -> bool:
        return any(abs(reading - wanted) <= tolerance for reading in self.readings)

    def rounds(self, exact: Decimal) -> bool:
        """Whether it is the exact number, rounded to the digits that it shows."""
        return any(abs(reading - exact) * 2 <= self.step for reading in self.readings)


def stated(answer: str) -> list[Stated]:
    """The numbers that an answer states, in order."""
    data = _as_json(answer)
    return list(_leaves(data, "")) if isinstance(data, (dict, list)) else _in_text(answer)


def claimed(answer: str) -> list[Stated]:
    """The numbers that an answer states and does not deny."""
    return [one for one in stated(answer) if not one.denied]


# -- in a text ----------------------------------------------------------------------------------------------


def _in_text(answer: str) -> list[Stated]:
    apart = set_apart(answer)
    text = _blanked(without_markup(answer), [_ADDRESS, *DATES])
    text = _without_numbering(text)
    found = [_read(match, text) for match in _NUMBER.finditer(text) if _values(match["digits"])]
    found += [_worded(match, text) for match in WRITTEN_OUT.finditer(_blanked(text, [_NUMBER]))]
    found.sort(key=lambda one: one.start)
    ends = [0, *(one.end for one in found)]
    return [replace(_placed(one, text, apart), gap=text[end : one.start]) for one, end in zip(found, ends)]


def _blanked(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    return text


def _without_numbering(text: str) -> str:
    """Without the numbers of list items: two or more of which each is one more than the last, or the same."""
    items = list(_NUMBERING.finditer(text))
    numbers = [int(item[1]) for item in items]
    for place, item in enumerate(items):
        near = [other - numbers[place] for other in (*numbers[max(0, place - 1) : place], *numbers[place + 1 :][:1])]
        if any(abs(step) <= 1 for step in near):
            text = text[: item.start()] + " " * len(item.group()) + text[item.end() :]
    return text


def _read(match: re.Match[str], text: str) -> Stated:
    power = int((match["power"] or "e0")[1:]) + _SCALES.get((match["scale"] or "").lower(), 0)
    values = [value.scaleb(power) for value in _values(match["digits"])]
    sign = (match["sign"] or "").lower()
    if sign in ("-", "−", "minus ") or match["inner"]:
        values = [-value for value in values]
    elif sign == "–" or (match["open"] and match["close"]):
        values += [-value for value in values]
    after = (match["after"] or "").lower()
    kind = "plain"
    if after in ("%", "percent", "pct"):
        kind, values = "percent", values + [value / 100 for value in values]
    elif after or match["before"]:
        kind = "money"
    return Stated(
        _written(match),
        kind,
        tuple(dict.fromkeys(values)),
        max(match.start(), match.end("open")),
        match.end(),
        step=_step(values[0]),
    )


def _written(match: re.Match[str]) -> str:
    text = match.group().strip().rstrip(".")
    return text if match["open"] and match["close"] else text.strip("()")


def _step(value: Decimal) -> Decimal:
    """The smallest difference that the digits of a number show."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)


def _values(digits: str) -> list[Decimal]:
    """What a row of digits with commas, points and blanks may mean; nothing where it is no number, as 1.2.3."""
    digits = re.sub(r"[ \u00a0\u202f'’]", "", digits)
    commas, points = digits.count(","), digits.count(".")
    if commas and points:
        decimal = "," if digits.rfind(",") > digits.rfind(".") else "."
        whole, _, part = digits.rpartition(decimal)
        grouping = "." if decimal == "," else ","
        return [Decimal(f"{whole.replace(grouping, '')}.{part}")] if _is_grouped(whole, grouping) else []
    sign = "," if commas else "."
    if commas + points > 1:
        return [Decimal(digits.replace(sign, ""))] if _is_grouped(digits, sign) else []
    if commas + points == 0:
        return [Decimal(digits)]
    whole, part = digits.split(sign)
    as_decimal, as_group = Decimal(f"{whole}.{part}"), Decimal(whole + part)
    if len(part) == 3 and 1 <= len(whole) <= 3 and whole != "0":
        return [as_group, as_decimal] if sign == "," else [as_decimal, as_group]
    return [as_decimal]


def _is_grouped(digits: str, sign: str) -> bool:
    """Groups of three; of two before the last, as in India."""
    first, *groups = digits.split(sign)
    return 1 <= len(first) <= 3 and all(len(one) in (2, 3) for one in groups[:-1]) and len(groups[-1]) == 3


def _worded(match: re.Match[str], text: str) -> Stated:
    idle = match.group().lower() in IDLE
    return Stated(match.group(), "plain", (Decimal(value_of(match.group())),), match.start(), match.end(), idle=idle)


def _placed(one: Stated, text: str, apart: list[tuple[int, int]]) -> Stated:
    """With what the words around it say."""
    before, after = text[max(0, one.start - 80) : one.start], text[one.end : one.end + 80]
    label = label_before(before)
    marked = any(start <= one.start and one.end <= end for start, end in apart)
    marked = marked or is_summing(label) or summed_up(before, after)
    one = replace(one, denied=denied(before))
    if one.kind != "plain":
        return replace(one, marked=marked)
    thing = thing_after(after) or (f"{label}:" if label else "")
    kind = "plain"
    if not thing and re.fullmatch(r"(19|20)\d\d", one.text):
        kind = "year"
    elif not thing and numbered(before):
        kind = "label"
    return replace(one, kind=kind, thing=thing, marked=marked, idle=one.idle and not thing)


# -- in JSON ------------------------------------------------------------------------------------------------

_BETWEEN_LEAVES = "|"


def keyed(answer: str) -> dict[str, list[Stated]]:
    """The numbers of an answer that is a JSON object, by its keys; nothing for any other answer."""
    data = _as_json(answer)
    return {name: list(_leaves(value, "")) for name, value in data.items()} if isinstance(data, dict) else {}


def _as_json(answer: str) -> Any:
    if not answer.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(answer, parse_float=Decimal, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None


def _leaves(value: Any, key: str) -> Iterator[Stated]:
    """The numbers of a JSON value; the key of each is what it counts."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, label_before(f"{name}:") or key)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key)
    elif isinstance(value, str):
        for one in _in_text(value):
            yield replace(one, thing=one.thing or _thing(key), marked=one.marked or is_summing(key))
    elif isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        exact, marked = Decimal(value), is_summing(key)
        yield Stated(str(value), "plain", (exact,), 0, 0, _thing(key), _step(exact), _BETWEEN_LEAVES, marked)


def _thing(key: str) -> str:
    return f"{key}:" if key else ""
