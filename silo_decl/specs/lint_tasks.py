"""What a task refers to: people, collections, tools and hooks; and whether its solution can be played."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from silo_decl.errors import did_you_mean
from silo_decl.specs.environment_parts import is_expression
from silo_decl.specs.lint import Names
from silo_decl.specs.solutions import Solutions
from silo_decl.specs.source import At
from silo_decl.specs.task import (
    AnyOfCheck,
    CallsCheck,
    ChangeGroupSpec,
    ChangesCheck,
    CheckSpec,
    PythonCheck,
    TaskSpec,
)


def look_over_task(task: TaskSpec, solutions: Solutions, names: Names) -> None:
    """One task against everything it names."""
    _acting_as(task, names)
    for check in task.checks:
        _check(check, names)
    solutions.check(task)
    if not task.solution:
        names.problems.append(
            task.at.problem(
                "no-solution",
                f"The task {task.id} has no solution, so nothing shows that it can be solved.",
                "Write the calls that solve it under 'solution:'.",
                level="warning",
            )
        )


def _acting_as(task: TaskSpec, names: Names) -> None:
    actor = names.spec.actor
    if not task.acting_as:
        return
    at = task.at.child("acting_as")
    if actor is None:
        if not names.spec.at.child("actor").is_there():
            fix = "Add 'actor:' to environment.yaml, or remove 'acting_as'."
            names.say(at, "no-actor", "'acting_as' says who acts, but environment.yaml has no actor.", fix)
        return
    people = names.spec.collections.get(actor.references)
    if people is None or people.name in names.known.data_lost or is_expression(task.acting_as):
        return
    if all(record[people.key] != task.acting_as for record in people.records):
        message = f"{people.name} has no record '{task.acting_as}'."
        names.say(at, "unknown-record", message, f"Write the id of a record of {people.name}.")


def _check(check: CheckSpec, names: Names) -> None:
    body = check.body
    if isinstance(body, ChangesCheck):
        for name, groups in body.collections.items():
            names.collection(check.at.child("changes", name), name, key=True)
            for group in groups:
                _group(group, name, names)
    elif isinstance(body, PythonCheck):
        names.hooks.exists(check.at.child("python"), body.hook)
    elif isinstance(body, CallsCheck):
        _tools(check.at.child("calls"), body.settings, names)
    elif isinstance(body, AnyOfCheck):
        for inner in (one for group in body.groups for one in group):
            _check(inner, names)


def _group(group: ChangeGroupSpec, collection: str, names: Names) -> None:
    """Ids that are written out must be those of records."""
    spec = names.spec.collections.get(collection)
    if spec is None or collection in names.known.data_lost:
        return
    for key, listed in (("records", group.records), ("deleted", group.deleted)):
        ids = {record[spec.key] for record in spec.records} if isinstance(listed, list) else set()
        for place, one in enumerate(listed if isinstance(listed, list) else ()):
            if one not in ids:
                at = group.at.child(key, place)
                names.say(at, "unknown-record", f"{collection} has no record '{one}'.", "Write the id of a record.")


def _tools(at: At, settings: Any, names: Names) -> None:
    for place, name in _named(at, settings):
        known = names.known.tools
        if not names.known.tools_lost and not any(fnmatchcase(one, name) for one in known):
            message = f"There is no tool '{name}'.{did_you_mean(name, known)}"
            names.say(place, "unknown-tool", message, "A tool can be called once environment.yaml lists its file.")


def _named(at: At, settings: Any) -> Iterable[tuple[At, str]]:
    """Every tool named in a check of calls, with its place."""
    for form in ("never", "happened", "before"):
        value = settings.get(form)
        for place, one in enumerate(value) if isinstance(value, list) else ((None, value),):
            within = at.child(form) if place is None else at.child(form, place)
            if isinstance(one, str):
                yield within, one
            elif isinstance(one, dict):
                yield within.child("tool"), one["tool"]
    if isinstance(settings.get("at_most"), dict):
        for name in settings["at_most"]:
            yield at.child("at_most", name), name
