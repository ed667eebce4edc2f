"""What could teach the author of a task: an answer that is given away, a day that is not the day of the clock."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from silo_decl.errors import Problem, SiloError
from silo_decl.grading.ends import UNCHANGED, Outcome
from silo_decl.grading.task import Task
from silo_decl.grading.telling import once_a_family
from silo_decl.specs.task import AnswerCheck
from silo_decl.tools.toolbox import Toolbox
from silo_decl.world.seed import Base

_MONTHS = "january february march april may june july august september october november december".split()
_ISO = r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})"
_DAY_FIRST = r"(?P<d2>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mon>[A-Za-z]{3,9}),?\s+(?P<y2>\d{4})"
_MONTH_FIRST = r"(?P<mon3>[A-Za-z]{3,9})\s+(?P<d3>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y3>\d{4})"
_TODAY = re.compile(
    r"\b(?P<day>today|tomorrow|yesterday|it)(?:'s date)?(?:\s+(?:is|was|will be)|\s*[,(:])\s*"
    rf"(?:[A-Za-z]+day,?\s+)?(?:the\s+)?(?:{_ISO}|{_DAY_FIRST}|{_MONTH_FIRST})",
    re.IGNORECASE,
)
_AWAY = {"today": 0, "it": 0, "tomorrow": 1, "yesterday": -1}
_WORDS = ("mentions", "one_of")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")


def advise_tasks(base: Base, toolbox: Toolbox, tasks: Iterable[Task]) -> list[Problem]:
    """Warnings about tasks of a world that has no errors."""
    told = [(name, tool.spec.description) for name, tool in toolbox.tools.items()]
    return once_a_family(
        (task, problem) for task in tasks for problem in (*_other_day(base, task), *_given_away(base, task, told))
    )


def _other_day(base: Base, task: Task) -> Iterator[Problem]:
    today = date.fromisoformat(base.spec.now[:10])
    for hit in _TODAY.finditer(task.spec.instruction):
        said = _date_of(hit)
        meant = today + timedelta(days=_AWAY[hit["day"].lower()])
        if said is not None and said != meant:
            message = f"The instruction says '{' '.join(hit[0].split())}', but the clock of this world says {today}."
            at = task.spec.at.child(
                "instruction" if task.spec.at.child("instruction").is_there() else "instruction_file"
            )
            fix = f"Write {meant}, or leave the date out."
            yield at.problem("clock-contradiction", message, fix, level="warning")


def _date_of(hit: re.Match[str]) -> date | None:
    try:
        if hit["y"]:
            return date(int(hit["y"]), int(hit["m"]), int(hit["d"]))
        word = (hit["mon"] or hit["mon3"]).lower()
        month = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(word))
        return date(int(hit["y2"] or hit["y3"]), month, int(hit["d2"] or hit["d3"]))
    except (ValueError, StopIteration):
        return None


def _given_away(base: Base, task: Task, told: list[tuple[str, str]]) -> Iterator[Problem]:
    """A sentence that the agent is told would pass as the answer.

    Words may well stand in what is asked; they are told only where saying them back would pass the whole task.
    """
    asked = [(check, judge, check.body) for check, judge in task.checks if isinstance(check.body, AnswerCheck)]
    if not asked:
        return
    world = base.new_world()
    sentences = [("its instruction", one) for one in _SENTENCE.split(task.spec.instruction) if one.strip()]
    sentences += [(f"the description of {name}", text) for name, text in told]
    for check, judge, body in asked:
        for where, text in sentences:
            try:
                passed, _ = judge(Outcome(world, world, text, (), UNCHANGED, task.given))
            except SiloError:
                break
            if passed and (body.form not in _WORDS or task.grade(world, world, text, (), UNCHANGED).passed):
                shown = " ".join(text.split())
                shown = shown if len(shown) <= 60 else shown[:59] + "…"
                message = f"The right answer stands in {where}: '{shown}' would pass."
                fix = "Ask for it without saying it, or ask for more than that."
                yield check.at.child("answer").problem("answer-given", message, fix, key=True, level="warning")
                break
