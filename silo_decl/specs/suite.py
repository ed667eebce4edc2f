"""`suites/*.yaml`: named selections of tasks with limits and a pass bar, as frozen facts."""

from __future__ import annotations

from dataclasses import dataclass

from silo_decl.specs.source import At


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """`tasks` are selectors as written: an id, 'tag:…', 'difficulty:…' or 'family:…'. `selected` are the
    ids they stand for.

    `timeout_ms` is in milliseconds of a whole rollout. `pass_rate` is a share from 0 to 1, or None for no bar.
    """

    at: At
    name: str
    tasks: tuple[str, ...]
    selected: tuple[str, ...]
    title: str = ""
    description: str = ""
    runs: int = 1
    max_tool_calls: int | None = None
    timeout_ms: int | None = None
    pass_rate: float | None = None
    file: str = ""
