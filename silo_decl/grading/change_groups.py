"""One group of a `changes` check: which records it is about, how they must end and which fields may differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError
from silo_decl.expressions.findings_comparisons import Side, comparison_finding, literal_shape
from silo_decl.expressions.meaning import equals, shown, truth
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.records import RecordLike, plain
from silo_decl.expressions.shapes import Shape
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.specs import compiled
from silo_decl.specs.task import ChangeGroupSpec

Read = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Group:
    """One group, ready. `records` are named; `created` and `deleted` give how many there are, or which."""

    spec: ChangeGroupSpec
    records: Truth | None
    created: Truth | None
    deleted: Truth | None
    where: Any
    to: Mapping[str, tuple[Read, Truth]]

    def allows(self, path: str) -> bool:
        """Whether the group lets the field at this path differ."""
        return any(path == one or path.startswith(f"{one}.") for one in (*self.to, *self.spec.may))

    def counts(self, word: str) -> bool:
        return self._of(word) is not None

    def _of(self, word: str) -> Truth | None:
        return self.created if word == "created" else self.deleted

    def number(self, word: str, outcome: Outcome) -> int:
        """How many records must have come or gone."""
        found = self._of(word)
        assert found is not None
        value = found.get(outcome)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return int(value)
        return len(ids_of(found, outcome))

    def names(self, word: str, outcome: Outcome) -> set[str] | None:
        """The ids of the records that must have come or gone; None where only their number is said."""
        found = self._of(word)
        assert found is not None
        value = found.get(outcome)
        return None if isinstance(value, (int, float)) and not isinstance(value, bool) else set(ids_of(found, outcome))

    def meets(self, record: Any, outcome: Outcome) -> bool:
        """Whether a record that came or went is one that the group counts."""
        if self.where is None:
            return True
        try:
            return truth(self.where.run(record, outcome.naming(record=record)))
        except ExpressionError as wrong:
            raise CheckError(self.spec.at.child("where"), str(wrong)) from wrong


def build_group(draft: Draft, collection: str, spec: ChangeGroupSpec) -> Group:
    """One group; what is wrong with it goes to the draft's problems."""
    shape = draft.base.shapes[collection].element
    if spec.records is not None and not spec.to and not spec.may:
        said = "This names records but not how they must end."
        draft.say(spec.at, "empty-check", said, "Write 'to:' with fields and values, or 'may:' with fields.")
    if spec.records is None and spec.created is None and spec.deleted is None:
        fix = "Write 'records:' with a query or ids, 'created:' or 'deleted:' with how many."
        draft.say(spec.at, "empty-check", "This does not say which records it is about.", fix)
    inner = draft.naming(record=shape, before=shape.maybe())
    to = {}
    for path, raw in spec.to.items():
        read, field = _looked_up(draft, spec, path, shape, "to", path)
        to[path] = (read, inner.value(spec.at.child("to", path), raw))
        _look_over(draft, field, path, to[path][1])
    for place, path in enumerate(spec.may):
        _looked_up(draft, spec, path, shape, "may", place)
    where = None
    if spec.where:
        scope = draft.base.scope(collection, **{**draft.names, "record": shape})
        where = compiled.query(spec.at.child("where"), spec.where, scope, draft.problems)
    records, created, deleted = (_which(draft, spec, key) for key in ("records", "created", "deleted"))
    return Group(spec, records, created, deleted, where, to)


def _which(draft: Draft, spec: ChangeGroupSpec, key: str) -> Truth | None:
    raw = getattr(spec, key)
    if raw is None:
        return None
    found = draft.query_or_value(spec.at.child(key), raw)
    kinds = ("list", "collection", "record", "text")
    draft.wants(found, kinds if key == "records" else (*kinds, "number"), "records or their ids")
    return found


def _looked_up(
    draft: Draft, spec: ChangeGroupSpec, path: str, shape: Shape, key: str, step: str | int
) -> tuple[Read, Shape]:
    read, field, findings = field_path(path, shape)
    for one in findings:
        at = spec.at.child(key, step)
        draft.problems.append(at.problem(one.code, one.message, one.fix, key=isinstance(step, str)))
    return read, field


def _look_over(draft: Draft, field: Shape, path: str, wanted: Truth) -> None:
    """A value that the field can never have is worth a warning."""
    if not wanted.made.constant:
        return
    value = wanted.made.run(None, {})
    right = Side(literal_shape(value), shown(value), 0, True, value)
    finding = comparison_finding("==", Side(field, path), right)
    if finding is not None and value is not None:
        draft.say(wanted.at, finding.code, finding.message, finding.fix, "warning")


def ids_of(truth_: Truth, outcome: Outcome) -> list[str]:
    """The ids, each once, that a query of records or of ids gives. Raises CheckError for anything else."""
    value = truth_.get(outcome)
    found: dict[str, None] = {}
    for one in plain_list(value):
        if isinstance(one, RecordLike):
            one = getattr(one, "id", None)
        elif isinstance(one, Mapping):
            one = one.get("id")
        if one is None:
            continue
        if not isinstance(one, str):
            raise CheckError(truth_.at, f"This gives {shown(one)}, which is no id.")
        found[one] = None
    return list(found)


def plain_list(value: Any) -> list[Any]:
    """A list or a collection as a list, a single value as a list of one."""
    if isinstance(value, (str, Mapping, RecordLike)) or not hasattr(value, "__iter__"):
        return [value]
    return list(value)


def end_faults(name: str, group: Group, record: Any, before: Any, outcome: Outcome) -> list[str]:
    """In which fields a record does not end as the group says."""
    env = outcome.naming(record=record, before=before)
    wrong = []
    for path, (read, wanted) in group.to.items():
        value, held = wanted.get(outcome, env), read(record)
        if not equals(held, value):
            wrong.append(f"{name} {record.id} has {path} {shown(plain(held))} at the end, not {shown(plain(value))}")
    return wrong


def differing(fields: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The fields that differ, with objects that came or went taken apart."""
    found: dict[str, dict[str, Any]] = {}
    for path, change in fields.items():
        parts = {name: None for side in ("from", "to") for name in _parts(change[side])}
        if not parts or _is_value(change["from"]) or _is_value(change["to"]):
            found[path] = change
            continue
        inner = {f"{path}.{name}": {side: _parts(change[side]).get(name) for side in ("from", "to")} for name in parts}
        found |= differing({name: one for name, one in inner.items() if one["from"] != one["to"]})
    return found


def _parts(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_value(value: Any) -> bool:
    return value is not None and not isinstance(value, dict)
