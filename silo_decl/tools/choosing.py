"""Which records a read is about: its own condition and the filters an agent gives, answered as one query.

The query is put together from the filters that are given and compiled once for each combination of them; the
canonical query holds all of them, each with the case that it is not given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError, ToolError
from silo_decl.expressions.functions_texts import pattern_of
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.source import At
from silo_decl.specs.tool import FilterSpec
from silo_decl.tools.comparisons import TESTS
from silo_decl.tools.draft import Draft
from silo_decl.tools.paths import looked_up
from silo_decl.tools.placing import Env, Run
from silo_decl.tools.query_text import chosen_text, input_text, path_text
from silo_decl.world.store import World

Given = dict[str, Any]
Choose = Callable[[World, Env], list[Any]]


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter as a query has it where its argument is given, and in every case.

    `equal` is the field path where the filter is equality and nothing else, so that an index can answer it.
    """

    parameter: str
    text: str
    equal: str = ""
    only_true: bool = False
    pattern: bool = False

    @property
    def always(self) -> str:
        if self.only_true:
            return f"(not {input_text(self.parameter)} or {self.text})"
        return f"({input_text(self.parameter)} == null or {self.text})"


@dataclass(frozen=True, slots=True)
class Choice:
    """What chooses the records of a read, and the whole of it as one query.

    `equal` gives the fields and values that the records must equal where that is all there is to it, else None.
    """

    choose: Choose
    canonical: str
    equal: Callable[[Given], dict[str, Any] | None]


def choice(draft: Draft, filters: Sequence[FilterSpec], where: str, more: Sequence[str] = ()) -> Choice:
    """The records of the tool's collection by `where`, by the filters given and by `more`, which always holds."""
    shape = draft.record_shape(draft.spec.collection)
    conditions = [_condition(draft, one, shape) for one in filters]
    fixed = [*_own_condition(draft, where), *more]
    canonical = chosen_text(draft.spec.collection, [*fixed, *(one.always for one in conditions)])
    own = bool(_own_condition(draft.quietly(), where))
    return Choice(_chooser(draft, fixed, conditions), canonical, lambda given: _equal(own, conditions, given))


def _equal(own: bool, conditions: Sequence[Condition], given: Given) -> dict[str, Any] | None:
    if own:
        return None
    equal: dict[str, Any] = {}
    for one in conditions:
        value = given.get(one.parameter)
        if value is None or (one.only_true and value is False):
            continue
        if not one.equal or one.equal in equal:
            return None
        equal[one.equal] = value
    return equal


def _own_condition(draft: Draft, where: str) -> list[str]:
    if not where:
        return []
    draft.record_query(draft.spec.body_at.child("where"), where, draft.spec.collection)
    return [f"({where})"]


def _condition(draft: Draft, spec: FilterSpec, shape: Shape) -> Condition:
    name = spec.parameter.name
    if spec.where:
        draft.record_query(spec.at.child("where"), spec.where, draft.spec.collection)
        return Condition(name, f"({spec.where})", only_true=True)
    found = looked_up(_field_place(spec), shape, spec.field, draft.problems)
    _check_test(draft, spec, found)
    text = TESTS[spec.test].query(path_text(spec.field), input_text(name), found)
    return Condition(name, text, spec.field if spec.test == "equals" else "", pattern=spec.test == "matches")


def _field_place(spec: FilterSpec) -> At:
    return spec.at.child("field") if spec.field != spec.name else spec.at


_FITTING = {
    "contains": ("any", "nothing", "text", "date", "datetime", "list", "map", "object"),
    "matches": ("any", "nothing", "text", "date", "datetime"),
    "at_least": ("any", "nothing", "text", "date", "datetime", "number"),
}
_FITTING.update(dict.fromkeys(("at_most", "above", "below"), _FITTING["at_least"]))


def _check_test(draft: Draft, spec: FilterSpec, shape: Shape) -> None:
    if shape.kind in _FITTING.get(spec.test, (shape.kind,)):
        return
    fix = "Write the path to a part of it, such as amount.amount." if shape.kind == "object" else "Use another test."
    said = f"'{spec.field}' cannot be tested with '{spec.test}'."
    draft.problems.append(spec.at.child("test").problem("wrong-comparison", said, fix))


def _chooser(draft: Draft, fixed: list[str], conditions: list[Condition]) -> Choose:
    quiet = draft.quietly()
    ready: dict[tuple[Condition, ...], Run] = {}

    def choose(world: World, env: Env) -> list[Any]:
        given = env["input"]
        present = tuple([one for one in conditions if _counts(one, given)])
        run = ready.get(present)
        if run is None:
            text = chosen_text(draft.spec.collection, [*fixed, *(one.text for one in present)])
            run = ready[present] = quiet.world_query(draft.spec.body_at, text).run
        return run(world, env)  # type: ignore[no-any-return]

    return choose


def _counts(condition: Condition, given: Given) -> bool:
    value = given.get(condition.parameter)
    if condition.only_true:
        return value is True
    if condition.pattern and value is not None:
        _test_pattern(condition.parameter, value)
    return value is not None


def _test_pattern(parameter: str, value: str) -> None:
    try:
        pattern_of(value)
    except ExpressionError as wrong:
        raise ToolError("invalid_input", f'"{parameter}" is no pattern that can be used. {wrong}') from None
