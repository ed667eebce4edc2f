"""From a family to its members: ordinary tasks, one for each thing that a query of the first world finds.

A family is looked over once; its members differ only in values, so nothing is compiled for them before they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from silo_decl.errors import ExpressionError, Problem, choices
from silo_decl.expressions.meaning import to_text, truth
from silo_decl.grading.draft import Draft
from silo_decl.grading.drawing import key_of, picked
from silo_decl.grading.ends import UNCHANGED, Outcome
from silo_decl.grading.family_parts import FamilyParts, Values, compile_family
from silo_decl.grading.quoting import told
from silo_decl.grading.task import Built, Task, compile_task, instruction_of
from silo_decl.specs.source import At
from silo_decl.specs.task import DIFFICULTIES, TaskSpec
from silo_decl.specs.task_family import FamilySpec, cleaned
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Member:
    """One member before it is a task: what it is about, and what it says."""

    values: Values
    spec: TaskSpec


def build_family(base: Base, toolbox: Toolbox, spec: FamilySpec, problems: list[Problem]) -> list[Task]:
    """The members of a family, in order; none where it has a problem."""
    found: list[Problem] = []
    parts = compile_family(base, toolbox, spec, found)
    members: list[Task] = []
    if not _errors(found):
        members = _Family(parts, found).tasks()
    problems += found
    return [] if _errors(found) else members


def _errors(problems: list[Problem]) -> bool:
    return any(problem.level == "error" for problem in problems)


class _Failure(Exception):
    """Something that cannot be worked out for one member; it has been told."""


@dataclass
class _Family:
    parts: FamilyParts
    problems: list[Problem]

    @property
    def spec(self) -> FamilySpec:
        return self.parts.spec

    def tasks(self) -> list[Task]:
        try:
            members = self._alike(self._distinct(self._members()))
        except _Failure:
            return []
        if not members and not self.problems:
            self._say(
                "for_each",
                "empty-family",
                "This family finds nothing, so it has no task.",
                "Look for something that the data holds.",
            )
        self._clashes(members)
        if self.spec.pick:
            members = picked(members, self.spec.pick, self.spec.seed, lambda one: one.spec.id)
        kept = members[: self.spec.limit] if self.spec.limit else members
        return [self._task(one) for one in kept]

    def _say(self, key: str, code: str, message: str, fix: str = "") -> None:
        self.problems.append(self.spec.at.child(key).problem(code, message, fix))

    # -- members --------------------------------------------------------------------------------------------

    def _members(self) -> Iterator[_Member]:
        """Every member there could be, in order."""
        for number, values in enumerate(self.parts.values(self._worked_out)):
            if number == MOST:
                said = f"This family has more than {MOST:,} members before any is drawn."
                self._say("for_each", "out-of-range", said, "Let the query find fewer; 'pick' draws only afterwards.")
                raise _Failure
            env = self._env(values)
            if self._wanted(env, values):
                yield _Member(values, self._described(env, values))

    def _wanted(self, env: dict[str, Any], values: Values) -> bool:
        if self.parts.when is None:
            return True
        at, condition = self.parts.when
        return truth(self._worked_out(at, lambda: condition.run(None, env), values))

    def _described(self, env: dict[str, Any], values: Values) -> TaskSpec:
        """What a member says of itself: every text and value of the family, worked out."""
        parts, task = self.parts, self.spec.task
        told = {
            key: to_text(self._worked_out(at, lambda: value.run(None, env), values))  # noqa: B023
            for key, (at, value) in parts.texts.items()
        }
        task_id = cleaned(told["id"])
        if not task_id:
            self._say("id", "wrong-form", f"The id of the member for {_about(values)} would be empty.")
            raise _Failure
        made = replace(
            task,
            id=task_id,
            title=told["title"],
            instruction=told["instruction"],
            difficulty=self._difficulty(told["difficulty"], values),
            acting_as=self._acting_as(told["acting_as"], values),
            family=self.spec.id,
        )
        return replace(made, checks=self._labelled(env, values)) if parts.labels else made

    def _labelled(self, env: dict[str, Any], values: Values) -> Any:
        checks = list(self.spec.task.checks)
        for place, (at, label) in self.parts.labels.items():
            text = self._worked_out(at, lambda: label.run(None, env), values)  # noqa: B023
            checks[place] = replace(checks[place], label=to_text(text))
        return tuple(checks)

    def _difficulty(self, given: str, values: Values) -> str:
        if given and given not in DIFFICULTIES:
            said = f"The difficulty of the member for {_about(values)} would be '{given}'."
            self._say("difficulty", "not-one-of", said, f"It must give one of: {choices(DIFFICULTIES)}.")
            raise _Failure
        return given

    def _acting_as(self, given: str, values: Values) -> str:
        base, actor = self.parts.base, self.parts.base.spec.actor
        if actor is None or actor.references not in base.collections or not self.spec.task.acting_as:
            return given
        if base.new_world().record(actor.references, given) is None:
            said = f"{actor.references} has no record '{given}', who would act for {_about(values)}."
            self._say("acting_as", "unknown-record", said, f"Give the id of a record of {actor.references}.")
            raise _Failure
        return given

    def _env(self, values: Values) -> dict[str, Any]:
        """The names of texts: what the member is about, and the truths that its texts ask for."""
        env = {**self.parts.env, **values}
        for name, one in self.parts.given if self.parts.asks else ():
            env[name] = self._worked_out(one.at, lambda: one.made.run(self.parts.root, env), values)  # noqa: B023
        return env

    def _worked_out(self, at: At, work: Callable[[], Any], values: Values) -> Any:
        try:
            return work()
        except ExpressionError as wrong:
            said = f"This cannot be worked out for {_about(values)}: {wrong}" if values else str(wrong)
            self.problems.append(at.problem("family-fails", said, "Let it cope with what the query finds."))
            raise _Failure from wrong

    # -- members that are the same --------------------------------------------------------------------------

    def _distinct(self, members: Iterator[_Member]) -> Iterator[_Member]:
        """Of members for which `distinct` gives the same, the first."""
        if self.parts.distinct is None:
            yield from members
            return
        at, value = self.parts.distinct
        seen: set[str] = set()
        for one in members:
            env = self._env(one.values)
            key = key_of(self._worked_out(at, lambda: value.run(None, env), one.values))  # noqa: B023
            if key not in seen:
                seen.add(key)
                yield one

    def _alike(self, members: Iterator[_Member]) -> list[_Member]:
        """Of members that ask the same and expect the same, the first; to expect different things is a problem."""
        kept: dict[tuple[str, str], _Member] = {}
        for one in members:
            asked = (one.spec.instruction, one.spec.acting_as)
            other = kept.setdefault(asked, one)
            if other is one or self._expected(other) == self._expected(one):
                continue
            said = f"The members for {_about(other.values)} and for {_about(one.values)} ask the same in the same words"
            fix = "Name in the instruction what tells them apart, or let 'distinct:' keep one of them."
            self._say(_key_of_text(self.spec.at), "same-question", f"{said}, and expect different things.", fix)
            raise _Failure
        return list(kept.values())

    def _expected(self, member: _Member) -> str:
        """What the checks of a member are about: its truths, or where it has none, the thing itself."""
        if not self.parts.given:
            return key_of(list(member.values.values()))
        built = self._built(member)()
        world = self.parts.base.new_world()
        work = lambda: Outcome(world, world.initial(), None, (), UNCHANGED, built.given)  # noqa: E731
        outcome = self._worked_out(self.spec.at.child("given"), work, member.values)
        return key_of([outcome.env[name] for name, _ in self.parts.given])

    def _clashes(self, members: list[_Member]) -> None:
        seen: dict[str, _Member] = {}
        clashing: dict[str, tuple[_Member, _Member]] = {}
        for one in members:
            other = seen.setdefault(one.spec.id, one)
            if other is not one:
                clashing.setdefault(one.spec.id, (other, one))
        for task_id, (one, other) in list(clashing.items())[:1]:
            said = f"The members for {_about(one.values)} and for {_about(other.values)} have one id, '{task_id}'"
            more = f"; {len(clashing) - 1} more ids are not their own" if len(clashing) > 1 else ""
            names = [f"{self.spec.as_}.id", *(parameter.name for parameter in self.spec.parameters)]
            told_apart = "-".join(f"{{{{ {name} }}}}" for name in names)
            fix = f"Put what tells them apart into the id, such as {self.spec.id}-{told_apart}."
            self._say("id", "duplicate-name", f"{said}{more}.", fix)

    # -- tasks ----------------------------------------------------------------------------------------------

    def _task(self, member: _Member) -> Task:
        return Task(member.spec, instruction_of(self.parts.base, member.spec), self._built(member))

    def _built(self, member: _Member) -> Callable[[], Built]:
        """What compiles a member: as its family, with the values it is about as truths."""

        def build() -> Built:
            draft = Draft(self.parts.base, self.parts.toolbox, self.spec.at, [])
            for name, value in member.values.items():
                draft = draft.giving(name, self.parts.truth(name, value))
            built = compile_task(draft, member.spec, self.parts.shapes)
            return replace(built, solution=replace(built.solution, known=member.values))

        return build


def _key_of_text(at: At) -> str:
    return "instruction" if at.child("instruction").is_there() else "instruction_file"


def _about(values: Values) -> str:
    return ", ".join(told(value) for value in values.values())


def add_members(base: Base, toolbox: Toolbox, tasks: Mapping[str, Task], problems: list[Problem]) -> dict[str, Task]:
    """The tasks that are written, and the members of every family, in the order of their files."""
    found = dict(tasks)
    for family in base.spec.families.values():
        for task in build_family(base, toolbox, family, problems):
            other = found.setdefault(task.id, task)
            if other is not task:
                said = f"A member of this family has the id '{task.id}', and {other.spec.file} has it too."
                problems.append(family.at.child("id").problem("duplicate-name", said, "Let the ids begin differently."))
                break
    return dict(sorted(found.items(), key=lambda item: item[1].spec.file)) if base.spec.families else found
