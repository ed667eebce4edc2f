"""Single cells: what a text in one may mean as a number, money, a date, or yes and no.

Nothing is guessed silently: each reader gives None for what it does not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from silo_decl.authoring.sheet_tables import CURRENCIES

EMPTY = frozenset({"", "-", "–", "—", "n/a", "#n/a", "null", "(blank)", "(empty)", "k.a.", "nan"})
TRUE = frozenset({"yes", "y", "true", "ja", "wahr", "✓", "✔", "x", "oui", "si", "sí"})
FALSE = frozenset({"no", "n", "false", "nein", "falsch", "✗", "✘", "non"})
LONGEST_NUMBER = 15
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MORE_MONTHS = {"mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12}
_SIGNS = "|".join(sorted((re.escape(sign) for sign in CURRENCIES), key=len, reverse=True))
_MONEY = re.compile(rf"^(?P<minus>-?)\s*(?P<before>{_SIGNS})?\s*(?P<number>-?[\d.,'\s  ]*\d)\s*(?P<after>{_SIGNS})?$")
_NUMBER = re.compile(r"^[-+]?(\d{1,3}([,.' ’]\d{3})+|\d+)?([.,]\d+)?$")
_GROUPED = re.compile(r"^\d{1,3}([,.])\d{3}(\1\d{3})*$")
_TIME = (
    r"(?:[T ]+(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2}))?(?:\.\d+)?\s*"
    r"(?P<ap>[AaPp][Mm])?(?P<zone>Z|[+-]\d{2}:?\d{2})?)?$"
)
_ISO = re.compile(r"^(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})" + _TIME)
_NUMERIC = re.compile(r"^(?P<a>\d{1,2})(?P<by>[./-])(?P<b>\d{1,2})[./-](?P<y>\d{4}|\d{2})" + _TIME)
_DAY_WORD = re.compile(
    r"^(?:[A-Za-z]{2,9},?\s+)?(?P<d>\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(?P<mon>[A-Za-zä]{3,9})\.?,?[\s-]+(?P<y>\d{4}|\d{2})"
    + _TIME
)
_WORD_DAY = re.compile(
    r"^(?:[A-Za-z]{2,9},?\s+)?(?P<mon>[A-Za-zä]{3,9})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>\d{4})" + _TIME
)


def is_empty(value: Any) -> bool:
    """Whether a cell says nothing, also in the ways that people write it."""
    return value is None or (isinstance(value, str) and value.strip().casefold() in EMPTY)


def truth_of(value: Any) -> bool | None:
    """Yes or no, in the words people use."""
    if isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else ""
    return True if word in TRUE else False if word in FALSE else None


@dataclass(frozen=True)
class Amount:
    """A number in a text, with its currency and whether it was a percentage."""

    number: int | float
    currency: str = ""
    percent: bool = False


def amount_of(value: Any, decimal_comma: bool) -> Amount | None:
    """A number as a spreadsheet or a person writes it: 1,234.50, 1.234,50 €, (120), 38 %.

    `decimal_comma` decides where a text such as 1,234 could be both.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return Amount(value)
    if not isinstance(value, str):
        return None
    text = value.strip().replace("\u2212", "-")
    bracketed = re.sub(r"\(([^()]*)\)", r"\1", text, count=1)
    negative = bracketed != text
    text = bracketed.strip()
    percent = text.endswith("%")
    hit = _MONEY.match(text.rstrip("% ") if percent else text)
    if hit is None or (hit["before"] and hit["after"]):
        return None
    number = number_of(hit["number"], decimal_comma)
    if number is None:
        return None
    if negative or hit["minus"]:
        number = -number
    sign = hit["before"] or hit["after"] or ""
    return Amount(number, CURRENCIES.get(sign, ""), percent)


def number_of(text: str, decimal_comma: bool) -> int | float | None:
    """A plain number in a text."""
    squeezed = re.sub(r"(?<=\d)[\s  '’](?=\d{3})", "", text.strip())
    if not _NUMBER.match(squeezed) or not any(letter.isdigit() for letter in squeezed):
        return None
    plain = _pointed(squeezed, decimal_comma)
    if plain is None:
        return None
    if "." not in plain:
        return int(plain)
    found = float(plain)
    return int(found) if found.is_integer() else found


def _pointed(text: str, decimal_comma: bool) -> str | None:
    """The number with a point before its decimals and nothing between its thousands."""
    comma, point = text.rfind(","), text.rfind(".")
    if comma >= 0 and point >= 0:
        thousands, mark = (",", ".") if point > comma else (".", ",")
        return text.replace(thousands, "").replace(mark, ".") if text.count(mark) == 1 else None
    if comma < 0 and point < 0:
        return text
    mark = "," if comma >= 0 else "."
    if text.count(mark) > 1:
        return text.replace(mark, "") if is_grouped(text) else None
    if is_grouped(text) and (mark == ",") != decimal_comma:
        return text.replace(mark, "")
    return text.replace(mark, ".")


def is_grouped(text: str) -> bool:
    """Whether a number could have thousands separators and no decimals, such as 1,234."""
    return bool(_GROUPED.match(text.strip().lstrip("+-")))


def is_code(value: Any) -> bool:
    """Digits that are a name and no amount: leading zeros, or more of them than a number keeps."""
    if isinstance(value, str):
        digits = value.strip()
        return digits.isdecimal() and (len(digits) > LONGEST_NUMBER or (len(digits) > 1 and digits[0] == "0"))
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10**LONGEST_NUMBER


def numeric_date_parts(value: Any) -> tuple[int, int, str] | None:
    """The first two numbers of a date such as 3/4/2026 and what stands between them."""
    hit = _NUMERIC.match(value.strip()) if isinstance(value, str) else None
    return (int(hit["a"]), int(hit["b"]), hit["by"]) if hit else None


def moment_of(value: Any, day_first: bool) -> date | datetime | None:
    """A date, or a moment where a time is given."""
    if isinstance(value, (date, datetime)):
        return value
    if not isinstance(value, str):
        return None
    text = value.strip()
    for form in (_ISO, _NUMERIC, _DAY_WORD, _WORD_DAY):
        hit = form.match(text)
        if hit:
            return _moment(hit, day_first)
    return None


def _moment(hit: re.Match[str], day_first: bool) -> date | datetime | None:
    found = hit.groupdict()
    year = int(found["y"]) if len(found["y"]) == 4 else 2000 + int(found["y"])
    if found.get("mon"):
        month = _month(found["mon"])
        day = int(found["d"])
    elif "a" in found:
        first, second = int(found["a"]), int(found["b"])
        day, month = (first, second) if day_first else (second, first)
    else:
        month, day = int(found["m"]), int(found["d"])
    try:
        if not found.get("h"):
            return date(year, month, day)
        hour = int(found["h"])
        if found.get("ap"):
            hour = hour % 12 + (12 if found["ap"].lower() == "pm" else 0)
        return datetime(year, month, day, hour, int(found["mi"]), int(found["s"] or 0))
    except ValueError:
        return None


def _month(word: str) -> int:
    start = word.casefold()[:3]
    return _MORE_MONTHS.get(start) or (_MONTHS.index(start) + 1 if start in _MONTHS else 0)
