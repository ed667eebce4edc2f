"""Checks of the way: which tools were called, with what, how often and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from silo_decl.expressions.meaning import equals
from silo_decl.grading.draft import Draft
from silo_decl.grading.ends import Outcome
from silo_decl.grading.quoting import told
from silo_decl.specs.task import CallsCheck
from silo_decl.trace import CallFact

Verdict = tuple[bool, str]
Test = Callable[[Sequence[CallFact], Outcome], str]


def build_calls(draft: Draft, body: CallsCheck) -> Callable[[Outcome], Verdict]:
    """What judges the calls. A call that was refused counts for `never` and `at_most`, and has not happened."""
    at = draft.at.child("calls")
    tests = [_TESTS[word](draft.placed(at.child(word)), raw) for word, raw in body.settings.items()]

    def check(outcome: Outcome) -> Verdict:
        wrong = [said for test in tests if (said := test(outcome.calls, outcome))]
        return (False, f"{'; '.join(wrong)}.") if wrong else (True, _as_expected(len(outcome.calls)))

    return check


def _as_expected(count: int) -> str:
    return f"{_times(count, 'call')}, as expected."


def _times(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _listed(raw: Any) -> list[Any]:
    return raw if isinstance(raw, list) else [raw]


def _never(draft: Draft, raw: Any) -> Test:
    names = _listed(raw)

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        hits = [call.name for call in calls if any(fnmatchcase(call.name, name) for name in names)]
        return f"Expected no call of {', '.join(names)}; found {_times(len(hits), 'call')} of {hits[0]}" if hits else ""

    return test


def _happened(draft: Draft, raw: Any) -> Test:
    wanted = [(one if isinstance(one, dict) else {"tool": one}) for one in _listed(raw)]
    places = [draft.at.child(place) for place in range(len(wanted))] if isinstance(raw, list) else [draft.at]
    inputs = [draft.value(at.child("input"), one.get("input", {})) for at, one in zip(places, wanted)]

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        for one, truth in zip(wanted, inputs):
            given, least = truth.get(outcome), one.get("at_least", 1)
            same = [call for call in calls if fnmatchcase(call.name, one["tool"])]
            hits = [call for call in same if not call.is_error and _has(call, given)]
            if len(hits) < least:
                with_input = f" with {told(given)}" if given else ""
                found = f"found {len(hits)} ({_tried(same, given)})"
                return f"Expected {_times(least, 'call')} of {one['tool']}{with_input} that succeeded; {found}"
        return ""

    return test


def _tried(calls: Sequence[CallFact], given: dict[str, Any]) -> str:
    """What else there was of the tool."""
    refused = [call for call in calls if call.is_error and _has(call, given)]
    if refused:
        return f"{_times(len(refused), 'call')} refused"
    return f"called with {told(calls[-1].input)}" if calls and given else f"{_times(len(calls), 'call')} in all"


def _has(call: CallFact, given: dict[str, Any]) -> bool:
    if not isinstance(call.input, dict):
        return not given
    return all(name in call.input and equals(call.input[name], value) for name, value in given.items())


def _at_most(draft: Draft, raw: Any) -> Test:
    limits = raw if isinstance(raw, dict) else {"*": raw}

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        for name, limit in limits.items():
            count = sum(fnmatchcase(call.name, name) for call in calls)
            if count > limit:
                of = "" if name == "*" else f" of {name}"
                return f"Expected at most {_times(limit, 'call')}{of}; found {count}"
        return ""

    return test


def _before(draft: Draft, names: list[str]) -> Test:
    order = ", then ".join(names)

    def test(calls: Sequence[CallFact], outcome: Outcome) -> str:
        last = -1
        for name in names:
            hits = [at for at, call in enumerate(calls) if not call.is_error and fnmatchcase(call.name, name)]
            if not hits:
                return f"Expected {order}; {name} was never called with success"
            if hits[0] <= last:
                return f"Expected {order}; {name} came too early"
            last = hits[0]
        return ""

    return test


_TESTS: dict[str, Callable[[Draft, Any], Test]] = {
    "never": _never,
    "happened": _happened,
    "at_most": _at_most,
    "before": _before,
}
