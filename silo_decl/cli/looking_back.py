"""`silo runs`: what earlier runs left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from silo_decl.cli.render import out, print_json, table
from silo_decl.engine.artifacts import (
    RunRecord,
    find_run,
    is_suite,
    list_runs,
    read_folder,
    read_run,
    read_suite,
    rollouts,
    unpack,
)
from silo_decl.errors import UsageError
from silo_decl.reports.causes import likely_cause
from silo_decl.reports.story import calls_of, story

_LOOKS: dict[str, tuple[str, ...]] = {
    "title": ("bold",),
    "heading": ("bold",),
    "line": (),
    "dim": ("dim",),
    "good": ("green",),
    "bad": ("red",),
    "hint": ("yellow",),
}


def runs_list(runs_dir: Path, limit: int, as_json: bool) -> None:
    """The newest runs, one line each."""
    facts = [_about(runs_dir / run_id) for run_id in list_runs(runs_dir)[:limit]]
    if as_json:
        print_json(facts)
    elif not facts:
        print(f"There are no runs in {runs_dir}.")
    else:
        rows = [[one["runId"], one["environment"], one["what"], one["agent"], one["outcome"]] for one in facts]
        print(table(rows, ["run", "environment", "what", "agent", "outcome"], out()))


def _about(folder: Path) -> dict[str, Any]:
    if is_suite(folder):
        suite = read_suite(folder)
        what = f"suite {suite['suite']}" if suite.get("suite") else f"{suite.get('planned', 0)} rollouts"
        done = f"{suite['passed']} of {suite['planned']} passed" if "passed" in suite else "not finished"
        return _facts(folder.name, suite, what, f"{done}, stopped early" if suite.get("interrupted") else done)
    record = read_folder(folder)
    return _facts(folder.name, record.run, _task_of(record), _outcome(record.result))


def _outcome(result: dict[str, Any]) -> str:
    if not result:
        return "not finished"
    return "broken" if _is_broken(result) else "passed" if result["passed"] else "failed"


def _is_broken(result: dict[str, Any]) -> bool:
    return (result["fault"] or {}).get("of") in ("world", "machinery")


def _facts(run_id: str, about: dict[str, Any], what: str, outcome: str) -> dict[str, Any]:
    named = {key: str(about.get(key, "")) for key in ("environment", "agent")}
    return {"runId": run_id, **named, "what": what, "outcome": outcome}


def runs_show(given: str, runs_dir: Path, as_json: bool) -> None:
    """The story of a rollout, or the rollouts of a suite."""
    record = read_run(runs_dir, given)
    if record is None:
        _suite(find_run(runs_dir, given), as_json)
    elif as_json:
        print_json(_everything(record))
    else:
        _story(record)


def _everything(record: RunRecord) -> dict[str, Any]:
    return {
        "runId": record.run_id,
        "run": record.run,
        "result": record.result,
        "diff": record.diff,
        "trace": record.trace,
        "log": record.log,
        "likelyCause": likely_cause(record.result, calls_of(record.trace), record.diff) if record.result else "",
    }


def _story(record: RunRecord) -> None:
    screen = out()
    run = record.run or next((event for event in record.trace if event.get("type") == "run_start"), {})
    for kind, text in story(run, record.trace, record.result, record.diff):
        indent = "" if kind in ("title", "heading") else "  "
        before = "\n" if kind == "heading" else ""
        print(before + indent + screen.styled(text, *_LOOKS[kind]) if _LOOKS[kind] else indent + text)
    if record.log.strip():
        print("\n" + screen.styled("What it printed", "bold"))
        print("\n".join("  " + line for line in record.log.rstrip().splitlines()[-20:]))


def _suite(folder: Path, as_json: bool) -> None:
    records = list(rollouts(folder))
    about = read_suite(folder)
    if as_json:
        print_json({**about, "runs": [{"runId": one.run_id, **one.result} for one in records]})
        return
    screen = out()
    suite = f"suite {about['suite']}" if about.get("suite") else "several rollouts"
    print(screen.styled(f"{folder.name}: {suite}, agent {about.get('agent', '?')}", "bold"))
    rows = [_row(one) for one in records]
    print(table(rows, ["run", "task", "", "reward", "calls", "likely cause"], screen, right=[3, 4]))
    print(f"\nThe story of one: silo runs show {records[0].run_id}" if records else "No rollout was finished.")


def _row(record: RunRecord) -> list[str]:
    result, calls = record.result, calls_of(record.trace)
    if not result:
        return [record.run_id, _task_of(record), "", "", str(len(calls)), "It was cut off before its end."]
    verdict = "broken" if _is_broken(result) else "pass" if result["passed"] else "FAIL"
    cause = likely_cause(result, calls, record.diff)
    return [record.run_id, result["taskId"], verdict, f"{result['reward']:.2f}", str(result["toolCalls"]), cause]


def _task_of(record: RunRecord) -> str:
    return str(record.run.get("taskId") or next((one["taskId"] for one in record.trace if "taskId" in one), ""))


def runs_unpack(given: str, runs_dir: Path, as_json: bool) -> None:
    """Write a folder for each rollout of a packed run."""
    folder = find_run(runs_dir, given)
    if not is_suite(folder):
        raise UsageError(f"{folder.name} is one rollout; it has a folder already.")
    made = unpack(folder)
    if as_json:
        print_json([str(path) for path in made])
    else:
        print(f"{len(made)} folders written to {folder}.")
