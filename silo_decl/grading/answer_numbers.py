"""The answer forms `number` and `numbers`: what it takes for a number to be stated.

An answer states a number when it gives it and offers no other in its place. In its place stand

- numbers of the same kind: two sums of money, two percentages, or two plain numbers of one thing ('12 deals',
  '8 deals') or of nothing that is named;
- numbers of any kind that are offered beside it: '10 or $20', '10, 20', 'between 10 and 20', and one that follows
  behind a comma or in brackets and names no thing of its own: '12 deals (10 without the stale ones)'.

Not in its place stand the same number again or rounded, numbers that the instruction holds, parts that add up to it,
what it is a part of ('12 of 40'), years, names such as 'step 3', and numbers of other things ('$1,234.50 across 12
deals'), of which there may be three. Where an answer sets numbers apart (bold, boxed, 'Total: ...', '... in all'), it
is enough that all this holds among those. `others` allows that many more, in its place or not. So an answer can be
right with no more than a handful of different numbers, and must say each of something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from silo_decl.expressions.meaning import exact, is_money, shown
from silo_decl.grading.draft import CheckError, Draft, Truth
from silo_decl.grading.ends import Outcome
from silo_decl.grading.numbers import Stated, claimed, keyed, stated
from silo_decl.grading.quoting import quoted
from silo_decl.specs.source import At

Verdict = tuple[bool, str]
Judge = Callable[[Outcome, str], Verdict]

OTHER_THINGS = 3
_ALTERNATIVE = r"or|and/or|maybe|perhaps|possibly|alternatively|versus|vs\.?"
_SOFT = r"about|around|roughly|even|rather|it\W?i?s|else|either|as\s+(?:few|many|much|little)\s+as"
_OFFERED = re.compile(
    rf"\b(?:{_ALTERNATIVE})\b\W{{0,5}}(?:(?:{_ALTERNATIVE}|{_SOFT})\b\W{{0,5}}){{0,4}}$", re.IGNORECASE
)
_IN_A_ROW = re.compile(r"[\s,;/&+~–—-]*")
_BEHIND = re.compile(r"[^\n.!?:;|]{0,40}[,(–—]\s*(?:only\s|just\s)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The number that is asked for, how far off one may be, and the numbers that the instruction holds."""

    value: Decimal
    tolerance: Decimal
    asked: frozenset[Decimal]

    def met_by(self, one: Stated) -> bool:
        return one.meets(self.value, self.tolerance)

    def same(self, one: Stated) -> bool:
        """Whether it is the number itself, maybe rounded."""
        return self.met_by(one) or one.rounds(self.value)


