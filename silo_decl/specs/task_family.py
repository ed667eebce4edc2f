"""A family of tasks: one file from which many tasks are made, as frozen facts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import Problem
from silo_decl.specs.environment_parts import is_expression
from silo_decl.specs.source import At
from silo_decl.specs.task import TaskSpec

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """A value that members differ in: a member for `each` of the choices, or one of them drawn with `seed`.

    `choices` is a query or a list of values.
    """

    at: At
    name: str
    choices: Any
    each: bool
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FamilySpec:
    """`task` is what all members have in common, its texts and values as written; `for_each` gives what each is about.

    `text_at` is the place of the instruction. `pick` is how many are drawn with `seed`, `limit` how many of the first
    are kept; 0 means all.
    """

    at: At
    id: str
    task: TaskSpec
    text_at: At
    for_each: str
    as_: str
    parameters: tuple[ParameterSpec, ...] = ()
    when: str = ""
    distinct: str = ""
    pick: int = 0
    seed: int = 0
    limit: int = 0


def parse_family(task: TaskSpec, text_at: At, raw: Mapping[str, Any]) -> FamilySpec:
    """The family that a task file with `for_each` is; `task` is the file read as a task."""
    at = task.at.child("parameters")
    parameters = tuple(_parameter(at.child(name), name, one) for name, one in raw.get("parameters", {}).items())
    pick = raw.get("pick", {})
    return FamilySpec(
        task.at,
        family_id(raw),
        task,
        text_at,
        raw["for_each"],
        raw["as"],
        parameters,
        raw.get("when", ""),
        raw.get("distinct", ""),
        pick.get("count", 0),
        pick.get("seed", 0),
        raw.get("limit", 0),
    )


def _parameter(at: At, name: str, raw: Mapping[str, Any]) -> ParameterSpec:
    each = "each_of" in raw
    return ParameterSpec(at, name, raw["each_of" if each else "one_of"], each, raw.get("seed", 0))


def family_id(raw: Mapping[str, Any]) -> str:
    """The name of a family: what it says, or what its members' ids begin with; '' where they differ from the start."""
    written = raw.get("family")
    if isinstance(written, str):
        return written
    return cleaned(str(raw.get("id", "")).partition("{{")[0])


def cleaned(text: str) -> str:
    """The text as a name: accents go, other signs than letters, digits, '.', '_' and '-' become one '-', none at its
    ends."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return re.sub(r"-{2,}", "-", _NOT_IN_NAMES.sub("-", plain)).strip("-.")


def only_in_families(at: At, raw: Mapping[str, Any], problems: list[Problem]) -> None:
    """Expressions in a task that is no family: nothing would work them out."""
    for key in ("id", "title", "instruction", "acting_as", "difficulty"):
        written = raw.get(key)
        if not isinstance(written, str) or not _worked_out(key, written):
            continue
        what = "'{{ }}'" if "{{" in written else "an expression"
        problems.append(
            at.child(key).problem(
                "unfilled-text",
                f"'{key}' holds {what}, but only a family of tasks works it out.",
                "Write what it stands for, or make this a family with 'for_each:' and 'as:'.",
            )
        )


def _worked_out(key: str, written: str) -> bool:
    return "{{" in written or (key in ("acting_as", "difficulty") and is_expression(written))
