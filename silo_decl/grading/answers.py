"""What the final answer must say: the forms of `answer`, one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from silo_decl.grading.answer_numbers import build_number, build_numbers
from silo_decl.grading.answer_texts import build_json, build_text
from silo_decl.grading.answer_words import build_date, build_mentions, build_one_of
from silo_decl.grading.draft import Draft
from silo_decl.grading.ends import Outcome
from silo_decl.specs.task import AnswerCheck

Verdict = tuple[bool, str]
Judge = Callable[[Outcome, str], Verdict]

# Letters of an answer that are read: a longer one would be cheap to make and dear to grade.
_SENTENCES, _DATA = 50_000, 10_000_000


@dataclass(frozen=True, slots=True)
class Form:
    """A form of answer: what builds its judge, the settings beside it, and how long an answer it reads."""

    build: Callable[[Draft, Any, str], Judge]
    beside: tuple[str, ...] = ()
    longest: int = _SENTENCES


FORMS: dict[str, Form] = {
    "number": Form(build_number, ("tolerance", "others")),
    "numbers": Form(build_numbers, ("tolerance", "others")),
    "date": Form(build_date, ("others",)),
    "one_of": Form(build_one_of),
    "mentions": Form(build_mentions, ("others",)),
    "json": Form(build_json, ("tolerance",), _DATA),
    "text": Form(build_text, (), _DATA),
}


def build_answer(draft: Draft, body: AnswerCheck, instruction: str) -> Callable[[Outcome], Verdict]:
    """What judges the final answer."""
    form = FORMS[body.form]
    for name in body.settings:
        if name != body.form and name not in form.beside:
            said = f"'{name}' means nothing beside '{body.form}'."
            draft.problems.append(draft.at.child(name).problem("unknown-key", said, "Take it out.", key=True))
    judge = form.build(draft, body.settings, instruction)

    def check(outcome: Outcome) -> Verdict:
        if outcome.output is None or not outcome.output.strip():
            return False, "There is no answer."
        if len(outcome.output) > form.longest:
            return False, f"The answer has {len(outcome.output)} letters; more than {form.longest} are not read."
        return judge(outcome, outcome.output)

    return check
