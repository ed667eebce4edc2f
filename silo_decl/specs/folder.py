"""The files of an environment's folder: what is there, what a path in a file means, and their hash."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
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

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self.root)

    @cached_property
    def _tree(self) -> tuple[list[str], list[str], list[str]]:
        """Every visible file in order of their names, the folders that are links out of this one, and those that
        are named like files."""
        files: list[str] = []
        links: list[str] = []
        misnamed: list[str] = []
        start = len(str(self.root)) + 1 if str(self.root) != "." else 0
        for folder, inner, here in os.walk(self.root):
            within = folder[start:].replace(os.sep, "/").removeprefix("./")
            within = f"{within}/" if within not in ("", ".") else ""
            inner[:] = [name for name in inner if _visible(name)]
            links += [within + name for name in inner if self.leaves(within + name)]
            misnamed += [within + name for name in inner if name.endswith((*_YAML, ".json"))]
            files += [within + name for name in here if _visible(name)]
        return sorted(files), sorted(links), sorted(misnamed)

    @property
    def links_out(self) -> list[str]:
        """Folders that are links and lead out of the environment's folder; nothing in them is read."""
        return self._tree[1]

    @property
    def misnamed(self) -> list[str]:
        """Folders with the name of a file, such as data/orders.json."""
        return self._tree[2]

    def yaml_files(self, folder: str) -> list[str]:
        """The YAML files under a folder, in order of their names."""
        return [name for name in self.files(folder) if name.endswith(_YAML)]

    def files(self, folder: str) -> list[str]:
        """Every visible file under a folder ('' for all), in order of their names."""
        return [name for name in self._tree[0] if not folder or name.startswith(f"{folder}/")]

    def leaves(self, name: str) -> bool:
        """Whether a path leads out of the folder, by dots or by a link."""
        if PurePosixPath(name).is_absolute():
            return True
        real = os.path.realpath(f"{self._real_root}{os.sep}{name}")
        return not real.startswith(self._real_root + os.sep)

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
        inside = [PurePosixPath(one) for one in self.files("" if parent == "." else parent)]
        here = [one.name for one in inside if one.parent.as_posix() == parent]
        hint = did_you_mean(PurePosixPath(name).name, here)
        fix = f"In {parent}/: {choices(here)}." if here and parent != "." else "Write the file, or remove the line."
        return at.problem("missing-file", f"There is no file '{written}'.{hint}", fix)

    def content_hash(self) -> str:
        """The sha256 of every file's name and content, in order of their names."""
        whole = hashlib.sha256()
        for name in self.files(""):
            if not self.leaves(name) and self.path(name).is_file():
                content = hashlib.sha256(_content(self.path(name))).hexdigest()
                whole.update(f"{name}\0{content}\n".encode())
        return whole.hexdigest()


def _content(path: Path) -> bytes:
    """The bytes of a file; none where it may not be read, which is told elsewhere."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _visible(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__" and not name.endswith(".pyc")


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
