"""The kinds of check, one table: each builds a function from the outcome of a rollout to pass or fail with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from types import SimpleNamespace
from typing import Any

from silo_decl.errors import ExpressionError, SiloError
from silo_decl.expressions.meaning import equals, exact, is_money, shown, truth
from silo_decl.expressions.records import CollectionLike, plain
from silo_decl.expressions.shapes import ANY
from silo_decl.grading.answers import build_answer
from silo_decl.grading.changes import build_changes
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
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
from silo_decl.tools.comparisons import TESTS
from silo_decl.tools.hooks import HookError
from silo_decl.trace import CallFact

Verdict = tuple[bool, str]
Check = Callable[[Outcome], Verdict]

_SHOWN = 3


def build_check(draft: Draft, spec: CheckSpec, instruction: str) -> Check:
    """One check of a task, ready to run."""
    draft = draft.placed(spec.at)
    body = spec.body
    if isinstance(body, AnswerCheck):
        return build_answer(draft.placed(spec.at.child("answer")), body, instruction)
    if isinstance(body, AnyOfCheck):
        return _any_of(draft, body, instruction)
    return _KINDS[type(body)](draft, body)


# -- state --------------------------------------------------------------------------------------------------


def _query(draft: Draft, body: QueryCheck) -> Check:
    query = draft.query(draft.at.child("query"), body.query)
    at = draft.at.child("expect")
    wanted = {
        word: draft.value(at.child(word), raw)
        for word, raw in body.expect.items()
        if word not in ("empty", "tolerance")
    }
    empty = body.expect.get("empty")
    tolerance = body.expect.get("tolerance", 0)
    if not wanted and empty is None:
        draft.say(at, "empty-check", "This expects nothing.", f"Use one of: {', '.join([*TESTS, 'count', 'empty'])}.")

    def check(outcome: Outcome) -> Verdict:
        value = query.get(outcome)
        if empty is not None:
            passed, told = _empty(query, value, empty, body.allow_empty, outcome)
            if not passed:
                return False, told
        for word, truth_ in wanted.items():
            expected = truth_.get(outcome)
            if not _meets(at.child(word), word, value, expected, tolerance):
                return False, f"{_expected(word, expected)}; found {_told(value)}."
        return True, f"Found {_told(value)}."

    return check


def _empty(query: Truth, value: Any, wanted: bool, allowed: bool, outcome: Outcome) -> Verdict:
    found = _size(value) > 0
    if found == wanted:
        return False, f"Expected {'nothing' if wanted else 'something'}; found {_told(value)}."
    if wanted and not allowed and _was_empty(query, outcome):
        return False, "This was empty at the start too, so it shows nothing; say 'allow_empty: true' if that is right."
    return True, ""


def _was_empty(query: Truth, outcome: Outcome) -> bool:
    """Whether the query finds nothing in the first world either."""
    first = Outcome(outcome.initial, outcome.initial, outcome.output, (), {"collections": {}, "scalars": {}})
    env = {**outcome.env, **first.env}
    try:
        return _size(query.made.run(first.root, env)) == 0
    except ExpressionError:
        return False


def _size(value: Any) -> int:
    if isinstance(value, (list, tuple, CollectionLike, dict, str)):
        return len(value)
    return 0 if value is None or value is False else 1


def _meets(at: Any, word: str, value: Any, expected: Any, tolerance: float) -> bool:
    if word == "count":
        return bool(_size(value) == expected)
    if word == "same_items":
        return _same_items(at, value, expected)
    if word == "equals" and tolerance and _numeric(value) is not None and _numeric(expected) is not None:
        return bool(abs(exact(_numeric(value)) - exact(_numeric(expected))) <= exact(tolerance))  # type: ignore[arg-type]
    try:
        return TESTS[word].holds(value, expected)
    except ExpressionError as wrong:
        raise CheckError(at, str(wrong)) from wrong


def _numeric(value: Any) -> int | float | None:
    if is_money(value):
        value = value["amount"]
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _same_items(at: Any, value: Any, expected: Any) -> bool:
    one, other = plain(value), plain(expected)
    if not isinstance(one, list) or not isinstance(other, list):
        raise CheckError(at, f"'same_items' compares lists, not {shown(one)} with {shown(other)}.")
    left = list(other)
    for item in one:
        hit = next((place for place, candidate in enumerate(left) if equals(item, candidate)), None)
        if hit is None:
            return False
        del left[hit]
    return not left


def _expected(word: str, expected: Any) -> str:
    if word == "count":
        return f"Expected {expected} of them"
    if word == "same_items":
        return f"Expected the same items as {_told(expected)}"
    return f"Expected it to {TESTS[word].words} {_told(expected)}"


def _told(value: Any) -> str:
    """A value as a reason quotes it; of long lists how many and the first."""
    value = plain(value)
    if isinstance(value, list) and len(value) > _SHOWN:
        return f"{len(value)} items, first {', '.join(shown(_id_of(one)) for one in value[:_SHOWN])}"
    if isinstance(value, (list, dict)):
        text = json.dumps([_id_of(one) for one in value] if isinstance(value, list) else value, ensure_ascii=False)
        return text if len(text) <= 200 else text[:199] + "…"
    return shown(value, 200)


def _id_of(value: Any) -> Any:
    return value["id"] if isinstance(value, dict) and "id" in value else value


def _that(draft: Draft, body: ThatCheck) -> Check:
    if not body.for_each:
        condition = draft.condition(draft.at.child("that"), body.that)
        return lambda outcome: _single(body.that, truth(condition.get(outcome)))
    items = draft.query(draft.at.child("for_each"), body.for_each)
    shape = items.shape.element if items.shape.kind in ("list", "collection") else ANY
    condition = draft.naming(**{body.as_: shape}).condition(draft.at.child("that"), body.that)

    def check(outcome: Outcome) -> Verdict:
        found = items.get(outcome)
        if found is not None and not isinstance(found, (list, tuple, CollectionLike)):
            raise CheckError(items.at, f"This gives {shown(found)}, not a list.")
        listed = list(found or ())
        if not listed:
            return body.allow_empty, "There was nothing to look at, so nothing is shown."
        failed = [one for one in listed if not truth(condition.get(outcome, outcome.naming(**{body.as_: one})))]
        if failed:
            return False, f"It does not hold for {len(failed)} of {len(listed)}: {_told(failed)}."
        return True, f"It holds for all {len(listed)}."

    return check


def _single(text: str, holds: bool) -> Verdict:
    return holds, "It holds." if holds else f"It does not hold: {text}"


# -- process ------------------------------------------------------------------------------------------------


def _calls(draft: Draft, body: CallsCheck) -> Check:
    settings = body.settings
    tests: list[Callable[[Sequence[CallFact], Outcome], str]] = []
    for word, build in _PROCESS.items():
        if word in settings:
            tests.append(build(draft.placed(draft.at.child("calls", word)), settings[word]))

    def check(outcome: Outcome) -> Verdict:
        wrong = [told for test in tests if (told := test(outcome.calls, outcome))]
        return (False, "; ".join(wrong)) if wrong else (True, f"{len(outcome.calls)} calls, as they should be.")

    return check


def _listed(raw: Any) -> list[Any]:
    return raw if isinstance(raw, list) else [raw]


def _never(draft: Draft, raw: Any) -> Callable[[Sequence[CallFact], Outcome], str]:
    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        hit = next((call.name for call in calls for name in _listed(raw) if fnmatchcase(call.name, name)), None)
        return f"{hit} was called" if hit else ""

    return test


def _happened(draft: Draft, raw: Any) -> Callable[[Sequence[CallFact], Outcome], str]:
    wanted = [(one if isinstance(one, dict) else {"tool": one}) for one in _listed(raw)]
    inputs = [draft.value(draft.at, one.get("input", {})) for one in wanted]

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        for one, truth_ in zip(wanted, inputs):
            given = truth_.get(outcome)
            hits = [call for call in calls if not call.is_error and _is_call(call, one["tool"], given)]
            if len(hits) < one.get("at_least", 1):
                with_input = f" with {_told(given)}" if given else ""
                return f"{one['tool']} was called with success {len(hits)} times{with_input}"
        return ""

    return test


def _is_call(call: CallFact, name: str, given: dict[str, Any]) -> bool:
    if not fnmatchcase(call.name, name):
        return False
    return isinstance(call.input, dict) and all(equals(call.input.get(key), value) for key, value in given.items())


def _at_most(draft: Draft, raw: Any) -> Callable[[Sequence[CallFact], Outcome], str]:
    limits = raw if isinstance(raw, dict) else {"*": raw}

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        for name, limit in limits.items():
            count = sum(fnmatchcase(call.name, name) for call in calls)
            if count > limit:
                return f"{count} calls of {'all tools' if name == '*' else name}, at most {limit} may be"
        return ""

    return test


def _before(draft: Draft, raw: Any) -> Callable[[Sequence[CallFact], Outcome], str]:
    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        places = []
        for name in raw:
            hit = next(
                (at for at, call in enumerate(calls) if not call.is_error and fnmatchcase(call.name, name)), None
            )
            if hit is None:
                return f"{name} was never called with success"
            places.append(hit)
        ordered = places == sorted(set(places))
        return "" if ordered else f"the order was not {', then '.join(raw)}"

    return test


_PROCESS = {"never": _never, "happened": _happened, "at_most": _at_most, "before": _before}


# -- together and the rest ----------------------------------------------------------------------------------


def _any_of(draft: Draft, body: AnyOfCheck, instruction: str) -> Check:
    groups = [[(one.label, build_check(draft, one, instruction)) for one in group] for group in body.groups]

    def check(outcome: Outcome) -> Verdict:
        reasons = []
        for group in groups:
            wrong = next(((label, told) for label, one in group for ok, told in [one(outcome)] if not ok), None)
            if wrong is None:
                return True, f"It ended as in: {', '.join(label for label, _ in group)}."
            reasons.append(f"{wrong[0]}: {wrong[1]}")
        return False, "No right end was reached. " + " / ".join(reasons)

    return check


def _python(draft: Draft, body: PythonCheck) -> Check:
    hook = draft.toolbox.hooks.hook(body.hook, draft.at.child("python"), draft.problems)

    def check(outcome: Outcome) -> Verdict:
        if hook is None:
            raise CheckError(draft.at, f"The hook {body.hook} cannot be used.")
        facts = [
            SimpleNamespace(name=one.name, input=one.input, output=one.output, is_error=one.is_error)
            for one in outcome.calls
        ]
        grading = SimpleNamespace(initial=outcome.initial, final=outcome.final, output=outcome.output, calls=facts)
        try:
            with outcome.initial.reading(), outcome.final.reading():
                found = hook.run(grading)
        except HookError as wrong:
            raise CheckError(draft.at, str(wrong), wrong.trace, wrong.place) from wrong
        except SiloError as wrong:
            raise CheckError(draft.at, f"{body.hook}: {wrong}") from wrong
        if isinstance(found, bool):
            return found, "It says so." if found else f"{body.hook} says no."
        if isinstance(found, str):
            return not found, found or "It says so."
        raise CheckError(draft.at, f"{body.hook} gave {shown(found)}; it must give true, false or the reason it fails.")

    return check


_KINDS: dict[type, Callable[[Draft, Any], Check]] = {
    QueryCheck: _query,
    ThatCheck: _that,
    ChangesCheck: build_changes,
    CallsCheck: _calls,
    PythonCheck: _python,
}
