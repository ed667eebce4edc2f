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
        """The next message. Raises AgentGoneError, TimeUpError or NotAMessageError."""
        while True:
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
        """Write a whole line. Raises AgentGoneError or TimeUpError."""
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._write_fd, view) :]
            except BlockingIOError:
                _wait(self._writable, deadline)
            except OSError as wrong:
                raise AgentGoneError from wrong

    def close(self) -> None:
        os.close(self._read_fd)
        os.close(self._write_fd)


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
    """What the quick reader refuses: very big numbers, halves of character pairs."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise NotAMessageError(f"it wrote {_shown(line)}, which is no message") from None


def _shown(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace")
    return f"'{text}{'…' if len(line) > 80 else ''}'"


def start_line(task: str, tools: bytes, max_tool_calls: int, timeout_ms: int) -> bytes:
    """The message that hands the task over; `tools` is their list as JSON."""
    head = orjson.dumps({"type": "start", "protocol": VERSION, "task": task})[:-1]
    tail = f',"maxToolCalls":{max_tool_calls},"timeoutMs":{timeout_ms}}}\n'.encode()
    return head + b',"tools":' + tools + tail


def result_line(call_id: Any, encoded: bytes, is_error: bool) -> bytes:
    """The answer to a call; `encoded` is the output as JSON."""
    head = b'{"type":"result","callId":' + _id(call_id) + b',"output":' + encoded
    return head + (b',"is_error":true}\n' if is_error else b"}\n")


def stop_line(reason: str, call_id: Any = None) -> bytes:
    """A limit was passed; answers the call that was one too many, where there is one."""
    if call_id is None:
        return orjson.dumps({"type": "stop", "reason": reason}) + b"\n"
    return b'{"type":"stop","callId":' + _id(call_id) + b',"reason":' + orjson.dumps(reason) + b"}\n"


def _id(call_id: Any) -> bytes:
    try:
        return orjson.dumps(call_id)
    except TypeError:
        return orjson.dumps(str(call_id))
