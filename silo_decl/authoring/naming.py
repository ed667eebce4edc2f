"""Names that authors give to worlds, tools, tasks and suites: safe, free, and not ones that mean something else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from silo_decl.errors import UsageError

_DEVICES = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}


@dataclass(frozen=True)
class Naming:
    """What names of one kind look like. `words` says it to an author; `reserved` are words that mean something."""

    what: str
    pattern: str
    words: str
    joint: str
    reserved: frozenset[str] = frozenset()

    def check(self, name: str, taken: Iterable[str]) -> str:
        """The name, if it is safe and free. Raises UsageError, with the next free name, if not."""
        used = {one.casefold(): one for one in taken}
        if not re.fullmatch(self.pattern, name):
            raise UsageError(f"'{name}' cannot be the name of {self.what}: {self.words}.", self._try(name, used))
        if name.casefold() in self.reserved or name.casefold().split(".")[0] in _DEVICES:
            raise UsageError(f"'{name}' means something else, so {self.what} cannot have it.", self._try(name, used))
        if name.casefold() in used:
            there = used[name.casefold()]
            message = (
                f"There is {self.what} '{there}' already."
                if there == name
                else f"There is {self.what} '{there}' already, and on many computers '{name}' is the same name."
            )
            raise UsageError(message, self._try(name, used))
        return name

    def _try(self, name: str, used: Iterable[str]) -> str:
        return f"Use another name, such as '{self.free(name, used)}'."

    def free(self, name: str, taken: Iterable[str]) -> str:
        """The nearest name that is safe and that nothing has."""
        used = {one.casefold() for one in taken}
        base = self._cleaned(name)
        unusable = base.casefold() in self.reserved or base.casefold().split(".")[0] in _DEVICES
        if base.casefold() not in used and not unusable and re.fullmatch(self.pattern, base):
            return base
        counted = re.fullmatch(r"(.*?)(\d+)", base)
        stem, width, first = (base + self.joint, 1, 2)
        if counted and counted[1] and not unusable:
            stem, width, first = counted[1], len(counted[2]), int(counted[2]) + 1
        number = first
        while f"{stem}{number:0{width}}".casefold() in used:
            number += 1
        return f"{stem}{number:0{width}}"

    def _cleaned(self, name: str) -> str:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        joined = re.sub(r"[^A-Za-z0-9]+", self.joint, plain).strip(self.joint)
        if self.what == "an environment":
            joined = joined.lower()
        joined = re.sub(r"^[^A-Za-z]+", "", joined) or self.what.split()[-1]
        return joined[:48].rstrip(self.joint)


ENVIRONMENT = Naming(
    "an environment",
    r"[a-z][a-z0-9_-]{0,63}",
    "it has small letters, digits, '-' and '_', and begins with a letter",
    "-",
    frozenset({"all", "last", "silo", "new", "environments", "templates", "schemas", "none", "null"}),
)
TOOL = Naming(
    "a tool",
    r"[A-Za-z][A-Za-z0-9_-]{0,63}",
    "it has at most 64 letters, digits, '_' and '-', and begins with a letter",
    "_",
    frozenset({"message_user", "answer", "tell"}),
)
TASK = Naming(
    "a task",
    r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}",
    "its id has at most 64 letters, digits, '_' and '-', and begins with a letter or a digit",
    "-",
    frozenset({"all", "last", "none", "null"}),
)
SUITE = Naming(
    "a suite",
    r"[A-Za-z][A-Za-z0-9_-]{0,63}",
    "it has at most 64 letters, digits, '_' and '-', and begins with a letter",
    "-",
    frozenset({"all", "last", "none", "null"}),
)
