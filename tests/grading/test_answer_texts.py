"""Answers taken whole: JSON and texts."""

from pathlib import Path

import pytest

from .desk import desk, graded, only, problems, says

VALUE = "  - answer:\n      json:\n        open: = length(initial.tickets) - 1\n        who: [Ann]\n"


def test_json_answers_are_compared_by_value(tmp_path: Path) -> None:
    environment = desk(tmp_path, VALUE)
    assert says(environment, '{"who": ["Ann"], "open": 2}')
    assert says(environment, 'Here:\n```json\n{"who": ["Ann"], "open": 2.0}\n```')
    assert not says(environment, '{"who": ["Ann"], "open": true}')
    assert not says(environment, '{"who": ["Ann"], "open": 2, "more": 1}')
    assert not says(environment, "two")
    assert not says(environment, "[" * 100_000)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"who": ["Ann"], "open": 3}', "'open' is 3, expected 2"),
        ('{"who": ["Bo"], "open": 2}', "'who' is 'Bo', expected 'Ann'"),
        ('{"open": 2}', "'who' is missing"),
        ('{"open": 2, "who": ["Ann"], "x": 1}', "'x' is there, but not expected"),
        ("[]", "The answer is [], expected"),
    ],
)
def test_reason_names_the_place_in_the_json(tmp_path: Path, answer: str, reason: str) -> None:
    assert only(graded(desk(tmp_path, VALUE), output=answer)).detail.startswith(reason)


def test_numbers_in_json_may_be_off_by_the_tolerance(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      json: {sum: = 10}\n      tolerance: 0.5\n")
    assert says(environment, '{"sum": 10.4}') and not says(environment, '{"sum": 10.6}')


def test_json_answers_may_be_tested_for_their_form(tmp_path: Path) -> None:
    checks = "  - answer:\n      json:\n        schema:\n          type: object\n          required: [id]\n"
    environment = desk(tmp_path, checks)
    assert says(environment, '{"id": 1}')
    assert not says(environment, "[]")


@pytest.mark.parametrize("schema", ["{type: objekt}", "{$ref: 'https://x.test/s.json'}"])
def test_form_that_cannot_be_used_is_a_problem_at_load(tmp_path: Path, schema: str) -> None:
    found = problems(tmp_path, f"  - answer:\n      json:\n        schema: {schema}\n")
    assert [one.code for one in found] == ["wrong-form"]


def test_text_answers_and_patterns(tmp_path: Path) -> None:
    environment = desk(
        tmp_path, "  - answer:\n      text:\n        matches: ^closed T-\\d+$\n        ignore_case: true\n"
    )
    assert says(environment, " Closed T-12\n")
    assert not says(environment, "Closed T-12!")


def test_text_is_compared_without_the_blanks_around_it(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      text: '{{ initial.tickets[\"T-1\"].ownerName }} did.'\n")
    assert says(environment, "  Ann did.\n")
    assert not says(environment, "ann did.")


def test_pattern_that_would_take_for_ever_elsewhere_is_quick(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      text:\n        matches: ^(\\w+\\s?)+$\n")
    assert not says(environment, "a" * 5000 + "!")


def test_pattern_that_every_text_matches_is_a_problem_at_load(tmp_path: Path) -> None:
    found = problems(tmp_path, "  - answer:\n      text:\n        matches: .*\n")
    assert [one.code for one in found] == ["empty-check"]


def test_no_answer_fails_with_a_reason(tmp_path: Path) -> None:
    environment = desk(tmp_path, VALUE)
    assert [only(graded(environment, output=one)).detail for one in (None, " ")] == ["There is no answer."] * 2


def test_answer_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    environment = desk(tmp_path, "  - answer:\n      number: = 5\n")
    assert "more than 50000 are not read" in only(graded(environment, output="5 " * 30_000)).detail
