"""Which tasks a suite stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from silo_decl.errors import Problem, did_you_mean
from silo_decl.specs.known import Known
from silo_decl.specs.source import At
from silo_decl.specs.task import DIFFICULTIES, TaskSpec


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
    if colon:
        fix = "Write a task's id, tag:… or difficulty:…"
        return at.problem(
            "empty-selection", f"'{kind}:' selects nothing.{did_you_mean(kind, ['tag', 'difficulty'])}", fix
        )
    return at.problem("empty-selection", f"There is no task '{selector}'.{did_you_mean(selector, tasks)}")


def _known(words: Sequence[str]) -> str:
    return f"There are: {', '.join(words[:12])}." if words else "No task has one yet."
