"""Being the agent: calls made one at a time by a person, with every one to be taken back. Knows no terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.engine.environment import Environment
from silo_decl.errors import UsageError
from silo_decl.grading.reward import Grade
from silo_decl.grading.task import Task
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.toolbox import Tool
from silo_decl.trace import CallFact
from silo_decl.world.store import World

_YES, _NO = ("true", "yes", "y"), ("false", "no", "n")


@dataclass
class Played:
    """One call that was made: `before` is the world as it was, `changed` whether the call changed it."""

    name: str
    input: dict[str, Any]
    output: Any
    is_error: bool
    changed: bool
    before: World
    encoded: bytes = b""


@dataclass
class PlaySession:
    """A world, a task or none, and the calls so far."""

    env: Environment
    task: Task | None = None
    calls: list[Played] = field(default_factory=list)
    answer: str | None = None

    def __post_init__(self) -> None:
        self.world = self.env.new_world()

    @property
    def told(self) -> str:
        """What an agent is told; nothing where there is no task."""
        return self.env.told(self.task) if self.task is not None else ""

    def tool(self, name: str) -> Tool | None:
        return self.env.toolbox.tools.get(name)

    def call(self, name: str, given: Mapping[str, Any]) -> Played:
        """Make a call as an agent would. Who acts is filled in where the task says it."""
        arguments = {**self.filled(name), **given}
        before, self.world = self.world, self.world.fork()
        earlier = before.diff()
        result = self.env.toolbox.call(self.world, name, arguments)
        changed = not result.is_error and self.world.diff() != earlier
        played = Played(name, arguments, result.output, result.is_error, changed, before, result.encoded)
        self.calls.append(played)
        return played

    def filled(self, name: str) -> dict[str, Any]:
        """The argument that says who acts, for the tools that take it."""
        actor, tool = self.env.spec.actor, self.tool(name)
        if self.task is None or not self.task.spec.acting_as or actor is None or tool is None:
            return {}
        takes = any(one.name == actor.parameter for one in tool.parameters)
        return {actor.parameter: self.task.spec.acting_as} if takes else {}

    def undo(self) -> Played | None:
        """Take back the last call that changed the world, and what was read after it; None where there is none."""
        for place in range(len(self.calls) - 1, -1, -1):
            if self.calls[place].changed:
                undone = self.calls[place]
                self.world = undone.before
                del self.calls[place:]
                return undone
        return None

    def diff(self) -> dict[str, Any]:
        return self.world.diff()

    def grade(self) -> Grade:
        """The task's checks as they stand now."""
        assert self.task is not None
        facts = [CallFact(one.name, one.input, one.encoded, one.is_error) for one in self.calls]
        return self.task.grade(self.env.new_world(), self.world, self.answer, facts)


def parse_call(tool: Tool, words: str) -> dict[str, Any]:
    """The arguments in a line: JSON, or `name=value` with texts between quotes where they hold blanks.

    Raises UsageError for what cannot be read; whether the arguments are right is for the tool to say.
    """
    if words.lstrip().startswith("{"):
        try:
            given = json.loads(words)
        except ValueError as wrong:
            raise UsageError(f"This is no JSON: {wrong}.", 'Write it like {"name": "value"}.') from None
        return dict(given)
    known = {one.name: one for one in tool.parameters}
    found: dict[str, Any] = {}
    for word in _words(words):
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"'{word}' does not say which argument it is.", f"Write name=value; {_takes(known)}")
        found[name] = value_of(text, known[name]) if name in known else text
    return found


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        raise UsageError("A quote is not closed.", "Close it, or leave it out.") from None


def _takes(known: Sequence[str] | Mapping[str, Any]) -> str:
    return f"the tool takes {', '.join(known)}." if known else "the tool takes no arguments."


def value_of(text: str, parameter: ParameterSpec) -> Any:
    """What a person wrote as the value that the parameter takes; left as text where it does not fit."""
    kind = parameter.type
    if kind in ("text", "date", "datetime"):
        return text
    if kind == "boolean" and text.casefold() in (*_YES, *_NO):
        return text.casefold() in _YES
    if kind == "list" and not text.lstrip().startswith("["):
        of = parameter.of or ParameterSpec(parameter.at, "", "text")
        return [value_of(one.strip(), of) for one in text.split(",") if one.strip()]
    try:
        return json.loads(text)
    except ValueError:
        return text


def missing(tool: Tool, given: Mapping[str, Any]) -> list[ParameterSpec]:
    """The required parameters that are not given."""
    return [one for one in tool.parameters if one.required and one.name not in given]
