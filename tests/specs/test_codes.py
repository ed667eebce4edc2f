"""Every code that the package can say is explained."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import silo_decl
from silo_decl.specs.codes import PROBLEM_CODES, TOOL_ERROR_CODES, all_codes

PACKAGE = Path(silo_decl.__file__).parent
SAYING = {"problem", "Problem", "Trouble", "Finding", "say"}


def written_codes() -> Iterator[tuple[str, str]]:
    """Codes that stand in calls which make a problem, with their file."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for argument in node.args[:2] if name in SAYING else ():
                value = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(value, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", value):
                    yield value, path.name


def test_every_code_in_the_package_is_explained() -> None:
    unknown = {(code, file) for code, file in written_codes() if code not in all_codes()}
    assert unknown == set()


def test_explanation_is_one_sentence() -> None:
    for code, means in {**all_codes(), **TOOL_ERROR_CODES}.items():
        assert means[0].isupper() or means.startswith("'"), code
        assert means.endswith("."), code


def test_no_code_is_in_two_tables() -> None:
    assert len(all_codes()) == len(PROBLEM_CODES) + len(set(all_codes()) - set(PROBLEM_CODES))
    assert not set(all_codes()) & set(TOOL_ERROR_CODES)
