"""What `--agent` takes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from silo_decl.engine.agent import agent_of, type_stripping
from silo_decl.errors import UsageError


def test_two_agents_are_always_there() -> None:
    assert agent_of("solution").kind == "solution"
    assert agent_of("idle").kind == "idle"


def test_function_is_called_by_its_name() -> None:
    def loop(run: object) -> None: ...

    assert agent_of(loop).name == "loop"


def test_default_file_is_used_where_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"there is no \./silo_agent\.py"):
        agent_of(None)
    (tmp_path / "silo_agent.py").write_text("def agent(run): ...", encoding="utf-8")
    assert agent_of(None).path == tmp_path / "silo_agent.py"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("./missing.py", "There is no agent './missing.py'"),
        ("cmd:", "The agent's command is empty"),
        ("cmd: 'open", "cannot be read"),
        ("cmd: no-such-program-here --flag", "There is no program 'no-such-program-here'"),
    ],
)
def test_agent_that_cannot_be_started_says_what_to_do(given: str, said: str) -> None:
    with pytest.raises(UsageError) as wrong:
        agent_of(given)
    assert said in wrong.value.message
    assert wrong.value.fix


def test_file_of_another_language_is_refused(tmp_path: Path) -> None:
    (tmp_path / "agent.rb").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"not '\.rb'"):
        agent_of(tmp_path / "agent.rb")


def test_files_in_a_command_are_named_absolutely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent.sh").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command = agent_of("cmd: sh agent.sh --flag").command
    assert command == (shutil.which("sh"), str(tmp_path / "agent.sh"), "--flag")


def test_machine_without_node_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent.mjs").write_text("", encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"need Node\.js.*nodejs\.org"):
        agent_of(tmp_path / "agent.mjs")


FLAG = ("--experimental-strip-types", "--no-warnings")


@pytest.mark.parametrize(
    ("version", "options"),
    [
        ((20, 20, 2), None),
        ((22, 5, 0), None),
        ((22, 6, 0), FLAG),
        ((22, 17, 1), FLAG),
        ((22, 18, 0), ()),
        ((23, 0, 0), FLAG),
        ((23, 6, 0), ()),
        ((24, 1, 0), ()),
    ],
)
def test_node_reads_typescript_from_its_version_on(version: tuple[int, ...], options: tuple[str, ...] | None) -> None:
    assert type_stripping(version) == options


def test_typescript_is_run_by_what_this_machine_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node of an old version, with and without tsx beside the agent."""
    (tmp_path / "bin").mkdir()
    node = tmp_path / "bin" / "node"
    node.write_text("#!/bin/sh\necho v20.1.0\n", encoding="utf-8")
    node.chmod(0o755)
    (tmp_path / "agent.ts").write_text("", encoding="utf-8")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin:/usr/bin")
    if shutil.which("tsx") is None:
        with pytest.raises(UsageError, match=r"\(20\.1\.0\) cannot read TypeScript.*npm install tsx"):
            agent_of(tmp_path / "agent.ts")
    installed = tmp_path / "node_modules" / "tsx" / "dist"
    installed.mkdir(parents=True)
    for name in ("cli.mjs", "loader.mjs"):
        (installed / name).write_text("", encoding="utf-8")
    (tmp_path / "node_modules" / ".bin").mkdir()
    (tmp_path / "node_modules" / ".bin" / "tsx").symlink_to("../tsx/dist/cli.mjs")
    command = agent_of(tmp_path / "agent.ts").command
    assert command[:3] == (str(node), "--import", (installed / "loader.mjs").as_uri())
