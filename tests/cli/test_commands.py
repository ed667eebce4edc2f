"""Every command by its words, its machine output and its exit code."""

import json
import re
from pathlib import Path

import pytest

from .commands import DESK, ROOT, answer, silo


def test_help_names_every_command() -> None:
    shown = silo("--help").stdout
    for name in ("run", "validate", "env", "tool", "task", "runs", "explain"):
        assert f"  {name} " in shown


def test_version_is_told() -> None:
    assert re.fullmatch(r"silo \d+\.\d+\.\d+\n", silo("--version").stdout)


@pytest.mark.parametrize(
    "words",
    [
        ["frobnicate"],
        ["run"],
        ["run", "--env", "crm"],
        ["run", "--env", "crm", "--task", "T", "--suite", "S"],
        ["run", "--env", "nowhere", "--suite", "core"],
        ["run", "--env", "crm", "--suite", "croe", "--agent", "idle"],
        ["run", "--env", "crm", "--task", "TASK-999", "--agent", "idle"],
        ["run", "--env", "crm", "--suite", "core", "--agent", "missing.py"],
        ["run", "--env", "crm", "--suite", "core", "--agent", "cmd:"],
        ["run", "--env", "crm", "--suite", "core", "--agent", "cmd: no-such-program"],
        ["tool", "show", "get_oportunity", "--env", "crm"],
        ["tool", "call", "get_user", "--env", "crm", "--input", "{'userId': 1}"],
        ["task", "show", "TASK-0", "--env", "crm"],
        ["runs", "show", "../../etc", "--runs-dir", "nowhere"],
        ["explain", "no-such-code"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_two_with_words_and_without_a_traceback(words: list[str]) -> None:
    done = silo(*words)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr + done.stdout


def test_near_words_are_offered() -> None:
    assert "Did you mean 'core'?" in silo("run", "--env", "crm", "--suite", "croe", "--agent", "idle").stderr


def test_env_list_and_show() -> None:
    assert "crm" in [one["name"] for one in answer("env", "list")]
    shown = answer("env", "show", "crm")
    assert shown["name"] == "crm" and len(shown["collections"]) >= 10 and len(shown["tools"]) >= 55
    assert "opportunities" in silo("env", "show", "crm").stdout


def test_tool_list_has_the_published_form() -> None:
    (first, *_) = answer("tool", "list", "--env", "crm")
    assert set(first) == {"name", "kind", "description", "inputSchema", "file"}


def test_tool_show_prints_the_query_that_a_read_is() -> None:
    assert "opportunities" in answer("tool", "show", "list_opportunities", "--env", "crm")["query"]
    shown = silo("tool", "show", "list_opportunities", "--env", "crm").stdout
    assert "ownerId" in shown and "The query it is" in shown


def test_tool_call_answers_on_a_fresh_world() -> None:
    given = json.dumps({"opportunityId": "OPP-001"})
    called = answer("tool", "call", "get_opportunity", "--env", "crm", "--input", given)
    assert called["isError"] is False and called["output"]["id"] == "OPP-001"


def test_tool_call_that_is_refused_is_one() -> None:
    done = silo("tool", "call", "get_user", "--env", "crm", "--input", '{"userId": "USR-999"}', "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "output": {"code": "not_found", "message": 'User "USR-999" was not found.'},
        "isError": True,
    }


def test_tool_call_reads_arguments_from_stdin() -> None:
    done = silo("tool", "call", "get_user", "--env", "crm", "--input", "-", "--json", input='{"userId": "USR-001"}')
    assert json.loads(done.stdout)["output"]["id"] == "USR-001"


def test_task_list_and_show_keep_the_solution_to_themselves() -> None:
    assert len(answer("task", "list", "--env", "crm")) >= 20
    shown = silo("task", "show", "TASK-002", "--env", "crm").stdout
    assert "Tomas has left" in shown and "reassign_opportunity" not in shown
    assert "reassign_opportunity" in silo("task", "show", "TASK-002", "--env", "crm", "--solution").stdout


def test_validate_says_that_all_is_well() -> None:
    found = answer("validate", "--env", "crm")
    assert found["ok"] is True
    assert silo("validate", "--env", "crm").returncode == 0


def test_validate_tells_every_problem_with_its_place(tmp_path: Path) -> None:
    bad = ROOT / "tests" / "examples" / "bad"
    folder = next(path for path in sorted(bad.iterdir()) if (path / "environment.yaml").is_file())
    found = silo("validate", "--env", folder, "--json")
    facts = json.loads(found.stdout)
    assert found.returncode == 1 and facts["ok"] is False
    assert set(facts["problems"][0]) == {"level", "code", "message", "file", "line", "column", "fix"}


def test_validate_finds_the_environments_of_a_project(tmp_path: Path) -> None:
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments" / "desk").symlink_to(DESK)
    assert silo("validate", cwd=tmp_path).returncode == 0
    assert silo("validate", cwd=tmp_path / "environments").returncode == 2


def test_every_code_is_explained() -> None:
    assert answer("explain", "unknown-key")["code"] == "unknown-key"
    assert silo("explain", "not_found").returncode == 0


def test_run_prints_the_published_form(tmp_path: Path) -> None:
    facts = answer("run", "--env", DESK, "--suite", "core", "--agent", "solution", cwd=tmp_path)
    assert set(facts) == {"planned", "passed", "failed", "broken", "runs"}
    assert set(facts["runs"][0]) == {
        *("runId", "taskId", "passed", "reward", "terminationReason", "toolCalls", "toolErrors", "fault", "runDir"),
    }
    assert facts["planned"] == facts["passed"] == len(facts["runs"])


def test_run_that_fails_is_one_and_tells_why(tmp_path: Path) -> None:
    done = silo("run", "--env", DESK, "--task", "count-open", "--agent", "idle", cwd=tmp_path)
    assert done.returncode == 1
    assert "There is no answer." in done.stdout
    story = silo("runs", "show", "last", cwd=tmp_path).stdout
    assert "Likely cause" in story and "called no tool at all" in story


def test_run_shows_no_progress_in_a_pipe(tmp_path: Path) -> None:
    assert silo("run", "--env", DESK, "--suite", "core", "--agent", "solution", cwd=tmp_path).stderr == ""


def test_environment_with_mistakes_is_not_run(tmp_path: Path) -> None:
    folder = ROOT / "tests" / "examples" / "bad" / "unknown-key"
    done = silo("run", "--env", folder, "--task", "x", "--agent", "idle", cwd=tmp_path)
    assert done.returncode == 1
    assert "[unknown-key]" in done.stderr and "Traceback" not in done.stderr


def test_defect_of_silo_is_three_and_leaves_a_report() -> None:
    from silo_decl.cli.boundary import guarded

    def defect() -> None:
        raise ZeroDivisionError

    assert guarded(defect) == 3
