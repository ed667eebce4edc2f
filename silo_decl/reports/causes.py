"""Why a rollout probably failed: one sentence read off its trace, from the surest sign to the vaguest."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

REPEATS = 3
_OF_THE_WORLD = frozenset(("changes", "query", "that", "any_of"))


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as the trace tells it. It is not `answered` where the run was cut off in the middle of it."""

    name: str
    input: Any
    output: Any
    is_error: bool
    answered: bool = True

    @property
    def key(self) -> str:
        return f"{self.name} {json.dumps(self.input, sort_keys=True, default=str)}"


def likely_cause(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    """A sentence for a rollout that did not pass, or '' where nothing stands out."""
    if result.get("passed"):
        return ""
    for look in _SIGNS:
        found = look(result, calls, diff)
        if found:
            return found
    return ""


def _fault(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    fault = result.get("fault") or {}
    if fault.get("of") == "world":
        return f"The world's own rules broke, not the agent: {fault.get('where', '')}: {fault.get('message', '')}"
    if fault.get("of") == "machinery":
        return f"The machinery broke, so this says nothing about the agent: {fault.get('message', '')}"
    return ""


def _ended_early(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    reason = result.get("terminationReason")
    if reason in ("agent_error", "agent_crashed"):
        message = (result.get("fault") or {}).get("message", "")
        verb = "raised an error" if reason == "agent_error" else "died"
        return f"The agent {verb}{': ' + message if message else ''}. Its prints are in agent.log."
    repeated = _same_call(result, calls, diff)
    if reason == "max_tool_calls":
        return f"The limit of tool calls was reached. {repeated}".strip()
    if reason == "timeout":
        return f"The time was up. {repeated}".strip()
    return ""


def _no_call(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    return "" if calls else "The agent called no tool at all."


def _same_call(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    if not calls:
        return ""
    key, times = Counter(call.key for call in calls).most_common(1)[0]
    if times < REPEATS:
        return ""
    name = key.split(" ", 1)[0]
    return f"The same call of {name} with the same arguments was made {times} times."


def _unread_errors(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    longest, last = 0, ("", "")
    run = 0
    for call in calls:
        code = call.output.get("code", "") if call.is_error and isinstance(call.output, dict) else ""
        now = (call.name, code)
        run = run + 1 if code and now == last else 1 if code else 0
        last = now
        if run > longest:
            longest, worst = run, now
    if longest < REPEATS:
        return ""
    return f"The error '{worst[1]}' of {worst[0]} came {longest} times in a row; the agent did not act on it."


def _nothing_behind(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    changed = diff.get("collections") or diff.get("scalars")
    if result.get("output") and not changed and _world_is_not_as_asked(result):
        return "There is an answer with nothing behind it: nothing in the world changed."
    return ""


def _world_is_not_as_asked(result: Mapping[str, Any]) -> bool:
    return any(not check["passed"] and check.get("kind") in _OF_THE_WORLD for check in result.get("checks", ()))


def _last_refused(result: Mapping[str, Any], calls: Sequence[Call], diff: Mapping[str, Any]) -> str:
    if calls and calls[-1].is_error and isinstance(calls[-1].output, dict):
        return f"The last call, {calls[-1].name}, was refused: {calls[-1].output.get('message', '')}"
    return ""


_SIGNS: tuple[Callable[[Mapping[str, Any], Sequence[Call], Mapping[str, Any]], str], ...] = (
    _fault,
    _ended_early,
    _no_call,
    _unread_errors,
    _same_call,
    _nothing_behind,
    _last_refused,
)
