"""`changes`: what must, may and may not differ between the two ends. What is not named may not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.expressions.meaning import equals, shown, truth
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.records import RecordLike, plain
from silo_decl.expressions.shapes import Shape
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.specs import compiled
from silo_decl.specs.task import ChangeGroupSpec, ChangesCheck

Verdict = tuple[bool, str]

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Group:
    """One group, ready: which records, how many of them, how they must end and which fields may differ."""

    spec: ChangeGroupSpec
    records: Truth | None
    created: Truth | None
    deleted: Truth | None
    where: Any
    to: Mapping[str, tuple[Callable[[Any], Any], Truth]]

    def allows(self, path: str) -> bool:
        """Whether the group lets this field differ."""
        return any(_within(path, one) for one in (*self.to, *self.spec.may))


def _within(path: str, allowed: str) -> bool:
    return path == allowed or path.startswith(f"{allowed}.") or allowed.startswith(f"{path}.")


def build_changes(draft: Draft, body: ChangesCheck) -> Callable[[Outcome], Verdict]:
    """What judges the differences."""
    named = {
        name: [_group(draft, name, one) for one in groups]
        for name, groups in body.collections.items()
        if name in draft.base.shapes
    }
    audit = draft.base.spec.audit
    outside = {audit.collection} - set(named) if audit is not None else set()

    def check(outcome: Outcome) -> Verdict:
        wrong: list[str] = []
        for name, found in outcome.diff["collections"].items():
            if name not in outside and name not in named:
                wrong += _unexpected(name, found)
        for name in outcome.diff["scalars"]:
            moved = outcome.diff["scalars"][name]
            wrong.append(f"{name} moved from {moved['from']} to {moved['to']}")
        for name, groups in named.items():
            wrong += _judged(draft, name, groups, outcome)
        if wrong:
            more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
            return False, "; ".join(wrong[:_SHOWN]) + more + "."
        return True, "Nothing changed." if body.nothing else "Exactly what should change did."

    return check


def _group(draft: Draft, collection: str, spec: ChangeGroupSpec) -> Group:
    shape = draft.base.shapes[collection].element
    if spec.records is not None and not spec.to and not spec.may:
        said = "This names records but not how they must end."
        draft.say(spec.at, "empty-check", said, "Write 'to:' with fields and values, or 'may:' with fields.")
    if spec.records is None and spec.created is None and spec.deleted is None:
        fix = "Write 'records:' with a query or ids, 'created:' or 'deleted:' with how many."
        draft.say(spec.at, "empty-check", "This does not say which records it is about.", fix)
    inner = draft.naming(record=shape, before=shape)
    to = {}
    for path, raw in spec.to.items():
        read = _looked_up(draft, spec, path, shape, "to")
        to[path] = (read, inner.value(spec.at.child("to", path), raw))
    for place, path in enumerate(spec.may):
        _looked_up(draft, spec, path, shape, "may", place)
    where = None
    if spec.where:
        scope = draft.base.scope(collection, **draft.names)
        where = compiled.query(spec.at.child("where"), spec.where, scope, draft.problems)
    return Group(
        spec,
        _which(draft, spec, "records", spec.records),
        _which(draft, spec, "created", spec.created),
        _which(draft, spec, "deleted", spec.deleted),
        where,
        to,
    )


def _which(draft: Draft, spec: ChangeGroupSpec, key: str, raw: Any) -> Truth | None:
    return None if raw is None else draft.query_or_value(spec.at.child(key), raw)


def _looked_up(
    draft: Draft, spec: ChangeGroupSpec, path: str, shape: Shape, key: str, place: int | None = None
) -> Callable[[Any], Any]:
    read, _, findings = field_path(path, shape)
    at = spec.at.child(key, path if place is None else place)
    for one in findings:
        draft.problems.append(at.problem(one.code, one.message, one.fix, key=place is None))
    return read


# -- judging ------------------------------------------------------------------------------------------------


def _unexpected(name: str, found: Mapping[str, Any]) -> list[str]:
    wrong = [f"{name} {record.get('id', '')} was created" for record in found["added"]]
    wrong += [f"{name} {record.get('id', '')} was deleted" for record in found["removed"]]
    return wrong + [f"{_fields(name, change['id'], change['fields'])}" for change in found["changed"]]


def _fields(name: str, record_id: str, fields: Mapping[str, Any]) -> str:
    told = ", ".join(f"{path} from {shown(one['from'])} to {shown(one['to'])}" for path, one in fields.items())
    return f"{name} {record_id} changed: {told}"


def _judged(draft: Draft, name: str, groups: Sequence[Group], outcome: Outcome) -> list[str]:
    found = outcome.diff["collections"].get(name, {"added": [], "removed": [], "changed": []})
    wrong, claimed = _about_records(name, groups, outcome)
    for change in found["changed"]:
        mine = claimed.get(change["id"], [])
        stray = {path: one for path, one in change["fields"].items() if not any(group.allows(path) for group in mine)}
        if stray:
            wrong.append(_fields(name, change["id"], stray))
    key = draft.base.collections[name].key
    wrong += _counted(name, "created", [one[key] for one in found["added"]], groups, outcome, outcome.final)
    wrong += _counted(name, "deleted", [one[key] for one in found["removed"]], groups, outcome, outcome.initial)
    return wrong


def _about_records(name: str, groups: Sequence[Group], outcome: Outcome) -> tuple[list[str], dict[str, list[Group]]]:
    """What is wrong with the records that the groups name, and which groups name each."""
    wrong: list[str] = []
    claimed: dict[str, list[Group]] = {}
    for group in groups:
        if group.records is None:
            continue
        ids = _ids(group.records, outcome)
        if not ids:
            wrong.append(f"no record of {name} is named by this check, so it shows nothing")
        for record_id in ids:
            claimed.setdefault(record_id, []).append(group)
            record = outcome.final.record(name, record_id)
            before = outcome.initial.record(name, record_id)
            if record is None:
                wrong.append(f"{name} {record_id} is not there at the end")
            else:
                wrong += _ends(name, group, record, before, outcome)
    return wrong, claimed


def _ends(name: str, group: Group, record: Any, before: Any, outcome: Outcome) -> list[str]:
    env = outcome.naming(record=record, before=before)
    wrong = []
    for path, (read, wanted) in group.to.items():
        value, held = wanted.get(outcome, env), read(record)
        if not equals(held, value):
            wrong.append(f"{name} {record.id} has {path} {shown(plain(held))} at the end, not {shown(plain(value))}")
    return wrong


def _ids(truth_: Truth, outcome: Outcome) -> list[str]:
    """The ids that a query of records, or of ids, gives."""
    value = truth_.get(outcome)
    found: list[str] = []
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(one, RecordLike):
            one = getattr(one, "id", None)
        elif isinstance(one, Mapping):
            one = one.get("id")
        if one is None:
            continue
        if not isinstance(one, str):
            raise CheckError(truth_.at, f"This gives {shown(one)}, which is no id.")
        found.append(one)
    return found


def _counted(name: str, word: str, ids: list[str], groups: Sequence[Group], outcome: Outcome, world: Any) -> list[str]:
    """Records that came or went, given to the groups that count them in turn."""
    left, wrong = list(ids), []
    for group in groups:
        truth_ = group.created if word == "created" else group.deleted
        if truth_ is None:
            continue
        mine = [one for one in left if _meets(group, world.record(name, one), outcome)]
        left = [one for one in left if one not in mine]
        wrong += _count(name, word, truth_, mine, outcome)
        if word == "created":
            for one in mine:
                wrong += _ends(name, group, world.record(name, one), None, outcome)
    return wrong + [f"{name} {one} was {word}" for one in left]


def _count(name: str, word: str, truth_: Truth, mine: list[str], outcome: Outcome) -> list[str]:
    wanted = truth_.get(outcome)
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        if len(mine) == wanted:
            return []
        told = f" ({', '.join(mine[:_SHOWN])})" if mine else ""
        return [f"{len(mine)} of {name} {'was' if len(mine) == 1 else 'were'} {word}{told}, not {int(wanted)}"]
    expected = set(_ids(truth_, outcome))
    missing = [f"{name} {one} was not {word}" for one in sorted(expected - set(mine))]
    return missing + [f"{name} {one} was {word}" for one in mine if one not in expected]


def _meets(group: Group, record: Any, outcome: Outcome) -> bool:
    return group.where is None or truth(group.where.run(record, outcome.naming(record=record)))
