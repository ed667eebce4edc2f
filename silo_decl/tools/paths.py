"""Field paths: looking one up at load, and changing what one leads to."""

from __future__ import annotations

from typing import Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.meaning import arithmetic, is_money, kind_of, shown
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.source import At

Steps = tuple[str, ...]
Stored = dict[str, Any]


def steps_of(path: str) -> Steps:
    return tuple(path.split("."))


def looked_up(at: At, shape: Shape, path: str, problems: list[Problem]) -> Shape:
    """The shape at the path; a path that no record has is a problem at `at`."""
    _, found, findings = field_path(path, shape)
    for one in findings:
        problems.append(at.problem(one.code, one.message, one.fix, offset=one.offset, level=one.level))
    return found


# -- changing -----------------------------------------------------------------------------------------------


def set_at(stored: Stored, steps: Steps, value: Any) -> None:
    """Put a value at the end of the path; only its last step may be new. Raises ExpressionError otherwise."""
    _parent(stored, steps)[steps[-1]] = value


def unset_at(stored: Stored, steps: Steps, known: bool) -> None:
    """Make what the path leads to nothing: null for a `known` field, gone for the key of a map."""
    parent = _parent(stored, steps)
    if known:
        parent[steps[-1]] = None
    else:
        parent.pop(steps[-1], None)


def add_at(stored: Stored, steps: Steps, value: Any, known: bool) -> None:
    """Add a number to the number at the path. A `known` field that is nothing counts as 0; others must be there."""
    parent = _parent(stored, steps)
    present = _present(parent, steps, known)
    parent[steps[-1]] = _sum(0 if present is None else present, value, steps)


def append_at(stored: Stored, steps: Steps, value: Any, known: bool) -> None:
    """Put a value at the end of the list at the path. A `known` field that is nothing counts as empty."""
    parent = _parent(stored, steps)
    present = _present(parent, steps, known)
    if present is not None and not isinstance(present, list):
        raise ExpressionError(f"'{'.'.join(steps)}' is {kind_of(present)}, so nothing can be appended to it.")
    parent[steps[-1]] = [*(present or []), value]


def _parent(stored: Stored, steps: Steps) -> Stored:
    value: Any = stored
    for place, step in enumerate(steps[:-1]):
        value = value.get(step)
        if not isinstance(value, dict):
            path = ".".join(steps[: place + 1])
            raise ExpressionError(
                f"'{path}' is {kind_of(value)}, so '{'.'.join(steps)}' cannot be changed; "
                "only the last step of a path may be new."
            )
    return value  # type: ignore[no-any-return]


def _present(parent: Stored, steps: Steps, known: bool) -> Any:
    present = parent.get(steps[-1])
    if present is None and not known:
        raise ExpressionError(
            f"'{'.'.join(steps)}' is not there, and it is no declared field, so there is nothing to add to."
        )
    return present


def _sum(present: Any, value: Any, steps: Steps) -> Any:
    if is_money(present) and is_money(value):
        if present["currency"] != value["currency"]:
            raise ExpressionError(f"{shown(value)} cannot be added to {shown(present)}: the currencies differ.")
        return {"amount": _sum(present["amount"], value["amount"], steps), "currency": present["currency"]}
    for side in (present, value):
        if isinstance(side, bool) or not isinstance(side, (int, float)):
            raise ExpressionError(
                f"{shown(value)} cannot be added to '{'.'.join(steps)}': "
                f"{shown(side)} is {kind_of(side)}, not a number."
            )
    return arithmetic("+", present, value)
