"""The tutorial and the README do what they say: their files are written and their commands run, in order."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_FILE = re.compile(r"`([\w./-]+\.(?:json|yaml|py|mjs))`[^\n]*:\n+(?:[^\n`]+\n+)*```\w*\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(r"```\n(silo .*?)```", re.DOTALL)


def _written(text: str, folder: Path) -> list[str]:
    names = []
    for name, content in _FILE.findall(text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        names.append(name)
    return names


def _commands(text: str) -> list[list[str]]:
    lines = [line for block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("silo ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


def _run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "silo_decl", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=environment)


def test_tutorial_works_word_for_word(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    names = _written(text, tmp_path)
    assert len(names) == 6, names
    commands = _commands(text)
    assert len(commands) >= 7
    for words in commands:
        done = _run(words, tmp_path)
        expected = 1 if "idle" in words else 0
        assert done.returncode == expected, (words, done.stdout, done.stderr)


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_agent_of_the_readme_solves_the_task(tmp_path: Path, language: str) -> None:
    if language == "javascript" and not _has_node():
        pytest.skip("Node.js is not installed, so an agent in JavaScript cannot run")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(rf"```{language}\n(.*?(?:reassign_opportunity).*?)```", text, re.DOTALL)
    name = {"python": "my_agent.py", "javascript": "my_agent.mjs"}[language]
    (tmp_path / name).write_text(code, encoding="utf-8")
    done = _run(["run", "--env", "crm", "--task", "TASK-002", "--agent", f"./{name}"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def _has_node() -> bool:
    return subprocess.run(["sh", "-c", "command -v node"], capture_output=True).returncode == 0


def test_commands_of_the_readme_work(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for words in _commands(text):
        if "./my_agent.py" in words or "./my_agent.mjs" in words:
            continue
        done = _run(words, tmp_path)
        assert done.returncode == 0, (words, done.stdout, done.stderr)


def test_python_of_the_readme_works() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(from silo_decl import load.*?)```", text, re.DOTALL)
    space: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), space)
    assert space["result"].passed  # type: ignore[attr-defined]
