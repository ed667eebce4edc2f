"""What is compiled of a family, once for all of its members: its query, its parameters, its texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import Problem
from silo_decl.expressions.findings_comparisons import literal_shape
from silo_decl.expressions.records import CollectionLike
from silo_decl.expressions.shapes import ANY, Shape, words
from silo_decl.expressions.templates import Value
from silo_decl.grading.draft import Draft, Truth
from silo_decl.grading.drawing import key_of, one_of
from silo_decl.grading.ends import Ends, first_query_scope, first_value_scope
from silo_decl.grading.task import compile_task
from silo_decl.specs import compiled
from silo_decl.specs.source import At
from silo_decl.specs.task_family import FamilySpec, ParameterSpec
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

Values = dict[str, Any]
WorkedOut = Callable[[At, Callable[[], Any], Values], Any]
Placed = tuple[At, Value]


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the values of a name come from: a query or a list, with the shape of one of them."""

    at: At
    query: Any
    listed: tuple[Any, ...] | None
    shape: Shape
    reads: frozenset[str]

    def get(self, root: Ends, env: Mapping[str, Any]) -> Any:
        return list(self.listed) if self.listed is not None else self.query.run(root, env)


@dataclass(frozen=True)
class FamilyParts:
    """A family, compiled. `texts` are id, title, instruction, difficulty and acting_as; `labels` those of checks that
    differ between members, by place; `asks` whether any of these names a truth.
    """

    base: Base
    toolbox: Toolbox
    spec: FamilySpec
    sources: Mapping[str, _Source]
    given: tuple[tuple[str, Truth], ...]
    texts: Mapping[str, Placed]
    labels: Mapping[int, Placed]
    when: Placed | None
    distinct: Placed | None
    asks: bool
    root: Ends

    @property
    def shapes(self) -> dict[str, Shape]:
        return {name: source.shape for name, source in self.sources.items()}

    @property
    def env(self) -> dict[str, Any]:
        return {"": self.root, "initial": self.root.initial}

    def truth(self, name: str, value: Any) -> Truth:
        """One of the values that a member is about, as its checks read it."""
        source = self.sources[name]
        return Truth(source.at, None, source.shape, False, True, source.reads, [value])

    def values(self, worked_out: WorkedOut) -> Iterator[Values]:
        """What each member is about: the item, and its parameters. An item without a value for one is left out."""
        yield from self._values({}, list(self.sources), worked_out)

    def _values(self, values: Values, names: list[str], worked_out: WorkedOut) -> Iterator[Values]:
        if not names:
            yield values
            return
        source, rest = self.sources[names[0]], names[1:]
        found = worked_out(source.at, lambda: _listed(source.get(self.root, {**self.env, **values})), values)
        parameter = next((one for one in self.spec.parameters if one.name == names[0]), None)
        if parameter is not None and not parameter.each and found:
            words = (self.spec.id, parameter.name, key_of(list(values.values())))
            found = [one_of(found, parameter.seed, *words)]
        for one in found:
            yield from self._values({**values, names[0]: one}, rest, worked_out)


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple, CollectionLike)) else [value]


def compile_family(base: Base, toolbox: Toolbox, spec: FamilySpec, problems: list[Problem]) -> FamilyParts:
    """Compile a family; what is wrong with it, and with every one of its members, goes to `problems`."""
    sources = {spec.as_: _source(base, spec.at.child("for_each"), spec.for_each, {}, problems)}
    for one in spec.parameters:
        shapes = {name: source.shape for name, source in sources.items()}
        sources[one.name] = _parameter(base, one, shapes, problems)
    shapes = {name: source.shape for name, source in sources.items()}
    draft = Draft(base, toolbox, spec.at, problems)
    for name, source in sources.items():
        draft = draft.giving(name, Truth(source.at, None, source.shape, False, True, source.reads))
    given = tuple(one for one in compile_task(draft, spec.task, shapes).given if one[0] not in sources)
    scope = first_value_scope(base, {**shapes, **{name: truth.shape for name, truth in given if truth.steady}})
    return FamilyParts(
        base,
        toolbox,
        spec,
        sources,
        given,
        _texts(spec, scope, problems),
        _labels(spec, scope, problems),
        _when(spec, scope, problems),
        _distinct(spec, scope, problems),
        any(_is_asked(name, spec) for name, _ in given),
        Ends(base.new_world(), base.new_world()),
    )


def _parameter(base: Base, spec: ParameterSpec, shapes: dict[str, Shape], problems: list[Problem]) -> _Source:
    at = spec.at.child("each_of" if spec.each else "one_of")
    if isinstance(spec.choices, str):
        return _source(base, at, spec.choices, shapes, problems)
    return _Source(at, None, tuple(spec.choices), literal_shape(spec.choices).element, frozenset())


def _source(base: Base, at: At, text: str, shapes: dict[str, Shape], problems: list[Problem]) -> _Source:
    query = compiled.query(at, text, first_query_scope(base, shapes), problems)
    if query.shape.kind not in ("any", "nothing", "list", "collection"):
        said = f"This gives {words(query.shape)}, and a list is wanted here."
        problems.append(at.problem("wrong-type", said))
    element = query.shape.element if query.shape.kind in ("list", "collection") else ANY
    return _Source(at, query, None, element, query.reads)


def _texts(spec: FamilySpec, scope: Any, problems: list[Problem]) -> dict[str, Placed]:
    task, at = spec.task, spec.at
    found: dict[str, Placed] = {}
    for key, place, written in (
        ("id", at.child("id"), task.id),
        ("title", at.child("title"), task.title),
        ("instruction", spec.text_at, task.instruction),
    ):
        found[key] = (place, compiled.text(place, written, scope, problems))
    for key, written in (("difficulty", task.difficulty), ("acting_as", task.acting_as)):
        found[key] = (at.child(key), compiled.value(at.child(key), written, scope, problems))
    if found["id"][1].constant:
        said = f"Every member of this family would have the id '{task.id}'."
        fix = f"Write what tells them apart, such as id: {task.id}-{{{{ {spec.as_}.id }}}}"
        problems.append(at.child("id").problem("duplicate-name", said, fix))
    return found


def _labels(spec: FamilySpec, scope: Any, problems: list[Problem]) -> dict[int, Placed]:
    found: dict[int, Placed] = {}
    for place, check in enumerate(spec.task.checks):
        if "{{" in check.label and check.at.child("label").is_there():
            at = check.at.child("label")
            found[place] = (at, compiled.text(at, check.label, scope, problems))
    return found


def _when(spec: FamilySpec, scope: Any, problems: list[Problem]) -> Placed | None:
    if not spec.when:
        return None
    at = spec.at.child("when")
    return at, compiled.condition(at, spec.when, scope, problems)


def _distinct(spec: FamilySpec, scope: Any, problems: list[Problem]) -> Placed | None:
    if not spec.distinct:
        return None
    at = spec.at.child("distinct")
    return at, compiled.value(at, spec.distinct, scope, problems)


def _is_asked(name: str, spec: FamilySpec) -> bool:
    task = spec.task
    told = [task.id, task.title, task.instruction, task.difficulty, task.acting_as, spec.distinct, spec.when]
    told += [check.label for check in task.checks]
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in told)