def build_number(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges whether the number is stated."""
    truth = number_truth(draft, draft.at.child("number"), settings["number"])
    tolerance, others = _tolerance(settings), settings.get("others", 0)
    asked = _asked(instruction)

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = Wanted(_exact(truth, outcome), tolerance, asked)
        found = in_rows(claimed(answer))
        hits = _hits(found, wanted)
        expected = f"Expected {_shown(wanted.value)}{_give(tolerance)}"
        if not hits:
            return False, f"{expected}; the answer states {_listed(one for one, _ in found)}: {quoted(answer)}"
        for among in (found, [pair for pair in found if pair[0].marked]):
            for hit in hits:
                if hit in among and not _against(hit, among, wanted, others):
                    return True, f"The answer states {hit[0].text}, as expected."
        against = _listed(_against(hits[0], found, wanted, others))
        return False, f"{expected}; the answer gives it, but also {against}: {quoted(answer)}"

    return judge


def number_truth(draft: Draft, at: At, raw: Any) -> Truth:
    """The query or value of a number; one that can be none is a problem."""
    truth = draft.query_or_value(at, raw)
    draft.wants(truth, ("number", "object", "nothing"), "a number")
    return truth


# -- one number among others --------------------------------------------------------------------------------

# A number with its row: numbers that are offered one beside the other share a row.
InRow = tuple[Stated, int]


def in_rows(found: Sequence[Stated]) -> list[InRow]:
    """The numbers with their rows. One behind a comma that names no thing takes that of the number before it."""
    rows: list[InRow] = []
    for one in found:
        row = len(rows)
        if rows:
            last, last_row = rows[-1]
            if _beside(last, one):
                row = last_row
            if one.kind == last.kind == "plain" and not one.thing and _BEHIND.fullmatch(one.gap):
                one = replace(one, thing=last.thing)
        rows.append((one, row))
    return rows


def _beside(last: Stated, one: Stated) -> bool:
    if _OFFERED.search(one.gap[-80:]):
        return True
    alike = not last.thing and (not one.thing or one.kind == last.kind)
    return alike and _IN_A_ROW.fullmatch(one.gap) is not None


def _hits(found: Sequence[InRow], wanted: Wanted) -> list[InRow]:
    """The numbers that are the wanted one; words such as 'one' only where nothing else is counted."""
    idle = not any(one.kind == "plain" and not one.idle for one, _ in found)
    return [pair for pair in found if wanted.met_by(pair[0]) and (idle or not pair[0].idle)]


def _against(hit: InRow, among: Sequence[InRow], wanted: Wanted, others: int) -> list[Stated]:
    """What speaks against it: the numbers in its place, or of other things, that are more than there may be."""
    in_row = [one for one, row in among if row == hit[1] and not wanted.same(one)]
    rest = [one for one, row in among if row != hit[1] and not wanted.same(one) and _counts(one, hit[0], wanted)]
    alike = [one for one in rest if one.kind == hit[0].kind and one.thing == hit[0].thing]
    apart = _distinct(one for one in rest if one not in alike)
    if abs(sum(one.readings[0] for one in alike) - wanted.value) <= wanted.tolerance:
        alike = []
    in_place = _distinct([*in_row, *alike])
    if len(in_place) > others:
        return in_place
    return apart if len(apart) + len(in_place) > others + OTHER_THINGS else []


def _counts(one: Stated, hit: Stated, wanted: Wanted) -> bool:
    if one.idle or one.is_whole or wanted.asked.intersection(one.readings):
        return False
    return one.kind == hit.kind or one.kind not in ("year", "label")


def _distinct(found: Iterable[Stated]) -> list[Stated]:
    return list({one.readings: one for one in found}.values())


# -- several numbers ----------------------------------------------------------------------------------------


def build_numbers(draft: Draft, settings: Any, instruction: str) -> Judge:
    """What judges whether every number is stated, and few others: unless said, no more than there are names.

    An answer in JSON that has their names as keys is read by them.
    """
    at = draft.at.child("numbers")
    truths = {name: number_truth(draft, at.child(name), raw) for name, raw in settings["numbers"].items()}
    tolerance, allowed = _tolerance(settings), settings.get("others", len(truths))
    asked = _asked(instruction)

    def judge(outcome: Outcome, answer: str) -> Verdict:
        wanted = {name: Wanted(_exact(truth, outcome), tolerance, asked) for name, truth in truths.items()}
        found, by_name = claimed(answer), keyed(answer)
        missing = [
            f"{name} ({_shown(one.value)})"
            for name, one in wanted.items()
            if not any(map(one.met_by, by_name.get(name, found)))
        ]
        if missing:
            return False, f"Not stated: {', '.join(missing)}. The answer states {_listed(found)}: {quoted(answer)}"
        more = _distinct(one for one in found if _is_more(one, wanted.values()))
        if len(more) > allowed:
            return False, f"All are stated, but so are {_listed(more)}; at most {allowed} others may be."
        return True, f"The answer states {', '.join(f'{name} {_shown(one.value)}' for name, one in wanted.items())}."

    return judge


def _is_more(one: Stated, wanted: Iterable[Wanted]) -> bool:
    if one.idle or one.kind in ("year", "label"):
        return False
    return not any(each.same(one) or each.asked.intersection(one.readings) for each in wanted)


# -- what is wanted -----------------------------------------------------------------------------------------


def _asked(instruction: str) -> frozenset[Decimal]:
    return frozenset(reading for one in stated(instruction) if not one.idle for reading in one.readings)


def _tolerance(settings: Any) -> Decimal:
    return exact(settings.get("tolerance", 0))


def _exact(truth: Truth, outcome: Outcome) -> Decimal:
    value = truth.get(outcome)
    if is_money(value):
        value = value["amount"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise CheckError(truth.at, f"This gives {shown(value)}, not a number.")
    return exact(value)


def _give(tolerance: Decimal) -> str:
    return f" (give or take {_shown(tolerance)})" if tolerance else ""


def _shown(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _listed(found: Iterable[Stated]) -> str:
    texts = list(dict.fromkeys(one.text for one in found))
    return ", ".join(texts[:8]) + (" …" if len(texts) > 8 else "") if texts else "no number"
