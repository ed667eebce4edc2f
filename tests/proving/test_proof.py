"""Every weakness that a task can have is found in a weak one, and a strong one has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.proving.proof import Proof
from tests.proving.deals import proof

# -- tasks that change something ----------------------------------------------------------------------------

CHANGE = """\
instruction: >
  Birch pilot goes to Bo Marsh for 700 dollars, closing on 2026-05-20. Add the note "Agreed by phone" to it, then close
  it as won.
given:
  deal: initial.deals[?name == 'Birch pilot'] | [0]
  bo: initial.people[?name == 'Bo Marsh'] | [0]
checks:
{checks}
solution:
  - call: list_people
    save: people
  - call: list_deals
    input:
      stage: open
    save: open
  - call: update_deal
    input:
      dealId: = open.results[1].id
      ownerId: = group_by(people.results, 'name')['Bo Marsh'][0].id
      amount: 700
      closeDate: "2026-05-20"
  - call: add_note
    input:
      dealId: = open.results[1].id
      text: Agreed by phone
  - call: close_deal
    input:
      dealId: = open.results[1].id
      stage: won
"""

DEAL = {"ownerId": "= bo.id", "amount": "700", "closeDate": '"2026-05-20"', "stage": "won"}


def changes(to: dict[str, str], note: bool = True, may: str = "") -> str:
    """One check of the whole end state; with `may`, a field that it does not look at."""
    lines = ["  - label: The deal", "    changes:", "      deals:", "        - records: $deal.id", "          to:"]
    lines += [f"            {name}: {value}" for name, value in to.items() if name != may]
    lines += [f"          may: [{may}]"] if may else []
    lines += ["      notes:", "        - created: 1"]
    lines += ["          to:", "            dealId: = deal.id", "            text: Agreed by phone"] if note else []
    return "\n".join(lines)


def state(*queries: str) -> str:
    """Conditions on the end state, which say nothing of the rest of it."""
    return "\n".join(f"  - label: Condition {place}\n    that: {one}" for place, one in enumerate(queries))


WON = "final.deals['D-2'].stage == 'won' and final.deals['D-2'].amount == 700"
NOTED = "length(final.notes) > 1"

STRONG = CHANGE.format(checks=changes(DEAL))


def survivors(found: Proof, kind: str) -> list[str]:
    return [one.did for one in found.survivors if one.kind == kind]


def test_a_task_that_checks_all_that_should_change_catches_every_mutant(tmp_path: Path) -> None:
    found = proof(tmp_path, STRONG)
    assert found.holds and not found.survivors and not found.unfair
    assert found.tried == found.caught
    assert found.tried.keys() == {"left-out", "done-twice", "other-record", "other-value", "extra-change"}


@pytest.mark.parametrize(
    ("kind", "checks", "did"),
    [
        ("left-out", state(WON), "Call 4, add_note, is left out."),
        ("done-twice", state(WON, NOTED), "Call 4, add_note, is made twice."),
        ("other-record", state(WON, NOTED), "Call 4, add_note, gets dealId 'D-3' instead of 'D-2'."),
        ("other-record", changes(DEAL, may="ownerId"), "Call 3, update_deal, gets ownerId 'P-3' instead of 'P-2'."),
        ("other-value", changes(DEAL, may="amount"), "Call 3, update_deal, gets amount 701 instead of 700."),
        (
            "other-value",
            changes(DEAL, may="closeDate"),
            "Call 3, update_deal, gets closeDate '2026-05-21' instead of '2026-05-20'.",
        ),
        ("other-value", changes(DEAL, may="stage"), "Call 5, close_deal, gets stage 'lost' instead of 'won'."),
        (
            "other-value",
            changes(DEAL, note=False),
            "Call 4, add_note, gets text 'Agreed by' instead of 'Agreed by phone'.",
        ),
        ("extra-change", state(WON, NOTED), "close_deal is called once more, for dealId 'D-3'"),
    ],
    ids=["left-out", "twice", "record", "owner", "amount", "date", "enum", "text", "extra"],
)
def test_a_check_that_looks_away_lets_the_damage_pass(tmp_path: Path, kind: str, checks: str, did: str) -> None:
    found = proof(tmp_path, CHANGE.format(checks=checks))
    assert found.holds
    assert any(did in one for one in survivors(found, kind)), survivors(found, kind)


ORDER = """\
instruction: Raise Fir pilot by 10 percent, and then add 50 dollars to it.
checks:
  - label: The amount
    changes:
      deals:
        - records: [D-6]
{settled}
solution:
  - call: list_deals
    save: found
  - call: raise_deal
    input:
      dealId: = found.results[5].id
      percent: 10
  - call: extend_deal
    input:
      dealId: = found.results[5].id
      dollars: 50
