"""The files of an environment's folder: what is there, what a path in a file means, and their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from silo_decl.errors import Problem, choices, did_you_mean
from silo_decl.specs.source import At

_YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Folder:
    """An environment's folder. Names of files are relative to it, with slashes."""

    root: Path

    def path(self, name: str) -> Path:
        return self.root / name

    def yaml_files(self, folder: str) -> list[str]:
        """The YAML files under a folder, in order of their names."""
        return [name for name in self._under(folder) if name.endswith(_YAML)]

    def files(self, folder: str) -> list[str]:
        """Every visible file under a folder, in order of their names."""
        return list(self._under(folder))

    def _under(self, folder: str) -> Iterator[str]:
        base = self.root / folder
        for path in sorted(base.rglob("*")) if base.is_dir() else ():
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and _visible(name):
                yield name

    def leaves(self, name: str) -> bool:
        """Whether a path leads out of the folder, by dots or by a link."""
        if PurePosixPath(name).is_absolute():
            return True
        return not (self.root / name).resolve().is_relative_to(self.root.resolve())

    def named(self, at: At, written: str, problems: list[Problem]) -> str | None:
        """The file that a path in another file means; None where it is missing or may not be read."""
        name = _joined(at.file.name, written)
        if name is None or self.leaves(name):
            problems.append(
                at.problem(
                    "path-outside",
                    f"'{written}' leads out of the environment's folder.",
                    "Keep the file inside the folder, and write its path relative to this file.",
                )
            )
            return None
        if not self.path(name).is_file():
            problems.append(self._missing(at, written, name))
            return None
        return name

    def _missing(self, at: At, written: str, name: str) -> Problem:
        if self.path(name).is_dir():
            return at.problem("missing-file", f"'{written}' is a folder, not a file.", "Name each file in it.")
        parent = PurePosixPath(name).parent.as_posix()
        here = [
            PurePosixPath(one).name for one in self.files("" if parent == "." else parent) if _parent(one) == parent
        ]
        hint = did_you_mean(PurePosixPath(name).name, here)
        fix = f"In {parent}/: {choices(here)}." if here and parent != "." else "Write the file, or remove the line."
        return at.problem("missing-file", f"There is no file '{written}'.{hint}", fix)

    def content_hash(self) -> str:
        """The sha256 of every file's name and content, in order of their names."""
        whole = hashlib.sha256()
        for name in self.files(""):
            if not self.leaves(name):
                content = hashlib.sha256(self.path(name).read_bytes()).hexdigest()
                whole.update(f"{name}\0{content}\n".encode())
        return whole.hexdigest()


def _parent(name: str) -> str:
    return PurePosixPath(name).parent.as_posix()


def _visible(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return not any(part.startswith(".") or part == "__pycache__" for part in parts) and not name.endswith(".pyc")


def _joined(file: str, written: str) -> str | None:
    """The path `written` in `file`, with its dots worked out; None where it climbs out."""
    if written.startswith(("/", "~")) or "\0" in written or "\\" in written:
        return None
    parts: list[str] = list(PurePosixPath(file).parent.parts)
    for part in PurePosixPath(written).parts:
        if part != "..":
            parts.append(part)
        elif not parts:
            return None
        else:
            parts.pop()
    return "/".join(parts)
