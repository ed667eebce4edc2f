"""Damaged files give problems with places, never anything else."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.specs.load import load_environment
from silo_decl.specs.parameters import input_schema, parameters_of
from silo_decl.specs.problem_text import problem_text
from silo_decl.specs.shapes import collection_shapes
from tests.specs.folders import EXAMPLES

FILES = sorted(path for path in EXAMPLES.glob("good/*/**/*") if path.is_file())
BITS = st.sampled_from(
    [
        *"{}[]:'|%@`\\\"\t\n\x07\u2028é",
        ": ",
        " #",
        "- ",
        "&a ",
        "*a",
        "!x ",
        "null",
        "<<: ",
        "1e999",
        "---\n",
        "{{",
        "}}",
        "= ",
        "[?a]",
        "9" * 25,
        "true",
        "  ",
    ]
)


@st.composite
def damage(draw: st.DrawFn) -> tuple[Path, bytes]:
    """A file of a good example with a few characters or lines put in, taken out or moved."""
    file = draw(st.sampled_from(FILES))
    text = file.read_text()
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        way = draw(st.sampled_from(["insert", "remove", "line", "value"]))
        if way == "insert":
            text = text[:place] + draw(BITS) + text[place:]
        elif way == "remove":
            text = text[:place] + text[place + draw(st.integers(1, 9)) :]
        else:
            lines = text.split("\n")
            number = draw(st.integers(0, len(lines) - 1))
            key, colon, _ = lines[number].partition(":")
            lines[number] = " " * draw(st.integers(0, 6)) + lines[number].lstrip()
            if way == "value" and colon:
                lines[number] = (
                    key + ": " + draw(st.sampled_from(["5", "true", "[]", "{}", "", "[[x]]", "text", "- x"]))
                )
            text = "\n".join(lines)
    content = text.encode("utf-8", "surrogatepass")
    return file, content[: draw(st.sampled_from([len(content), len(content) // 2]))]


@settings(max_examples=150, deadline=None)
@given(damage())
def test_damaged_file_gives_problems_and_nothing_else(case: tuple[Path, bytes]) -> None:
    file, content = case
    name = file.relative_to(EXAMPLES / "good").parts[0]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / name
        shutil.copytree(EXAMPLES / "good" / name, root)
        (root / file.relative_to(EXAMPLES / "good" / name)).write_bytes(content)
        spec, problems = load_environment(root)
        assert spec is not None or problems
        for problem in problems:
            assert problem.line or not (root / problem.file).is_file(), problem
            assert problem_text(problem).endswith(("^", problem.fix)) or problem.excerpt == ""
        if spec is not None:
            shapes = collection_shapes(spec)
            for tool in spec.tools.values():
                assert input_schema(parameters_of(spec, tool, shapes))["additionalProperties"] is False
