"""The only door for YAML and JSON text: data, and the place of everything in it.

Files are read plainly; positions are worked out only for a file that has a problem, from its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from silo_decl.errors import Level, Problem, ProblemsFound
from silo_decl.specs import json_text, yaml_places, yaml_text
from silo_decl.specs.texts import Hole, Step, Text, Trouble, decoded

YAML_LIMIT = 10 * 2**20
JSON_LIMIT = 500 * 2**20

Form = Literal["yaml", "json", "other"]


@dataclass(frozen=True)
class SourceFile:
    """One file of an environment. `name` is its path relative to the environment's folder, with slashes."""

    path: Path
    name: str
    form: Form = "yaml"

    @cached_property
    def text(self) -> Text:
        """The text read again; empty where the file can no longer be read."""
        try:
            return Text(decoded(self.path.read_bytes()))
        except (OSError, UnicodeDecodeError):
            return Text("")

    @cached_property
    def tree(self) -> Any:
        """The nodes of a YAML text with their marks, or None."""
        return yaml_text.composed(self.text.body)

    def place(self, path: tuple[Step, ...], key: bool, offset: int | None) -> int | None:
        """How many characters stand before the thing at `path`; None where nothing can be found."""
        if self.form == "yaml":
            return yaml_places.place(self.text.body, self.tree, path, key, offset)
        if self.form == "json":
            return json_text.place(self.text.body, path, key)
        return None


@dataclass(frozen=True, slots=True)
class At:
    """The place of a value in a file: the keys and list places that lead to it. Cheap; holds no position."""

    file: SourceFile
    path: tuple[Step, ...] = ()

    def child(self, *steps: Step) -> At:
        return At(self.file, self.path + steps)

    def written(self) -> str:
        """The text of this value as it stands in a YAML file; empty where there is none."""
        return yaml_places.written(self.file.text.body, self.file.tree, self.path) if self.file.form == "yaml" else ""

    def is_there(self) -> bool:
        """Whether the file has something at this place."""
        return self.file.form == "yaml" and yaml_places.node_at(self.file.tree, self.path) is not None

    def file_at(self, *steps: Step) -> At:
        """Another place of the same file."""
        return At(self.file, steps)

    def in_braces(self) -> bool:
        """Whether this value is written in { } or [ ]."""
        return self.file.form == "yaml" and yaml_places.in_braces(self.file.tree, self.path)

    def problem(
        self,
        code: str,
        message: str,
        fix: str = "",
        *,
        key: bool = False,
        offset: int | None = None,
        level: Level = "error",
    ) -> Problem:
        """A problem here, with line and column, which are looked up only now.

        Points at the value, or with `key` at its key; `offset` counts characters within a text. Where this
        place does not exist, the nearest one around it that does.
        """
        index = self.file.place(self.path, key, offset) if self.file.name else None
        if index is None:
            return Problem(code, message, self.file.name, fix=fix, level=level)
        return self.file.text.problem(Trouble(code, message, fix, index, level), self.file.name)


NOWHERE = At(SourceFile(Path(), "", "other"))


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file: its `data` (a `Hole` where nothing can be known), and every problem."""

    data: Any
    at: At
    problems: tuple[Problem, ...] = ()
    bad: frozenset[tuple[Step, ...]] = frozenset()

    @property
    def usable(self) -> bool:
        return not isinstance(self.data, Hole)


def read(path: Path, name: str, form: Form) -> Reading:
    """A file with all its problems; places that could not be read hold a `Hole` and are named in `bad`."""
    file = SourceFile(path, name, form)
    reader = _yaml if form == "yaml" else _json
    try:
        limit = YAML_LIMIT if form == "yaml" else JSON_LIMIT
        size = path.stat().st_size
        if not path.is_file():
            return _unusable(file, Problem("missing-file", "This is not a file that can be read.", name))
        if size > limit:
            return _unusable(file, _too_large(size, limit))
        return reader(file, path.read_bytes())
    except OSError as wrong:
        reason = "there is no such file" if isinstance(wrong, FileNotFoundError) else str(wrong.strerror).lower()
        return _unusable(file, Problem("missing-file", f"This file cannot be read: {reason}.", name))


def _yaml(file: SourceFile, content: bytes) -> Reading:
    try:
        body = decoded(content)
    except UnicodeDecodeError as wrong:
        return _unusable(file, _not_text(file.name, content, wrong))
    data, troubles = yaml_text.read(body)
    return _reading(file, data, Text(body), troubles)


def _json(file: SourceFile, content: bytes) -> Reading:
    fast = json_text.read_plainly(content)
    if not isinstance(fast, Hole):
        return Reading(fast, At(file))
    try:
        body = decoded(content)
    except UnicodeDecodeError as wrong:
        return _unusable(file, _not_text(file.name, content, wrong))
    data, troubles = json_text.read(body)
    return _reading(file, data, Text(body), troubles)


def _reading(file: SourceFile, data: Any, text: Text, troubles: list[Trouble]) -> Reading:
    problems = tuple(text.problem(trouble, file.name) for trouble in troubles)
    bad = frozenset(trouble.path for trouble in troubles if trouble.path is not None)
    return Reading(data, At(file), problems, bad)


def _unusable(file: SourceFile, problem: Problem) -> Reading:
    return Reading(Hole(), At(file), (problem,))


def _too_large(size: int, limit: int) -> Problem:
    return Problem(
        "too-large",
        f"This file has {size / 2**20:,.0f} MB; files of this kind are read up to {limit // 2**20} MB.",
        fix="Split it, or keep facts as JSON under data/.",
    )


def _not_text(name: str, content: bytes, wrong: UnicodeDecodeError) -> Problem:
    line = content.count(b"\n", 0, wrong.start) + 1
    column = wrong.start - (content.rfind(b"\n", 0, wrong.start) + 1) + 1
    return Problem(
        "not-utf8",
        "This file is not written in UTF-8, so its letters cannot be told apart from here on.",
        name,
        line,
        column,
        "Save it again with the encoding UTF-8.",
    )


def read_yaml(path: Path, name: str) -> tuple[Any, At]:
    """The data of a YAML file and its place. Raises ProblemsFound with everything wrong with its text."""
    return _whole(read(path, name, "yaml"))


def read_json(path: Path, name: str) -> tuple[Any, At]:
    """The data of a JSON file and its place. Raises ProblemsFound with everything wrong with its text."""
    return _whole(read(path, name, "json"))


def _whole(reading: Reading) -> tuple[Any, At]:
    if any(problem.level == "error" for problem in reading.problems):
        raise ProblemsFound(reading.problems)
    return reading.data, reading.at
