"""Answers that name something: days, one of several, words that must or must not be there."""

from pathlib import Path

import pytest

from silo_decl.grading.answer_words import mentioned, named

from .desk import desk, graded, only, says

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
    assert mentioned("O'Neil", "O’Neil")
    assert not mentioned("T-1", "T-10")


def test_mentions_come_from_a_query_too(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      mentions: initial.tickets[?status == 'open'].id\n")
    assert says(environment, "T-1 and T-2")
    assert only(graded(environment, output="T-1")).detail == "Not mentioned: T-2. The answer was 'T-1'"


def test_numbers_and_days_are_mentioned_in_any_way_to_write_them(tmp_path: Path) -> None:
    wanted = "          - = initial.tickets['T-1'].price.amount\n          - '2026-04-14'\n"
    environment = desk(tmp_path, f"  - answer:\n      mentions:\n        all:\n{wanted}")
    assert says(environment, "$150.50 on April 14, 2026")


def test_nothing_to_mention_is_the_worlds_fault(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      mentions: initial.tickets[?note == 'nope'].id\n")
    assert graded(environment, output="x").fault is not None


# -- one of several -----------------------------------------------------------------------------------------


def test_one_of_takes_any_right_answer(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      one_of: initial.tickets[?status == 'open'].id\n")
    assert says(environment, "It is T-2.")
    assert not says(environment, "It is T-3.")


def test_one_of_several_guesses_fails(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      one_of: initial.tickets[?big].id\n")
    assert says(environment, "T-1")
    assert not says(environment, "T-1, T-2 or T-3")


@pytest.mark.parametrize(
    "query", ["initial.people[?id == 'P-1'].name", "initial.tickets[0].ownerName", "$owner.name", "$first.ownerName"]
)
def test_wrong_answers_are_the_other_values_of_the_field(tmp_path: Path, query: str) -> None:
    more = "given:\n  owner: lookup('people', 'P-1')\n  first: initial.tickets[0]\n"
    environment = desk(tmp_path, f"  - answer:\n      one_of: {query}\n", more)
    assert says(environment, "Ann has them.")
    assert only(graded(environment, output="Ann or Bo")).detail == "Expected Ann; the answer names Bo too: 'Ann or Bo'"


def test_right_answers_may_be_listed(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      one_of: [USA, United States]\n")
    assert says(environment, "The United States (USA).")
    assert not says(environment, "Canada")


def test_name_within_a_longer_name_does_not_count() -> None:
    assert named(["Acme", "Acme Corp"], "It is ACME Corp.") == ["Acme Corp"]
    assert named(["Acme", "Acme Corp"], "It is Acme.") == ["Acme"]


# -- a day --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("On April 14.", True),
        ("2026-04-14", True),
        ("As of April 1, 2026 it is due on 4/14/2026.", True),
        ("**2026-04-14**, not 2026-04-15", True),
        ("On April 14 or April 15.", False),
        ("On 2026-04-15", False),
        ("soon", False),
    ],
)
def test_date_is_stated_and_no_other(tmp_path: Path, answer: str, right: bool) -> None:
    assert says(desk(tmp_path, "  - answer:\n      date: '2026-04-14'\n"), answer) is right


def test_date_comes_from_a_value_too(tmp_path: Path) -> None:
    assert says(desk(tmp_path, "  - answer:\n      date: = date_add(today, 13)\n"), "April 14")
