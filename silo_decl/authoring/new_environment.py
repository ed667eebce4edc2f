"""`silo new env`: a whole world from a template, in one step or not at all."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from silo_decl.authoring.files import new_folder
from silo_decl.authoring.naming import ENVIRONMENT
from silo_decl.authoring.rendering import render, templates
from silo_decl.errors import UsageError, choices, did_you_mean
from silo_decl.specs.shipped import shipped

SCHEMAS = ".schemas"
_SCHEMA_LINE = re.compile(rb"(?m)^(# yaml-language-server: \$schema=)\S*?([a-z]+\.schema\.json)\s*$")


def environment_templates() -> list[str]:
    """What `--template` takes."""
    return templates("env-")


def new_environment(name: str, template: str, parent: Path, title: str = "") -> Path:
    """Make the folder `parent/name` from a template; gives the folder.

    Raises UsageError for an unknown template and a name that is unsafe or taken, also in another case.
    """
    taken = [path.name for path in parent.iterdir()] if parent.is_dir() else []
    ENVIRONMENT.check(name, taken)
    known = environment_templates()
    if template not in known:
        raise UsageError(
            f"There is no template '{template}'.{did_you_mean(template, known)}", f"One of: {choices(known)}."
        )
    shown = " ".join(title.split()) or _title(name)
    values = {"name": name, "title": shown, "title_in_yaml": json.dumps(shown, ensure_ascii=False)}
    with new_folder(parent / name) as filling:
        made = render(f"env-{template}", values, filling)
        shutil.copytree(shipped("schemas"), made / SCHEMAS)
        for path in made.rglob("*.yaml"):
            _point_at_schema(path, made)
    return parent / name


def _point_at_schema(path: Path, root: Path) -> None:
    """An editor finds the copies that lie beside the world."""
    up = "../" * (len(path.relative_to(root).parts) - 1)
    text = path.read_bytes()
    path.write_bytes(_SCHEMA_LINE.sub(rb"\g<1>" + f"{up}{SCHEMAS}/".encode() + rb"\g<2>", text))


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()
