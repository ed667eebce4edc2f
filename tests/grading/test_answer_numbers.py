"""What it takes for a number to be stated: normal sentences pass, a list of guesses fails."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from silo_decl.engine.environment import Environment

from .desk import desk, graded, only, problems, says

NUMBER = """\
  - label: The number
    answer:
      number: sum(initial.tickets[?status == 'open'].price.amount)
      tolerance: 0.01
"""


@pytest.fixture(scope="module")
def worth(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Asks for 170.5; the instruction holds '30 days'."""
    return desk(tmp_path_factory.mktemp("worth"), NUMBER)


@pytest.fixture(scope="module")
def count(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Asks for 3."""
    return desk(tmp_path_factory.mktemp("count"), "  - answer:\n      number: length(initial.tickets)\n")


TABLE = "| Ticket | Price |\n|---|---|\n| T-1 | $151.00 |\n| T-2 | $20.00 |\n| **Total** | **$170.50** |"


@pytest.mark.parametrize(
    "answer",
    [
        "170.5",
        "170.50.",
        "It is 170.50.",
        "$170.50 (about $171)",
        "The total is $170.50 across 2 tickets.",
        "There are 2 tickets in 4 stages, worth $170.50 (38% of quota).",
        "$170.50 (2 tickets)",
        "2 tickets, $170.50",
        "Total - $170.50",
        "USD 170.50",
        "170,50 €",
        "**$170.50**",
        "The two tickets (T-1 and T-2) come to 170.5 dollars as of 2026-04-01.",
        "1. I listed the tickets.\n2. The sum is 170.5.",
        "Step 1: list. Step 2: add. Result: 170.5",
        '{"total": 170.5}',
        '{"total":170.5, "tickets": 2}',
        '```json\n{"total": 170.5}\n```',
        "In 2026 it was 170.5.",
        "Over 30 days: 170.5",
        "The pipeline is worth $170.50: $150.50 from T-1 and $20 from T-2.",
        "150.50 + 20.00 = 170.50",
        "The sum of the 2 tickets is 170.5",
        "The weighted value is **$170.50** (unweighted: $900).",
        "T-1 is at $151 and T-2 at $20. Total: $170.50",
        TABLE,
        "The answer is \\boxed{170.5}.",
    ],
)
def test_number_that_is_stated_passes(worth: Environment, answer: str) -> None:
    assert says(worth, answer), only(graded(worth, output=answer)).detail


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I do not know.",
        "170",
        "It is 1705.",
        "T-170.5",
        "-170.5",
        "170.5k",
        "100, 170.5 or 200",
        "100 170.5 200",
        "100\n170.5\n200",
        "- 100\n- 170.5\n- 200",
        "1) 100\n2) 170.5\n3) 200",
        "(a) 100 (b) 170.5 (c) 200",
        "Guess 1: 100\nGuess 2: 170.5",
        "Option A: 170.5; option B: 180",
        "Either $170.50 or $180.00.",
        "170.5 or $180",
        "$160, 170.5, 180%",
        "It could be $170.50. It could also be $180.",
        "Maybe 170.5, maybe 180",
        "Between $160 and $180, probably $170.50",
        "170.5-180",
        "170.5 / 180",
        "[160, 170.5, 180]",
        '{"guesses": [160, 170.5, 180]}',
        '{"guess1": 160, "guess2": 170.5}',
        "**160** **170.5** **180**",
        "1 apple, 2 pears, 3 plums, 4 figs, 170.5 dates",
        "The weighted value is $170.50 (unweighted: $900).",
    ],
)
def test_number_that_is_not_stated_or_one_of_several_guesses_fails(worth: Environment, answer: str) -> None:
    assert not says(worth, answer)


GUESSES = st.lists(st.integers(31, 160), min_size=1, max_size=6, unique=True)
LISTS = [", ", " or ", " / ", "\n", " and ", "; ", " ", ", maybe ", "\n- ", " to ", ". Or "]


@given(
    GUESSES, st.integers(0, 6), st.sampled_from(LISTS), st.sampled_from(["{}", "${}", "{} tickets", "{}%", "**{}**"])
)
def test_list_of_guesses_never_passes(
    worth: Environment, guesses: list[int], place: int, between: str, form: str
) -> None:
    assume(sum(guesses) not in (170, 171))
    numbers = [str(one) for one in guesses]
    numbers.insert(min(place, len(numbers)), "170.5")
    assert not says(worth, between.join(form.format(one) for one in numbers))


THINGS = st.lists(st.sampled_from(["people", "stages", "days", "months"]), max_size=3, unique=True)


@given(THINGS, st.integers(0, 3), st.data())
def test_numbers_of_other_things_do_no_harm(
    worth: Environment, things: list[str], place: int, data: st.DataObject
) -> None:
    parts = [f"{data.draw(st.integers(2, 9))} {thing}" for thing in things]
    parts.insert(min(place, len(parts)), "$170.50")
    assert says(worth, f"There are {', '.join(parts)} in it.")


@pytest.mark.parametrize(
    "answer",
    [
        "3",
        "Three.",
        "There are three tickets across 2 people.",
        "3 tickets: 2 open, 1 closed",
        "There are 3 tickets. 2 are open and 1 is closed.",
        "3 of 10 are mine",
        "We have 3 tickets, $170.50 in all.",
        "tickets: 3, people: 2",
        "No. There are 3.",
        "The tickets are:\n1. T-1\n2. T-2\n3. T-3\n\n3 in total.",
    ],
)
def test_count_that_is_stated_passes(count: Environment, answer: str) -> None:
    assert says(count, answer), only(graded(count, output=answer)).detail


@pytest.mark.parametrize(
    "answer",
    [
        "2, 3 or 4",
        "two or three",
        "1 2 3 4 5 6",
        "1, 2, 3, 4",
        "3 tickets (2 without the closed one)",
        "2 tickets... no, 3 tickets",
        "10 of 3",
        "The tickets are:\n1. T-1\n2. T-2\n3. T-3",
        "#3",
        "3rd",
        "One of them is open.",
    ],
)
def test_count_that_is_not_stated_fails(count: Environment, answer: str) -> None:
    assert not says(count, answer)


def test_nothing_may_be_said_in_words(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      number: length(initial.notes)\n")
    assert all(says(environment, answer) for answer in ("None.", "There are no notes.", "zero", "0 notes, 3 tickets"))
    assert not says(environment, "It is no longer open.")


def test_others_lets_an_answer_give_more_numbers(tmp_path: Path) -> None:
    environment = desk(tmp_path, NUMBER + "      others: 1\n")
    assert says(environment, "$170.50 weighted, $900 unweighted")
    assert not says(environment, "$170.50 weighted, $900 unweighted, $950 list price")


def test_tolerance_is_how_far_it_may_be_off(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      number: = 10\n      tolerance: 0.5\n")
    assert says(environment, "10.5") and says(environment, "9.5")
    assert not says(environment, "10.51")


def test_reason_says_what_was_expected_and_what_was_found(worth: Environment) -> None:
    assert only(graded(worth, output="It is 12, I think")).detail == (
        "Expected 170.5 (give or take 0.01); the answer states 12: 'It is 12, I think'"
    )
    detail = only(graded(worth, output="It is $170.50 or $180")).detail
    assert detail.startswith("Expected 170.5 (give or take 0.01); the answer gives it, but also $180:")


def test_money_is_a_number_too(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      number: initial.tickets[0].price\n")
    assert says(environment, "$150.50")


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


def test_numbers_in_json_are_read_by_their_names(tmp_path: Path) -> None:
    environment = desk(tmp_path, NUMBERS)
    assert says(environment, '{"open": 2, "total": 175.5}')
    assert not says(environment, '{"open": 175.5, "total": 2}')


def test_missing_numbers_are_named(tmp_path: Path) -> None:
    detail = only(graded(desk(tmp_path, NUMBERS), output="2 are open")).detail
    assert "total (175.5)" in detail


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("number: length(initial.tikets)", "unknown-name"),
        ("number: initial.tickets", "wrong-type"),
        ("numbers: {all: initial.tickets}", "wrong-type"),
        ("mentions: [x]\n      tolerance: 1", "unknown-key"),
    ],
)
def test_mistakes_are_problems_at_load(tmp_path: Path, answer: str, code: str) -> None:
    assert [one.code for one in problems(tmp_path, f"  - answer:\n      {answer}\n")] == [code]
