"""One agent at work: its calls, one after the other, with limits, and what ended it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from silo_decl.engine.protocol import (
    AgentGoneError,
    LineChannel,
    NotAMessageError,
    TimeUpError,
    call_id_of,
    result_line,
    start_line,
    stop_line,
)
from silo_decl.errors import RunStopped
from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.tools.call import Fault, ToolResult
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact, decoded, fragment, line, writable
from silo_decl.world.store import World

COMPLETED, MAX_CALLS, TIMEOUT = "completed", "max_tool_calls", "timeout"
AGENT_ERROR, AGENT_CRASHED = "agent_error", "agent_crashed"

_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
_LINGER_SECONDS = 0.1

DEEPEST = 100
_TOO_DEEP = ToolResult(
    True,
    line({"code": "invalid_input", "message": f"Arguments are nested at most {DEEPEST} levels deep."}).rstrip(),
)

Write = Callable[[bytes], object]


@dataclass
class Ending:
    """How an agent ended: the reason, what it put out (as JSON values), what it said of an error, and what is to be
    logged where it has no log of its own."""

    reason: str
    output: Any = None
    message: str = ""
    log: bytes = b""


@dataclass
class Session:
    """The calls of one agent in one world. Every call goes through `call`, whatever carries it here.

    `broke` is what came out of a call that no agent is to blame for, such as a full disk.
    """

    toolbox: Toolbox
    world: World
    limits: Limits
    write: Write
    calls: list[CallFact] = field(default_factory=list)
    errors: int = 0
    fault: Fault | None = None
    stopped: str | None = None
    broke: BaseException | None = None
    deadline: float = 0.0

    def begin(self) -> None:
        self.deadline = time.monotonic() + self.limits.timeout_ms / 1000

    def call(self, name: Any, given: Any, encoded: bytes | None = None) -> ToolResult:
        """One call, on the record. Raises RunStopped once a limit is passed; that call does not run.

        `encoded` is `given` as JSON, where the caller has it. One call at a time.
        """
        if self.stopped is None:
            if len(self.calls) >= self.limits.max_tool_calls:
                self.stopped = MAX_CALLS
            elif time.monotonic() >= self.deadline:
                self.stopped = TIMEOUT
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        try:
            return self._called(name, given, encoded or _recorded(given))
        except BaseException as wrong:
            self.broke = wrong
            raise

    def _called(self, name: Any, given: Any, encoded: bytes) -> ToolResult:
        call_id = f"call-{len(self.calls) + 1}"
        name_text = _name(name)
        self.write(line({"type": "tool_call", "callId": call_id, "name": name_text, "input": fragment(encoded)}))
        begin = time.perf_counter()
        result = _TOO_DEEP if _is_deep(given, encoded) else self.toolbox.call(self.world, name, given)
        took = round((time.perf_counter() - begin) * 1000, 3)
        self.write(line(_result_event(call_id, result, took)))
        self.calls.append(CallFact(name_text, given, result.encoded, result.is_error))
        self.errors += result.is_error
        if result.fault is not None and self.fault is None:
            self.fault = result.fault
        return result


def _is_deep(given: Any, encoded: bytes) -> bool:
    """Whether arguments are nested deeper than a record may be."""
    if encoded.count(b"{") + encoded.count(b"[") <= DEEPEST:
        return False
    level = [given]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _name(name: Any) -> str:
    return writable(name) if isinstance(name, str) else str(name)


def _recorded(value: Any) -> bytes:
    try:
        return json_of(value)
    except (ValueError, RecursionError, TypeError):
        return b'"something that JSON cannot hold"'


def json_of(value: Any) -> bytes:
    """Plain values as JSON. Raises TypeError, ValueError or RecursionError for what it cannot hold."""
    try:
        encoded = orjson.dumps(value, option=_PLAIN)
    except TypeError:
        return _strictly(value)
    return _strictly(value) if b"null" in encoded else encoded


def _strictly(value: Any) -> bytes:
    """The quick writer makes null of what is no number, and refuses very big ones."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def _result_event(call_id: str, result: ToolResult, took: float) -> dict[str, Any]:
    event: dict[str, Any] = {
        "type": "tool_result",
        "callId": call_id,
        "output": fragment(result.encoded),
        "isError": result.is_error,
        "durationMs": took,
    }
    if result.fault is not None:
        fault = result.fault
        event["fault"] = {"where": fault.boundary, "message": fault.message, "traceback": fault.traceback}
    return event


