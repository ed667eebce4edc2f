"""What `silo new` makes fits the world it is made for, and nothing that is there is touched."""

import difflib
import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from silo_decl import load
from silo_decl.specs.tool import TOOL_KINDS
from tests.cli.commands import ROOT, answer, silo


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working directory with a copy of the helpdesk."""
    shutil.copytree(ROOT / "tests/examples/good/helpdesk", tmp_path / "environments" / "desk")
    return tmp_path


def _files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("kind", TOOL_KINDS)
def test_a_new_tool_is_registered_and_refuses_until_it_is_written(place: Path, kind: str) -> None:
    before = (place / "environments/desk/environment.yaml").read_text("utf-8")
    made = silo("new", "tool", f"{kind}_ticket_new", "--env", "desk", "--kind", kind, cwd=place)
    assert (made.returncode, made.stderr) == (0, "")
    after = (place / "environments/desk/environment.yaml").read_text("utf-8")
    changed = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    assert [line.strip("+ ") for line in changed] == [f"- tools/{kind}_ticket_new.yaml"]
    env = load(place / "environments/desk")
    tool = env.toolbox.tools[f"{kind}_ticket_new"]
    assert not [problem for problem in env.problems if problem.file.endswith(f"{kind}_ticket_new.yaml")]
    given = {one.name: _argument(env, one) for one in tool.parameters if one.required}
    result = env.new_world().call(tool.name, given)
    assert (result.is_error, result.output["code"]) == (True, "invalid_state")


def _argument(env: Any, parameter: Any) -> Any:
    if parameter.references:
        return next(iter(env.new_world()[parameter.references]))
    if parameter.enum:
        return parameter.enum[0]
    samples = {"number": 1, "integer": 1, "boolean": True, "date": "2026-01-31", "datetime": "2026-01-31T10:00:00Z"}
    return samples.get(parameter.type, "some text")


@pytest.mark.parametrize("kind", TOOL_KINDS)
def test_a_new_tool_works_once_its_stub_line_is_gone(place: Path, kind: str) -> None:
    silo("new", "tool", f"{kind}_ticket_new", "--env", "desk", "--kind", kind, cwd=place)
    file = place / f"environments/desk/tools/{kind}_ticket_new.yaml"
    file.write_text(file.read_text("utf-8").replace("    stub: true\n", ""), "utf-8")
    env = load(place / "environments/desk")
    tool = env.toolbox.tools[f"{kind}_ticket_new"]
    given = {one.name: _argument(env, one) for one in tool.parameters if one.required}
    result = env.new_world().call(tool.name, given)
    assert result.is_error is (kind == "action"), result.output
    assert result.fault is None


def test_tool_add_is_the_same_as_new_tool(place: Path) -> None:
    assert (
        silo(
            "tool", "add", "list_more", "--env", "desk", "--kind", "list", "--collection", "tickets", cwd=place
        ).returncode
        == 0
    )
    assert "list_more" in load(place / "environments/desk").toolbox.tools


def test_a_new_task_passes_with_its_solution_and_fails_idle(place: Path) -> None:
    silo("new", "task", "T-900", "--env", "desk", cwd=place)
    assert answer("run", "--env", "desk", "--task", "T-900", "--agent", "solution", cwd=place)["passed"] == 1
    assert answer("run", "--env", "desk", "--task", "T-900", "--agent", "idle", cwd=place)["failed"] == 1


def test_a_new_suite_holds_every_task(place: Path) -> None:
    silo("new", "suite", "everything", "--env", "desk", cwd=place)
    env = load(place / "environments/desk")
    assert set(env.suites["everything"].tasks) == set(env.tasks)


NAMES = [
    (("env", "Desk", "--template", "blank"), "'Desk' cannot be the name", "'desk-2'"),
    (("env", "../out", "--template", "blank"), "'../out' cannot be the name", "'out'"),
    (("env", "con", "--template", "blank"), "'con' means something else", "'con-2'"),
    (("env", "desk", "--template", "blank"), "There is an environment 'desk' already.", "'desk-2'"),
    (("env", "", "--template", "blank"), "'' cannot be the name", "'environment'"),
    (("env", "größe", "--template", "blank"), "'größe' cannot be the name", "'groe'"),
    (("env", "fresh", "--template", "nothing"), "There is no template 'nothing'.", "blank"),
    (("tool", "a b", "--env", "desk", "--kind", "list"), "'a b' cannot be the name", "'a_b'"),
    (("tool", "List_Tickets", "--env", "desk", "--kind", "list"), "'list_tickets' already", "'List_Tickets_2'"),
    (
        ("tool", "list_x", "--env", "desk", "--kind", "lst"),
        "There is no kind of tool 'lst'. Did you mean 'list'?",
        "search",
    ),
    (("tool", "x" * 65, "--env", "desk", "--kind", "list"), "at most 64 letters", "xxx"),
    (("tool", "show_things", "--env", "desk", "--kind", "list"), "does not tell its collection", "tickets"),
    (("task", "a/b", "--env", "desk"), "'a/b' cannot be the name", "'a-b'"),
    (("task", "close-one", "--env", "desk"), "There is a task 'close-one' already.", "'close-one-2'"),
    (("suite", "x.y", "--env", "desk"), "'x.y' cannot be the name", "'x-y'"),
    (("agent", "a.py", "--style", "lop"), "There is no style 'lop'. Did you mean 'loop'?", "openai"),
    (("agent", "a.rb"), "no agent in the style 'loop' for a file like 'a.rb'", "loop.py"),
]


@pytest.mark.parametrize(
    "words, message, fix", NAMES, ids=lambda one: " ".join(one)[:40] if isinstance(one, tuple) else ""
)
def test_names_that_cannot_be_are_refused_with_the_next_free_one(
    place: Path, words: tuple[str, ...], message: str, fix: str
) -> None:
    before = _files(place)
    refused = silo("new", *words, cwd=place)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert fix in refused.stderr
    assert "Traceback" not in refused.stderr
    assert _files(place) == before


def test_an_agent_file_is_never_written_over(place: Path) -> None:
    assert silo("new", "agent", "mine.py", cwd=place).returncode == 0
    (place / "mine.py").write_text("# my work\n", "utf-8")
    refused = silo("new", "agent", "Mine.py", cwd=place)
    assert (refused.returncode, "Mine_2.py" in refused.stderr) == (2, True)
    assert (place / "mine.py").read_text("utf-8") == "# my work\n"


def test_nothing_is_left_where_the_list_of_tools_cannot_be_added_to(place: Path) -> None:
    file = place / "environments/desk/environment.yaml"
    text = file.read_text("utf-8")
    start = text.index("tools:")
    file.write_text(f"{text[:start]}tools: &all\n{text[start + 7 :]}\nother: {{bad\n", "utf-8")
    before = _files(place)
    assert silo("new", "tool", "list_more", "--env", "desk", "--kind", "list", cwd=place).returncode in (1, 2)
    assert _files(place) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_nothing_is_left_where_a_folder_may_not_be_written(place: Path) -> None:
    folder = place / "environments/desk/tools"
    folder.chmod(0o500)
    before = _files(place)
    try:
        assert silo("new", "tool", "list_more", "--env", "desk", "--kind", "list", cwd=place).returncode == 1
        assert _files(place) == before
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("style, file", [("loop", "a.py"), ("loop", "a.mjs")])
def test_the_loop_agent_runs_as_it_stands(place: Path, style: str, file: str) -> None:
    silo("new", "agent", file, "--style", style, cwd=place)
    run = answer("run", "--env", "desk", "--task", "count-open", "--agent", f"./{file}", cwd=place)
    assert run["runs"][0]["terminationReason"] == "completed"
    assert run["runs"][0]["toolCalls"] > 0


class _Model(BaseHTTPRequestHandler):
    """A model's server that calls one tool and then answers, in the form that is asked for."""

    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append(body)
        said = _openai(body) if self.path.endswith("/chat/completions") else _anthropic(body)
        content = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


