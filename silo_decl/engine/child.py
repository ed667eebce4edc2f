"""What runs in the process of a Python agent: the object it gets, and the line protocol on its behalf.

As little as possible is imported: every fork pays for what its parent has loaded. What is needed only sometimes is
imported where it is needed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import time
from _thread import allocate_lock
from collections.abc import Callable, Generator
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import ModuleType
from typing import Any

MODULE = "silo_agent"
QUICK_SECONDS = 60e-6


class Answer(dict[str, Any]):
    """What a call gives: a dict, and for async agents a coroutine that is done: awaited, gathered or made a task."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __await__(self) -> Generator[None, None, Answer]:
        yield from ()
        return self

    def send(self, value: object) -> None:
        raise StopIteration(self)

    def throw(self, *wrong: Any) -> None:
        raise wrong[1] if len(wrong) > 1 and wrong[1] is not None else wrong[0]

    def close(self) -> None:
        """Nothing is open."""


class Signal:
    """`aborted` turns true when a limit of the rollout is passed, and when it is over."""

    def __init__(self, channel: Channel):
        self._channel = channel
        self._rollout = channel.rollout

    @property
    def aborted(self) -> bool:
        return self._channel.stopped(self._rollout) is not None


class Run:
    """What an agent gets: the task, its tools, a way to call them, and a signal.

    `tools` are dicts with `name`, `description` and `input_schema`.
    """

    def __init__(self, channel: Channel, start: dict[str, Any]):
        self._channel = channel
        self._rollout = channel.rollout
        self.task: str = start["task"]
        self.tools = [
            {"name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"]}
            for tool in start["tools"]
        ]
        self.signal = Signal(channel)

    def call_tool(self, name: str, input: dict[str, Any] | None = None) -> Answer:
        """Call a tool: `{"output": …}`, with `"is_error": True` when it refused. Raises RunStopped after a limit."""
        return self._channel.call(self._rollout, name, {} if input is None else input)

    callTool = call_tool


class Channel:
    """Lines of JSON to the engine and back, for any number of threads.

    `rollout` counts the rollouts of this process: a thread that outlives its own does not call in the next one.
    """

    def __init__(self, read_fd: int, write_fd: int):
        os.set_blocking(read_fd, False)
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = b""
        self._lock = allocate_lock()
        self._calls = 0
        self.rollout = 0
        self._reason: str | None = None
        self._deadline = float("inf")

    def begin(self, start: dict[str, Any]) -> None:
        self._reason = None
        self._deadline = time.monotonic() + start.get("timeoutMs", float("inf")) / 1000

    def call(self, rollout: int, name: str, input: dict[str, Any]) -> Answer:
        with self._lock:
            if rollout != self.rollout:
                raise stopped("completed")
            if self._reason is not None:
                raise stopped(self._reason)
            self._calls += 1
            call_id = f"c{self._calls}"
            self.send({"type": "call", "callId": call_id, "name": name, "input": input})
            while True:
                message = self.receive()
                if message is None:
                    os._exit(0)
                if message["type"] == "stop":
                    self._reason = message["reason"]
                    raise stopped(message["reason"])
                if message["type"] == "result" and message["callId"] == call_id:
                    answer = Answer(output=message["output"])
                    if message.get("is_error"):
                        answer["is_error"] = True
                    return answer

    def stopped(self, rollout: int) -> str | None:
        """Why a rollout is over for the agent, or None."""
        if rollout != self.rollout:
            return "completed"
        if self._reason is None and time.monotonic() > self._deadline:
            return "timeout"
        if self._reason is None and self._lock.acquire(blocking=False):
            try:
                if b"\n" in self._buffer or select.select([self._read_fd], [], [], 0)[0]:
                    message = self.receive()
                    if message is None:
                        return "closed"
                    if message["type"] == "stop":
                        self._reason = message["reason"]
            finally:
                self._lock.release()
        return self._reason

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message, allow_nan=False).encode() + b"\n"
        while data:
            data = data[os.write(self._write_fd, data) :]

    def finish(self, message: dict[str, Any]) -> None:
        """Send the last message of a rollout, once no other thread is in the middle of a call; none begins one."""
        self.rollout += 1
        with self._lock:
            self.send(message)

    def receive(self) -> dict[str, Any] | None:
        """The next message; None when the engine is gone."""
        while b"\n" not in self._buffer:
            part = self._read()
            if not part:
                return None
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        return message

    def _read(self) -> bytes:
        """What has come; looks a few times before it sleeps, as most answers come at once.

        Not in the first rollout: where every rollout has a process of its own, the next one is being made meanwhile,
        and needs the time.
        """
        quick = time.monotonic() + (QUICK_SECONDS if self.rollout else 0.0)
        while True:
            try:
                return os.read(self._read_fd, 1 << 16)
            except BlockingIOError:
                if time.monotonic() > quick:
                    select.select([self._read_fd], [], [])