"""


def test_calls_in_an_order_that_matters_are_tried_the_other_way_round(tmp_path: Path) -> None:
    strong = proof(tmp_path / "strong", ORDER.format(settled="          to: {amount: 754}"))
    assert strong.holds and strong.caught["out-of-order"] == strong.tried["out-of-order"] == 1
    weak = proof(tmp_path / "weak", ORDER.format(settled="          may: [amount]"))
    assert survivors(weak, "out-of-order") == ["Call 3, extend_deal, is made before call 2, raise_deal."]


# -- tasks that are answered --------------------------------------------------------------------------------

ANSWER = """\
instruction: What are Ann Lee's open deals worth in dollars all together, and what is the largest called?
given:
  deals: initial.deals[?ownerId == 'P-1' and stage == 'open']
checks:
  - label: Nothing changes
    changes: nothing
{checks}
solution:
  - call: list_people
    save: people
  - call: list_deals
    input:
      ownerId: = people.results[0].id
      stage: open
    save: open
  - answer: >
      The deals are worth ${{{{ sum(open.results, 'amount') }}}},
      and {{{{ open.results[1].name }}}} is the largest.
"""

TOTAL = "  - label: The total\n    answer:\n      number: sum($deals[].amount)"
LARGEST = (
    "  - label: The largest\n    answer:\n      mentions:\n        all:\n          - = max_by(deals, 'amount').name"
)
NO_OTHERS = "\n      others: 0"


def matches(pattern: str) -> str:
    return f"  - label: As written\n    answer:\n      text:\n        matches: '{pattern}'"


def test_an_answer_that_is_read_as_what_it_says_catches_every_wrong_one(tmp_path: Path) -> None:
    found = proof(tmp_path, ANSWER.format(checks=f"{TOTAL}\n{LARGEST}{NO_OTHERS}"))
    assert found.holds and not found.survivors and not found.unfair
    assert found.tried.keys() == {
        "extra-change",
        "answer-off",
        "answer-sign",
        "answer-neighbour",
        "answer-denied",
        "answer-buried",
    }


@pytest.mark.parametrize(
    ("kind", "checks", "did"),
    [
        ("answer-off", f"{TOTAL}\n      tolerance: 50\n{LARGEST}{NO_OTHERS}", "'$1346' instead of '$1320'"),
        ("answer-sign", f"{matches('1320')}\n{LARGEST}{NO_OTHERS}", "'-$1320' instead of '$1320'"),
        ("answer-neighbour", TOTAL, "'Cedar renewal' instead of 'Birch pilot'"),
        ("answer-denied", f"{TOTAL}\n{matches('Birch pilot')}", "'not Birch pilot' instead of 'Birch pilot'"),
        ("answer-buried", f"{TOTAL}\n{LARGEST}", "Cedar renewal, Birch pilot"),
    ],
)
def test_an_answer_that_is_read_loosely_lets_a_wrong_one_pass(tmp_path: Path, kind: str, checks: str, did: str) -> None:
    found = proof(tmp_path, ANSWER.format(checks=checks))
    assert found.solvable
    assert any(did in one for one in survivors(found, kind)), survivors(found, kind)


# -- tasks that are free ------------------------------------------------------------------------------------

LOOK = """\
instruction: {instruction}
checks:
{checks}
solution:
  - call: list_deals
    save: found
  - answer: "{answer}"
"""


@pytest.mark.parametrize(
    ("kind", "task"),
    [
        ("idle", STRONG.replace(changes(DEAL), state("length(final.deals) == 6"))),
        (
            "reads-only",
            LOOK.format(
                instruction="Look at the deals.",
                checks="  - label: Looked\n    calls:\n      happened: list_deals",
                answer="Six.",
            ),
        ),
        ("recites", ANSWER.format(checks=LARGEST)),
        (
            "refuses",
            LOOK.format(
                instruction="Say something of the deals.",
                checks="  - label: Says it\n    answer:\n      mentions:\n        any: [cannot, deals]",
                answer="There are six deals.",
            ),
        ),
        (
            "echoes",
            LOOK.format(
                instruction="Is Fir pilot an open deal?",
                checks="  - label: Says it\n    answer:\n      mentions: {all: [Fir pilot]}",
                answer="Fir pilot is open.",
            ),
        ),
    ],
    ids=["idle", "reads-only", "recites", "refuses", "echoes"],
)
def test_a_task_that_passes_without_being_done_is_free(tmp_path: Path, kind: str, task: str) -> None:
    found = proof(tmp_path, task)
    assert found.solvable and not found.holds
    assert kind in [one.kind for one in found.free]
    assert found.idle_fails == (kind != "idle")


def test_refusing_is_not_free_where_it_is_right(tmp_path: Path) -> None:
    found = proof(
        tmp_path,
        """\
