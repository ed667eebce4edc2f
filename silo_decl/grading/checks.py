"""The kinds of check, one table: each builds a function from the outcome of a rollout to pass or fail with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.grading.answers import build_answer
from silo_decl.grading.changes import build_changes
from silo_decl.grading.draft import Draft
from silo_decl.grading.ends import Outcome
from silo_decl.grading.hooked import build_python
from silo_decl.grading.process import build_calls
from silo_decl.grading.states import build_query, build_that
from silo_decl.specs.task import (
    AnswerCheck,
    AnyOfCheck,
    CallsCheck,
    ChangesCheck,
    CheckSpec,
    PythonCheck,
    QueryCheck,
    ThatCheck,
)

Verdict = tuple[bool, str]
Check = Callable[[Outcome], Verdict]


def build_check(draft: Draft, spec: CheckSpec, instruction: str) -> Check:
    """One check of a task, ready to run. A check raises CheckError where its author made a mistake."""
    draft = draft.placed(spec.at)
    if isinstance(spec.body, AnswerCheck):
        return build_answer(draft.placed(spec.at.child("answer")), spec.body, instruction)
    if isinstance(spec.body, AnyOfCheck):
        return _any_of(draft, spec.body, instruction)
    return KINDS[type(spec.body)](draft, spec.body)


def _any_of(draft: Draft, body: AnyOfCheck, instruction: str) -> Check:
    """The checks of at least one group all pass."""
    groups = [[(one.label, build_check(draft, one, instruction)) for one in group] for group in body.groups]

    def check(outcome: Outcome) -> Verdict:
        reasons = []
        for group in groups:
            wrong = next(((label, said) for label, one in group for ok, said in [one(outcome)] if not ok), None)
            if wrong is None:
                return True, f"It ended as in: {', '.join(label for label, _ in group)}."
            reasons.append(f"{wrong[0]}: {wrong[1]}")
        return False, "No right end was reached. " + " / ".join(reasons)

    return check


KINDS: dict[type, Callable[[Draft, Any], Check]] = {
    QueryCheck: build_query,
    ThatCheck: build_that,
    ChangesCheck: build_changes,
    CallsCheck: build_calls,
    PythonCheck: build_python,
}
