"""Numbers as people write them, and what looks like one but states nothing."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.grading.number_words import WRITTEN_OUT, value_of
from silo_decl.grading.numbers import stated


def values(text: str) -> list[Decimal]:
    return [one.readings[0] for one in stated(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1234.5", "1234.5"),
        ("$1,234.50", "1234.5"),
        ("\\$1,234.50", "1234.5"),
        ("1 234,50", "1234.5"),
        ("1\u202f234,50", "1234.5"),
        ("1.234,50", "1234.5"),
        ("1'234.50", "1234.5"),
        ("1.234", "1234"),
        ("1.234", "1.234"),
        ("1.234.567", "1234567"),
        ("12,34,567", "1234567"),
        ("12 345 678", "12345678"),
        ("1.2M", "1200000"),
        ("$1.2 million", "1200000"),
        ("1,2 Mio. €", "1200000"),
        ("3k", "3000"),
        ("3K€", "3000"),
        ("2.5bn", "2500000000"),
        ("1.5e3", "1500"),
        ("38%", "38"),
        ("38%", "0.38"),
        ("38 percent", "0.38"),
        (".5", "0.5"),
        ("(500)", "-500"),
        ("($500)", "-500"),
        ("(500)", "500"),
        ("-5", "-5"),
        ("−5", "-5"),
        ("minus 5", "-5"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("€-5", "-5"),
        ("+5", "5"),
        ("USD 5", "5"),
        ("USD5", "5"),
        ("5 EUR", "5"),
        ("US$5", "5"),
        ("5 dollars", "5"),
        ("**5**", "5"),
        ("_5_", "5"),
        ("`5`", "5"),
        ("'5'", "5"),
        ("~5", "5"),
        ("=5", "5"),
        ("$5/month", "5"),
        ("five", "5"),
        ("twenty-one", "21"),
        ("two hundred and five", "205"),
        ("three thousand five hundred", "3500"),
        ("none", "0"),
    ],
)
def test_ways_to_write_a_number(text: str, value: str) -> None:
    assert any(one.meets(Decimal(value), Decimal(0)) for one in stated(f"It is {text} now")), stated(text)


@pytest.mark.parametrize(
    "text",
    [
        *("OPP-012", "Q3", "v1.2", "#12", "T1", "1.2.3", "10.0.0.1", "3rd", "12/40", "10-20", "id_7", "7-day"),
        *("2026-04-01", "12:30", "April 1, 2026", "1 April 2026", "4/1/2026", "2026-04-01T10:00:00Z", "9:30 am"),
        *("https://x.test/12?y=3", "a12@x.test", "no longer", "someone", "a hundredth"),
    ],
)
def test_parts_of_ids_dates_times_and_addresses_state_no_number(text: str) -> None:
    assert values(f"See {text} please") == []


def test_dashes_and_bullets_before_a_number_are_no_sign() -> None:
    assert values("Total - 5\n- 6\n* 7\nTotal -8") == [5, 6, 7, -8]


def test_numbers_of_list_items_state_nothing() -> None:
    assert values("1. T-1 has 5\n2. T-2 has 6") == [5, 6]
    assert values("1) five hundred\n2) 600") == [500, 600]
    assert values("12. That is the count.") == [12]
    assert values("The count is\n12.\nThanks") == [12]


def test_words_of_one_number_are_read_together_and_others_apart() -> None:
    assert values("one hundred five, two three") == [105, 2, 3]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("$5", "money"), ("5 euros", "money"), ("5%", "percent"), ("2026", "year"), ("step 5", "label"), ("5", "plain")],
)
def test_kinds_of_number(text: str, kind: str) -> None:
    assert [one.kind for one in stated(f"It is {text}.")] == [kind]


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("12 deals", "deal"),
        ("12 open deals of Ann", "deal"),
        ("1 deal", "deal"),
        ("12 more deals", "deal"),
        ("12 opportunities", "opportunity"),
        ("12 of them", ""),
        ("12, deals", ""),
        ("Open deals: 12", "open deals:"),
        ("**Open deals:** 12", "open deals:"),
        ("Guess 1: 12", "guess:"),
        ("| Won | 12 |", "won:"),
        ('{"openDeals": 12}', "open deals:"),
        ('{"a": {"b": [12]}}', ""),
    ],
)
def test_what_a_number_counts(text: str, thing: str) -> None:
    assert stated(text)[-1].thing == thing


@pytest.mark.parametrize(
    "text",
    [
        *("**12** of 40", "Total: 12", "the grand total is 12", "12 in all", "\\boxed{12}", "<b>12</b>", "Answer: 12"),
        *('{"total": 12}', "| **Total** | 12 |", "The total value of the open deals is 12."),
    ],
)
def test_number_that_an_answer_sets_apart(text: str) -> None:
    assert stated(text)[0].marked


def test_leaves_of_json_are_read_as_numbers() -> None:
    assert values('{"a": 1.50, "b": [2, "3 deals"], "c": true, "d": null, "e": "T-4"}') == [Decimal("1.5"), 2, 3]


FORMS = [
    "{:,.2f}",
    "{:.2f}",
    "${:,.2f}",
    "{:,.2f} EUR",
    "**{:.2f}**",
    "USD {:.2f}",
    '{{"total": {:.2f}}}',
    "({:,.2f} $)",
]


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2), st.sampled_from(FORMS))
def test_formatted_numbers_are_read_back(value: Decimal, form: str) -> None:
    found = stated(form.format(value) if form.startswith("{{") else f"The answer is {form.format(value)} in fact")
    assert len(found) == 1 and found[0].meets(value, Decimal(0))


@given(st.integers(0, 10**9), st.sampled_from([",", ".", " ", "'", "\u00a0"]))
def test_grouped_numbers_are_read_back(value: int, sign: str) -> None:
    assert any(one.meets(Decimal(value), Decimal(0)) for one in stated(f"{value:,}".replace(",", sign)))


@given(st.integers(1, 999), st.sampled_from([("k", 3), ("M", 6), (" million", 6), ("bn", 9)]))
def test_scaled_numbers_are_read_back(value: int, scale: tuple[str, int]) -> None:
    word, power = scale
    assert values(f"${Decimal(value) / 10}{word}") == [Decimal(value).scaleb(power - 1)]


SMALL = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelt(value: int) -> str:
    if value >= 1000:
        rest = f" {spelt(value % 1000)}" if value % 1000 else ""
        return f"{spelt(value // 1000)} thousand{rest}"
    if value >= 100:
        rest = f" and {spelt(value % 100)}" if value % 100 else ""
        return f"{spelt(value // 100)} hundred{rest}"
    if value >= 20:
        return TENS[value // 10 - 2] + (f"-{spelt(value % 10)}" if value % 10 else "")
    return SMALL[value - 1]


@given(st.integers(1, 999_999))
def test_numbers_that_are_written_out_are_read_back(value: int) -> None:
    match = WRITTEN_OUT.fullmatch(spelt(value))
    assert match is not None and value_of(match.group()) == value


@given(st.text(st.sampled_from('1 2,.5-()$%kM/#:|*\n eorTotal{"}'), max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for one in stated(text):
        assert one.readings and all(reading.is_finite() for reading in one.readings)
