"""`silo play --record`: the calls that were made become the task's solution, in its own file.

A value that came out of an earlier call is written as an expression where only one place of it can be meant; what the
instruction says stays as it is. The solution is played before the file is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.authoring.play import Played, PlaySession
from silo_decl.authoring.yaml_edit import YamlText
from silo_decl.engine.environment import load_folder
from silo_decl.errors import SiloError, UsageError
from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.world.store import World

_PLAIN = re.compile(r"[A-Za-z=_][A-Za-z0-9 _.,()\[\]'/=@+-]*")


@dataclass
class _Saved:
    """A result that later steps may refer to."""

    name: str
    output: Any
    used: bool = False


@dataclass
class _Step:
    call: Played
    saved: _Saved
    input: Any = None


@dataclass
class _Recorder:
    session: PlaySession
    expressions: bool
    saved: list[_Saved] = field(default_factory=list)

    def block(self) -> str:
        steps = [self._step(number, call) for number, call in enumerate(self._kept(), 1)]
        answer = self._answer() if self.session.answer is not None else None
        lines: list[str] = []
        for step in steps:
            lines += _lines(step)
        if answer is not None:
            lines.append(f"- answer: {_scalar(answer)}")
        return "\n".join(lines)

    def _kept(self) -> list[Played]:
        """Refused calls are left out, unless nothing was changed: then the refusal may be the point."""
        changed = any(one.changed for one in self.session.calls)
        return [one for one in self.session.calls if not (one.is_error and changed)]

    def _step(self, number: int, call: Played) -> _Step:
        filled = self.session.filled(call.name)
        given = {name: value for name, value in call.input.items() if name not in filled or filled[name] != value}
        tool = self.session.tool(call.name)
        fixed = {one.name for one in tool.parameters if one.enum} if tool is not None else set()
        step = _Step(call, _Saved(f"step{number}", call.output, call.is_error))
        step.input = {name: value if name in fixed else self._value(value) for name, value in given.items()}
        self.saved.append(step.saved)
        return step

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._value(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self._value(inner) for inner in value]
        source = self._source(value)
        return f"= {source}" if source else _literal(value)

    def _source(self, value: Any) -> str:
        """Where the value came from, as an expression; '' where it is the author's own or could be two places."""
        if not self.expressions or not _telling(value) or _said(str(value), self.session.told):
            return ""
        for saved in self.saved:
            paths = [path for path, found in _leaves(saved.output) if found == value and type(found) is type(value)]
            own = [path for path in paths if path.endswith(".id")]
            chosen = paths if len(paths) == 1 else own if len(own) == 1 else []
            if chosen:
                saved.used = True
                return f"{saved.name}{chosen[0]}"
            if paths:
                return ""
        return ""

    def _answer(self) -> str:
        text = self.session.answer or ""
        parts = re.split(r"([A-Za-z0-9_#][A-Za-z0-9_#.:-]*[A-Za-z0-9]|[A-Za-z0-9])", text)
        return "".join(self._part(part) for part in parts)

    def _part(self, part: str) -> str:
        if not any(letter.isdigit() for letter in part):
            return part.replace("{{", '{{ "{{" }}')
        number = _number(part)
        source = self._source(part) or (self._source(number) if number is not None else "")
        return f"{{{{ {source} }}}}" if source else part


def record(session: PlaySession, force: bool) -> str:
    """Write the solution into the task's file; gives its name. Raises UsageError where it is not to be done."""
    task = session.task
    assert task is not None
    path = session.env.root / task.spec.file
    if task.spec.family:
        said = f"{task.id} is a member of the family {task.spec.family}, whose solution is that of all of its members."
        raise UsageError(said, f"Write it by hand in {task.spec.file}.")
    if task.spec.solution and not force:
        raise UsageError(f"{task.spec.file} has a solution already.", "Add --force to put this one in its place.")
    if not session.calls and session.answer is None:
        raise UsageError("There is nothing to write down: no call was made and nothing answered.")
    before = path.read_bytes()
    for expressions in (True, False):
        text = YamlText(path)
        text.replace("solution", _Recorder(session, expressions).block())
        text.save()
        if _plays_the_same(session, task):
            return task.spec.file
        path.write_bytes(before)
    raise UsageError("What was done cannot be written as a solution that does the same.", "Write it by hand.")


def _plays_the_same(session: PlaySession, task: Task) -> bool:
    """Whether the file's new solution makes the same changes and gives the same answer."""
    try:
        env = load_folder(session.env.root)
    except SiloError:
        return False
    world = env.new_world()
    try:
        answer = env.tasks[task.id].solution.play(_caller(world))
    except SolutionError:
        return False
    said = answer if answer is None or isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return bool(world.diff() == session.diff() and said == session.answer)


def _caller(world: World) -> Any:
    def call(name: str, given: dict[str, Any]) -> dict[str, Any]:
        result = world.call(name, given)
        return {"output": result.output, "is_error": result.is_error}

    return call


def _telling(value: Any) -> bool:
    """Whether a value is so much its own that finding it again is no chance."""
    if isinstance(value, str):
        return len(value) >= 4 or (len(value) >= 2 and any(letter.isdigit() for letter in value))
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) >= 10


def _said(value: str, told: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", told) is not None


def _number(text: str) -> int | float | None:
    try:
        found = json.loads(text.replace(",", ""))
    except ValueError:
        return None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every plain value in a result with the path to it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if re.fullmatch(r"[A-Za-z_]\w*", name):
                yield from _leaves(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{place}]")
    else:
        yield path, value


def _literal(value: Any) -> Any:
    """A text that would be read as an expression is kept as a text."""
    if isinstance(value, str) and (value.startswith("=") or "{{" in value):
        return '{{ "' + value.replace("\\", "\\\\").replace('"', '\\"') + '" }}'
    return value


def _lines(step: _Step) -> Sequence[str]:
    lines = [f"- call: {step.call.name}"]
    if step.input:
        lines.append("  input:")
        lines += [f"    {name}: {_scalar(value)}" for name, value in step.input.items()]
    if step.saved.used:
        lines.append(f"  save: {step.saved.name}")
    return lines


def _scalar(value: Any) -> str:
    """A value as YAML takes it, on one line."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value == value.strip() and not _reserved(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _reserved(value: str) -> bool:
    return value.casefold() in ("true", "false", "null", "yes", "no", "on", "off") or value in ("=", "<<")
