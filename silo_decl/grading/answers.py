"""Reading an answer: the forms that `answer` has, one table.

`number` takes the number that is stated. A sentence may hold others of another kind ("$1,234.50 across 12 deals"
states one sum of money and one plain number), so a number counts when it is the only one of its kind that the answer
states, leaving out numbers that the instruction gave; a list of guesses states several of one kind and fails. `others`
allows that many more of the kind.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import jsonschema_rs

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_texts import pattern_of as pattern
from silo_decl.expressions.meaning import DATE, equals, exact, is_money, shown, to_text
from silo_decl.expressions.records import plain
from silo_decl.grading.dates import days
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.grading.numbers import Stated, stated
from silo_decl.specs.task import AnswerCheck

Verdict = tuple[bool, str]
Judge = Callable[[Outcome, str], Verdict]

_QUOTED = 160
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


def build_answer(draft: Draft, body: AnswerCheck, instruction: str) -> Callable[[Outcome], Verdict]:
    """What judges the final answer."""
    judge = FORMS[body.form](draft, body.settings, instruction)

    def check(outcome: Outcome) -> Verdict:
        if outcome.output is None or not outcome.output.strip():
            return False, "There is no answer."
        return judge(outcome, outcome.output)

    return check


def quoted(answer: str) -> str:
    text = " ".join(answer.split())
    return f"'{text}'" if len(text) <= _QUOTED else f"'{text[: _QUOTED - 1]}…'"


# -- numbers ------------------------------------------------------------------------------------------------


def _number(draft: Draft, settings: Any, instruction: str) -> Judge:
    truth = draft.query_or_value(draft.at.child("number"), settings["number"])
    tolerance = _tolerance(settings)
    others = settings.get("others", 0)
    given = stated(instruction)

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = _wanted(truth, outcome)
        found = stated(answer)
        hits = [one for one in found if one.meets(wanted, tolerance)]
        expected = f"Expected {_shown(wanted)}"
        if not hits:
            return False, f"{expected}; the answer states {_listed(found)}: {quoted(answer)}"
        rivals = min((_rivals(hit, found, given, tolerance) for hit in hits), key=len)
        if len(rivals) > others:
            return False, f"{expected}; the answer states it among others, {_listed(rivals)}: {quoted(answer)}"
        return True, f"The answer states {hits[0].text}."

    return judge


def _rivals(hit: Stated, found: Sequence[Stated], given: Sequence[Stated], tolerance: Decimal) -> list[Stated]:
    """Other numbers of the kind that the instruction did not hold."""
    asked = {reading for one in given for reading in one.readings}
    rivals = []
    for one in found:
        if one.kind != hit.kind or any(one.meets(reading, tolerance) for reading in hit.readings):
            continue
        if not asked.intersection(one.readings):
            rivals.append(one)
    return rivals


def _numbers(draft: Draft, settings: Any, instruction: str) -> Judge:
    at = draft.at.child("numbers")
    truths = {name: draft.query_or_value(at.child(name), raw) for name, raw in settings["numbers"].items()}
    tolerance, others = _tolerance(settings), settings.get("others")
    given = {reading for one in stated(instruction) for reading in one.readings}

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = {name: _wanted(truth, outcome) for name, truth in truths.items()}
        found = stated(answer)
        missing = [
            f"{name} ({_shown(value)})"
            for name, value in wanted.items()
            if not any(one.meets(value, tolerance) for one in found)
        ]
        if missing:
            return False, f"Not stated: {', '.join(missing)}. The answer states {_listed(found)}: {quoted(answer)}"
        more = [
            one
            for one in found
            if one.kind != "year"
            and not any(one.meets(value, tolerance) for value in wanted.values())
            and not given.intersection(one.readings)
        ]
        allowed = len(truths) if others is None else others
        if len(more) > allowed:
            return False, f"All are stated, but so are {len(more)} others, {_listed(more)}; at most {allowed} may be."
        return True, f"The answer states {', '.join(f'{name} {_shown(value)}' for name, value in wanted.items())}."

    return judge


def _tolerance(settings: Any) -> Decimal:
    return exact(settings.get("tolerance", 0))


def _wanted(truth: Truth, outcome: Outcome) -> Decimal:
    value = truth.get(outcome)
    if is_money(value):
        value = value["amount"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CheckError(truth.at, f"This gives {shown(value)}, not a number.")
    return exact(value)


def _shown(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _listed(found: Sequence[Stated]) -> str:
    return ", ".join(one.text for one in found[:8]) + (" …" if len(found) > 8 else "") if found else "no number"


# -- days and words -----------------------------------------------------------------------------------------


def _date(draft: Draft, settings: Any, instruction: str) -> Judge:
    raw, at = settings["date"], draft.at.child("date")
    truth = draft.value(at, raw) if DATE.match(str(raw)) else draft.query_or_value(at, raw)
    others = settings.get("others", 0)
    given = [day.readings for day in days(instruction)]

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = truth.get(outcome)
        if not isinstance(wanted, str) or not DATE.match(wanted[:10]):
            raise CheckError(truth.at, f"This gives {shown(wanted)}, not a date.")
        found = days(answer)
        said = ", ".join(day.text for day in found) or "no date"
        rivals = [day for day in found if not day.meets(wanted) and day.readings not in given]
        if not any(day.meets(wanted) for day in found) or len(rivals) > others:
            return False, f"Expected {wanted[:10]}; the answer states {said}: {quoted(answer)}"
        return True, f"The answer states {wanted[:10]}."

    return judge


def _one_of(draft: Draft, settings: Any, instruction: str) -> Judge:
    truth = draft.query_or_value(draft.at.child("one_of"), settings["one_of"])

    def judge(outcome: Outcome, answer: str) -> Verdict:
        right = _texts(truth.get(outcome))
        if not right:
            raise CheckError(truth.at, "This gives no answer that would be right.")
        hit = next((one for one in right if mentioned(one, answer)), None)
        if hit is None:
            return False, f"Expected one of {', '.join(right)}; the answer was {quoted(answer)}"
        return True, f"The answer names {hit}."

    return judge


def _mentions(draft: Draft, settings: Any, instruction: str) -> Judge:
    at, raw = draft.at.child("mentions"), settings["mentions"]
    parts: dict[str, Any] = raw if isinstance(raw, dict) else {"all": raw if isinstance(raw, list) else [raw]}
    truths = {
        word: draft.query_or_value(at.child(word) if isinstance(raw, dict) else at, value)
        for word, value in parts.items()
    }

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = {word: _texts(truth.get(outcome)) for word, truth in truths.items()}
        for word in ("all", "any"):
            if word in wanted and not wanted[word]:
                raise CheckError(truths[word].at, "This gives nothing to mention, so it shows nothing.")
        missing = [one for one in wanted.get("all", ()) if not mentioned(one, answer)]
        wrong = [one for one in wanted.get("none", ()) if mentioned(one, answer)]
        some = wanted.get("any")
        if missing:
            return False, f"Not mentioned: {', '.join(missing)}. The answer was {quoted(answer)}"
        if some is not None and not any(mentioned(one, answer) for one in some):
            return False, f"None of these is mentioned: {', '.join(some)}. The answer was {quoted(answer)}"
        if wrong:
            return False, f"Mentioned although it must not be: {', '.join(wrong)}. The answer was {quoted(answer)}"
        return True, "The answer mentions what it must."

    return judge


def _texts(value: Any) -> list[str]:
    value = plain(value)
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    text = to_text(value).strip()
    return [text] if text else []


def mentioned(words: str, answer: str) -> bool:
    """Whether the words stand in the answer as whole words, upper and lower case and accents alike."""
    wanted = r"\s+".join(re.escape(word) for word in _bare(words).split())
    return re.search(rf"(?<!\w){wanted}(?!\w)", _bare(answer)) is not None


def _bare(text: str) -> str:
    """Folded, without accents, with plain hyphens and quotes."""
    folded = unicodedata.normalize("NFD", fold(text))
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter))
    return letters.translate(_ALIKE)


_ALIKE = {ord(sign): "-" for sign in "‐‑‒–—−"} | {ord(sign): "'" for sign in "‘’ʼ"} | {ord(sign): '"' for sign in "“”"}


# -- JSON and whole texts -----------------------------------------------------------------------------------


def _json(draft: Draft, settings: Any, instruction: str) -> Judge:
    at, raw = draft.at.child("json"), settings["json"]
    if isinstance(raw, dict) and set(raw) == {"schema"}:
        return _json_schema(draft, at, raw["schema"])
    truth = draft.query_or_value(at, raw) if isinstance(raw, str) else draft.value(at, raw)

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = plain(truth.get(outcome))
        try:
            found = read_json(answer)
        except ValueError:
            return False, f"The answer is not JSON: {quoted(answer)}"
        same = equals(found, wanted)
        return same, "The answer is as expected." if same else f"Expected {shown(wanted, 200)}; got {quoted(answer)}"

    return judge


def _json_schema(draft: Draft, at: Any, schema: Any) -> Judge:
    try:
        validator = jsonschema_rs.Draft202012Validator(schema)
    except (ValueError, jsonschema_rs.ValidationError) as wrong:
        draft.say(at.child("schema"), "wrong-form", f"This is no JSON Schema: {str(wrong).splitlines()[0]}.")
        return lambda outcome, answer: (False, "")

    def judge(outcome: Outcome, answer: str) -> Verdict:
        try:
            found = read_json(answer)
        except ValueError:
            return False, f"The answer is not JSON: {quoted(answer)}"
        wrong = next(iter(validator.iter_errors(found)), None)
        return wrong is None, "The answer has the form." if wrong is None else f"{wrong.message}: {quoted(answer)}"

    return judge


def read_json(answer: str) -> Any:
    """The JSON that an answer is, or that stands in its only fence. Raises ValueError."""
    try:
        return json.loads(answer)
    except ValueError:
        fenced = _FENCE.findall(answer)
        if len(fenced) != 1:
            raise
        return json.loads(fenced[0])
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _text(draft: Draft, settings: Any, instruction: str) -> Judge:
    raw, at = settings["text"], draft.at.child("text")
    parts = raw if isinstance(raw, dict) else {"equals": raw}
    fold_case = bool(parts.get("ignore_case"))
    truth = (
        draft.value(at.child("equals") if isinstance(raw, dict) else at, parts["equals"]) if "equals" in parts else None
    )
    if "matches" in parts:
        _test_pattern(draft, at.child("matches"), parts["matches"])

    def judge(outcome: Outcome, answer: str) -> Verdict:
        if truth is not None:
            wanted = to_text(truth.get(outcome)).strip()
            same = fold(answer.strip()) == fold(wanted) if fold_case else answer.strip() == wanted
            if not same:
                return False, f"Expected {quoted(wanted)}; the answer was {quoted(answer)}"
        if "matches" in parts:
            source = ("(?i)" if fold_case else "") + parts["matches"]
            if pattern(source).search(answer) is None:
                return False, f"The answer does not match '{parts['matches']}': {quoted(answer)}"
        return True, "The answer is as expected."

    return judge


def _test_pattern(draft: Draft, at: Any, text: str) -> None:
    try:
        pattern(text)
    except ExpressionError as wrong:
        draft.say(at, "wrong-form", str(wrong), "Write a pattern of RE2: no look-around, no back references.")


FORMS: dict[str, Callable[[Draft, Any, str], Judge]] = {
    "number": _number,
    "numbers": _numbers,
    "date": _date,
    "one_of": _one_of,
    "mentions": _mentions,
    "json": _json,
    "text": _text,
}
