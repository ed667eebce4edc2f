"""Strict JSON: the fast way and the slow way agree, and mistakes have a place and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.errors import Problem, ProblemsFound
from silo_decl.specs import json_text
from silo_decl.specs.source import read, read_json
from silo_decl.specs.texts import Hole


def problems_of(tmp_path: Path, text: str) -> list[Problem]:
    path = tmp_path / "data.json"
    path.write_text(text)
    return list(read(path, "data.json", "json").problems)


BROKEN = [
    ("[\n  1,\n]", 2, 4, "comma"),
    ('{"a": 1,}', 1, 8, "comma"),
    ("[{'a': 1}]", 1, 3, "double quotes"),
    ("[{\"a\": 'x'}]", 1, 8, "double quotes"),
    ("[{a: 1}]", 1, 3, "double quotes"),
    ("[NaN]", 1, 2, "NaN"),
    ('["NaN", -Infinity]', 1, 9, "-Infinity"),
    ("[True]", 1, 2, "true"),
    ("[None]", 1, 2, "null"),
    ("[undefined]", 1, 2, "null"),
    ("[1 2]", 1, 2, "comma"),
    ('{"a" 1}', 1, 6, "colon"),
    ('{"a": }', 1, 7, "value is missing"),
    ("[1] [2]", 1, 5, "Something follows"),
    ('["a]', 1, 2, "not closed"),
    ('["a\nb"]', 1, 4, "end of the line"),
    ('["a\\qb"]', 1, 4, "escape"),
    ("[1, 2", 1, 6, "ends before"),
    ("[012]", 1, 3, "begin with 0"),
    ("[.5]", 1, 2, "no number"),
    ("[\n// x\n1]", 2, 1, "no comments"),
    ("", 1, 1, "empty"),
    ('["\\ud800"]', 1, 3, "half a letter"),
]


@pytest.mark.parametrize(("text", "line", "column", "word"), BROKEN)
def test_mistake_in_json_has_a_place_and_words(tmp_path: Path, text: str, line: int, column: int, word: str) -> None:
    (problem,) = problems_of(tmp_path, text)
    assert (problem.line, problem.column) == (line, column)
    assert word in f"{problem.message} {problem.fix}"


def test_repeated_keys_are_each_said(tmp_path: Path) -> None:
    found = problems_of(tmp_path, '[{"a": 1, "b": 2, "a": 3},\n {"a": {"c": 1, "\\u0063": 2}}]')
    assert [(problem.code, problem.line, problem.column) for problem in found] == [
        ("duplicate-key", 1, 19),
        ("duplicate-key", 2, 17),
    ]


def test_big_whole_numbers_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text("[18446744073709551616, -123456789012345678901234567890]")
    assert read_json(path, "data.json")[0] == [18446744073709551616, -123456789012345678901234567890]


def test_deep_nesting_is_a_problem_and_no_crash(tmp_path: Path) -> None:
    assert [problem.code for problem in problems_of(tmp_path, "[" * 100_000 + "]" * 100_000)] == ["too-deep"]


def test_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(b"\xef\xbb\xbf[1]")
    assert read_json(path, "data.json")[0] == [1]


def test_text_that_is_not_utf8_is_said_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(b'[\n"caf\xe9"]')
    with pytest.raises(ProblemsFound) as found:
        read_json(path, "data.json")
    (problem,) = found.value.problems
    assert (problem.code, problem.line, problem.column) == ("not-utf8", 2, 5)


KEYS = st.sampled_from(["a", "b", 'q"q', "é", "\\", ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.lists(st.tuples(KEYS, inner), max_size=4).map(dict),
    max_leaves=15,
)


@given(VALUES)
def test_fast_way_reads_what_the_slow_way_reads(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        fast = json_text.read_plainly(text.encode())
        slow, troubles = json_text.read(text)
        assert troubles == []
        assert slow == value
        assert isinstance(fast, Hole) or fast == value


@given(st.lists(st.tuples(KEYS, st.integers(0, 3) | st.text(max_size=3)), max_size=5))
def test_fast_way_never_overlooks_a_repeated_key(pairs: list[tuple[str, object]]) -> None:
    inner = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in pairs)
    fast = json_text.read_plainly(f'[{{"x": {{{inner}}}}}]'.encode())
    repeated = len({key for key, _ in pairs}) < len(pairs)
    assert isinstance(fast, Hole) == repeated


@given(VALUES, st.data())
def test_place_of_every_value_is_found(value: object, data: st.DataObject) -> None:
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    path: list[str | int] = []
    while isinstance(value, (dict, list)) and value:
        step = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        path.append(step)
        value = value[step]  # type: ignore[index]
    place = json_text.place(text, tuple(path), False)
    assert place is not None
    assert json.JSONDecoder().raw_decode(text, place)[0] == value


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "1" * 2000, "1e999", "-2E+400", "1.5e1000"])
def test_number_that_cannot_be_kept_is_told(tmp_path: Path, number: str) -> None:
    path = tmp_path / "data.json"
    path.write_text(f'[{{"n": {number}}}]')
    with pytest.raises(ProblemsFound) as found:
        read_json(path, "data.json")
    assert [one.code for one in found.value.problems] == ["json-syntax"]
    assert found.value.problems[0].column == 8
