"""A problem as its author reads it, letter by letter as HOUSE shows it."""

from __future__ import annotations

from pathlib import Path

from silo_decl.errors import Problem
from silo_decl.specs.problem_text import problem_text
from silo_decl.specs.source import read


def text_of(tmp_path: Path, body: str, prefix: str = "") -> str:
    path = tmp_path / "x.yaml"
    path.write_text(body)
    (problem,) = read(path, "tools/tickets.yaml", "yaml").problems
    return problem_text(problem, prefix)


def test_text_reads_as_the_house_shows_it(tmp_path: Path) -> None:
    body = "name: close\ndescription: Close a ticket: the customer is told\n"
    assert text_of(tmp_path, body, "environments/helpdesk/") == (
        "environments/helpdesk/tools/tickets.yaml:2:28: The text after 'description:' has a second ':' in it, "
        "so it cannot be read. [yaml-syntax]\n"
        "     2 | description: Close a ticket: the customer is told\n"
        "       |                            ^\n"
        "  Fix: Put the whole text between quotes."
    )


def test_mark_stands_under_the_place_behind_wide_letters(tmp_path: Path) -> None:
    lines = text_of(tmp_path, '"東京": !x y\n').split("\n")
    assert lines[1] == '     1 | "東京": !x y'
    assert lines[2] == "       | " + " " * len('"東京": ') + "  ^"


def test_only_the_part_around_the_place_of_a_very_long_line_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[" + "1, " * 100_000 + "x" + ", 1" * 1_000 + "]")
    (problem,) = read(path, "x.json", "json").problems
    first, line, mark, *_ = problem_text(problem).split("\n")
    assert first.startswith("x.json:1:300002: ")
    assert len(line) < 200
    assert line[mark.index("^")] == "x"


def test_warning_and_remark_say_what_they_are() -> None:
    assert problem_text(Problem("x", "Look.", "a.yaml", level="warning")) == "a.yaml: Warning: Look. [x]"
    assert problem_text(Problem("x", "Look.", "a.yaml", level="note")) == "a.yaml: Remark: Look. [x]"
    assert problem_text(Problem("x", "Look.")) == "Look. [x]"
