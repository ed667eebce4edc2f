"""Functions over dates (2026-04-01) and moments in time (2026-04-01T09:30:00), which are texts."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_values import whole
from silo_decl.expressions.shapes import DATE, NUMBER, Shape

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = ("days", "weeks", "months", "years")
_FARTHEST = 1_000_000


def days_between(start: Any, end: Any) -> int | None:
    """Whole days from the day of `start` to the day of `end`; less than 0 where `end` is earlier."""
    if start is None or end is None:
        return None
    return (meaning.as_date(end, "days_between(...)") - meaning.as_date(start, "days_between(...)")).days


def date_add(value: Any, count: Any, unit: Any = "days") -> str | None:
    """The date so many units later; of a moment in time its day moves and its time stays."""
    if value is None or count is None:
        return None
    day = meaning.as_date(value, "date_add(...)")
    number = whole(count, "date_add", -_FARTHEST, _FARTHEST)
    if unit not in _UNITS:
        raise ExpressionError(f"date_add(...) counts in {', '.join(_UNITS)}, not in {meaning.shown(unit)}.")
    try:
        return _moved(day, number, unit).isoformat() + str(value)[10:]
    except (OverflowError, ValueError):
        raise ExpressionError(f"date_add(...) would leave the calendar: {value} and {number} {unit}.") from None


def _moved(day: date, count: int, unit: str) -> date:
    if unit in ("days", "weeks"):
        return day + timedelta(days=count * (7 if unit == "weeks" else 1))
    months = day.year * 12 + day.month - 1 + count * (12 if unit == "years" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def date_of(value: Any) -> str | None:
    return None if value is None else meaning.as_date(value, "date_of(...)").isoformat()


def year(value: Any) -> int | None:
    return None if value is None else meaning.as_date(value, "year(...)").year


def month(value: Any) -> int | None:
    return None if value is None else meaning.as_date(value, "month(...)").month


def day(value: Any) -> int | None:
    return None if value is None else meaning.as_date(value, "day(...)").day


def weekday(value: Any) -> str | None:
    return None if value is None else WEEKDAYS[meaning.as_date(value, "weekday(...)").weekday()]


_DATED = ("date", "datetime", "text")
_D = Parameter("date", _DATED)

DATE_FUNCTIONS = (
    Function(
        "days_between",
        (Parameter("start", _DATED), Parameter("end", _DATED)),
        NUMBER.maybe(),
        days_between,
        "Whole days from one date to another, below 0 where the second is earlier.",
        "days_between('2026-03-01', '2026-04-01')",
        31,
    ),
    Function(
        "date_add",
        (_D, Parameter("count", ("number",)), Parameter("unit", ("text",), optional=True)),
        lambda shapes: shapes[0].maybe() if shapes and shapes[0].kind == "datetime" else DATE.maybe(),
        date_add,
        "The date so many days later; or weeks, months, years (the end of the month where the day does not exist).",
        "date_add('2026-01-31', 1, 'months')",
        "2026-02-28",
    ),
    Function(
        "date_of",
        (_D,),
        DATE.maybe(),
        date_of,
        "The date of a moment in time.",
        "date_of('2026-04-01T09:30:00')",
        "2026-04-01",
    ),
    Function("year", (_D,), NUMBER.maybe(), year, "The year of a date.", "year('2026-04-01')", 2026),
    Function("month", (_D,), NUMBER.maybe(), month, "The month of a date, 1 to 12.", "month('2026-04-01')", 4),
    Function("day", (_D,), NUMBER.maybe(), day, "The day of the month of a date.", "day('2026-04-01')", 1),
    Function(
        "weekday",
        (_D,),
        Shape("text", choices=WEEKDAYS, nullable=True),
        weekday,
        "The English name of the day of the week.",
        "weekday('2026-04-01')",
        "Wednesday",
    ),
)
