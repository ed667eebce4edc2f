"""How a JSON text is laid out: where its parts stand, and new values written as the old ones are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a list or one entry of an object, `text[start:end]`; an entry has a `name` and its value at `at`."""

    start: int
    end: int
    at: int
    value: Any
    name: str | None = None


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same to JSON: true is not 1, and 1.0 is 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def top_parts(text: str) -> list[Part]:
    """The items or entries of the list or object that a text is."""
    return _parts(text, _skip(text, 0))


def _parts(text: str, start: int) -> list[Part]:
    keyed = text[start] == "{"
    found = []
    index = _skip(text, start + 1)
    while text[index] not in "]}":
        begin, name = index, None
        if keyed:
            name, index = scanstring(text, index + 1)
            index = _skip(text, _skip(text, index) + 1)
        value, end = _DECODER.raw_decode(text, index)
        found.append(Part(begin, end, index, value, name))
        index = _skip(text, end)
        if text[index] == ",":
            index = _skip(text, index + 1)
    return found


def _skip(text: str, index: int) -> int:
    return _SPACE.match(text, index).end()  # type: ignore[union-attr]


@dataclass(frozen=True)
class Layout:
    """How records are written. `gap` stands between two of them, `margin` before each of their lines.

    With `step` '' a record is one line; `flat` says that what is inside a record stays on one line.
    """

    gap: str
    margin: str
    step: str
    flat: bool
    comma: str
    colon: str
    newline: str
    escaped: bool

    def entry(self, name: str | None, value: Any) -> str:
        """A new record, behind its id where the file is an object by ids."""
        text = self._value(value, self.margin, top=True)
        return text if name is None else f"{self._text(name)}{self.colon}{text}"

    def changed(self, text: str, part: Part, value: Any) -> str:
        """The text of a part with what differs put in."""
        return text[part.start : part.at] + self._respelt(text, part.at, part.end, part.value, value, self.margin)

    def _respelt(self, text: str, start: int, end: int, old: Any, new: Any, margin: str) -> str:
        if same(old, new):
            return text[start:end]
        if not (isinstance(old, Mapping) and isinstance(new, Mapping) and old and new):
            return self._value(new, margin, top=margin == self.margin)
        members = _parts(text, start)
        inner = margin + self.step
        pieces = []
        for place, member in enumerate(members):
            if member.name not in new:
                continue
            before = text[members[place - 1].end : member.start] if place else ""
            spelt = self._respelt(text, member.at, member.end, member.value, new[member.name], inner)
            pieces.append((before, text[member.start : member.at] + spelt))
        gap = text[members[0].end : members[1].start] if len(members) > 1 else self._gap_within(text, start, members)
        for name in (one for one in new if one not in old):
            pieces.append((gap, f"{self._text(name)}{self.colon}{self._value(new[name], inner)}"))
        body = "".join((before or gap if number else "") + piece for number, (before, piece) in enumerate(pieces))
        return text[start : members[0].start] + body + text[members[-1].end : end]

    def _gap_within(self, text: str, start: int, members: list[Part]) -> str:
        space = text[start + 1 : members[0].start]
        return "," + space if "\n" in space else self.comma

    def _value(self, value: Any, margin: str, top: bool = False) -> str:
        if isinstance(value, str):
            return self._text(value)
        if not isinstance(value, (Mapping, list, tuple)) or not value:
            return json.dumps(value)
        spread = bool(self.step) and (top or not self.flat)
        inner = margin + self.step
        if isinstance(value, Mapping):
            parts = [f"{self._text(name)}{self.colon}{self._value(one, inner)}" for name, one in value.items()]
        else:
            parts = [self._value(one, inner) for one in value]
        brackets = "{}" if isinstance(value, Mapping) else "[]"
        if not spread:
            return brackets[0] + self.comma.join(parts) + brackets[1]
        line = self.newline + inner
        return brackets[0] + line + f",{line}".join(parts) + self.newline + margin + brackets[1]

    def _text(self, value: str) -> str:
        return json.dumps(value, ensure_ascii=self.escaped)


def layout_of(text: str, parts: list[Part]) -> Layout:
    """How the records of a text are written, read off the first of them."""
    newline = "\r\n" if "\r\n" in text else "\n"
    first = parts[0]
    sample = text[first.at : first.end]
    before = text[: first.start].rpartition("\n")[2] if "\n" in text[: first.start] else ""
    margin = before if not before.strip() else before[: len(before) - len(before.lstrip())]
    step = _step(sample, margin)
    members = _parts(sample, 0) if isinstance(first.value, Mapping) else []
    nested = [sample[one.at : one.end] for one in members if isinstance(one.value, (Mapping, list)) and one.value]
    lead = text[: first.start].rpartition("[" if first.name is None else "{")[2]
    comma = _comma(sample, [*members, *(part for one in members for part in _within(sample, one))])
    gap = text[first.end : parts[1].start] if len(parts) > 1 else f",{lead}" if lead else comma
    return Layout(
        gap=gap,
        margin=margin,
        step=step,
        flat=bool(nested) and not any("\n" in one for one in nested),
        comma=comma,
        colon=_colon(sample),
        newline=newline,
        escaped=text.isascii() and re.search(r"\\u[0-9a-fA-F]{4}", text) is not None,
    )


def _step(sample: str, margin: str) -> str:
    hit = re.match(r"[{\[][ \t]*\r?\n([ \t]*)", sample)
    if hit is None:
        return ""
    return hit[1].removeprefix(margin) or "  "


def _within(sample: str, member: Part) -> list[Part]:
    return _parts(sample, member.at) if isinstance(member.value, (Mapping, list)) else []


def _comma(sample: str, members: list[Part]) -> str:
    """What stands between two members on one line."""
    gaps = (sample[one.end : other.start] for one, other in pairwise(members) if one.end <= other.start)
    return next((gap for gap in gaps if "\n" not in gap and gap.strip() == ","), ", ")


def _colon(sample: str) -> str:
    hit = re.search(r'"(\s*:[ \t]*)', sample)
    return hit[1] if hit else ": "
