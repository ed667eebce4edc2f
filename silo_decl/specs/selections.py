"""Which tasks a suite stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from silo_decl.errors import Problem, did_you_mean
from silo_decl.specs.known import Known
from silo_decl.specs.source import At
from silo_decl.specs.suite import SuiteSpec
from silo_decl.specs.task import DIFFICULTIES, TaskSpec

_KINDS = ("tag", "difficulty", "family")


def select_again(
    suites: Mapping[str, SuiteSpec], tasks: Mapping[str, TaskSpec], problems: list[Problem]
) -> dict[str, SuiteSpec]:
    """The suites with the members of families among what they select.

    Nothing is said of empty selections where a task has an error, for it may be the one that is meant.
    """
    broken = any(problem.level == "error" and problem.file.startswith("tasks/") for problem in problems)
    told: list[Problem] = [] if broken else problems
    return {
        name: replace(one, selected=select(one.at.child("tasks"), one.tasks, tasks, Known(), told))
        for name, one in suites.items()
    }


def is_selector(text: str) -> bool:
    """Whether a text may stand for several tasks."""
    return ":" in text or any(sign in text for sign in "*?[")


def select(
    at: At, selectors: Sequence[str], tasks: Mapping[str, TaskSpec], known: Known, problems: list[Problem]
) -> tuple[str, ...]:
    """The ids of the tasks selected, each once, in the order of the selectors and then of the ids."""
    chosen: dict[str, None] = {}
    for place, selector in enumerate(selectors):
        hits = [name for name, task in sorted(tasks.items()) if _fits(selector, task)]
        chosen.update(dict.fromkeys(hits))
        broken = known.tasks_lost or len(tasks) < len(known.tasks)
        if not hits and not (broken and _may_be_broken(selector, known)):
            problems.append(_nothing(at.child(place), selector, tasks))
    return tuple(chosen)


def _fits(selector: str, task: TaskSpec) -> bool:
    kind, _, word = selector.partition(":")
    if kind == "family":
        return word.strip() == task.family
    if kind == "tag":
        return word.strip() in task.tags
    if kind == "difficulty":
        return word.strip() == task.difficulty
    return fnmatchcase(task.id, selector)


def _may_be_broken(selector: str, known: Known) -> bool:
    """Whether a task that could not be read might be the one meant."""
    return known.tasks_lost or ":" in selector or any(fnmatchcase(name, selector) for name in known.tasks)


def _nothing(at: At, selector: str, tasks: Mapping[str, TaskSpec]) -> Problem:
    kind, colon, word = selector.partition(":")
    if colon and kind == "tag":
        tags = sorted({tag for task in tasks.values() for tag in task.tags})
        return at.problem("empty-selection", f"No task has the tag '{word}'.{did_you_mean(word, tags)}", _known(tags))
    if colon and kind == "difficulty":
        hint = did_you_mean(word, DIFFICULTIES) if word not in DIFFICULTIES else ""
        return at.problem("empty-selection", f"No task has the difficulty '{word}'.{hint}", _known(DIFFICULTIES))
    if colon and kind == "family":
        families = sorted({task.family for task in tasks.values() if task.family})
        fix = _known(families) if families else "A task file with 'for_each:' is a family."
        return at.problem("empty-selection", f"There is no family '{word}'.{did_you_mean(word, families)}", fix)
    if colon:
        fix = "Write a task's id, tag:…, difficulty:… or family:…"
        return at.problem("empty-selection", f"'{kind}:' selects nothing.{did_you_mean(kind, _KINDS)}", fix)
    families = sorted({task.family for task in tasks.values()})
    if selector in families:
        said = f"'{selector}' is a family, not a task."
        return at.problem("empty-selection", said, f"Write family:{selector} for all of its members.")
    return at.problem("empty-selection", f"There is no task '{selector}'.{did_you_mean(selector, tasks)}")


def _known(words: Sequence[str]) -> str:
    return f"There are: {', '.join(words[:12])}." if words else "No task has one yet."
