"""What can go wrong, in one place: problems in an author's files and the family of exceptions.

The family: `SiloError` is what a caller may catch. Under it stand `ProblemsFound` (an author's files),
`UsageError` (a wrong command or argument), `ToolError` (a tool refuses, the agent reads it), `ExpressionError`
(an expression met a value it cannot work with) and `RunStopped` (a limit was passed). Any other exception that
comes out of this package is a defect of it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Level = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file, for its author.

    `line` and `column` count from 1; 0 means that the file as a whole is meant. `file` is relative to the
    environment's folder. `excerpt` is the author's own line, or of a very long line the part around the place;
    then `mark` is the place in the excerpt, from 1, and else 0. `fix` is one thing to do now, or empty.
    """

    code: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    fix: str = ""
    level: Level = "error"
    excerpt: str = ""
    mark: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message} [{self.code}]"


class SiloError(Exception):
    """Everything this package raises on purpose."""


class ProblemsFound(SiloError):
    """An author's files have problems; `problems` holds every one of them."""

    def __init__(self, problems: Sequence[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(SiloError):
    """A command or an argument that cannot be followed; `fix` says what to write instead."""

    def __init__(self, message: str, fix: str = ""):
        self.message = message
        self.fix = fix
        super().__init__(f"{message} {fix}".strip())


class ToolError(SiloError):
    """A tool refuses. The agent gets `code`, `message` and, where given, `details`.

    Conventional codes: invalid_input, not_found, invalid_state, not_allowed, conflict, limit_exceeded.
    """

    def __init__(self, code: str, message: str, details: Any = None):
        self.code = code
        self.message = message
        self.details = details
        super().__init__(f"{code}: {message}")


class ExpressionError(SiloError):
    """An expression met values it cannot work with, such as a text compared by order with a number."""


class RunStopped(SiloError):
    """A limit was passed, so the call did not run; `reason` is the termination reason of the rollout."""

    def __init__(self, reason: str):
        self.reason = reason
        super().__init__(reason)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` most likely was meant to be, or None."""
    candidates = [name for name in known if isinstance(name, str)]
    folded = {name.casefold(): name for name in candidates}
    if word.casefold() in folded:
        return folded[word.casefold()]
    squeezed = {_squeeze(name): name for name in candidates}
    if _squeeze(word) in squeezed:
        return squeezed[_squeeze(word)]
    hits = difflib.get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[hits[0]] if hits else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence with a leading space, or nothing."""
    hit = nearest(word, known)
    return f" Did you mean '{hit}'?" if hit is not None else ""


def choices(names: Iterable[str], limit: int = 12) -> str:
    """Names in a row for a fix, cut at about a dozen."""
    listed = [str(name) for name in names]
    if len(listed) <= limit:
        return ", ".join(listed)
    return ", ".join(listed[:limit]) + f" and {len(listed) - limit} more"


def _squeeze(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())
