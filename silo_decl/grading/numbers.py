"""Numbers as people write them: `$1,234.50`, `1.2M`, `38%`, `1 234,50`, `(500)`, with words around them.

A number counts as stated when it stands for itself. What is part of an id (`OPP-012`), of a word (`Q3`), of a date or
a time, or numbers the lines of a list, states nothing. Where a way of writing has two readings (`1.234`, `38%`), both
are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from silo_decl.grading.dates import DATES

_SIGNS = "$€£¥₹"
_CODES = "USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|dollars?|euros?|pounds?"
_SCALES = {"k": 3, "thousand": 3, "m": 6, "mm": 6, "mio": 6, "million": 6, "b": 9, "bn": 9, "billion": 9}
_NUMBER = re.compile(
    rf"""
    (?<![\w.,/#-])(?<!\d:)
    (?P<open>\()?
    (?P<sign>[-−+])?\s?
    (?:(?P<before>[{_SIGNS}]|(?:{_CODES})\b)\s?)?
    (?P<inner>[-−])?
    (?P<digits>\d{{1,3}}(?:[ \u00a0\u202f'’]\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*)
    (?:\s?(?P<scale>k|thousand|mm|mio|m|million|bn|billion|b)(?![\w]))?
    (?:\s?(?P<after>%|percent\b|[{_SIGNS}]|(?:{_CODES})\b))?
    (?P<close>\))?
    (?![\w/:]|[-−]\w|[.,]\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LISTED = re.compile(r"^[ \t]*(?:[-*•]\s*)?\d{1,3}[.)](?=\s)", re.MULTILINE)
_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_WORD = re.compile(r"(?<![\w-])(" + "|".join([*_WORDS, "none", "no"]) + r")(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number in an answer: how it is written, its kind (money, percent, year or plain) and what it may mean."""

    text: str
    kind: str
    readings: tuple[Decimal, ...]

    def meets(self, wanted: Decimal, tolerance: Decimal) -> bool:
        return any(abs(reading - wanted) <= tolerance for reading in self.readings)


def stated(answer: str) -> list[Stated]:
    """The numbers that a text states, in order, each value of each kind once.

    Words such as 'five' count only where no digits state a plain number.
    """
    text = _blanked(answer, [*DATES, _LISTED])
    found = [_read(match) for match in _NUMBER.finditer(text)]
    if not any(one.kind == "plain" for one in found):
        found += [_worded(match.group(1)) for match in _WORD.finditer(text)]
    unique = {(one.kind, one.readings): one for one in found}
    return list(unique.values())


def _blanked(text: str, patterns: Iterable[re.Pattern[str]]) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    return text


def _read(match: re.Match[str]) -> Stated:
    scale = Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0)
    values = [value * scale for value in _values(match["digits"])]
    if match["sign"] in ("-", "−") or match["inner"]:
        values = [-value for value in values]
    elif match["open"] and match["close"]:
        values += [-value for value in values]
    after, before = (match["after"] or "").lower(), match["before"]
    percent = after in ("%", "percent")
    if percent:
        values += [value / 100 for value in values]
    kind = "percent" if percent else "money" if before or after else "plain"
    if kind == "plain" and re.fullmatch(r"(19|20)\d\d", match.group().strip()):
        kind = "year"
    return Stated(match.group().strip(), kind, tuple(dict.fromkeys(values)))


def _values(digits: str) -> list[Decimal]:
    """What a row of digits with commas, points and blanks may mean."""
    digits = re.sub(r"[ \u00a0\u202f'’]", "", digits)
    commas, points = digits.count(","), digits.count(".")
    if commas and points:
        decimal = "," if digits.rfind(",") > digits.rfind(".") else "."
        grouping = "." if decimal == "," else ","
        return [Decimal(digits.replace(grouping, "").replace(decimal, "."))]
    sign = "," if commas else "."
    if commas + points > 1:
        return [Decimal(digits.replace(sign, ""))]
    if commas + points == 0:
        return [Decimal(digits)]
    whole, part = digits.split(sign)
    as_decimal, as_group = Decimal(f"{whole}.{part}"), Decimal(whole + part)
    if len(part) == 3 and 1 <= len(whole) <= 3 and whole != "0":
        return [as_group, as_decimal] if sign == "," else [as_decimal, as_group]
    return [as_decimal]


def _worded(word: str) -> Stated:
    word = word.lower()
    value = _WORDS.index(word) if word in _WORDS else 0
    return Stated(word, "plain", (Decimal(value),))
