"""The answer forms `json` and `text`: the whole answer, as a value or as it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema_rs

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions_texts import fold
from silo_decl.expressions.functions_texts import pattern_of as pattern
from silo_decl.expressions.meaning import equals, exact, json_number, to_text
from silo_decl.expressions.records import plain
from silo_decl.grading.draft import Draft
from silo_decl.grading.ends import Outcome
from silo_decl.grading.quoting import quoted, told
from silo_decl.specs.source import At

Verdict = tuple[bool, str]
Judge = Callable[[Outcome, str], Verdict]

_FENCE = re.compile(r"```(?:json)?[ \t\r]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_NOT_JSON = "The answer is not JSON"


def build_json(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges an answer in JSON: against a value (numbers within `tolerance`), or a JSON Schema."""
    at, raw = draft.at.child("json"), settings["json"]
    if isinstance(raw, dict) and set(raw) == {"schema"}:
        return _json_schema(draft, at.child("schema"), raw["schema"])
    truth = draft.query_or_value(at, raw) if isinstance(raw, str) else draft.value(at, raw)
    tolerance = settings.get("tolerance", 0)

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = plain(truth.get(outcome))
        try:
            found = read_json(answer)
        except ValueError:
            return False, f"{_NOT_JSON}: {quoted(answer)}"
        wrong = difference(found, wanted, tolerance)
        return not wrong, f"{wrong}: {quoted(answer)}" if wrong else "The answer is as expected."

    return judge


def difference(found: Any, wanted: Any, tolerance: float = 0, path: str = "The answer") -> str:
    """In words, the first place where a value is not the wanted one; '' where there is none."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name in {**wanted, **found}:
            inner = f"'{name}'" if path == "The answer" else f"{path[:-1]}.{name}'"
            if name not in found:
                return f"{inner} is missing"
            if name not in wanted:
                return f"{inner} is there, but not expected"
            wrong = difference(found[name], wanted[name], tolerance, inner)
            if wrong:
                return wrong
        return ""
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = (difference(one, other, tolerance, path) for one, other in zip(found, wanted))
        return next((wrong for wrong in pairs if wrong), "")
    if _near(found, wanted, tolerance) or equals(found, wanted):
        return ""
    return f"{path} is {told(found)}, expected {told(wanted)}"


def _near(found: Any, wanted: Any, tolerance: float) -> bool:
    numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (found, wanted))
    return numbers and json_number(found) and abs(exact(found) - exact(wanted)) <= exact(tolerance)


def _json_schema(draft: Draft, at: At, schema: Any) -> Judge:
    try:
        validator = jsonschema_rs.Draft202012Validator(
            schema, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
        )
    except (ValueError, jsonschema_rs.ReferencingError) as wrong:
        draft.say(at, "wrong-form", f"This is no JSON Schema: {str(wrong).splitlines()[0]}")
        return lambda outcome, answer: (False, "")

    def judge(outcome: Outcome, answer: str) -> Verdict:
        try:
            wrong = next(iter(validator.iter_errors(read_json(answer))), None)
        except ValueError:
            return False, f"{_NOT_JSON}: {quoted(answer)}"
        return wrong is None, "The answer has the form." if wrong is None else f"{wrong.message}: {quoted(answer)}"

    return judge


def _refuse(address: str) -> Any:
    raise ValueError(f"{address} is not in this file.")


def read_json(answer: str) -> Any:
    """The JSON that an answer is, or that stands in its only fence. Raises ValueError."""
    try:
        return _decoded(answer)
    except ValueError:
        fenced = _FENCE.findall(answer)
        if len(fenced) != 1:
            raise
        return _decoded(fenced[0])


def _decoded(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("It is nested too deeply.") from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number.")


def build_text(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges the answer as it stands, without the blanks around it."""
    raw, at = settings["text"], draft.at.child("text")
    parts = raw if isinstance(raw, dict) else {"equals": raw}
    ignore_case = bool(parts.get("ignore_case"))
    truth = None
    if "equals" in parts:
        truth = draft.value(at.child("equals") if isinstance(raw, dict) else at, parts["equals"])
    source = ("(?i)" if ignore_case else "") + parts["matches"] if "matches" in parts else ""
    if source:
        _test_pattern(draft, at.child("matches"), source)
    elif truth is None:
        draft.say(at, "empty-check", "This does not say what the text must be.", "Write 'equals:' or 'matches:'.")

    def judge(outcome: Outcome, answer: str) -> Verdict:
        found = answer.strip()
        if truth is not None:
            wanted = to_text(truth.get(outcome)).strip()
            if found != wanted and not (ignore_case and fold(found) == fold(wanted)):
                return False, f"Expected {quoted(wanted)}; the answer was {quoted(answer)}"
        if source and pattern(source).search(found) is None:
            return False, f"The answer does not match '{parts['matches']}': {quoted(answer)}"
        return True, "The answer is as expected."

    return judge


def _test_pattern(draft: Draft, at: At, source: str) -> None:
    try:
        found = pattern(source)
    except ExpressionError as wrong:
        draft.say(at, "wrong-form", str(wrong), "Write a pattern of RE2: no look-around, no back references.")
        return
    if all(found.search(text) for text in ("", "no", "12", "%", "Ä\n-")):
        draft.say(at, "empty-check", "Every text matches this, so it can never fail.", "Write what must be in it.")
