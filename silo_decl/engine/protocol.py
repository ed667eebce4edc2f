"""The engine's end of the line protocol: one line of JSON a message, with a deadline on every wait.

`docs/agent-protocol.md` specifies it.
"""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any

import orjson

from silo_decl.trace import decoded

VERSION = 1
LONGEST_LINE = 64 * 2**20
QUICK_SECONDS = 30e-6


class AgentGoneError(Exception):
    """The agent closed its end, or its process died."""


class TimeUpError(Exception):
    """The deadline passed while waiting for the agent."""


class NotAMessageError(Exception):
    """The agent wrote something that is no message."""


class LineChannel:
    """Lines to and from one agent. The descriptors belong to it.

    `alive_fd` is one that closes when the agent's process has ended: its children may hold the other two.
    """

    def __init__(self, read_fd: int, write_fd: int, alive_fd: int | None = None):
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._alive_fd = alive_fd
        self._gone = False
        self._buffer = bytearray()
        self._searched = 0
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._readable = self._poll({read_fd: select.POLLIN})
        self._writable = self._poll({write_fd: select.POLLOUT})
        self._both = self._poll({read_fd: select.POLLIN, write_fd: select.POLLOUT})

    def _poll(self, descriptors: dict[int, int]) -> select.poll:
        poll = select.poll()
        for descriptor, what in descriptors.items():
            poll.register(descriptor, what)
        if self._alive_fd is not None:
            poll.register(self._alive_fd, select.POLLIN)
        return poll

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next message. Raises AgentGoneError, TimeUpError or NotAMessageError.

        Also an agent that never pauses cannot hold it beyond the deadline.
        """
        while True:
            if time.monotonic() >= deadline:
                raise TimeUpError
            end = self._buffer.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._searched = 0
                return _message(line)
            self._searched = len(self._buffer)
            if self._searched > LONGEST_LINE:
                raise NotAMessageError(f"it wrote a line of more than {LONGEST_LINE // 2**20} MB")
            self._fill(deadline)

    def _fill(self, deadline: float) -> None:
        """Take what has come; looks a few times before it sleeps, as most answers come at once."""
        quick = time.monotonic() + QUICK_SECONDS
        while True:
            try:
                part = os.read(self._read_fd, 1 << 18)
                break
            except BlockingIOError:
                if self._gone:
                    raise AgentGoneError from None
                if time.monotonic() > quick:
                    self._wait(self._readable, deadline)
            except OSError as wrong:
                raise AgentGoneError from wrong
        if not part:
            raise AgentGoneError
        self._buffer += part

    def send(self, data: bytes, deadline: float) -> None:
        """Write a whole line. Raises AgentGoneError or TimeUpError.

        Where the agent reads no more, nothing happens: what it wrote before it left is still to be received.
        """
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._write_fd, view) :]
            except BlockingIOError:
                if self._gone:
                    return
                self._await_room(deadline)
            except OSError:
                return

    def _await_room(self, deadline: float) -> None:
        """Wait until there is room, or the agent is gone; what it writes meanwhile is taken in, or two full pipes
        would wait for each other for ever."""
        while not self._gone:
            if len(self._buffer) > LONGEST_LINE:
                self._wait(self._writable, deadline)
                return
            ready = self._wait(self._both, deadline)
            if self._write_fd in ready:
                return
            if self._read_fd in ready:
                self._fill(deadline)

    def _wait(self, poll: select.poll, deadline: float) -> list[int]:
        """Which descriptors are ready; takes note where the agent has ended. Raises TimeUpError."""
        left = deadline - time.monotonic()
        found = [descriptor for descriptor, _ in poll.poll(min(left * 1000, 2**30))] if left > 0 else []
        if not found and time.monotonic() >= deadline:
            raise TimeUpError
        self._gone = self._gone or self._alive_fd in found
        return found

    def is_quiet(self) -> bool:
        """Whether the agent has said nothing that was not read yet, and is still there."""
        return not self._buffer and not self._readable.poll(0)

    def close(self) -> None:
        for descriptor in (self._read_fd, self._write_fd, self._alive_fd):
            if descriptor is not None:
                os.close(descriptor)


def call_id_of(message: dict[str, Any]) -> str | int:
    """The id of a call, which is a text or a whole number. Raises NotAMessageError."""
    found = message.get("callId")
    if not isinstance(found, (str, int)) or isinstance(found, bool):
        raise NotAMessageError("it wrote a call without a callId")
    return found


def _message(line: bytes) -> dict[str, Any]:
    try:
        message = decoded(line)
        if b"\\u" in line:
            message = _without_halves(message)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise NotAMessageError(f"it wrote {_shown(line)}, which is no message")
    return message


def _without_halves(message: Any) -> Any:
    """The message with question marks for halves of character pairs, which no UTF-8 can hold."""
    try:
        orjson.dumps(message)
        return message
    except TypeError:
        return json.loads(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))


def _shown(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace")
    return f"'{text}{'…' if len(line) > 80 else ''}'"


def start_line(task: str, tools: bytes, max_tool_calls: int, timeout_ms: int) -> bytes:
    """The message that hands the task over; `tools` is their list as JSON."""
    head = orjson.dumps({"type": "start", "protocol": VERSION, "task": task})[:-1]
    tail = f',"maxToolCalls":{max_tool_calls},"timeoutMs":{timeout_ms}}}\n'.encode()
    return head + b',"tools":' + tools + tail


def result_line(call_id: str | int, encoded: bytes, is_error: bool) -> bytes:
    """The answer to a call; `encoded` is the output as JSON."""
    head = b'{"type":"result","callId":' + _id(call_id) + b',"output":' + encoded
    return head + (b',"is_error":true}\n' if is_error else b"}\n")


def stop_line(reason: str, call_id: str | int | None = None) -> bytes:
    """A limit was passed; answers the call that was one too many, where there is one."""
    if call_id is None:
        return orjson.dumps({"type": "stop", "reason": reason}) + b"\n"
    return b'{"type":"stop","callId":' + _id(call_id) + b',"reason":' + orjson.dumps(reason) + b"}\n"


def _id(call_id: str | int) -> bytes:
    return orjson.dumps(call_id) if isinstance(call_id, str) else b"%d" % call_id
