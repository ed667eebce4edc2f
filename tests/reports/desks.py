"""Rollouts of small agents to tell stories about."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from silo_decl.engine.environment import Environment, load_folder
from silo_decl.reports.causes import Call, likely_cause

HELPDESK = Path(__file__).parent.parent / "examples" / "good" / "helpdesk"
ENVIRONMENT = load_folder(HELPDESK)


def cause(
    agent: Callable[[Any], Any], task: str = "close-one", environment: Environment = ENVIRONMENT, **more: Any
) -> str:
    """Why this agent probably failed."""
    calls: list[Call] = []

    class Watched:
        """The run of an agent, with its calls written down."""

        def __init__(self, run: Any):
            self.task, self.tools, self.signal, self._run = run.task, run.tools, run.signal, run

        def call_tool(self, name: str, input: Any = None) -> Any:
            answer = self._run.call_tool(name, input)
            calls.append(Call(name, input, answer["output"], "is_error" in answer))
            return answer

    result = environment.run(task, lambda run: agent(Watched(run)), **more)
    return likely_cause(result.result, calls, result.diff)


def broken_desk(folder: Path, hook: str) -> Environment:
    """The help desk with another hook behind `close_ticket`."""
    shutil.copytree(HELPDESK, folder / "desk")
    path = folder / "desk" / "hooks" / "tickets.py"
    text = path.read_text(encoding="utf-8")
    begin = text.index("    ticket = world")
    end = text.index("def busiest")
    path.write_text(f"{text[:begin]}    {hook}\n\n\n{text[end:]}", encoding="utf-8")
    return load_folder(folder / "desk")
