"""One agent at work: its calls, one after the other, with limits, and what ended it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
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
    result_line,
    start_line,
    stop_line,
)
from silo_decl.errors import RunStopped
from silo_decl.grading.solution import SolutionError
from silo_decl.grading.task import Task
from silo_decl.tools.call import Fault, ToolResult
from silo_decl.tools.toolbox import Toolbox
from silo_decl.trace import CallFact, fragment, line
from silo_decl.world.store import World

COMPLETED, MAX_CALLS, TIMEOUT = "completed", "max_tool_calls", "timeout"
AGENT_ERROR, AGENT_CRASHED = "agent_error", "agent_crashed"

Write = Callable[[bytes], object]


@dataclass
class Ending:
    """How an agent ended: the reason, what it put out (as JSON values), and what it said of an error."""

    reason: str
    output: Any = None
    message: str = ""


@dataclass
class Session:
    """The calls of one agent in one world. Every call goes through `call`, whatever carries it here."""

    toolbox: Toolbox
    world: World
    limits: Limits
    write: Write
    calls: list[CallFact] = field(default_factory=list)
    errors: int = 0
    fault: Fault | None = None
    stopped: str | None = None
    deadline: float = 0.0

    def begin(self) -> None:
        self.deadline = time.monotonic() + self.limits.timeout_ms / 1000

    def call(self, name: Any, given: Any) -> ToolResult:
        """One call, on the record. Raises RunStopped once a limit is passed; that call does not run."""
        if self.stopped is None:
            if len(self.calls) >= self.limits.max_tool_calls:
                self.stopped = MAX_CALLS
            elif time.monotonic() >= self.deadline:
                self.stopped = TIMEOUT
        if self.stopped is not None:
            raise RunStopped(self.stopped)
        call_id = f"call-{len(self.calls) + 1}"
        self.write(line({"type": "tool_call", "callId": call_id, "name": _name(name), "input": fragment(_json(given))}))
        begin = time.perf_counter()
        result = self.toolbox.call(self.world, name, given)
        took = round((time.perf_counter() - begin) * 1000, 3)
        self.write(line(_result_event(call_id, result, took)))
        self.calls.append(CallFact(_name(name), given, result.encoded, result.is_error))
        self.errors += result.is_error
        if result.fault is not None and self.fault is None:
            self.fault = result.fault
        return result


def _name(name: Any) -> str:
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) else str(name)


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        pass
    try:
        return json.dumps(value, default=str).encode()
    except (ValueError, RecursionError, TypeError):
        return b'"something that JSON cannot hold"'


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


# -- agents in this process ---------------------------------------------------------------------------------


class _Signal:
    """`aborted` turns true when a limit of the rollout is passed."""

    def __init__(self, session: Session):
        self._session = session

    @property
    def aborted(self) -> bool:
        return self._session.stopped is not None or time.monotonic() >= self._session.deadline


class InProcessRun:
    """What a function in this process gets: the same members as an agent in a process of its own."""

    def __init__(self, session: Session, task: str, tools: Sequence[dict[str, Any]]):
        self._session = session
        self.task = task
        self.tools = [
            {"name": one["name"], "description": one["description"], "input_schema": one["inputSchema"]}
            for one in tools
        ]
        self.signal = _Signal(session)

    def call_tool(self, name: str, input: dict[str, Any] | None = None) -> dict[str, Any]:
        return answer_of(self._session.call(name, {} if input is None else input))


def answer_of(result: ToolResult) -> dict[str, Any]:
    """A result as an agent gets it."""
    return {"output": result.output, "is_error": True} if result.is_error else {"output": result.output}


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
    ending = _converse(channel, session, start_line(task, tools, limits.max_tool_calls, limits.timeout_ms))
    if not (reuse and ending.reason == COMPLETED):
        status = host.end(preload=ending.reason == COMPLETED, wait=ending.reason != COMPLETED)
        if ending.reason == AGENT_CRASHED and not ending.message:
            ending.message = _died(status)
    return ending


def _died(status: int) -> str:
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
        return Ending(AGENT_CRASHED)
    except NotAMessageError as wrong:
        return Ending(AGENT_ERROR, message=f"The agent broke the protocol: {wrong}.")
    return _stopping(channel, session)


def _message(channel: LineChannel, session: Session, message: dict[str, Any], deadline: float) -> Ending | None:
    kind = message["type"]
    if kind == "call":
        call_id = message.get("callId")
        try:
            result = session.call(message.get("name"), message.get("input", {}))
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


def _stopping(channel: LineChannel, session: Session) -> Ending:
    """After a limit: tell the agent, refuse what it still calls, and take what it puts out within the grace."""
    reason = session.stopped or TIMEOUT
    until = time.monotonic() + session.limits.grace_ms / 1000
    try:
        channel.send(stop_line(reason), until)
        while True:
            message = channel.receive(until)
            if message["type"] == "call":
                channel.send(stop_line(reason, message.get("callId")), until)
            elif message["type"] == "output":
                return Ending(reason, message.get("output"))
            else:
                return Ending(reason, message=str(message.get("message", "")))
    except (TimeUpError, AgentGoneError, NotAMessageError):
        return Ending(reason)
