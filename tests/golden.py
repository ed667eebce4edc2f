"""`python -m tests.golden` rewrites what a user sees for every folder of tests/examples/bad; review the diff."""

from __future__ import annotations

from pathlib import Path

from silo_decl.engine.environment import check
from silo_decl.specs.codes import ADVICE_CODES
from silo_decl.specs.problem_text import problem_text

BAD = Path(__file__).parent / "examples" / "bad"


def folders() -> list[Path]:
    """The bad examples, in order of their names."""
    return sorted(path for path in BAD.iterdir() if path.is_dir())


def told(folder: Path) -> str:
    """Every problem of a folder as `silo validate` says it, without colours; advice where the folder is about it."""
    about_advice = folder.name.partition("--")[0] in ADVICE_CODES
    problems = [one for one in check(folder) if about_advice or one.code not in ADVICE_CODES]
    return "".join(problem_text(problem, f"{folder.name}/") + "\n" for problem in problems)


def main() -> None:
    for folder in folders():
        (folder / "problems.txt").write_text(told(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
