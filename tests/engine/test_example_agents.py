"""The agents that are shipped to be copied do their task, each as its kind of agent; so does the protocol's example."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from silo_decl.engine.environment import load_folder
from silo_decl.errors import UsageError

ROOT = Path(__file__).parent.parent.parent
AGENTS = ROOT / "examples" / "agents"
CRM = load_folder(ROOT / "environments" / "crm")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def agent(name: str) -> str:
    return f"cmd: sh {AGENTS / name}" if name.endswith(".sh") else str(AGENTS / name)


@pytest.mark.parametrize(
    "name", ["rehome.py", "rehome_async.py", pytest.param("rehome.mjs", marks=needs_node), "rehome.sh"]
)
def test_example_agent_does_its_task(name: str) -> None:
    result = CRM.run("TASK-002", agent=agent(name))
    assert result.passed, result.result
    assert result.output == "Moved 7 deals."


@needs_node
def test_example_agent_in_typescript_does_its_task() -> None:
    try:
        result = CRM.run("TASK-002", agent=agent("rehome.ts"))
    except UsageError as wrong:
        pytest.skip(wrong.message)
    assert result.passed, result.result


@pytest.mark.parametrize("name", ["rehome.py", "rehome_async.py", "rehome.sh"])
def test_example_agent_ends_well_when_it_runs_out_of_calls(name: str) -> None:
    result = CRM.run("TASK-002", agent=agent(name), max_tool_calls=3)
    assert (result.termination_reason, result.tool_calls, result.passed) == ("max_tool_calls", 3, False)


def test_shell_program_in_the_protocol_s_page_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "agent-protocol.md").read_text(encoding="utf-8")
    found = re.search(r"```sh\n(.*?)```", page, re.DOTALL)
    assert found is not None
    program = tmp_path / "agent.sh"
    program.write_text(found[1], encoding="utf-8")
    result = CRM.run("TASK-002", agent=f"cmd: sh {program}")
    assert result.termination_reason == "completed"
    assert re.fullmatch(r"There are \d+ open deals\.", result.output or "")
