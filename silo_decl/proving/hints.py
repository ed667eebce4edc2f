"""Which check could have caught a survivor: said from what it ended with and the solution did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from silo_decl.proving.bench import Bench, End
from silo_decl.proving.speech import ANSWER_BURIED, ANSWER_DENIED
from silo_decl.specs.task import AnswerCheck, AnyOfCheck, ChangesCheck, CheckSpec


def hint(bench: Bench, solution: End, end: End, kind: str) -> str:
    """One sentence."""
    if kind.startswith("answer-"):
        return _answer_hint(bench, kind)
    change = next(_differences(solution.diff, end.diff), None)
    if change is None:
        return "A check of the answer could catch it."
    collection, what, record, field = change
    if collection == "":
        return f"A check that reads final.{field} could catch it."
    if not _has_changes(bench.task.spec.checks):
        return f"A check 'changes' that names {collection} could catch it: what it does not name may not change."
    if what == "changed":
        return f"In 'changes', {collection} could say what {field} of {record} ends as, under 'to'."
    if what == "added" and field:
        return f"In 'changes', the group of {collection} with 'created' could say {field}, under 'to'."
    word = "created" if what == "added" else "deleted"
    return f"In 'changes', {collection} could say how many records are {word}."


def _answer_hint(bench: Bench, kind: str) -> str:
    forms = [one.form for one in _answers(bench.task.spec.checks)]
    if kind == ANSWER_BURIED and "mentions" in forms:
        return "'others: 0' under 'mentions' counts the other values of the same field; 'one_of' does so anyway."
    if kind == ANSWER_DENIED and forms:
        return "The check of the answer could read the value with 'number', 'date' or 'one_of'."
    if not forms:
        return "A check 'answer' could catch it."
    return "One more check 'answer' for this value could catch it; or leave it out of the solution's answer."


def _answers(checks: tuple[CheckSpec, ...]) -> Iterator[AnswerCheck]:
    for check in checks:
        if isinstance(check.body, AnswerCheck):
            yield check.body
        elif isinstance(check.body, AnyOfCheck):
            for group in check.body.groups:
                yield from _answers(group)


def _has_changes(checks: tuple[CheckSpec, ...]) -> bool:
    return any(
        isinstance(check.body, ChangesCheck)
        or (isinstance(check.body, AnyOfCheck) and any(_has_changes(group) for group in check.body.groups))
        for check in checks
    )


Difference = tuple[str, str, str, str]


def _differences(right: Mapping[str, Any], wrong: Mapping[str, Any]) -> Iterator[Difference]:
    """Where two ends differ: collection, kind of change, record, field."""
    for collection in {**right["collections"], **wrong["collections"]}:
        ours, theirs = right["collections"].get(collection, {}), wrong["collections"].get(collection, {})
        yield from _fields(collection, ours, theirs)
        yield from _added(collection, ours.get("added", []), theirs.get("added", []))
        if ours.get("removed", []) != theirs.get("removed", []):
            yield collection, "removed", "", ""
    for name in {**right["scalars"], **wrong["scalars"]}:
        if right["scalars"].get(name) != wrong["scalars"].get(name):
            yield "", "", "", name


def _fields(collection: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[Difference]:
    before = {one["id"]: one["fields"] for one in ours.get("changed", [])}
    after = {one["id"]: one["fields"] for one in theirs.get("changed", [])}
    for record in {**before, **after}:
        first, second = before.get(record, {}), after.get(record, {})
        for field in {**first, **second}:
            if first.get(field) != second.get(field):
                yield collection, "changed", record, field


def _added(collection: str, ours: list[Any], theirs: list[Any]) -> Iterator[Difference]:
    if len(ours) != len(theirs):
        yield collection, "added", "", ""
        return
    for one, other in zip(ours, theirs):
        for field in one:
            if one[field] != other.get(field):
                yield collection, "added", "", field
