"""Numbers written out in English: `five`, `twenty-one`, `two hundred and five`, `three million`."""

from __future__ import annotations

import re

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BIG = {"thousand": 1000, "million": 10**6, "billion": 10**9}
_VALUES = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 20 + 10 * place for place, word in enumerate(_TENS)},
    "no": 0,
    "none": 0,
    "a": 1,
}
_UNIT = "|".join(_SMALL[1:10])
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{_UNIT})\b)?|{'|'.join(sorted(_SMALL[1:], key=len, reverse=True))})"
_BELOW_1000 = rf"(?:(?:{_UNIT}|a)\s+hundred\b(?:\s+(?:and\s+)?{_BELOW_100})?|{_BELOW_100})"
_SCALED = rf"(?:{_BELOW_1000}|a)\s+(?:{'|'.join(_BIG)})\b(?:,?\s+(?:and\s+)?{_BELOW_1000})?"

WRITTEN_OUT = re.compile(
    rf"(?<![\w-])(?:{_SCALED}|{_BELOW_1000}|zero|none|no(?!\s+(?:longer|one|more|matter|doubt|way)\b))(?![\w-])",
    re.IGNORECASE,
)
# Words that stand in most sentences without counting anything.
IDLE = ("one", "no", "none", "zero")


def value_of(phrase: str) -> int:
    """The number that a phrase found by WRITTEN_OUT stands for."""
    whole = part = 0
    for word in re.findall(r"[a-z]+", phrase.lower()):
        if word == "hundred":
            part *= 100
        elif word in _BIG:
            whole, part = whole + part * _BIG[word], 0
        elif word != "and":
            part += _VALUES[word]
    return whole + part
