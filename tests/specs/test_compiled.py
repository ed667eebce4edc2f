"""Expressions of a file: what is wrong with one becomes a problem at the very place it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.errors import Problem
from silo_decl.expressions.shapes import NUMBER, TEXT, Scope, Shape
from silo_decl.specs import compiled
from silo_decl.specs.source import At, read_yaml

RECORD = Shape("record", fields={"id": TEXT, "name": TEXT, "count": NUMBER}, name="things")
SCOPE = Scope(names={"input": Shape("object", fields={"name": TEXT})}, element=RECORD)


def read(tmp_path: Path, text: str) -> tuple[object, At]:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    return read_yaml(path, "x.yaml")


WRITTEN = [
    ("where: name == 'x' and cuont > 1\n", (1, 24)),
    ("where: 'name == ''x'' and cuont > 1'\n", (1, 27)),
    ("where: \"name == 'x' and cuont > 1\"\n", (1, 25)),
    ("where: >\n  name == 'x'\n  and cuont > 1\n", (3, 7)),
    ("where: |\n  name == 'x' and\n    cuont > 1\n", (3, 5)),
    ("where: name == 'x'\n  and cuont > 1\n", (2, 7)),
]


@pytest.mark.parametrize(("text", "place"), WRITTEN)
def test_finding_points_into_the_text_however_it_is_written(tmp_path: Path, text: str, place: tuple[int, int]) -> None:
    data, at = read(tmp_path, text)
    assert isinstance(data, dict)
    problems: list[Problem] = []
    compiled.query(at.child("where"), data["where"], SCOPE, problems)
    (problem,) = problems
    assert (problem.code, problem.line, problem.column) == ("unknown-field", *place)


def test_number_that_is_asked_for_as_a_truth_is_a_problem(tmp_path: Path) -> None:
    _, at = read(tmp_path, "where: count\n")
    problems: list[Problem] = []
    compiled.test(at.child("where"), "count > 0", SCOPE, problems)
    assert problems == []
    compiled.test(at.child("where"), "count", SCOPE, problems)
    assert [(one.code, one.line, one.column) for one in problems] == [("number-as-truth", 1, 8)]


def test_finding_in_a_value_points_at_the_part_that_has_it(tmp_path: Path) -> None:
    data, at = read(tmp_path, "set:\n  a: = upper(name)\n  b:\n    - x\n    - c: = 1 + uper(name)\n  d: '{{ nmae }}'\n")
    assert isinstance(data, dict)
    problems: list[Problem] = []
    compiled.value(at.child("set"), data["set"], SCOPE, problems)
    assert [(one.line, one.column) for one in problems] == [(5, 16), (6, 10)]


def test_condition_and_text_say_what_is_wrong_too(tmp_path: Path) -> None:
    data, at = read(tmp_path, "that: record.nmae\nmessage: Hello {{ nmae }}\n")
    assert isinstance(data, dict)
    problems: list[Problem] = []
    compiled.condition(at.child("that"), data["that"], SCOPE, problems)
    compiled.text(at.child("message"), data["message"], SCOPE, problems)
    assert [(one.line, one.column) for one in problems] == [(1, 14), (2, 19)]


def test_right_expression_says_nothing_and_runs(tmp_path: Path) -> None:
    problems: list[Problem] = []
    _, at = read(tmp_path, "a: 1\n")
    ran = compiled.value(at, {"x": "= count + 1", "y": ["{{ name }}!"]}, SCOPE, problems).run(
        {"name": "A", "count": 1}, {}
    )
    assert problems == []
    assert ran == {"x": 2, "y": ["A!"]}
