"""What a builder of one kind of tool hands back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from silo_decl.world.store import World

Work = Callable[[World, dict[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Built:
    """The work of a tool on complete arguments, and the query that says the same where a query can.

    `work` gives plain JSON values that must not be changed, and raises ToolError where the tool refuses.
    `own` is the parameter whose record `work` looks up itself.
    """

    work: Work
    canonical: str | None = None
    own: str = ""
