"""The story of one rollout in plain lines: calls with arguments and results, what changed, each check and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from silo_decl.reports.causes import Call, likely_cause

WIDTH = 160


def calls_of(trace: Sequence[Mapping[str, Any]]) -> list[Call]:
    """The tool calls of a trace, each with its result; a call without a result was cut off."""
    results = {event.get("callId"): event for event in trace if event.get("type") == "tool_result"}
    return [_call(event, results.get(event.get("callId"))) for event in trace if event.get("type") == "tool_call"]


def _call(event: Mapping[str, Any], result: Mapping[str, Any] | None) -> Call:
    found = result or {}
    error = bool(found.get("isError"))
    return Call(event.get("name", "?"), event.get("input"), found.get("output"), error, result is not None)


def story(
    run: Mapping[str, Any], trace: Sequence[Mapping[str, Any]], result: Mapping[str, Any], diff: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Pairs of a kind (title, heading, line, good, bad, hint) and a line of text."""
    calls = calls_of(trace)
    yield "title", f"{run.get('taskId', '?')} {_verdict(result)}"
    yield "line", _ended(run, result)
    yield "heading", f"Calls ({len(calls)})"
    for call in calls:
        yield from _call_lines(call)
    if not result:
        return
    yield "heading", "Answer"
    yield "line", _cut(result.get("output")) if result.get("output") else "none"
    yield "heading", "What changed"
    yield from (("line", text) for text in _changes(diff))
    yield "heading", "Checks"
    for check in result.get("checks", ()):
        yield from _check_lines(check)
    cause = likely_cause(result, calls, diff)
    if cause:
        yield "heading", "Likely cause"
        yield "hint", cause


def _verdict(result: Mapping[str, Any]) -> str:
    if not result:
        return "was not finished"
    verdict = "passed" if result.get("passed") else "failed"
    if (result.get("fault") or {}).get("of") in ("world", "machinery"):
        verdict = "broken"
    return f"{verdict}, reward {_number(result.get('reward', 0))}"


def _ended(run: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    named = [run.get("environment", ""), f"agent {run['agent']}" if run.get("agent") else ""]
    ended = f"ended: {result['terminationReason']}" if result else "cut off before its end"
    return ", ".join([*filter(None, named), ended])


def _call_lines(call: Call) -> Iterator[tuple[str, str]]:
    yield "line", f"{call.name} {_cut(call.input)}"
    if call.is_error and isinstance(call.output, dict):
        yield "bad", f"  refused: {call.output.get('message', _cut(call.output))} ({call.output.get('code')})"
    elif not call.answered:
        yield "bad", "  cut off before it was answered"
    else:
        yield "dim", f"  {_cut(call.output)}"


def _check_lines(check: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    kind = "good" if check["passed"] else "bad"
    mark = "pass" if check["passed"] else "FAIL"
    note = "" if check.get("required", True) else " (not required)"
    yield kind, f"{mark}  {check['label']}{note}"
    if check.get("detail"):
        yield "dim", f"      {check['detail']}"


def _changes(diff: Mapping[str, Any]) -> Iterator[str]:
    nothing = True
    for name, change in diff.get("scalars", {}).items():
        nothing = False
        yield f"{name}: {_cut(change['from'])} -> {_cut(change['to'])}"
    for collection, changes in diff.get("collections", {}).items():
        for record in changes.get("added", ()):
            nothing = False
            yield f"{collection} + {_cut(record)}"
        for record in changes.get("removed", ()):
            nothing = False
            yield f"{collection} - {_cut(record)}"
        for record in changes.get("changed", ()):
            nothing = False
            fields = ", ".join(f"{k}: {_cut(v['from'])} -> {_cut(v['to'])}" for k, v in record["fields"].items())
            yield f"{collection} {record['id']}: {fields}"
    if nothing:
        yield "nothing"


def _cut(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _number(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, (int, float)) else str(value)
