"""YAML 1.2 core by hand: what texts mean, what is refused and in which words (the YAML table of TRAPS)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.errors import Problem, ProblemsFound
from silo_decl.specs import source, yaml_places
from silo_decl.specs.source import read, read_yaml
from silo_decl.specs.texts import Hole
from silo_decl.specs.yaml_text import composed, core_scalar
from silo_decl.specs.yaml_text import read as read_text


def problems_of(tmp_path: Path, text: str) -> list[Problem]:
    path = tmp_path / "file.yaml"
    path.write_text(text)
    return list(read(path, "file.yaml", "yaml").problems)


CORE = {
    "no": "no",
    "NO": "NO",
    "on": "on",
    "y": "y",
    "yes": "yes",
    "2026-01-31": "2026-01-31",
    "2026-01-31T10:00:00Z": "2026-01-31T10:00:00Z",
    "12:30": "12:30",
    "1_000": "1_000",
    "0b11": "0b11",
    "1.2.3": "1.2.3",
    "-": "-",
    "+": "+",
    "1e": "1e",
    "TRue": "TRue",
    "012": 12,
    "-012": -12,
    "+7": 7,
    "0o17": 15,
    "0x1F": 31,
    "1e5": 100000.0,
    "1.": 1.0,
    ".5": 0.5,
    "-0.5e-2": -0.005,
    "9523456873": 9523456873,
    "123456789012345678901234567890": 123456789012345678901234567890,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
    "true": True,
    "TRUE": True,
    "False": False,
}


@pytest.mark.parametrize(("written", "means"), CORE.items())
def test_plain_text_means_what_yaml_core_says(written: str, means: object) -> None:
    value = core_scalar(written)
    assert value == means
    assert type(value) is type(means)


@pytest.mark.parametrize("written", ["'012'", '"true"', "'null'", '"2026-01-31"', "''"])
def test_text_in_quotes_stays_a_text(written: str) -> None:
    data, troubles = read_text(f"a: {written}\n")
    assert data == {"a": written[1:-1]}
    assert troubles == []


@pytest.mark.parametrize("written", [".inf", "-.INF", ".nan", "1e999"])
def test_number_that_json_cannot_hold_is_a_problem(tmp_path: Path, written: str) -> None:
    assert [problem.code for problem in problems_of(tmp_path, f"a: {written}\n")] == ["no-number"]


def test_keys_are_texts_as_they_are_written(tmp_path: Path) -> None:
    assert read_text("1: a\ntrue: b\nnull: c\n012: d\n")[0] == {"1": "a", "true": "b", "null": "c", "012": "d"}


def test_plain_aliases_work() -> None:
    data, troubles = read_text("a: &address {city: Bonn}\nb: *address\n")
    assert data == {"a": {"city": "Bonn"}, "b": {"city": "Bonn"}}
    assert troubles == []


def test_alias_bomb_is_refused_quickly(tmp_path: Path) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    assert [problem.code for problem in problems_of(tmp_path, "\n".join(levels))] == ["alias-bomb"]


def test_mapping_that_contains_itself_is_a_problem(tmp_path: Path) -> None:
    assert [problem.code for problem in problems_of(tmp_path, "a: &a\n  b: *a\n")] == ["too-deep"]


@pytest.mark.parametrize("text", ["[" * 200 + "]" * 200, "[" * 100_000, "- " * 5_000 + "x", "{a: " * 300 + "}" * 300])
def test_deep_nesting_is_a_problem_and_no_crash(tmp_path: Path, text: str) -> None:
    assert problems_of(tmp_path, text)


def test_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n")
    assert read_yaml(path, "file.yaml")[0] == {"a": 1, "b": "x\ny\n"}


def test_file_over_the_stated_size_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    with path.open("wb") as file:
        file.truncate(source.YAML_LIMIT + 1)
    with pytest.raises(ProblemsFound) as found:
        read_yaml(path, "file.yaml")
    assert [problem.code for problem in found.value.problems] == ["too-large"]


def test_control_characters_are_a_problem(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, "a: 1\nb: x\x07y\n")
    assert (problem.line, problem.column) == (2, 5)


def test_every_repeated_key_is_said_and_the_first_value_kept(tmp_path: Path) -> None:
    found = problems_of(tmp_path, "a: 1\na: 2\nb: {c: 1, c: 2}\na: 3\n")
    assert [(problem.code, problem.line) for problem in found] == [("duplicate-key", n) for n in (2, 3, 4)]
    assert read_text("a: 1\na: 2\n")[0] == {"a": 1}


# Each row: what is written, the code, the place, and a word that the message or the fix must hold.
TRAPS = [
    ("message: Order #{{ id }} is closed", "needs-quotes", 1, 16, "comment"),
    ("a: {message: Sorry, not allowed}\n", None, 0, 0, ""),
    ("- {that: record.status in ['new', 'working'], code: x}", "yaml-syntax", 1, 27, "line of its own"),
    ("ownerId: {{ input.x }}", "needs-quotes", 1, 10, "{{"),
    ("message: {{ a }} is closed\nb: 1\n", "needs-quotes", 1, 10, "{{"),
    ("- {{ a }}\n", "needs-quotes", 1, 3, "{{"),
    ("find: orders[].{id: order_id}", "yaml-syntax", 1, 19, "block"),
    ("where: !isClosed", "needs-quotes", 1, 8, "'!'"),
    ("where: !isClosed and x", "needs-quotes", 1, 8, "'!'"),
    ("where: `5` < n", "needs-quotes", 1, 8, "'`'"),
    ("find: @.x", "needs-quotes", 1, 7, "'@'"),
    ("find: *.x", "needs-quotes", 1, 7, "'*'"),
    ("find: *x", "needs-quotes", 1, 7, "'*'"),
    ("find: &x", "needs-quotes", 1, 7, "'&'"),
    ("find: %x", "needs-quotes", 1, 7, "'%'"),
    ("where: 'open' == s\nb: 1", "needs-quotes", 1, 8, "quotes"),
    ('message: "{{ a }}" is closed\nb: 1', "needs-quotes", 1, 10, "quotes"),
    ("records: [#W2611340]\nb: 1", "needs-quotes", 1, 11, '"#W2611340"'),
    ("records: [a, #W2611340]\nb: 1", "needs-quotes", 1, 14, '"#W2611340"'),
    ("record: #W2611340\nb: 1", "needs-quotes", 1, 9, '"#W2611340"'),
    ("- #W2611340\n- b", "needs-quotes", 1, 3, '"#W2611340"'),
    ("a: x  # {{ y }}", "swallowed-text", 1, 7, "comment"),
    ("a: lower(x # )", "swallowed-text", 1, 12, "comment"),
    ("a: x == 'a # b'", "swallowed-text", 1, 12, "comment"),
    ("a: &x {b: 1}\nc:\n  <<: *x\n", "merge-key", 3, 3, "'<<'"),
    ("a: !!str 5", "yaml-tag", 1, 4, "tag"),
    ("? [a, b]\n: c", "yaml-syntax", 1, 3, "key"),
    ("description: Close a ticket: the customer is told", "yaml-syntax", 1, 28, "second ':'"),
    ("a:\n  description: Close a ticket:\n", "yaml-syntax", 2, 30, "second ':'"),
    ("name: x\ntitle Sales\nnow: y", "yaml-syntax", 2, 1, "':' is missing behind 'title'"),
    ("title Sales\nnow: y", "yaml-syntax", 1, 1, "':' is missing behind 'title'"),
    ("name: x\ntitle:Sales\nnow: y", "yaml-syntax", 2, 7, "space is missing behind 'title:'"),
    ("name: x\n\ttitle: y", "yaml-syntax", 2, 1, "tab"),
    ("a:\n  b: 1\n\tc: 2", "yaml-syntax", 3, 1, "tab"),
    ('name: "O\\\'Brien"', "yaml-syntax", 1, 9, "\\'"),
    ("a: [1, 2\nb: 3", "yaml-syntax", 1, 4, "not closed"),
    ('a: "b\nc: d', "yaml-syntax", 1, 4, "not closed"),
    ("a: 1\n---\nb: 2", "several-documents", 2, 1, "document"),
    ("", "empty-file", 1, 1, "empty"),
    ("# only a remark\n", "empty-file", 1, 1, "empty"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "word"), TRAPS)
def test_trap_of_yaml_has_words_of_its_own(
    tmp_path: Path, text: str, code: str | None, line: int, column: int, word: str
) -> None:
    found = problems_of(tmp_path, text)
    if code is None:
        assert found == []
        return
    (problem,) = found
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert problem.level == "error"
    assert word in f"{problem.message} {problem.fix}"


REMARKS = [
    "a: 1   # a plain remark\n",
    "a: [x, y]  # the last one's [id]\n",
    'a: "x"  # what the {{ y }} is\n',
    "# {{ all }} of 'this' is (fine)\na: 1\n",
    "a:  # what it's (all) about\n  b: 1\n",
    "a: |  # it's (fine)\n  text # {{ kept }}\n",
    "a: 'x # {{ y }}'\n",
    "a: x#{{ y }}\n",
    "a: 1 #! mark\n",
]


@pytest.mark.parametrize("text", REMARKS)
def test_remark_behind_something_whole_is_no_problem(tmp_path: Path, text: str) -> None:
    assert problems_of(tmp_path, text) == []


def test_remark_with_a_bracket_behind_a_plain_text_is_a_warning(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, "type: text   # one of (a, b)\n")
    assert (problem.code, problem.level) == ("swallowed-text", "warning")


def test_what_cannot_be_read_leaves_a_hole_and_the_rest_is_read() -> None:
    data, troubles = read_text("a: !x y\nb: 2\n")
    assert isinstance(data["a"], Hole)
    assert data["b"] == 2
    assert [trouble.path for trouble in troubles] == [("a",)]


STYLES = {
    "plain": lambda words: "a: " + words,
    "folded plain": lambda words: "a: " + words.replace(" ", "\n   "),
    "single": lambda words: "a: '" + words.replace("'", "''") + "'",
    "double": lambda words: 'a: "' + words.replace("'", "\\x27").replace(" ", "\\n") + '"',
    "block": lambda words: "a: |\n  " + words.replace(" ", "\n  ") + "\n",
    "folded": lambda words: "a: >-\n  " + words.replace(" ", "\n  ") + "\nb: 1\n",
}
WORD = st.text(alphabet="abcxyz'()=.", min_size=1, max_size=6).map(lambda word: f"w{word}")


@given(st.sampled_from(sorted(STYLES)), st.lists(WORD, min_size=1, max_size=6), st.data())
def test_place_of_a_character_in_a_text_is_found_in_every_style(
    style: str, words: list[str], data: st.DataObject
) -> None:
    text = STYLES[style](" ".join(words))
    value = read_text(text)[0]["a"]
    offset = data.draw(st.integers(0, len(value.rstrip()) - 1))
    place = yaml_places.place(text, composed(text), ("a",), False, offset)
    assert place is not None
    if not value[offset].isspace():
        assert text[place] == value[offset] or text.startswith("\\x27", place)


TEXT = st.text(alphabet=st.characters(max_codepoint=0xFFFD, exclude_categories=["Cs"]), max_size=8)
LEAF = st.one_of(st.none(), st.booleans(), st.integers(-(10**20), 10**20), TEXT)
TREE = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4))


@given(TREE)
def test_json_is_read_as_yaml_with_the_same_data(tree: object) -> None:
    data, troubles = read_text(json.dumps({"all": tree}))
    assert troubles == []
    assert data == {"all": tree}
