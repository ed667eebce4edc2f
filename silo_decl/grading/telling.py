"""Problems of members of a family are the family's: told once at their place, with how many members have them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from silo_decl.errors import Problem
from silo_decl.grading.task import Task


def once_a_family(found: Iterable[tuple[Task, Problem]]) -> list[Problem]:
    """The problems of tasks; of those that members of one family have at one place the first, which names its task."""
    told: list[Problem] = []
    by_place: dict[tuple[str, str, int, int, str], list[tuple[Task, Problem]]] = {}
    for task, problem in found:
        if not task.spec.family:
            told.append(problem)
            continue
        place = (task.spec.family, problem.file, problem.line, problem.column, problem.code)
        by_place.setdefault(place, []).append((task, problem))
    for same in by_place.values():
        task, problem = same[0]
        others = len({one.id for one, _ in same}) - 1
        more = f" and {others} more of its family" if others else ""
        told.append(replace(problem, message=f"{task.id}{more}: {problem.message}"))
    return told
