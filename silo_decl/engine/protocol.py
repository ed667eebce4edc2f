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
    """Lines to and from one agent. The descriptors belong to it."""

    def __init__(self, read_fd: int, write_fd: int):
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = bytearray()
        self._searched = 0
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._readable = select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(write_fd, select.POLLOUT)

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
                if time.monotonic() > quick:
                    _wait(self._readable, deadline)
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
                self._await_room(deadline)
            except OSError:
                return

    def _await_room(self, deadline: float) -> None:
        """Wait until there is room; what the agent writes meanwhile is taken in, or two full pipes would wait for
        each other for ever."""
        while not self._writable.poll(0):
            if len(self._buffer) > LONGEST_LINE:
                _wait(self._writable, deadline)
                return
            both = select.poll()
            both.register(self._read_fd, select.POLLIN)
            both.register(self._write_fd, select.POLLOUT)
            _wait(both, deadline)
            if self._readable.poll(0):
                self._fill(deadline)

    def is_quiet(self) -> bool:
        """Whether the agent has said nothing that was not read yet, and is still there."""
        return not self._buffer and not self._readable.poll(0)

    def close(self) -> None:
        os.close(self._read_fd)
        os.close(self._write_fd)


def call_id_of(message: dict[str, Any]) -> str | int:
    """The id of a call, which is a text or a whole number. Raises NotAMessageError."""
    found = message.get("callId")
    if not isinstance(found, (str, int)) or isinstance(found, bool):
        raise NotAMessageError("it wrote a call without a callId")
    return found


def _wait(poll: select.poll, deadline: float) -> None:
    left = deadline - time.monotonic()
    if left <= 0 or not poll.poll(min(left * 1000, 2**30)):
        if deadline - time.monotonic() > 0:
            return
        raise TimeUpError


def _message(line: bytes) -> dict[str, Any]:
    try:
        message = orjson.loads(line)
    except orjson.JSONDecodeError:
        message = _slowly(line)
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise NotAMessageError(f"it wrote {_shown(line)}, which is no message")
    return message


def _slowly(line: bytes) -> Any:
    """What the quick reader refuses: very big numbers, and halves of character pairs, which become question marks."""
    try:
        message = json.loads(line, parse_constant=_no_number)
        return json.loads(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise NotAMessageError(f"it wrote {_shown(line)}, which is no message") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


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
