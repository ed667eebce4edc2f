"""`silo play`: lines from a person become calls, results become tables, until the checks are shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from silo_decl.authoring.play import Played, PlaySession, missing, parse_call, value_of
from silo_decl.authoring.recording import record
from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import Screen, out, table, wrapped
from silo_decl.engine.environment import load
from silo_decl.errors import UsageError, did_you_mean
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.toolbox import Tool

Ask = Callable[[str], str]

COMMANDS = {
    "tools": "tools [WORD]: the tools, or those with the word in them",
    "help": "help TOOL: what a tool takes",
    "task": "task: what is asked",
    "calls": "calls: what was called so far",
    "diff": "diff: what has changed so far",
    "undo": "undo: take back the last change, and what was read after it",
    "answer": "answer TEXT: the final answer",
    "checks": "checks: how the task would be graded now",
    "raw": "raw: results as JSON, or as tables again",
    "quit": "quit: end, with the checks",
}


def play(env_name: str, task_id: str, recording: bool, force: bool) -> None:
    """Play until the lines end; Failed where a task is not passed."""
    env = load(env_name)
    session = PlaySession(env, env.task(task_id) if task_id else None)
    if recording and session.task is None:
        raise UsageError("--record writes a task's solution, so it needs --task.")
    if recording and session.task is not None and session.task.spec.solution and not force:
        raise UsageError(f"{session.task.id} has a solution already.", "Add --force to put a new one in its place.")
    desk = _Desk(session, out())
    desk.begin()
    for line in _lines(desk):
        if not desk.follow(line):
            break
    passed = desk.end()
    if recording and (session.calls or session.answer is not None):
        if not passed and not force:
            raise UsageError(
                "The task is not passed, so nothing was recorded.", "Add --force to record it all the same."
            )
        print(f"Wrote the solution to {record(session, force)}.")
    if not passed:
        raise Failed


def _lines(desk: _Desk) -> Iterator[str]:
    if not sys.stdin.isatty():
        yield from (line.rstrip("\n") for line in sys.stdin)
        return
    from silo_decl.cli.play_prompt import Prompt

    prompt = Prompt(desk.session, COMMANDS)
    desk.ask = prompt.ask
    yield from prompt.lines()


class _Desk:
    """What is shown and done for each line."""

    def __init__(self, session: PlaySession, screen: Screen):
        self.session = session
        self.screen = screen
        self.raw = False
        self.ask: Ask | None = None

    def begin(self) -> None:
        print(self.screen.styled(self.session.env.spec.title, "bold"))
        if self.session.task is not None:
            self.do_task("")
        print("Type a tool and its arguments, or: " + ", ".join(COMMANDS) + ".\n")

    def follow(self, line: str) -> bool:
        """Do what a line says; False where it ends the session. What is wrong with it is said."""
        word, _, rest = line.strip().partition(" ")
        if not word or word.startswith("#"):
            return True
        if word in ("quit", "exit"):
            return False
        try:
            if word in COMMANDS:
                getattr(self, f"do_{word}")(rest.strip())
            else:
                self._call(word, rest.strip())
        except UsageError as wrong:
            print(f"{wrong.message} {wrong.fix}".strip())
        return True

    def end(self) -> bool:
        """Show the checks; whether the task is passed, or there is none."""
        if self.session.task is None:
            return True
        self.do_checks("")
        return self.session.grade().passed

    # Calls

    def _call(self, name: str, words: str) -> None:
        tool = self.session.tool(name)
        if tool is None:
            known = [*self.session.env.toolbox.tools, *COMMANDS]
            raise UsageError(f"There is no tool or command '{name}'.{did_you_mean(name, known)}", "'tools' lists them.")
        given = parse_call(tool, words)
        if self.ask is not None and missing(tool, {**self.session.filled(name), **given}):
            given = self._form(tool, given)
        self._show(self.session.call(name, given))

    def _form(self, tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
        """Ask for what is not given, one after the other; nothing leaves an optional one out."""
        assert self.ask is not None
        found = dict(given)
        filled = self.session.filled(tool.name)
        for one in tool.parameters:
            if one.name in found or one.name in filled or one.name in ("limit", "offset"):
                continue
            print(self.screen.styled(f"  {one.name}: {one.description}{_allowed(one)}", "dim"))
            text = self.ask(f"  {one.name}{'' if one.required else ' (optional)'}: ").strip()
            if text:
                found[one.name] = value_of(text, one)
        return found

    def _show(self, played: Played) -> None:
        if self.raw:
            print(json.dumps(played.output, ensure_ascii=False, indent=2))
            return
        if played.is_error:
            print(self.screen.styled(f"Refused, {played.output['code']}: {played.output['message']}", "red"))
            return
        print("\n".join(result_lines(played.output, self.screen)))
        if played.changed:
            print(self.screen.styled("The world has changed; 'diff' shows how, 'undo' takes it back.", "dim"))

    # Commands

    def do_tools(self, word: str) -> None:
        rows = [
            [name, tool.spec.kind, " ".join(tool.spec.description.split())]
            for name, tool in self.session.env.toolbox.tools.items()
            if word.casefold() in f"{name} {tool.spec.description}".casefold()
        ]
        print(table(rows, ["tool", "kind", "description"], self.screen))

    def do_help(self, name: str) -> None:
        if not name:
            print("\n".join(f"  {text}" for text in COMMANDS.values()))
            return
        tool = self.session.tool(name)
        if tool is None:
            raise UsageError(f"There is no tool '{name}'.{did_you_mean(name, self.session.env.toolbox.tools)}")
        print(wrapped(tool.spec.description, "  ", self.screen.width - 2))
        rows = [
            [one.name, one.type, "" if one.required else "optional", one.description + _allowed(one)]
            for one in tool.parameters
        ]
        if rows:
            print(table(rows, ["argument", "type", "", "description"], self.screen))

    def do_task(self, _: str) -> None:
        print(wrapped(self.session.told or "There is no task: look around.", "  ", min(self.screen.width, 100)) + "\n")

    def do_calls(self, _: str) -> None:
        for number, one in enumerate(self.session.calls, 1):
            outcome = "refused" if one.is_error else "changed" if one.changed else "read"
            print(f"  {number}. {one.name} {json.dumps(one.input, ensure_ascii=False)}  {outcome}")
        if not self.session.calls:
            print("  Nothing was called yet.")

    def do_diff(self, _: str) -> None:
        print("\n".join(diff_lines(self.session.diff())) or "  Nothing has changed.")

    def do_undo(self, _: str) -> None:
        undone = self.session.undo()
        print(f"  Took back {undone.name}." if undone else "  There is no change to take back.")

    def do_answer(self, text: str) -> None:
        if not text:
            raise UsageError("Say what the answer is.", "answer TEXT")
        self.session.answer = text
        print("  Noted; a later answer takes its place.")

    def do_checks(self, _: str) -> None:
        if self.session.task is None:
            raise UsageError("There is no task, so there are no checks.", "Start with --task ID.")
        grade = self.session.grade()
        for one in grade.checks:
            mark = self.screen.styled("pass", "green") if one.passed else self.screen.styled("FAIL", "red")
            print(f"  {mark}  {one.label}{'' if one.required else ' (not required)'}: {one.detail}")
        print(f"  {'Passed' if grade.passed else 'Not passed'}, reward {grade.reward:.2f}.")

    def do_raw(self, _: str) -> None:
        self.raw = not self.raw
        print("  Results are shown as JSON." if self.raw else "  Results are shown as tables.")


def _allowed(one: ParameterSpec) -> str:
    if one.enum:
        return f" One of: {', '.join(str(choice) for choice in one.enum)}."
    return f" An id of {one.references}." if one.references else ""


def result_lines(output: Any, screen: Screen, indent: str = "  ") -> list[str]:
    """A result as a person reads it: lists of records as tables, a record as its fields."""
    if isinstance(output, Mapping):
        return _record_lines(output, screen, indent)
    if _is_table(output):
        return [indent + line.removeprefix("  ") for line in _table(output, screen).splitlines()]
    return [indent + _shown(output)]


def _record_lines(record: Mapping[str, Any], screen: Screen, indent: str) -> list[str]:
    plain = {name: value for name, value in record.items() if not _is_nested(value)}
    width = max((len(name) for name in plain), default=0)
    lines = [f"{indent}{name.ljust(width)}  {_shown(value)}" for name, value in plain.items()]
    for name, value in record.items():
        if _is_nested(value):
            lines += [f"{indent}{name}:", *result_lines(value, screen, indent + "  ")]
    return lines


def _is_nested(value: Any) -> bool:
    money = isinstance(value, Mapping) and set(value) == {"amount", "currency"}
    return bool(_is_table(value) or (isinstance(value, Mapping) and value and not money))


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _table(records: list[Mapping[str, Any]], screen: Screen) -> str:
    headers = list(dict.fromkeys(name for record in records for name in record))
    rows = [[_shown(record.get(name)) for name in headers] for record in records]
    kept = _fitting(headers, rows, screen.width)
    shown = table([row[:kept] for row in rows], headers[:kept], screen)
    left = headers[kept:]
    return f"{shown}\n  and: {', '.join(left)}" if left else shown


def _fitting(headers: list[str], rows: list[list[str]], width: int) -> int:
    """How many columns fit beside each other."""
    used = 2
    for place, header in enumerate(headers):
        used += 2 + min(40, max([len(header), *(len(row[place]) for row in rows)]))
        if used > width and place >= 3:
            return place
    return len(headers)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping) and set(value) == {"amount", "currency"}:
        return f"{value['amount']} {value['currency'] or ''}".strip()
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def diff_lines(diff: Mapping[str, Any]) -> list[str]:
    """What changed, a line for each field."""
    lines = []
    for name, found in diff["collections"].items():
        lines += [f"  {name}: added {json.dumps(one, ensure_ascii=False)}" for one in found["added"]]
        lines += [f"  {name}: removed {json.dumps(one, ensure_ascii=False)}" for one in found["removed"]]
        for one in found["changed"]:
            for path, change in one["fields"].items():
                was, now = (json.dumps(change[key], ensure_ascii=False) for key in ("from", "to"))
                lines.append(f"  {name} {one['id']}: {path} from {was} to {now}")
    for name, change in diff.get("scalars", {}).items():
        lines.append(f"  {name}: from {json.dumps(change['from'])} to {json.dumps(change['to'])}")
    return lines
