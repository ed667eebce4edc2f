"""What an answer sets apart: bold or boxed text, what stands beside words such as 'Total', and what it denies."""

from __future__ import annotations

import re

_SET_APART = re.compile(
    r"\*\*(?P<stars>[^*\n]{1,300})\*\*"
    r"|(?<!\w)__(?P<lines>[^_\n]{1,300})__(?!\w)"
    r"|<(?P<tag>b|strong)>(?P<tagged>[^<\n]{1,300})</(?P=tag)>"
    r"|\\boxed\{(?P<boxed>[^{}\n]{1,300})\}"
)
_GROUPS = ("stars", "lines", "tagged", "boxed")
_SUMMING = r"(?:total|sum|answer|result|overall|altogether|in all)"
_LEADING = re.compile(rf"\b{_SUMMING}\b[^.!?;\n()\d]{{0,60}}$", re.IGNORECASE)
_TRAILING = re.compile(r"[^.!?;,\n()|\d]{0,30}\b(?:in total|in all|altogether|overall)\b", re.IGNORECASE)
_MARKUP = re.compile(r"[*`\\]|<br ?/?>|</?(?:b|i|em|strong|code)>|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)", re.IGNORECASE)

_DENIED = re.compile(
    r"(?:\b(?:not|never|neither|nor|rather than|instead of|no longer)|n['’]t)\b"
    r"(?:[\s\"'“‘(\[*`_]|\b(?:exactly|really|actually|the|a|an|at|by|in|on|of|for|to|be|equal|called|named|from|with|"
    r"worth|about|around)\b){0,12}$",
    re.IGNORECASE,
)


def denied(before: str) -> bool:
    """Whether the words right before a value say that it is not the one: 'not', 'is not the', 'rather than'."""
    return _DENIED.search(before[-60:]) is not None


def set_apart(text: str) -> list[tuple[int, int]]:
    """The stretches of a text that stand in bold or in a box."""
    return [match.span(name) for match in _SET_APART.finditer(text) for name in _GROUPS if match[name] is not None]


def summed_up(before: str, after: str) -> bool:
    """Whether the words around a number say that it is the one meant: 'the total is', 'in all'."""
    return _LEADING.search(before[-80:]) is not None or _TRAILING.match(after[:60]) is not None


def is_summing(label: str) -> bool:
    """Whether a label such as 'Grand total' names the number that is meant."""
    return re.search(rf"\b{_SUMMING}\b", label, re.IGNORECASE) is not None


def without_markup(text: str) -> str:
    """The text with blanks in place of markup, as long as it was."""
    return _MARKUP.sub(lambda match: " " * len(match.group()), text)