instruction: Set the amount of Dogwood upgrade to 900. If that cannot be, change nothing and tell me why.
given:
  deal: initial.deals[?name == 'Dogwood upgrade'] | [0]
checks:
  - label: Nothing changes
    changes: nothing
  - label: Says why
    answer:
      mentions: {all: [= deal.name], any: [won]}
      others: 0
solution:
  - call: list_deals
    save: found
  - call: update_deal
    input:
      dealId: = found.results[3].id
      amount: 900
    save: refusal
  - answer: I changed nothing, as Dogwood upgrade is won.
""",
    )
    assert found.holds and not found.free


# -- tasks that cannot be solved ----------------------------------------------------------------------------


def test_a_solution_that_fails_a_check_is_told_with_the_reason(tmp_path: Path) -> None:
    found = proof(tmp_path, CHANGE.format(checks=changes({**DEAL, "amount": "701"})))
    assert not found.holds and not found.solvable
    assert "amount" in found.unsolved and "701" in found.unsolved


def test_a_solution_with_a_call_that_is_refused_is_told_with_the_call(tmp_path: Path) -> None:
    found = proof(tmp_path, STRONG.replace("dealId: = open.results[1].id\n      ownerId", "dealId: D-4\n      ownerId"))
    assert not found.holds and "update_deal refused: Deal D-4 is won." in found.unsolved


def test_a_task_without_a_solution_is_not_proven(tmp_path: Path) -> None:
    found = proof(tmp_path, STRONG.partition("solution:")[0])
    assert not found.holds and found.unsolved == "It has no solution, so nothing can be proven."


def test_an_argument_that_no_agent_could_know_is_told_with_its_call(tmp_path: Path) -> None:
    listed = "  - call: list_deals\n    input:\n      stage: open\n    save: open\n"
    assert listed in STRONG
    found = proof(tmp_path, STRONG.replace(listed, "").replace("= open.results[1].id", "D-2"))
    assert not found.holds and found.solvable
    assert found.unobtainable == [
        "Call 2, update_deal: dealId is 'D-2', which stands neither in the instruction, the policy or the tools,"
        " nor in an earlier result."
    ]


# -- tasks that are unfair ----------------------------------------------------------------------------------

FAIR = f"{TOTAL}\n{LARGEST}{NO_OTHERS}"


@pytest.mark.parametrize(
    ("kind", "checks"),
    [
        ("more-reads", f"{FAIR}\n  - label: Few calls\n    calls:\n      at_most: 2"),
        (
            "read-order",
            f"{FAIR}\n  - label: In order\n    calls:\n      before:\n        - list_people\n        - list_deals",
        ),
        ("other-words", f"{TOTAL}\n{matches('Birch pilot is the largest')}"),
    ],
)
def test_a_check_of_what_does_not_matter_is_unfair(tmp_path: Path, kind: str, checks: str) -> None:
    found = proof(tmp_path, ANSWER.format(checks=checks))
    assert found.solvable
    assert kind in [one.kind for one in found.unfair]


NOTES = """\
instruction: Add the note "Called" to Fir pilot, and the note "Wrote" to Alder rollout.
checks:
{checks}
solution:
  - call: list_deals
    save: found
  - call: add_note
    input:
      dealId: = found.results[5].id
      text: Called
  - call: add_note
    input:
      dealId: = found.results[0].id
      text: Wrote
"""


def test_a_check_that_leans_on_the_order_of_creation_is_unfair(tmp_path: Path) -> None:
    strong = """\
  - label: The notes
    changes:
      notes:
        - created: 1
          where: dealId == 'D-6'
          to: {dealId: D-6, text: Called}
        - created: 1
          where: dealId == 'D-1'
          to: {dealId: D-1, text: Wrote}"""
    found = proof(tmp_path / "strong", NOTES.format(checks=strong))
    assert found.holds and not found.unfair and not found.survivors
    weak = strong + "\n" + state("final.notes['N-2'].text == 'Called'")
    found = proof(tmp_path / "weak", NOTES.format(checks=weak))
    assert [one.kind for one in found.unfair] == ["creation-order"]


def test_a_world_that_does_not_repeat_itself_is_not_steady(tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "count.py").write_text(
        "from itertools import count\n\nnumbers = count()\n\n\n"
        "def correct(outcome):\n    return next(numbers) % 2 == 0\n"
    )
    check = "  - label: Every other time\n    python: count.correct"
    found = proof(tmp_path, CHANGE.format(checks=f"{changes(DEAL)}\n{check}"))
    assert not found.holds
