"""A text with its lines: how a place in it becomes the line, the column and the excerpt of a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from silo_decl.errors import Level, Problem

Step = str | int

_WIDEST = 160
_BEFORE = 60


class Hole:
    """Stands in data for a value that could not be read, so that nothing more is said about it."""

    def __repr__(self) -> str:
        return "what could not be read"


def has_hole(value: Any) -> bool:
    """Whether anything in a value could not be read."""
    if isinstance(value, dict):
        return any(map(has_hole, value.values()))
    if isinstance(value, list):
        return any(map(has_hole, value))
    return isinstance(value, Hole)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong in a text; `index` characters stand before it.

    `path` is where in the data a `Hole` is left because of it, or None where the data is whole.
    """

    code: str
    message: str
    fix: str
    index: int
    level: Level = "error"
    path: tuple[Step, ...] | None = None


def decoded(content: bytes) -> str:
    """The text of a file, with line ends as '\\n' and without a byte order mark. Raises UnicodeDecodeError."""
    body = content.decode("utf-8-sig")
    return body.replace("\r\n", "\n").replace("\r", "\n") if "\r" in body else body


class Text:
    """A text that knows its lines."""

    def __init__(self, body: str):
        self.body = body

    def position(self, index: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        index = min(index, len(self.body))
        return self.body.count("\n", 0, index) + 1, index - (self.body.rfind("\n", 0, index) + 1) + 1

    def problem(self, trouble: Trouble, name: str) -> Problem:
        """A trouble as its author reads it, with their own line; of a very long line the part around it."""
        index = self._last_visible(trouble.index)
        line, column = self.position(index)
        start = index - column + 1
        end = self.body.find("\n", start)
        end = len(self.body) if end < 0 else end
        excerpt, mark = self.body[start:end].rstrip(), column
        if end - start > _WIDEST:
            first = max(start, index - _BEFORE)
            excerpt = ("…" if first > start else "") + self.body[first : min(end, first + _WIDEST)]
            mark = index - first + 1 + (first > start)
        return Problem(
            trouble.code,
            trouble.message,
            name,
            line,
            column,
            trouble.fix,
            trouble.level,
            excerpt,
            _shifted(mark, column),
        )

    def _last_visible(self, index: int) -> int:
        """Behind the end of the text nothing can be pointed at, so its last line is."""
        if index < len(self.body) or not self.body.strip():
            return min(index, len(self.body))
        return len(self.body.rstrip())


def _shifted(mark: int, column: int) -> int:
    return 0 if mark == column else mark
