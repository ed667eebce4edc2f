"""`changes`: what must, may and may not differ between the two ends. What is not named may not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from silo_decl.expressions.meaning import shown
from silo_decl.grading.change_groups import Group, build_group, differing, end_faults, ids_of
from silo_decl.grading.draft import Draft
from silo_decl.grading.ends import Outcome
from silo_decl.grading.quoting import brief
from silo_decl.grading.shares import shared_out
from silo_decl.specs.task import ChangesCheck
from silo_decl.world.store import World

Verdict = tuple[bool, str]
Groups = Sequence[Group]

_SHOWN = 4
_NONE: dict[str, list[Any]] = {"added": [], "removed": [], "changed": []}


def build_changes(draft: Draft, body: ChangesCheck) -> Callable[[Outcome], Verdict]:
    """What judges the differences. The audit's collection and the counters of ids are outside unless named."""
    named = {
        name: [build_group(draft, name, one) for one in groups]
        for name, groups in body.collections.items()
        if name in draft.base.shapes
    }
    if not named and not body.nothing and not body.collections:
        draft.say(draft.at.child("changes"), "empty-check", "This names no change.", "Write 'changes: nothing'.")
    audit = draft.base.spec.audit
    outside = {audit.collection} - set(named) if audit is not None else set()
    keys = {name: frozen.key for name, frozen in draft.base.collections.items()}

    def check(outcome: Outcome) -> Verdict:
        wrong: list[str] = []
        for name, found in outcome.diff["collections"].items():
            if name not in outside and name not in named:
                wrong += _unexpected(name, keys[name], found)
        for name, moved in outcome.diff["scalars"].items():
            wrong.append(f"{name} moved from {moved['from']} to {moved['to']}")
        for name, groups in named.items():
            wrong += _judged(name, keys[name], groups, outcome)
        return (False, _together(wrong)) if wrong else (True, _as_expected(body, outcome, outside))

    return check


def _together(wrong: list[str]) -> str:
    more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
    return "; ".join(wrong[:_SHOWN]) + more + "."


def _as_expected(body: ChangesCheck, outcome: Outcome, outside: set[str]) -> str:
    if body.nothing:
        return "Nothing changed, as expected."
    counted = {name: found for name, found in outcome.diff["collections"].items() if name not in outside}
    told = [_records(sum(map(len, found.values())), name) for name, found in counted.items()]
    return f"Only what should change did: {', '.join(told)}." if told else "Nothing changed, and nothing had to."


def _unexpected(name: str, key: str, found: Mapping[str, Any]) -> list[str]:
    wrong = [f"{name} {record[key]} was created" for record in found["added"]]
    wrong += [f"{name} {record[key]} was deleted" for record in found["removed"]]
    return wrong + [_fields(name, change["id"], change["fields"]) for change in found["changed"]]


def _fields(name: str, record_id: str, fields: Mapping[str, Any]) -> str:
    told = ", ".join(f"{path} from {shown(one['from'])} to {shown(one['to'])}" for path, one in fields.items())
    return f"{name} {record_id} changed: {told}"


def _judged(name: str, key: str, groups: Groups, outcome: Outcome) -> list[str]:
    """What is wrong in a collection that the check names."""
    found = outcome.diff["collections"].get(name, _NONE)
    wrong, claimed = _about_records(name, groups, outcome)
    for change in found["changed"]:
        mine = claimed.get(change["id"], [])
        stray = {
            path: one
            for path, one in differing(change["fields"]).items()
            if not any(group.allows(path) for group in mine)
        }
        if stray:
            wrong.append(_fields(name, change["id"], stray))
    created = [one[key] for one in found["added"] if one[key] not in claimed]
    wrong += _counted(name, "created", created, groups, outcome, outcome.final)
    return wrong + _counted(name, "deleted", [one[key] for one in found["removed"]], groups, outcome, outcome.initial)


def _about_records(name: str, groups: Groups, outcome: Outcome) -> tuple[list[str], dict[str, list[Group]]]:
    """What is wrong with the records that the groups name, and which groups name each."""
    wrong: list[str] = []
    claimed: dict[str, list[Group]] = {}
    for group in groups:
        if group.records is None:
            continue
        ids = ids_of(group.records, outcome)
        if not ids:
            wrong.append(f"no record of {name} is named by this check, so it shows nothing")
        for record_id in ids:
            claimed.setdefault(record_id, []).append(group)
            wrong += _at_the_end(name, group, record_id, outcome)
    return wrong, claimed


def _at_the_end(name: str, group: Group, record_id: str, outcome: Outcome) -> list[str]:
    before, record = outcome.initial.record(name, record_id), outcome.final.record(name, record_id)
    if record is not None:
        return end_faults(name, group, record, before, outcome)
    return [f"{name} {record_id} is not there at the end"] if before is None else []


def _counted(name: str, word: str, ids: list[str], groups: Groups, outcome: Outcome, world: World) -> list[str]:
    """Records that came or went, shared out among the groups that count them."""
    counting = [group for group in groups if group.counts(word)]
    records = {one: world.record(name, one) for one in ids}
    taken = [_takes(group, word, records, outcome) for group in counting]
    fits = [
        {one for one in ids if one in mine and not end_faults(name, group, records[one], None, outcome)}
        if word == "created"
        else mine
        for group, mine in zip(counting, taken)
    ]
    shares, left = shared_out(ids, [group.number(word, outcome) for group in counting], taken, fits)
    wrong = []
    for group, mine in zip(counting, shares):
        wrong += _share_faults(name, word, group, mine, outcome)
        if word == "created":
            wrong += [told for one in mine for told in end_faults(name, group, records[one], None, outcome)]
    return wrong + [f"{name} {one} was {word}" for one in left]


def _takes(group: Group, word: str, records: Mapping[str, Any], outcome: Outcome) -> set[str]:
    """The records that a group may count: those it names, or that meet its 'where'."""
    names = group.names(word, outcome)
    return (
        {one for one, record in records.items() if one in names}
        if names is not None
        else {one for one, record in records.items() if group.meets(record, outcome)}
    )


def _share_faults(name: str, word: str, group: Group, mine: Sequence[str], outcome: Outcome) -> list[str]:
    names, number = group.names(word, outcome), group.number(word, outcome)
    if names is not None:
        return [f"{name} {one} was not {word}" for one in sorted(names - set(mine))]
    if len(mine) == number:
        return []
    told = f" ({', '.join(mine[:_SHOWN])})" if mine else ""
    like = f" where {brief(group.spec.where)}" if group.spec.where else ""
    return [f"expected {_records(number, name)}{like} to be {word}; found {len(mine)}{told}"]


def _records(number: int, name: str) -> str:
    return f"{number} record{'' if number == 1 else 's'} of {name}"