def load(path: str) -> ModuleType:
    """The agent's module. Its folder comes first on the path, as when it is run by hand."""
    folder = os.path.dirname(path)  # noqa: PTH120
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = ModuleSpec(MODULE, SourceFileLoader(MODULE, path), origin=path)
    spec.has_location = True
    module = ModuleType(MODULE)
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, path
    sys.modules[MODULE] = module
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


def function_of(module: ModuleType, path: str) -> Callable[[Run], Any]:
    found = getattr(module, "agent", None)
    if not callable(found):
        raise AttributeError(f"{os.path.basename(path)} defines no function called 'agent'")  # noqa: PTH119
    function: Callable[[Run], Any] = found
    return function


def stopped(reason: str) -> Exception:
    """The exception that tells an agent that its rollout is over."""
    from silo_decl.errors import RunStopped

    return RunStopped(reason)


def is_stop(wrong: BaseException) -> bool:
    errors = sys.modules.get("silo_decl.errors")
    return errors is not None and isinstance(wrong, errors.RunStopped)


def serve(path: str, read_fd: int, write_fd: int, module: ModuleType | None) -> None:
    """Answer `start` messages until the engine closes the channel."""
    channel = Channel(read_fd, write_fd)
    sys.argv = [path]
    while (message := channel.receive()) is not None:
        if message.get("type") == "start":
            channel.begin(message)
            try:
                module = load(path) if module is None else module
                _answer(channel, function_of(module, path), message)
            except BaseException as wrong:
                if is_stop(wrong) and channel.stopped(channel.rollout):
                    channel.finish({"type": "output", "output": None})
                else:
                    _fail(channel, wrong)


def _answer(channel: Channel, function: Callable[[Run], Any], start: dict[str, Any]) -> None:
    value = function(Run(channel, start))
    if hasattr(value, "__await__"):
        import asyncio

        value = asyncio.run(_awaited(value))
    _flush()
    try:
        channel.finish({"type": "output", "output": output_of(value)})
    except (TypeError, ValueError, RecursionError) as wrong:
        raise UnwritableError(f"what the agent returned cannot be written as JSON: {wrong}") from None


class UnwritableError(Exception):
    """The agent returned something that cannot be sent."""


def print_at_once() -> None:
    """A line is in the log when it is printed: an agent that has to be killed has no later."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()


async def _awaited(value: Any) -> Any:
    return await value


def output_of(value: Any) -> Any:
    """The output of what an agent returned: its `output` where it has one, else itself."""
    if isinstance(value, dict):
        return value.get("output", value)
    if hasattr(value, "output") and not isinstance(value, (str, list, int, float)):
        return value.output
    return value


def _fail(channel: Channel, wrong: BaseException) -> None:
    import traceback

    with contextlib.suppress(Exception):
        traceback.print_exception(wrong)
    _flush()
    if isinstance(wrong, SystemExit):
        os._exit(_status(wrong.code))
    channel.finish({"type": "error", "message": described(wrong)})


def _status(code: object) -> int:
    """What the system makes of the code of a SystemExit."""
    if code is None:
        return 0
    return code & 0xFF if isinstance(code, int) else 1


def described(wrong: BaseException) -> str:
    """An agent's exception in words; an exception may fail to say what it is."""
    if isinstance(wrong, UnwritableError):
        return f"{str(wrong)[0].upper()}{str(wrong)[1:]}."
    said = ""
    with contextlib.suppress(Exception):
        said = str(wrong)
    return f"{type(wrong).__name__}: {said}" if said else type(wrong).__name__


def main() -> None:
    """The start of a process that was not forked from a warm one: the file, and the descriptors by their names."""
    print_at_once()
    serve(sys.argv[1], int(os.environ["SILO_READ_FD"]), int(os.environ["SILO_WRITE_FD"]), None)
    sys.stdout.flush()
    sys.stderr.flush()


if __name__ == "__main__":
    main()
