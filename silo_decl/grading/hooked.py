"""`python` checks: a function of the hooks looks at the ends, the answer and the calls, and says yes, no or why."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from silo_decl.errors import SiloError
from silo_decl.expressions.meaning import shown
from silo_decl.grading.draft import CheckError, Draft
from silo_decl.grading.ends import Outcome
from silo_decl.specs.task import PythonCheck
from silo_decl.tools.hooks import Hook, HookError

Verdict = tuple[bool, str]

_TAKES = ("initial", "final", "output", "calls")
_FIX = f"Write it as: def look({', '.join(_TAKES)}):"


def build_python(draft: Draft, body: PythonCheck) -> Callable[[Outcome], Verdict]:
    """What asks the hook. It gets `(initial, final, output, calls)`, or all of them as one object where it takes one.

    It gives true or false, the reason why it fails (an empty text: it passes), or `{passed, detail}`. What it does to
    a world is its mistake, and so the world's fault.
    """
    at = draft.at.child("python")
    hook = draft.toolbox.hooks.hook(body.hook, at, draft.problems)
    count = 0 if hook is None else _taken(hook)
    if hook is not None and not count:
        said = f"The function of {body.hook} cannot be called with {len(_TAKES)} arguments."
        draft.say(at, "wrong-hook", said, _FIX)

    def check(outcome: Outcome) -> Verdict:
        if hook is None or not count:
            raise CheckError(at, f"The hook {body.hook} cannot be used.")
        try:
            with outcome.initial.reading(), outcome.final.reading():
                found = hook.run(*_given(outcome, count))
        except HookError as wrong:
            raise CheckError(at, str(wrong), wrong.trace, wrong.place) from wrong
        except SiloError as wrong:
            raise CheckError(at, f"{body.hook}: {wrong}", "", f"hook {body.hook}") from wrong
        return _verdict(draft, body.hook, found)

    return check


def _taken(hook: Hook) -> int:
    """How many arguments the hook is called with: four, or one; 0 where it takes neither."""
    try:
        signature = inspect.signature(hook.function)
    except (TypeError, ValueError):
        return len(_TAKES)
    for count in (len(_TAKES), 1):
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count
    return 0


def _given(outcome: Outcome, count: int) -> tuple[Any, ...]:
    calls = [
        SimpleNamespace(name=one.name, input=one.input, output=one.output, is_error=one.is_error)
        for one in outcome.calls
    ]
    given = (outcome.initial, outcome.final, outcome.output, calls)
    return given if count == len(_TAKES) else (SimpleNamespace(**dict(zip(_TAKES, given))),)


def _verdict(draft: Draft, name: str, found: Any) -> Verdict:
    if isinstance(found, bool):
        return found, f"{name} says {'yes' if found else 'no'}."
    if isinstance(found, str):
        return not found, found or f"{name} says yes."
    if isinstance(found, Mapping) and isinstance(found.get("passed"), bool):
        return found["passed"], str(found.get("detail") or f"{name} says {'yes' if found['passed'] else 'no'}.")
    wrong = f"{name} gave {shown(found) if found is not None else 'nothing'}"
    fix = "it must give true, false, or the reason why it fails"
    raise CheckError(draft.at.child("python"), f"{wrong}; {fix}.", "", f"hook {name}")
