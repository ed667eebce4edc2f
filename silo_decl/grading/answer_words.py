"""The answer forms `date`, `one_of` and `mentions`: what is named in an answer, as whole words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.meaning import DATE, exact, json_number, shown, to_text
from silo_decl.expressions.records import plain
from silo_decl.grading.dates import Day, days
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.grading.marks import denied
from silo_decl.grading.numbers import claimed
from silo_decl.grading.quoting import quoted

Verdict = tuple[bool, str]
Judge = Callable[[Outcome, str], Verdict]

_MOST_CHOICES = 5000


# -- a day --------------------------------------------------------------------------------------------------


def build_date(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges whether the day is stated, and no other.

    Days that the instruction holds, and today, may be there too; of several, one that alone is set apart is stated.
    """
    raw, at = settings["date"], draft.at.child("date")
    truth = draft.value(at, raw) if DATE.match(str(raw)) else draft.query_or_value(at, raw)
    draft.wants(truth, ("text", "date", "datetime", "nothing"), "a date")
    others = settings.get("others", 0)
    asked = {reading for day in days(instruction) for reading in day.readings}

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = truth.get(outcome)
        if not isinstance(wanted, str) or not DATE.match(wanted[:10]):
            raise CheckError(truth.at, f"This gives {shown(wanted)}, not a date.")
        found = [day for day in days(answer) if not day.denied]
        for among in (found, [day for day in found if day.marked]):
            rivals = [day for day in among if not _is_asked(day, wanted, asked, outcome)]
            if any(day.meets(wanted) for day in among) and len(rivals) <= others:
                return True, f"The answer states {wanted[:10]}."
        said = ", ".join(day.text for day in found) or "no date"
        return False, f"Expected {wanted[:10]}; the answer states {said}: {quoted(answer)}"

    return judge


def _is_asked(day: Day, wanted: str, asked: set[Any], outcome: Outcome) -> bool:
    """Whether it is the day that is wanted, or may stand beside it."""
    if day.meets(wanted) or asked.intersection(day.readings):
        return True
    return any(day.meets(world.today) for world in (outcome.initial, outcome.final))


# -- one of several -----------------------------------------------------------------------------------------


