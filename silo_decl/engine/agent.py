"""What `--agent` names: a file, a program, a function, or one of the two agents that are always there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from silo_decl.errors import UsageError

Kind = Literal["python", "exec", "solution", "idle", "function"]

DEFAULT_FILE = Path("silo_agent.py")
NODE_AGENT = Path(__file__).with_name("node_agent.mjs")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent that can be started. `name` is how runs call it.

    `path` is a Python file (kind python); `command` what is executed (kind exec), `reusable` whether one process can
    serve several rollouts; `function` is called in this process (kind function).
    """

    kind: Kind
    name: str
    path: Path | None = None
    command: tuple[str, ...] = ()
    reusable: bool = False
    function: Callable[[Any], Any] | None = None


def agent_of(given: str | Path | Callable[[Any], Any] | None) -> AgentSpec:
    """The agent that is named. Raises UsageError where it cannot be started, saying what to do."""
    if given is None:
        if not DEFAULT_FILE.is_file():
            raise UsageError("No agent is named, and there is no ./silo_agent.py.", "Name one with --agent.")
        given = str(DEFAULT_FILE)
    if callable(given):
        return AgentSpec("function", getattr(given, "__name__", "function"), function=given)
    text = str(given)
    if text in ("solution", "idle"):
        return AgentSpec("solution" if text == "solution" else "idle", text)
    if text.startswith("cmd:"):
        return _program(text)
    return _file(text)


def _program(text: str) -> AgentSpec:
    try:
        command = shlex.split(text.removeprefix("cmd:"))
    except ValueError as wrong:
        raise UsageError(f"The command of the agent cannot be read: {wrong}.", "Close its quotes.") from None
    if not command:
        raise UsageError("The agent's command is empty.", 'Write --agent "cmd: ./program --flag".')
    found = shutil.which(command[0])
    if found is None:
        raise UsageError(f"There is no program '{command[0]}'.", "Give its path, and make it executable.")
    return AgentSpec("exec", text, command=(str(Path(found).absolute()), *map(_absolute, command[1:])))


def _absolute(word: str) -> str:
    """Files named on the command line are found from the agent's own folder too."""
    return str(Path(word).absolute()) if not word.startswith("-") and Path(word).is_file() else word


def _file(text: str) -> AgentSpec:
    path = Path(text)
    if not path.is_file():
        fix = "Give a .py, .js, .mjs or .ts file, 'cmd: program', 'solution' or 'idle'."
        raise UsageError(f"There is no agent '{text}'.", fix)
    if path.suffix == ".py":
        return AgentSpec("python", text, path=path.absolute(), reusable=True)
    if path.suffix in (".js", ".mjs"):
        return AgentSpec("exec", text, command=(_node(), str(NODE_AGENT), str(path.absolute())), reusable=True)
    if path.suffix in (".ts", ".mts"):
        return AgentSpec("exec", text, command=(*_typescript(path.absolute()), str(path.absolute())), reusable=True)
    raise UsageError(f"An agent's file is Python, JavaScript or TypeScript, not '{path.suffix or path.name}'.")


def _node() -> str:
    found = shutil.which("node")
    if found is None:
        raise UsageError("Agents in JavaScript need Node.js, which is not installed.", "Install it from nodejs.org.")
    return found


def _typescript(path: Path) -> tuple[str, ...]:
    """How this machine runs TypeScript: Node.js itself, or tsx."""
    node = _node()
    version = _node_version(node)
    stripping = type_stripping(version)
    if stripping is not None:
        return (node, *stripping, str(NODE_AGENT))
    loader = _tsx_loader(path)
    if loader is None:
        shown = ".".join(map(str, version))
        raise UsageError(
            f"The Node.js on this machine ({shown}) cannot read TypeScript, and there is no tsx.",
            "Install Node.js 22.18 or later, or 'npm install tsx' beside the agent.",
        )
    return (node, "--import", loader.as_uri(), str(NODE_AGENT))


def type_stripping(version: tuple[int, ...]) -> tuple[str, ...] | None:
    """The options with which a Node.js of this version reads TypeScript, or None where it cannot."""
    if version >= (23, 6) or (22, 18) <= version < (23,):
        return ()
    if version >= (22, 6):
        return ("--experimental-strip-types", "--no-warnings")
    return None


def _tsx_loader(path: Path) -> Path | None:
    """The part of tsx that Node.js loads; its own command would start one process more, without our descriptors."""
    bins = [folder / "node_modules" / ".bin" / "tsx" for folder in path.parents]
    found = shutil.which("tsx")
    for candidate in [*bins, *([Path(found)] if found else [])]:
        loader = candidate.resolve().parent / "loader.mjs"
        if candidate.exists() and loader.is_file():
            return loader
    return None


@cache
def _node_version(node: str) -> tuple[int, ...]:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=30, check=False)
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", done.stdout)
    if found is None:
        raise UsageError("The Node.js on this machine does not tell its version.", "Run 'node --version'.")
    return tuple(map(int, found.groups()))
