"""Expressions that say where they stand when they cannot be worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.specs.source import At
from silo_decl.world.computed import ComputedError

Env = dict[str, Any]
Run = Callable[[Any, Env], Any]


class PlacedError(ExpressionError):
    """An expression that could not be worked out, with the place where it stands."""

    def __init__(self, at: At, message: str):
        self.at = at
        super().__init__(message)


def placed(at: At, run: Run) -> Run:
    """The same, saying where it stands when it cannot be worked out. A computed field says so itself."""

    def run_placed(element: Any, env: Env) -> Any:
        try:
            return run(element, env)
        except (PlacedError, ComputedError):
            raise
        except ExpressionError as wrong:
            raise PlacedError(at, str(wrong)) from wrong

    return run_placed
