"""Adding files to an environment: new ones beside old ones, and their line in environment.yaml, all or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from silo_decl.authoring.files import write_all
from silo_decl.authoring.yaml_edit import YamlText
from silo_decl.errors import UsageError

FILE = "environment.yaml"


def add_files(root: Path, files: Mapping[str, bytes], tool_files: tuple[str, ...] = ()) -> list[Path]:
    """Write new files below an environment's folder and list `tool_files` in environment.yaml.

    Nothing is overwritten: raises UsageError where one of the files exists, also under another case.
    """
    for name in files:
        there = _there(root, name)
        if there:
            raise UsageError(f"'{there}' is there already; nothing was written.", "Choose another name.")
    contents = {root / name: content for name, content in files.items()}
    text = YamlText(root / FILE)
    for name in tool_files:
        text.append(("tools",), name)
    if text.text != text.before.replace("\r\n", "\n"):
        contents[root / FILE] = text.encoded()
    write_all(contents)
    return [root / name for name in files]


def _there(root: Path, name: str) -> str:
    folder = (root / name).parent
    wanted = Path(name).name.casefold()
    if not folder.is_dir():
        return ""
    return next((path.relative_to(root).as_posix() for path in folder.iterdir() if path.name.casefold() == wanted), "")


def schema_line(root: Path, folder: str, kind: str) -> str:
    """The first line that tells editors the schema: as in the files beside the new one, '' where none has it."""
    for path in sorted((root / folder).glob("*.yaml")):
        with path.open(encoding="utf-8", errors="replace") as file:
            first = file.readline()
        if first.startswith("# yaml-language-server:"):
            return first
    copies = root / ".schemas" / f"{kind}.schema.json"
    return f"# yaml-language-server: $schema=../.schemas/{kind}.schema.json\n" if copies.is_file() else ""