def answer_of(result: ToolResult) -> dict[str, Any]:
    """A result as an agent gets it."""
    output = decoded(result.encoded)
    return {"output": output, "is_error": True} if result.is_error else {"output": output}


def play_solution(session: Session, task: Task) -> Ending:
    """The task's own solution."""
    try:
        return Ending(COMPLETED, task.solution.play(lambda name, given: answer_of(session.call(name, given))))
    except RunStopped as stop:
        return Ending(stop.reason)
    except SolutionError as wrong:
        return Ending(AGENT_ERROR, message=f"The solution cannot go on: {wrong}")


# -- agents in a process of their own -----------------------------------------------------------------------


def run_process(host: AgentHost, session: Session, task: str, tools: bytes, reuse: bool) -> Ending:
    """Hand the task to a process of the agent and serve its calls until it ends, or is ended."""
    channel = host.channel(reuse)
    limits = session.limits
    try:
        ending = _converse(channel, session, start_line(task, tools, limits.max_tool_calls, limits.timeout_ms))
    except BaseException:
        host.end()
        raise
    if ending.reason == AGENT_CRASHED:
        ending.message = _died(host.end(wait=True, linger=_LINGER_SECONDS))
    elif ending.reason != COMPLETED:
        host.end(wait=True)
    elif not reuse:
        host.end(preload=True)
    return ending


def _died(status: int | None) -> str:
    if status is None:
        return "It closed its end of the protocol before it gave an output."
    number = status & 0x7F
    if number:
        return f"Its process was ended by signal {number}."
    return f"Its process ended with status {status >> 8} before it gave an output."


def _converse(channel: LineChannel, session: Session, start: bytes) -> Ending:
    deadline = session.deadline
    try:
        channel.send(start, deadline)
        while session.stopped is None:
            ending = _message(channel, session, channel.receive(deadline), deadline)
            if ending is not None:
                return ending
    except TimeUpError:
        session.stopped = TIMEOUT
    except AgentGoneError:
        if session.stopped is None:
            return Ending(AGENT_CRASHED)
        return Ending(session.stopped)
    except NotAMessageError as wrong:
        return Ending(AGENT_ERROR, message=f"The agent broke the protocol: {wrong}.")
    return _stopping(channel, session)


def _message(channel: LineChannel, session: Session, message: dict[str, Any], deadline: float) -> Ending | None:
    kind = message["type"]
    if kind == "call":
        call_id, given = call_id_of(message), message.get("input", {})
        try:
            result = session.call(message.get("name"), given, _encoded(given))
        except RunStopped as stop:
            channel.send(stop_line(stop.reason, call_id), time.monotonic() + session.limits.grace_ms / 1000)
            return None
        channel.send(result_line(call_id, result.encoded, result.is_error), deadline)
        return None
    if kind == "output":
        return Ending(COMPLETED, message.get("output"))
    if kind == "error":
        return Ending(AGENT_ERROR, message=str(message.get("message", "")))
    raise NotAMessageError(f"there is no message of type '{kind}'")


def _encoded(given: Any) -> bytes:
    try:
        return json_of(given)
    except (ValueError, TypeError, RecursionError):
        raise NotAMessageError("the input of a call is nested too deeply") from None


def _stopping(channel: LineChannel, session: Session) -> Ending:
    """After a limit: tell the agent, refuse what it still calls, and take what it puts out within the grace."""
    reason = session.stopped or TIMEOUT
    until = time.monotonic() + session.limits.grace_ms / 1000
    try:
        channel.send(stop_line(reason), until)
        while True:
            message = channel.receive(until)
            if message["type"] == "call":
                channel.send(stop_line(reason, call_id_of(message)), until)
            elif message["type"] == "output":
                return Ending(reason, message.get("output"))
            else:
                return Ending(reason, message=str(message.get("message", "")))
    except (TimeUpError, AgentGoneError, NotAMessageError):
        return Ending(reason)
