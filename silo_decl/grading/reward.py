"""One reward with its explanation: passed, the weighted share of checks, and what each check said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from silo_decl.tools.call import Fault

DIGITS = 6


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found; `detail` says in plain words what was expected, what was found and where."""

    label: str
    passed: bool
    required: bool
    weight: float
    detail: str


@dataclass(frozen=True, slots=True)
class Grade:
    """`passed` when every required check passed; `share` is the weighted share of checks passed, from 0 to 1.

    `reward` is the share when passed, else 0. `fault` is the world's where a check could not be worked out.
    """

    passed: bool
    share: float
    reward: float
    checks: tuple[CheckResult, ...]
    fault: Fault | None = None


def grade_of(checks: Sequence[CheckResult], fault: Fault | None) -> Grade:
    """The grade that the results of the checks make. Without a check nothing passes."""
    passed = bool(checks) and all(check.passed for check in checks if check.required)
    total = sum(check.weight for check in checks)
    reached = sum(check.weight for check in checks if check.passed)
    share = round(reached / total, DIGITS) if total > 0 else 0.0
    return Grade(passed, share, share if passed else 0.0, tuple(checks), fault)
