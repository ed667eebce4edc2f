"""Reading answers: what a sentence states, and what a list of guesses does not."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.grading.answers import mentioned
from silo_decl.grading.dates import days
from silo_decl.grading.numbers import stated

from .desk import desk, graded, only, says

NUMBER = """\
  - label: The number
    answer:
      number: sum(initial.tickets[?status == 'open'].price.amount)
      tolerance: 0.01
"""

STATING = [
    "170.5",
    "It is 170.50.",
    "The total is $170.50 across 2 tickets.",
    "USD 170.50",
    "170,50 €",
    "**$170.50**",
    "The two tickets (T-1 and T-2) come to 170.5 dollars as of 2026-04-01.",
    "1. I listed the tickets.\n2. The sum is 170.5.",
    '{"total": 170.5}',
    '{"total":170.5}',
    "In 2026 it was 170.5.",
    "Over 30 days: 170.5",
]

NOT_STATING = [
    "",
    "I do not know.",
    "170",
    "100, 170.5 or 200",
    "Either $170.50 or $180.00.",
    "T-170.5",
    "-170.5",
    "It is 1705.",
]


@pytest.mark.parametrize("answer", STATING)
def test_number_that_is_stated_passes(tmp_path: Path, answer: str) -> None:
    assert says(desk(tmp_path, NUMBER), answer)


@pytest.mark.parametrize("answer", NOT_STATING)
def test_number_that_is_not_stated_or_one_of_several_guesses_fails(tmp_path: Path, answer: str) -> None:
    assert not says(desk(tmp_path, NUMBER), answer)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.2M", "1200000"),
        ("$1.2 million", "1200000"),
        ("3k", "3000"),
        ("38%", "38"),
        ("38 percent", "0.38"),
        ("1 234,50", "1234.5"),
        ("1.234,50", "1234.5"),
        ("1,234.50", "1234.5"),
        ("1'234.50", "1234.5"),
        ("(500)", "-500"),
        ("-5", "-5"),
        ("five", "5"),
        ("12 345 678", "12345678"),
        ("€-5", "-5"),
    ],
)
def test_ways_to_write_a_number(text: str, value: str) -> None:
    assert any(one.meets(Decimal(value), Decimal(0)) for one in stated(f"It is {text} now"))


@pytest.mark.parametrize("text", ["OPP-012", "Q3", "v1.2", "2026-04-01", "12:30", "April 1, 2026", "#12", "T1"])
def test_parts_of_ids_dates_and_times_state_no_number(text: str) -> None:
    assert stated(f"See {text} please") == []


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2), st.sampled_from(["{:,.2f}", "{:.2f}", "${:,.2f}"]))
def test_formatted_numbers_are_read_back(value: Decimal, form: str) -> None:
    text = form.format(value)
    assert any(one.meets(value, Decimal(0)) for one in stated(f"The answer is {text} in all"))


@pytest.mark.parametrize(
    "text",
    ["2026-04-14", "April 14, 2026", "14 April 2026", "Apr 14th, 2026", "4/14/2026", "14.04.2026", "2026-04-14T10:00"],
)
def test_ways_to_write_a_day(text: str) -> None:
    assert any(day.meets("2026-04-14") for day in days(f"Due on {text}, I think."))


def test_another_day_is_no_match() -> None:
    assert not any(day.meets("2026-04-14") for day in days("Due on April 15, 2026"))


NUMBERS = """\
  - label: Both numbers
    answer:
      numbers:
        open: length(initial.tickets[?status == 'open'])
        total: sum(initial.tickets[].price.amount)
      tolerance: 0.01
      others: 0
"""


def test_every_number_must_be_stated(tmp_path: Path) -> None:
    environment = desk(tmp_path, NUMBERS)
    assert says(environment, "2 are open, $175.50 in total")
    assert not says(environment, "2 are open")
    assert not says(environment, "2 are open, $175.50 in total, or 176, or 177")


def test_missing_numbers_are_named(tmp_path: Path) -> None:
    detail = only(graded(desk(tmp_path, NUMBERS), output="2 are open")).detail
    assert "total (175.5)" in detail


MENTIONS = """\
  - label: Mentions
    answer:
      mentions:
        all:
          - = initial.tickets['T-1'].ownerName
        any: [deactivated, left]
        none: [Bo]
"""


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("ANN left.", True),
        ("Ann is deactivated", True),
        ("Annabel left", False),
        ("Ann stays", False),
        ("Ann left, Bo too", False),
        ("Ann left the border", True),
    ],
)
def test_mentions_are_whole_words(tmp_path: Path, answer: str, right: bool) -> None:
    assert says(desk(tmp_path, MENTIONS), answer) is right


def test_accents_case_and_blanks_do_not_matter_in_mentions() -> None:
    assert mentioned("Café Olé", "at the CAFE\n ole today")
    assert mentioned("T-1", "see T‑1.")


def test_one_of_takes_any_right_answer(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      one_of: initial.tickets[?status == 'open'].id\n")
    assert says(environment, "It is T-2.")
    assert not says(environment, "It is T-3.")


def test_date_is_stated(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      date: '2026-04-14'\n")
    assert says(environment, "On April 14.")
    assert not says(environment, "On April 14 or April 15.")


def test_json_answers_are_compared_by_value(tmp_path: Path) -> None:
    checks = "  - answer:\n      json:\n        open: = length(initial.tickets) - 1\n        who: [Ann]\n"
    environment = desk(tmp_path, checks)
    assert says(environment, '{"who": ["Ann"], "open": 2}')
    assert says(environment, 'Here:\n```json\n{"who": ["Ann"], "open": 2.0}\n```')
    assert not says(environment, '{"who": ["Ann"], "open": true}')
    assert not says(environment, "two")


def test_json_answers_may_be_tested_for_their_form(tmp_path: Path) -> None:
    checks = "  - answer:\n      json:\n        schema:\n          type: object\n          required: [id]\n"
    environment = desk(tmp_path, checks)
    assert says(environment, '{"id": 1}')
    assert not says(environment, "[]")


def test_text_answers_and_patterns(tmp_path: Path) -> None:
    checks = "  - answer:\n      text:\n        matches: ^closed T-\\d+$\n        ignore_case: true\n"
    environment = desk(tmp_path, checks)
    assert says(environment, "Closed T-12")
    assert not says(environment, "Closed T-12!")


def test_pattern_that_would_take_for_ever_elsewhere_is_quick(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      text:\n        matches: ^(\\w+\\s?)+$\n")
    assert not says(environment, "a" * 5000 + "!")


def test_no_answer_fails_with_a_reason(tmp_path: Path) -> None:
    assert only(graded(desk(tmp_path, NUMBER), output=None)).detail == "There is no answer."
