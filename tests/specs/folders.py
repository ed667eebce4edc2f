"""Small environments for the tests of reading: a folder is written from texts and loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from silo_decl.errors import Problem
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.load import load_environment

EXAMPLES = Path(__file__).parent.parent / "examples"

ENVIRONMENT = """\
silo: 1
name: shop
now: "2026-04-01"
collections:
  things: {ids: "TH-{:02}"}
tools:
  - tools/things.yaml
"""
TOOLS = """\
collection: things
tools:
  - name: list_things
    description: List things.
    list:
"""
FILES = {
    "environment.yaml": ENVIRONMENT,
    "tools/things.yaml": TOOLS,
    "data/things.json": '[{"id": "TH-01", "name": "Lamp", "price": 25.5, "made": "2025-01-31"}]',
}


def written(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A folder with these files; the small shop where nothing else is said."""
    for name, content in {**FILES, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def loaded(root: Path, files: Mapping[str, str | bytes]) -> tuple[EnvironmentSpec | None, list[Problem]]:
    return load_environment(written(root, files))


def sound(root: Path, files: Mapping[str, str | bytes]) -> EnvironmentSpec:
    """The facts of a folder that has no problem."""
    spec, problems = loaded(root, files)
    assert [str(problem) for problem in problems] == []
    assert spec is not None
    return spec


def codes(root: Path, files: Mapping[str, str | bytes]) -> list[str]:
    return [problem.code for problem in loaded(root, files)[1]]
