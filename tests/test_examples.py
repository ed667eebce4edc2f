"""The folders of tests/examples: good ones load, bad ones say exactly what their problems.txt holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.engine.environment import check
from silo_decl.specs.codes import ADVICE_CODES, all_codes
from tests.golden import BAD, folders, told

GOOD = sorted(path for path in (BAD.parent / "good").iterdir() if path.is_dir())

# A file over the stated size is no file to keep; tests/specs/test_yaml.py makes one.
WITHOUT_EXAMPLE = {"too-large"}


@pytest.mark.parametrize("folder", GOOD, ids=lambda folder: folder.name)
def test_good_example_has_no_problem(folder: Path) -> None:
    assert [str(problem) for problem in check(folder) if problem.code not in ADVICE_CODES] == []


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_bad_example_says_what_its_text_holds(folder: Path) -> None:
    """`make golden` rewrites the texts; the diff is reviewed."""
    assert told(folder) == (folder / "problems.txt").read_text(encoding="utf-8")


def test_bad_example_has_the_problem_it_is_named_for() -> None:
    for folder in folders():
        code = folder.name.partition("--")[0]
        if code in all_codes():
            assert code in [problem.code for problem in check(folder)], folder.name


def test_every_code_that_is_said_is_explained_and_has_an_example() -> None:
    said = {problem.code for folder in folders() for problem in check(folder)}
    assert said <= set(all_codes())
    assert set(all_codes()) - said == WITHOUT_EXAMPLE


def test_one_folder_has_two_mistakes_in_one_file() -> None:
    assert len(check(BAD / "two-mistakes-in-one-file")) == 2
