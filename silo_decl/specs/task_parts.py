"""From the data of task and suite files to their frozen facts; shorthands are spelt out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from silo_decl.specs.source import At
from silo_decl.specs.suite import SuiteSpec
from silo_decl.specs.task import (
    ANSWER_FORMS,
    AnswerCheck,
    AnswerStep,
    AnyOfCheck,
    CallsCheck,
    CallStep,
    ChangeGroupSpec,
    ChangesCheck,
    CheckBody,
    CheckSpec,
    EachStep,
    GivenSpec,
    PythonCheck,
    QueryCheck,
    StepSpec,
    TaskSpec,
    ThatCheck,
)

Raw = Mapping[str, Any]


def parse_task(at: At, raw: Raw, instruction: str, file: str) -> TaskSpec:
    """One task; `instruction` is the text of `instruction` or of its file."""
    given = at.child("given")
    return TaskSpec(
        at,
        raw["id"],
        raw.get("title", raw["id"]),
        instruction,
        raw.get("difficulty", ""),
        tuple(raw.get("tags", ())),
        raw.get("acting_as", ""),
        tuple(GivenSpec(given.child(name), name, query) for name, query in raw.get("given", {}).items()),
        _checks(at.child("checks"), raw["checks"]),
        _steps(at.child("solution"), raw.get("solution", ())),
        file,
    )


def _checks(at: At, raw: list[Raw]) -> tuple[CheckSpec, ...]:
    return tuple(_check(at.child(place), one) for place, one in enumerate(raw))


def _check(at: At, raw: Raw) -> CheckSpec:
    form = next(one for one in _CHECKS if one in raw)
    body = _CHECKS[form](at, raw)
    return CheckSpec(at, raw.get("label") or _label(form, raw), body, raw.get("required", True), raw.get("weight", 1.0))


def _label(form: str, raw: Raw) -> str:
    """What a check without a label is called in the result: what it looks at."""
    value = raw[form]
    if form in ("query", "that", "python"):
        return str(value)
    if form == "changes":
        return "Nothing changes" if value == "nothing" else f"Changes of {', '.join(value)}"
    if form == "answer":
        return f"The answer: {next(one for one in ANSWER_FORMS if one in value)}"
    return "One of several ends" if form == "any_of" else f"Calls: {', '.join(value)}"


def _query_check(at: At, raw: Raw) -> QueryCheck:
    return QueryCheck(raw["query"], raw["expect"], raw.get("allow_empty", False))


def _that_check(at: At, raw: Raw) -> ThatCheck:
    return ThatCheck(raw["that"], raw.get("for_each", ""), raw.get("as", ""), raw.get("allow_empty", False))


def _changes_check(at: At, raw: Raw) -> ChangesCheck:
    changes = raw["changes"]
    if changes == "nothing":
        return ChangesCheck(nothing=True)
    at = at.child("changes")
    return ChangesCheck(collections={name: _groups(at.child(name), groups) for name, groups in changes.items()})


def _groups(at: At, raw: Any) -> tuple[ChangeGroupSpec, ...]:
    if isinstance(raw, list):
        return tuple(_group(at.child(place), one) for place, one in enumerate(raw))
    return (_group(at, raw),)


def _group(at: At, raw: Raw) -> ChangeGroupSpec:
    return ChangeGroupSpec(
        at,
        raw.get("records"),
        raw.get("created"),
        raw.get("deleted"),
        raw.get("where", ""),
        raw.get("to", {}),
        tuple(raw.get("may", ())),
    )


def _answer_check(at: At, raw: Raw) -> AnswerCheck:
    settings = raw["answer"]
    return AnswerCheck(next(one for one in ANSWER_FORMS if one in settings), settings)


def _any_of_check(at: At, raw: Raw) -> AnyOfCheck:
    at = at.child("any_of")
    return AnyOfCheck(tuple(_checks(at.child(place), group) for place, group in enumerate(raw["any_of"])))


_CHECKS: dict[str, Callable[[At, Raw], CheckBody]] = {
    "query": _query_check,
    "that": _that_check,
    "changes": _changes_check,
    "answer": _answer_check,
    "calls": lambda at, raw: CallsCheck(raw["calls"]),
    "any_of": _any_of_check,
    "python": lambda at, raw: PythonCheck(raw["python"]),
}


def _steps(at: At, raw: Any) -> tuple[StepSpec, ...]:
    return tuple(_step(at.child(place), one) for place, one in enumerate(raw))


def _step(at: At, raw: Raw) -> StepSpec:
    if "call" in raw:
        return CallStep(at, raw["call"], raw.get("input") or {}, raw.get("save", ""))
    if "for_each" in raw:
        return EachStep(at, raw["for_each"], raw["as"], _steps(at.child("do"), raw["do"]))
    return AnswerStep(at, raw["answer"])


def parse_suite(at: At, raw: Raw, selected: tuple[str, ...], file: str) -> SuiteSpec:
    """One suite; `selected` are the ids of the tasks it stands for."""
    limits, bar = raw.get("limits", {}), raw.get("pass_bar", {})
    return SuiteSpec(
        at,
        raw["name"],
        tuple(raw["tasks"]),
        selected,
        raw.get("title", ""),
        raw.get("description", ""),
        raw.get("runs", 1),
        limits.get("max_tool_calls"),
        limits.get("timeout_ms"),
        bar.get("pass_rate"),
        file,
    )