def _openai(body: dict[str, Any]) -> dict[str, Any]:
    last = body["messages"][-1]
    if last["role"] == "tool":
        total = json.loads(last["content"])["total"]
        return {"choices": [{"message": {"role": "assistant", "content": f"There are {total}."}}]}
    function = {"name": "list_tickets", "arguments": '{"status": "open"}'}
    call = {"id": "c1", "type": "function", "function": function}
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}


def _anthropic(body: dict[str, Any]) -> dict[str, Any]:
    last = body["messages"][-1]["content"]
    if isinstance(last, list):
        total = json.loads(last[0]["content"])["total"]
        return {"content": [{"type": "text", "text": f"There are {total}."}], "stop_reason": "end_turn"}
    use = {"type": "tool_use", "id": "c1", "name": "list_tickets", "input": {"status": "open"}}
    return {"content": [use], "stop_reason": "tool_use"}


@pytest.fixture
def model() -> Iterator[str]:
    _Model.asked = []
    with HTTPServer(("127.0.0.1", 0), _Model) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("style, path", [("openai", "/v1"), ("anthropic", "")])
def test_model_agents_speak_with_a_server_and_solve_a_task(
    place: Path, monkeypatch: pytest.MonkeyPatch, model: str, style: str, path: str
) -> None:
    monkeypatch.setenv(f"{style.upper()}_BASE_URL", model + path)
    monkeypatch.setenv(f"{style.upper()}_MODEL", "any")
    silo("new", "agent", "model.py", "--style", style, cwd=place)
    run = answer("run", "--env", "desk", "--task", "count-open", "--agent", "./model.py", cwd=place)
    assert run["passed"] == 1
    names = [(one.get("function") or one)["name"] for one in _Model.asked[0]["tools"]]
    assert "list_tickets" in names
