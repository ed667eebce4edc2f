"""`silo validate` and `silo explain`."""

from __future__ import annotations

from pathlib import Path

from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import counted, out, print_json, problems_text, short_path
from silo_decl.engine.environment import check
from silo_decl.errors import Problem, UsageError, did_you_mean
from silo_decl.specs.codes import TOOL_ERROR_CODES, all_codes
from silo_decl.specs.find import environments_here, find_environment


def validate(name: str | None, as_json: bool) -> None:
    """Say every problem; Failed if any is an error."""
    roots = [find_environment(name)] if name else environments_here()
    found = [(root, check(root)) for root in roots]
    failed = any(problem.level == "error" for _, problems in found for problem in problems)
    if as_json:
        problems = [_fact(problem, root, len(roots) > 1) for root, each in found for problem in each]
        print_json({"ok": not failed, "problems": problems})
    else:
        for root, each in found:
            _tell(root, each)
    if failed:
        raise Failed


def _tell(root: Path, problems: list[Problem]) -> None:
    screen = out()
    prefix = "" if root == Path() else f"{short_path(root)}/"
    if problems:
        print(problems_text(problems, prefix, screen))
    else:
        print(f"{short_path(root)}: {counted(problems)}")


def _fact(problem: Problem, root: Path, several: bool) -> dict[str, object]:
    fact: dict[str, object] = {
        "level": problem.level,
        "code": problem.code,
        "message": problem.message,
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "fix": problem.fix,
    }
    return {"environment": short_path(root), **fact} if several else fact


def explain(code: str, as_json: bool) -> None:
    """What a code means."""
    known = {**all_codes(), **TOOL_ERROR_CODES}
    if code not in known:
        raise UsageError(f"There is no code '{code}'.{did_you_mean(code, known)}")
    if as_json:
        print_json({"code": code, "means": known[code]})
    else:
        print(f"{code}: {known[code]}")
