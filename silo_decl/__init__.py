"""Silo, declared: simulated worlds for AI agents from JSON facts and YAML.

The names offered here are the public ones; each is loaded when it is first used, so that a hook or an agent that
imports one of them stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from silo_decl.engine.environment import Environment, load
    from silo_decl.errors import Problem, ProblemsFound, RunStopped, SiloError, ToolError, UsageError
    from silo_decl.tools.call import ToolResult
    from silo_decl.world.store import World

_HOMES = {
    "Environment": "silo_decl.engine.environment",
    "Problem": "silo_decl.errors",
    "ProblemsFound": "silo_decl.errors",
    "RunStopped": "silo_decl.errors",
    "SiloError": "silo_decl.errors",
    "ToolError": "silo_decl.errors",
    "ToolResult": "silo_decl.tools.call",
    "UsageError": "silo_decl.errors",
    "World": "silo_decl.world.store",
    "load": "silo_decl.engine.environment",
}

__all__ = [
    "Environment",
    "Problem",
    "ProblemsFound",
    "RunStopped",
    "SiloError",
    "ToolError",
    "ToolResult",
    "UsageError",
    "World",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"silo_decl has no '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)
