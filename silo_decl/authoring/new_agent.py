"""`silo new agent`: one file to start from, copied as it is."""

from __future__ import annotations

from pathlib import Path

from silo_decl.authoring.files import write_bytes
from silo_decl.errors import UsageError, choices, did_you_mean
from silo_decl.specs.shipped import shipped

STYLES = ("loop", "openai", "anthropic")
_ENDINGS = {".py": ".py", ".mjs": ".mjs", ".js": ".mjs", ".ts": ".mjs"}


def new_agent(path: Path, style: str) -> Path:
    """Write an agent of this style; gives the file, which gets the ending '.py' where it has none.

    Raises UsageError for an unknown style or ending, and where the file is there.
    """
    if style not in STYLES:
        raise UsageError(f"There is no style '{style}'.{did_you_mean(style, STYLES)}", f"One of: {choices(STYLES)}.")
    target = path if path.suffix else path.with_suffix(".py")
    source = shipped("templates") / "agents" / f"{style}{_ENDINGS.get(target.suffix, target.suffix)}"
    if not source.is_file():
        there = sorted(one.name for one in source.parent.iterdir() if one.is_file())
        raise UsageError(f"There is no agent in the style '{style}' for a file like '{target.name}'.", choices(there))
    siblings = [one.name for one in target.parent.iterdir()] if target.parent.is_dir() else []
    if target.name.casefold() in (one.casefold() for one in siblings):
        raise UsageError(f"'{target}' is there already; nothing was written.", f"Use '{_free(target, siblings)}'.")
    write_bytes(target, source.read_bytes())
    return target


def _free(target: Path, siblings: list[str]) -> str:
    used = {one.casefold() for one in siblings}
    number = 2
    while f"{target.stem}_{number}{target.suffix}".casefold() in used:
        number += 1
    return str(target.with_name(f"{target.stem}_{number}{target.suffix}"))
