"""Small environments for the tests of worlds, and the plain copy of a world that each is compared with."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from silo_decl.engine.environment import Environment, check, load_folder
from silo_decl.errors import Problem
from silo_decl.world.store import World

HEAD = 'silo: 1\nname: small\nnow: "2026-04-01"\n'
TOOL = "collection: {name}\ntools:\n  - name: list_all\n    description: List them.\n    list:\n"

Data = Mapping[str, Any]


def write(root: Path, collections: str, data: Data, files: Mapping[str, str]) -> Path:
    first = next(iter(data))
    given = {"tools/all.yaml": TOOL.format(name=first), **files}
    tools = "tools:\n" + "".join(f"  - {name}\n" for name in given if name.startswith("tools/"))
    given["environment.yaml"] = HEAD + collections + tools
    for name, records in data.items():
        given[f"data/{name}.json"] = json.dumps(records)
    for name, text in given.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def loaded(collections: str, data: Data, files: Mapping[str, str] | None = None) -> Environment:
    """The environment of these collections, which has no problem."""
    with tempfile.TemporaryDirectory() as folder:
        return load_folder(write(Path(folder), collections, data, files or {}))


def problems(collections: str, data: Data, files: Mapping[str, str] | None = None) -> list[Problem]:
    """What is wrong with an environment of these collections."""
    with tempfile.TemporaryDirectory() as folder:
        return check(write(Path(folder), collections, data, files or {}))


def plain_world(world: World) -> dict[str, list[dict[str, Any]]]:
    """Every stored record of a world, in order, as a copy."""
    copied: dict[str, list[dict[str, Any]]] = json.loads(json.dumps(world.plain()))
    return copied


def ids(records: Sequence[Any]) -> list[str]:
    return [record.id for record in records]
