"""Filling in a shipped template. Only shipped templates are used, and none of them runs anything of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from cookiecutter.generate import generate_files

from silo_decl.specs.shipped import shipped


def templates(prefix: str) -> list[str]:
    """The names of the shipped templates that begin with `prefix`, without it."""
    folder = shipped("templates")
    return sorted(path.parent.name.removeprefix(prefix) for path in folder.glob(f"{prefix}*/cookiecutter.json"))


def render(template: str, values: Mapping[str, str], into: Path) -> Path:
    """Fill in a template below the folder `into`; gives the folder that was made."""
    folder = shipped("templates") / template
    defaults = json.loads((folder / "cookiecutter.json").read_text("utf-8"))
    context = {"cookiecutter": {**defaults, **values}}
    return Path(generate_files(str(folder), context=context, output_dir=str(into), accept_hooks=False))


def rendered(template: str, values: Mapping[str, str], scratch: Path) -> dict[str, bytes]:
    """Fill in a template in a scratch folder; gives the files by their path in it, with slashes."""
    made = render(template, values, scratch)
    files = sorted(path for path in made.rglob("*") if path.is_file())
    return {path.relative_to(made).as_posix(): path.read_bytes() for path in files}