def build_one_of(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges whether a right answer is named, and no wrong one.

    Where a query gives the right answers, the wrong ones are the other values, in the first world, of the fields that
    the right ones are values of.
    """
    truth = draft.query_or_value(draft.at.child("one_of"), settings["one_of"])
    kept: list[list[str]] = []

    def judge(outcome: Outcome, answer: str) -> Verdict:
        right = texts(truth.get(outcome))
        if not right:
            raise CheckError(truth.at, "This gives no answer that would be right.")
        wrong = kept[0] if kept else _others(right, truth, outcome)
        if truth.steady and not kept:
            kept.append(wrong)
        found = named([*right, *wrong], answer)
        hits = [one for one in found if one in right]
        missed = [one for one in found if one not in right]
        expected = f"Expected {right[0]}" if len(right) == 1 else f"Expected one of {', '.join(right[:8])}"
        if not hits:
            return False, f"{expected}; the answer was {quoted(answer)}"
        if missed:
            return False, f"{expected}; the answer names {', '.join(missed[:8])} too: {quoted(answer)}"
        return True, f"The answer names {hits[0]}."

    return judge


def _others(right: list[str], truth: Truth, outcome: Outcome) -> list[str]:
    """The other values of the fields, of records that the query reads, that hold the right answers."""
    found: dict[str, None] = {}
    for collection in _near(truth, outcome):
        records = [record.plain() for record in outcome.initial.read(collection)]
        for field in dict.fromkeys(name for record in records for name in record):
            values = dict.fromkeys(one[field] for one in records if isinstance(one.get(field), str))
            if len(values) <= _MOST_CHOICES and values.keys() >= set(right):
                found |= values
    return [value for value in found if value.strip() and value not in right]


def _near(truth: Truth, outcome: Outcome) -> list[str]:
    """The collections that the query reads, and those that their records refer to."""
    specs = outcome.initial.base.spec.collections
    found = set(truth.reads)
    for collection in truth.reads & specs.keys():
        for field in specs[collection].fields.values():
            if field.references is not None:
                found |= {field.references.collection, *field.references.collections.values()}
    return sorted(found & specs.keys())


def named(choices: Iterable[str], answer: str) -> list[str]:
    """Those of the choices that are named and not denied; one that is only a part of a longer one named does not
    count."""
    text = bare(answer)
    found = []
    for choice in sorted(dict.fromkeys(choices), key=lambda one: (-len(one), one)):
        words = bare(choice)
        if words.split() and words.split()[0] in text:
            hits = [match.span() for match in _words(words).finditer(text)]
            found += [choice] if any(not denied(text[:start]) for start, _ in hits) else []
            text = _blanked(text, hits)
    return found


def _blanked(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    for start, end in stretches:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    return text


# -- words that are there, or not ---------------------------------------------------------------------------


def build_mentions(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges which words are in the answer. A number or a day may be written in any way.

    With `others`, of the values beside those of `all` (as for `one_of`) at most so many may be there too, but for what
    the instruction names.
    """
    at, raw = draft.at.child("mentions"), settings["mentions"]
    if not isinstance(raw, dict):
        truths = {"all": draft.query_or_value(at, raw)}
    else:
        truths = {word: draft.query_or_value(at.child(word), value) for word, value in raw.items()}
    others = settings.get("others")
    if others is not None and "all" not in truths:
        said = "'others' counts the values beside those of 'all', and there is no 'all'."
        draft.problems.append(draft.at.child("others").problem("unknown-key", said, "Take it out.", key=True))
        others = None
    elif others is not None and not truths["all"].reads:
        said = "'others' counts the other values of the fields that those of 'all' come from, and these come from none."
        fix = "Take what is to be mentioned from the data, such as '= deal.name'."
        draft.problems.append(draft.at.child("others").problem("unknown-key", said, fix, key=True))
        others = None
    beside = _Beside(truths["all"], instruction) if others is not None else None

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = {word: _present(truth.get(outcome)) for word, truth in truths.items()}
        for word, listed in wanted.items():
            if not listed and (word != "none" or len(wanted) == 1):
                raise CheckError(truths[word].at, "This gives nothing to look for, so it shows nothing.")
        missing = [to_text(one) for one in wanted.get("all", ()) if not _is_there(one, answer)]
        wrong = [to_text(one) for one in wanted.get("none", ()) if _is_there(one, answer)]
        some = wanted.get("any")
        if missing:
            return False, f"Not mentioned: {', '.join(missing)}. The answer was {quoted(answer)}"
        if some is not None and not any(_is_there(one, answer) for one in some):
            return (
                False,
                f"None of these is mentioned: {', '.join(map(to_text, some))}. The answer was {quoted(answer)}",
            )
        if wrong:
            return False, f"Mentioned although it must not be: {', '.join(wrong)}. The answer was {quoted(answer)}"
        if others is not None and beside is not None:
            more = beside.named(wanted.get("all", []), outcome, answer)
            if len(more) > others:
                return False, f"The answer names {', '.join(more[:8])} too: {quoted(answer)}"
        return True, "The answer mentions what it must."

    return judge


class _Beside:
    """The values of the same fields that an answer names beside the right ones and those of the instruction."""

    def __init__(self, truth: Truth, instruction: str):
        self.truth = truth
        self.instruction = instruction
        self._kept: dict[tuple[str, ...], tuple[list[str], set[str]]] = {}

    def named(self, right: list[Any], outcome: Outcome, answer: str) -> list[str]:
        wanted = tuple(to_text(one).strip() for one in right)
        if wanted not in self._kept:
            values = list(dict.fromkeys(one for text in wanted for one in _others([text], self.truth, outcome)))
            self._kept = {wanted: (values, {*wanted, *named(values, self.instruction)})}
        values, asked = self._kept[wanted]
        return [one for one in named([*wanted, *values], answer) if one not in asked]


def _present(value: Any) -> list[Any]:
    """The values to look for: of lists the elements, without what is nothing."""
    value = plain(value)
    if isinstance(value, list):
        return [inner for one in value for inner in _present(one)]
    return [value] if to_text(value).strip() else []


def texts(value: Any) -> list[str]:
    """The texts that a value, or a list of values, stands for."""
    return list(dict.fromkeys(to_text(one).strip() for one in _present(value)))


def _is_there(value: Any, answer: str) -> bool:
    if mentioned(to_text(value), answer):
        return True
    if isinstance(value, (int, float)) and not isinstance(value, bool) and json_number(value):
        return any(one.meets(exact(value), exact(0)) for one in claimed(answer))
    if isinstance(value, str) and DATE.match(value):
        return any(day.meets(value) and not day.denied for day in days(answer))
    return False


def mentioned(words: str, answer: str) -> bool:
    """Whether the words stand in the answer as whole words and undenied, upper and lower case and accents alike."""
    text = bare(answer)
    return any(not denied(text[: match.start()]) for match in _words(bare(words)).finditer(text))


def _words(words: str) -> re.Pattern[str]:
    wanted = r"\s+".join(re.escape(word) for word in words.split())
    return re.compile(rf"(?<!\w){wanted}(?!\w)")


def bare(text: str) -> str:
    """Folded, without accents, with plain hyphens and quotes."""
    folded = unicodedata.normalize("NFD", fold(text))
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return letters.translate(_ALIKE)


_ALIKE = {ord(sign): "-" for sign in "‐‑‒–—−"} | {ord(sign): "'" for sign in "‘’ʼ"} | {ord(sign): '"' for sign in "“”"}
