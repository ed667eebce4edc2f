"""Checks of the state at the end: `query` with `expect`, and `that`, alone or `for_each` of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.findings_comparisons import Side, comparison_finding, literal_shape
from silo_decl.expressions.functions_texts import pattern_of
from silo_decl.expressions.meaning import equals, exact, is_money, shown, truth
from silo_decl.expressions.records import CollectionLike, plain
from silo_decl.expressions.shapes import ANY
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.grading.quoting import brief, told
from silo_decl.grading.reasons import Reason, build_reason
from silo_decl.specs.source import At
from silo_decl.specs.task import QueryCheck, ThatCheck
from silo_decl.tools.comparisons import TESTS

Verdict = tuple[bool, str]
Check = Callable[[Outcome], Verdict]

_SETTINGS = ("empty", "tolerance")
_OPERATORS = {"equals": "==", "at_least": ">=", "at_most": "<=", "above": ">", "below": "<"}


def build_query(draft: Draft, body: QueryCheck) -> Check:
    """What judges the result of a query."""
    query = draft.query(draft.at.child("query"), body.query)
    at = draft.at.child("expect")
    wanted = {word: draft.value(at.child(word), raw) for word, raw in body.expect.items() if word not in _SETTINGS}
    empty, tolerance, asked = body.expect.get("empty"), body.expect.get("tolerance", 0), brief(body.query)
    if not wanted and empty is None:
        draft.say(at, "empty-check", "This expects nothing.", f"Use one of: {', '.join([*TESTS, 'count', 'empty'])}.")
    for word, expected in wanted.items():
        _look_over(draft, query, word, expected, body.query)
    draft.must_look_at_the_rollout(query.at, query, *wanted.values())

    def check(outcome: Outcome) -> Verdict:
        value = query.get(outcome)
        if empty is not None:
            passed, said = _empty(query, value, empty, body.allow_empty, outcome)
            if not passed:
                return False, said
        for word, truth_ in wanted.items():
            expected = truth_.get(outcome)
            if not _meets(at.child(word), word, value, expected, tolerance):
                return False, f"{_expected(word, expected, tolerance)}; {asked} gives {_found(word, value)}."
        return True, f"{asked} gives {told(value)}, as expected."

    return check


def _look_over(draft: Draft, query: Truth, word: str, expected: Truth, text: str) -> None:
    """A pattern that cannot be read is a problem; a value that can never be met is worth a warning."""
    if not expected.made.constant:
        return
    value = expected.made.run(None, {})
    if word == "matches":
        try:
            pattern_of(value if isinstance(value, str) else "")
        except ExpressionError as wrong:
            draft.say(expected.at, "wrong-form", str(wrong), "Write a pattern of RE2: no look-around.")
    if word in _OPERATORS:
        left = Side(query.shape, text.strip(), named="What the query gives")
        right = Side(literal_shape(value), shown(value), 0, True, value)
        finding = comparison_finding(_OPERATORS[word], left, right)
        if finding is not None:
            draft.say(expected.at, finding.code, finding.message, finding.fix, "warning")


def _empty(query: Truth, value: Any, wanted: bool, allowed: bool, outcome: Outcome) -> Verdict:
    if (size(value) > 0) == wanted:
        return False, f"Expected {'nothing' if wanted else 'something'}; found {told(value)}."
    if wanted and not allowed and _was_empty(query, outcome):
        return False, "This was empty at the start too, so it shows nothing; say 'allow_empty: true' if that is right."
    return True, ""


def _was_empty(query: Truth, outcome: Outcome) -> bool:
    """Whether the query finds nothing in the first world either."""
    try:
        return size(query.get(outcome.at_start())) == 0
    except ExpressionError:
        return False


def size(value: Any) -> int:
    """How many there are in a list; of anything else whether it is there."""
    if isinstance(value, (list, tuple, CollectionLike, dict, str)):
        return len(value)
    return 0 if value is None or value is False else 1


def _meets(at: At, word: str, value: Any, expected: Any, tolerance: float) -> bool:
    if word == "count":
        return equals(_counted(at, value), expected)
    if word == "same_items":
        return _same_items(at, value, expected)
    if word in ("equals", "not_equals") and tolerance and _are_numbers(value, expected):
        near = abs(exact(_number(value)) - exact(_number(expected))) <= exact(tolerance)
        return near == (word == "equals")
    try:
        return TESTS[word].holds(value, expected)
    except ExpressionError as wrong:
        raise CheckError(at, str(wrong)) from wrong


def _counted(at: At, value: Any) -> int:
    if isinstance(value, (int, float, str)):
        raise CheckError(at, f"'count' counts the elements of a list, and the query gives {shown(value)}.")
    return size(value)


def _are_numbers(*values: Any) -> bool:
    return all(_number(value) is not None for value in values)


def _number(value: Any) -> Any:
    if is_money(value):
        value = value["amount"]
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _same_items(at: At, value: Any, expected: Any) -> bool:
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


def _expected(word: str, expected: Any, tolerance: float) -> str:
    if word == "count":
        return f"Expected {expected} of them"
    if word == "same_items":
        return f"Expected the same items as {told(expected)}"
    give = f" (give or take {tolerance})" if word == "equals" and tolerance else ""
    return f"Expected it to {TESTS[word].words} {told(expected)}{give}"


def _found(word: str, value: Any) -> str:
    return f"{size(value)}: {told(value)}" if word == "count" else told(value)


# -- conditions ---------------------------------------------------------------------------------------------


def build_that(draft: Draft, body: ThatCheck) -> Check:
    """What judges a condition."""
    at = draft.at.child("that")
    if not body.for_each:
        condition = draft.condition(at, body.that)
        reason = build_reason(body.that, draft.scope)
        draft.must_look_at_the_rollout(at, condition)
        return lambda outcome: _single(truth(condition.get(outcome)), body.that, reason, outcome)
    return _build_each(draft, body)


def _single(holds: bool, text: str, reason: Reason, outcome: Outcome) -> Verdict:
    if holds:
        return True, "It holds."
    return False, f"Expected {brief(text)}{_because(reason, outcome.env)}."


def _because(reason: Reason, env: Any) -> str:
    found = reason(env)
    return f"; found {found}" if found else ""


def _build_each(draft: Draft, body: ThatCheck) -> Check:
    items = draft.query(draft.at.child("for_each"), body.for_each)
    draft.wants(items, ("list", "collection"), "a list")
    inner = draft.naming(**{body.as_: items.shape.element if items.shape.kind in ("list", "collection") else ANY})
    condition = inner.condition(draft.at.child("that"), body.that)
    reason = build_reason(body.that, inner.scope)
    if inner.is_steady(body.that, body.as_):
        draft.must_look_at_the_rollout(condition.at, items)

    def check(outcome: Outcome) -> Verdict:
        found = items.get(outcome)
        if found is not None and not isinstance(found, (list, tuple, CollectionLike)):
            raise CheckError(items.at, f"This gives {shown(found)}, not a list.")
        listed = [(one, outcome.naming(**{body.as_: one})) for one in found or ()]
        if not listed:
            return body.allow_empty, "There was nothing to look at, so nothing is shown."
        failed = [(one, env) for one, env in listed if not truth(condition.get(outcome, env))]
        if not failed:
            return True, f"It holds for all {len(listed)}."
        those, first = told([one for one, _ in failed]), _because(reason, failed[0][1])
        said = f"Expected {brief(body.that)} for all {len(listed)}; it does not hold for {len(failed)} of {len(listed)}"
        return False, f"{said}: {those}{first}."

    return check
