"""Days as people write them: 2026-04-01, April 1, 2026, 1st of April 2026, 1-Apr-26, 4/1/2026, 01.04.2026.

A day such as 4/1/2026 has two readings, and both are kept; one without a year may be of any year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from silo_decl.grading.marks import denied, set_apart, without_markup

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = r"(?P<month>" + "|".join(f"{month[:3]}(?:{month[3:]})?|{month[:4]}" for month in _MONTHS) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_SHORT = r"(?P<year>\d{4}|\d{2})"
_TIME = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"

DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\w-]){_YEAR}(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign){_DAY}{_TIME}(?![\w-])",
        rf"(?<![\w-]){_DAY}[-/.]{_MONTH}[-/.]{_SHORT}(?![\w-])",
        rf"(?<!\w){_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?(?!\w|[,.]\d)",
        rf"(?<![\w,.]){_DAY}\.?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?(?!\w)",
        rf"(?<![\w/.-])(?P<one>\d{{1,2}})(?P<sign>[-/.])(?P<other>\d{{1,2}})(?P=sign){_YEAR}(?![\w/-])",
        rf"(?<![\w/.-])(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/{_SHORT}(?![\w/-])",
        r"(?<![\w:])\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b)?(?![\w:])",
    )
)

Reading = tuple[int | None, int, int]


@dataclass(frozen=True, slots=True)
class Day:
    """A day in an answer: how it is written, the days it may mean as (year or None, month, day), whether the answer
    sets it apart, and whether it denies it ('not 2026-04-01')."""

    text: str
    readings: tuple[Reading, ...]
    marked: bool = False
    denied: bool = False

    def meets(self, wanted: str) -> bool:
        """Whether it may mean this day (2026-04-01); without a year, any year."""
        year, month, day = map(int, wanted[:10].split("-"))
        return (year, month, day) in self.readings or (None, month, day) in self.readings


def days(answer: str) -> list[Day]:
    """The days that a text states, in order, each once."""
    found: list[tuple[int, Day]] = []
    apart = set_apart(answer)
    text = without_markup(answer)
    for pattern in DATES:
        for match in pattern.finditer(text):
            readings = _readings(match.groupdict())
            marked = any(start <= match.start() and match.end() <= end for start, end in apart)
            if readings:
                said_not = denied(text[: match.start()])
                found.append((match.start(), Day(match.group().strip(), readings, marked, said_not)))
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    unique: dict[tuple[Reading, ...], Day] = {}
    for _, day in sorted(found, key=lambda pair: pair[0]):
        kept = unique.get(day.readings)
        if kept is None or kept.denied or (day.marked and not day.denied):
            unique[day.readings] = day
    return list(unique.values())


def _readings(parts: dict[str, str | None]) -> tuple[Reading, ...]:
    year = int(parts.get("year") or 0) or None
    if year is not None and year < 100:
        year += 2000
    if parts.get("one") and parts.get("other"):
        one, other = int(str(parts["one"])), int(str(parts["other"]))
        return tuple(dict.fromkeys(pair for pair in ((year, one, other), (year, other, one)) if _real(*pair)))
    if not parts.get("month") or not parts.get("day"):
        return ()
    month = _month(str(parts["month"]))
    reading = (year, month, int(str(parts.get("day"))))
    return (reading,) if _real(*reading) else ()


def _month(text: str) -> int:
    if text.isdigit():
        return int(text)
    return next(place for place, month in enumerate(_MONTHS, 1) if month.startswith(text.lower()[:3]))


def _real(year: int | None, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31
