"""Where an environment is: by its name or as a path."""

from __future__ import annotations

from pathlib import Path

from silo_decl.errors import UsageError, choices, did_you_mean
from silo_decl.specs.shipped import shipped

_LOCAL = "environments"
_FILE = "environment.yaml"


def find_environment(name_or_path: str) -> Path:
    """The folder of an environment: ./environments/NAME, else a path, else one that is shipped.

    Raises UsageError with the ones there are.
    """
    for candidate in (Path(_LOCAL) / name_or_path, Path(name_or_path), shipped("environments") / name_or_path):
        if name_or_path and (candidate / _FILE).is_file():
            return candidate
    path = Path(name_or_path)
    if path.name == _FILE and path.is_file():
        return path.parent
    raise UsageError(*_not_found(name_or_path))


def environments_here() -> list[Path]:
    """This folder where it is an environment, else every one under ./environments. Raises UsageError for none."""
    if Path(_FILE).is_file():
        return [Path()]
    roots = sorted(path.parent for path in Path(_LOCAL).glob(f"*/{_FILE}"))
    if not roots:
        raise UsageError(
            f"There is no environment here: neither ./{_FILE} nor ./{_LOCAL}/*/{_FILE}.", "Name one with --env."
        )
    return roots


def _not_found(name: str) -> tuple[str, str]:
    for folder in (Path(_LOCAL) / name, Path(name)):
        if name and (folder / _FILE).exists():
            return f"{(folder / _FILE).as_posix()} is not a file.", "Write the settings into a file of that name."
    if Path(name).is_dir() and name:
        return f"The folder '{name}' has no {_FILE}.", "Name a folder that has one."
    known = [one for one, _ in list_environments()]
    hint = f"Known here: {choices(known)}." if known else "Give the folder that holds its environment.yaml."
    return f"There is no environment '{name}'.{did_you_mean(name, known)}", hint


def list_environments() -> list[tuple[str, Path]]:
    """The environments that are found by name: those of ./environments, then those that are shipped."""
    found: dict[str, Path] = {}
    for folder in (Path(_LOCAL), shipped("environments")):
        for file in sorted(folder.glob(f"*/{_FILE}")):
            found.setdefault(file.parent.name, file.parent)
    return list(found.items())
