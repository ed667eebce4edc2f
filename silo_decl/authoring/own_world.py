"""The world that an author works on: found by name, read, and the author's own to change."""

from __future__ import annotations

from pathlib import Path

from silo_decl.errors import ProblemsFound, UsageError
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.find import find_environment
from silo_decl.specs.load import load_environment
from silo_decl.specs.shipped import shipped


def own_world(name: str) -> EnvironmentSpec:
    """What the files of an environment say. Raises ProblemsFound where environment.yaml cannot be used.

    Raises UsageError for one that ships with silo, unless it lies under the working directory.
    """
    root = find_environment(name)
    if root.resolve().is_relative_to(shipped("environments").resolve()) and not _here(root):
        fix = f"Make one of your own: silo new env my-{root.name} --template crm"
        raise UsageError(f"'{name}' ships with silo and is not to be changed.", fix)
    spec, problems = load_environment(root)
    if spec is None:
        raise ProblemsFound([problem for problem in problems if problem.level == "error"])
    return spec


def _here(root: Path) -> bool:
    return root.resolve().is_relative_to(Path("environments").resolve())
