"""Computed fields: expressions over a record and answers from other records, in an order in which each is known.

A computed field is worked out when it is asked for. What comes out for records of the data is remembered for all
worlds, and used as long as a world has not changed anything that it depends on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from silo_decl.errors import ExpressionError, Problem
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import ANY, NUMBER, Scope, Shape, list_of
from silo_decl.specs import compiled
from silo_decl.specs.environment import CollectionSpec, ComputedSpec, GatherSpec
from silo_decl.specs.source import At
from silo_decl.world.measures import Measured, measure, measured_shape
from silo_decl.world.ordering import in_order

if TYPE_CHECKING:
    from silo_decl.world.frozen import FrozenCollection
    from silo_decl.world.records import Record

Env = dict[str, Any]
Run = Callable[[Any, Env], Any]
Key = tuple[str, str]

CLOCK = "now"
_KEPT = (str, int, float, bool, type(None))
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(slots=True)
class Computed:
    """One computed field of one collection.

    `depends` are the collections (and 'now') that may change its value for an unchanged record.
    """

    name: str
    at: At
    run: Run
    shape: Shape
    depends: frozenset[str] = frozenset()
    remembered: dict[str, Any] = field(default_factory=dict)

    def value(self, record: Record) -> Any:
        """The value for a record. Raises ExpressionError with the place where the expression stands."""
        world, stored = record.world, record.stored
        if world.touched.isdisjoint(self.depends):
            frozen = record.frozen
            record_id: str = stored.get(frozen.key, "")
            if frozen.stored.get(record_id) is stored:
                remembered = self.remembered
                if record_id in remembered:
                    return remembered[record_id]
                value = self._worked_out(record)
                if type(value) in _KEPT or type(value) is dict:
                    remembered[record_id] = value
                return value
        return self._worked_out(record)

    def _worked_out(self, record: Record) -> Any:
        try:
            return self.run(record, record.world.env)
        except RecursionError:
            raise ExpressionError(f"'{self.name}' needs too many other computed fields.") from None


@dataclass(frozen=True, slots=True)
class Draft:
    """A computed field before it is known what the others give."""

    collection: CollectionSpec
    spec: ComputedSpec

    @property
    def key(self) -> Key:
        return (self.collection.name, self.spec.name)

    @property
    def at(self) -> At:
        return self.collection.at.child("computed", self.spec.name)

    def texts(self) -> Iterable[str]:
        """Every text in which a name could stand."""
        gather = self.spec.gather
        if gather is None:
            return _texts(self.spec.value)
        parts = [gather.where, gather.of, *gather.match, *gather.sort]
        return [*parts, *(text for value in gather.match.values() for text in _texts(value))]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, (list, tuple)):
        return [text for inner in value for text in _texts(inner)]
    return []


def build_computed(frozen: Mapping[str, FrozenCollection], shapes: dict[str, Shape], problems: list[Problem]) -> None:
    """Compile every computed field into its collection and refine `shapes` by what each gives."""
    drafts = {
        (name, spec.name): Draft(one.spec, spec) for name, one in frozen.items() for spec in one.spec.computed.values()
    }
    first = {key: _compiled(draft, shapes, [])[1] for key, draft in drafts.items()}
    needs = {key: _needs(draft, first[key], drafts) for key, draft in drafts.items()}
    for key in _sorted(needs, drafts, problems):
        made, _ = _compiled(drafts[key], shapes, problems)
        made.depends = _depends(key, needs, first)
        frozen[key[0]].computed[key[1]] = made
        _refine(shapes, key, made.shape)


@dataclass(frozen=True, slots=True)
class Uses:
    """What an expression reads: collections, own fields, the clock."""

    collections: frozenset[str]
    fields: frozenset[str]
    clock: bool


def _needs(draft: Draft, uses: Uses, drafts: Mapping[Key, Draft]) -> set[Key]:
    """The computed fields that this one may read, by their names in its texts."""
    words = {word for text in draft.texts() for word in _WORD.findall(text)}
    own = {(draft.collection.name, name) for name in uses.fields}
    others = {(collection, word) for collection in uses.collections for word in words}
    if "view" in words:
        others |= {key for key in drafts if key[0] in uses.collections and key != draft.key}
    return {key for key in own | others if key in drafts}


def _depends(key: Key, needs: Mapping[Key, set[Key]], uses: Mapping[Key, Uses]) -> frozenset[str]:
    found: set[str] = set()
    seen: set[Key] = set()
    waiting = [key]
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen.add(now)
        found |= uses[now].collections
        if uses[now].clock:
            found.add(CLOCK)
        waiting += needs[now]
    return frozenset(found)


def _sorted(needs: Mapping[Key, set[Key]], drafts: Mapping[Key, Draft], problems: list[Problem]) -> list[Key]:
    """The fields so that each comes after those it needs; a cycle is a problem, and its fields are left out."""
    done: dict[Key, bool] = {}
    order: list[Key] = []

    def visit(key: Key, way: list[Key]) -> bool:
        if key in done:
            return done[key]
        if key in way:
            _tell_cycle(way[way.index(key) :], drafts, problems)
            return False
        good = all(visit(need, [*way, key]) for need in sorted(needs[key]))
        done[key] = good
        if good:
            order.append(key)
        return good

    for key in drafts:
        visit(key, [])
    return order


def _tell_cycle(cycle: list[Key], drafts: Mapping[Key, Draft], problems: list[Problem]) -> None:
    start = cycle.index(min(cycle))
    turned = [*cycle[start:], *cycle[:start]]
    said = " needs ".join(f"{collection}.{name}" for collection, name in [*turned, turned[0]])
    problem = drafts[turned[0]].at.problem(
        "computed-cycle",
        f"This field can never be worked out: {said}.",
        "Let one of them read stored fields only.",
        key=True,
    )
    if problem not in problems:
        problems.append(problem)


def _refine(shapes: dict[str, Shape], key: Key, shape: Shape) -> None:
    collection = shapes[key[0]]
    record = collection.element
    fields = {**record.fields, key[1]: shape.maybe()}
    shapes[key[0]] = replace(collection, of=replace(record, fields=fields))


def _compiled(draft: Draft, shapes: Mapping[str, Shape], problems: list[Problem]) -> tuple[Computed, Uses]:
    scope = Scope(element=shapes[draft.collection.name].element, collections=shapes)
    if draft.spec.gather is not None:
        return _gather(draft, draft.spec.gather, scope, shapes, problems)
    at = draft.at
    made = compiled.value(at, draft.spec.value, scope, problems)
    uses = Uses(made.reads, made.fields, made.clock)
    return Computed(draft.spec.name, at, made.run, made.shape), uses


def _gather(
    draft: Draft, spec: GatherSpec, scope: Scope, shapes: Mapping[str, Shape], problems: list[Problem]
) -> tuple[Computed, Uses]:
    at = draft.at
    if spec.collection not in shapes:
        nothing = Uses(frozenset(), frozenset(), False)
        return Computed(draft.spec.name, at, lambda record, env: None, ANY), nothing
    others = shapes[spec.collection].element
    fields: set[str] = set()
    wanted, reads, clock = {}, {spec.collection}, False
    for path, raw in spec.match.items():
        place = at.child("match", path)
        _look(place, path, others, problems, key=True)
        made = compiled.value(place, raw, scope, problems)
        wanted[path] = made.run
        fields |= made.fields
        reads |= made.reads
        clock = clock or made.clock
    where = None
    if spec.where:
        inner = Scope({"record": scope.element or ANY}, others, shapes)
        query = compiled.query(at.child("where"), spec.where, inner, problems)
        where, reads, clock = query.run, reads | query.reads, clock or query.clock
    of = _look(at.child(spec.measure), spec.of, others, problems) if spec.of else others
    for step, one in enumerate(spec.sort):
        _look(at.child("sort", step), one.removeprefix("-"), others, problems)
    run = _gatherer(spec, wanted, where, measure(spec.measure, spec.of, of, spec.collection))
    return Computed(draft.spec.name, at, run, _gathered(spec, of)), Uses(frozenset(reads), frozenset(fields), clock)


def _gathered(spec: GatherSpec, of: Shape) -> Shape:
    if spec.measure == "list":
        return list_of(of)
    if spec.measure == "first":
        return of.maybe()
    return NUMBER if spec.measure == "count" else measured_shape(spec.measure, of)


def _gatherer(spec: GatherSpec, wanted: Mapping[str, Run], where: Run | None, work: Measured) -> Run:
    name = spec.collection
    arranged = in_order(spec.sort)

    def run(record: Any, env: Env) -> Any:
        equal = {path: value(record, env) for path, value in wanted.items()}
        test = None
        if where is not None:
            inside = {**env, "record": record}
            test = lambda other: truth(where(other, inside))  # noqa: E731
        found = env[""].read(name).select(equal, test)
        return work(arranged(found) if arranged else found, env[""].base)

    return run


def _look(at: At, path: str, shape: Shape, problems: list[Problem], key: bool = False) -> Shape:
    _, found, findings = field_path(path, shape)
    for one in findings:
        problems.append(at.problem(one.code, one.message, one.fix, key=key, level=one.level))
    return found
