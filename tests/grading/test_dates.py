"""Days as people write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.grading.dates import days


@pytest.mark.parametrize(
    "text",
    [
        *("2026-04-14", "2026/04/14", "2026-04-14T10:00", "2026-04-14T10:00:00+02:00", "**2026-04-14**"),
        *("April 14, 2026", "Apr 14th, 2026", "Apr. 14 2026", "14 April 2026", "14th of April 2026", "14. April 2026"),
        *("4/14/2026", "14/4/2026", "14.04.2026", "14-04-2026", "4/14/26", "14-Apr-2026", "14-Apr-26", "April 14"),
    ],
)
def test_ways_to_write_a_day(text: str) -> None:
    assert [day.meets("2026-04-14") for day in days(f"Due on {text}, I think.")] == [True]


@pytest.mark.parametrize("text", ["April 15, 2026", "2025-04-14", "14 May 2026", "April 2026", "14", "9.99.2026"])
def test_another_day_is_no_match(text: str) -> None:
    assert not any(day.meets("2026-04-14") for day in days(f"Due on {text}"))


def test_day_with_two_readings_may_be_either() -> None:
    (day,) = days("on 4/1/2026")
    assert day.meets("2026-04-01") and day.meets("2026-01-04")


FORMS = ["{0:%Y-%m-%d}", "{0:%B} {0.day}, {0.year}", "{0.day} {0:%b} {0.year}", "{0.month}/{0.day}/{0.year}"]


@given(st.dates(date(1950, 1, 1), date(2099, 12, 31)), st.sampled_from(FORMS))
def test_formatted_days_are_read_back(day: date, form: str) -> None:
    (found,) = days(f"It is due on {form.format(day)}.")
    assert found.meets(day.isoformat())
