"""The engine's end of the line protocol, over real pipes."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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

MESSAGES = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["call", "output"]),
        "input": st.recursive(st.none() | st.text() | st.integers(), st.lists),
    }
)


@contextlib.contextmanager
def pipes() -> Iterator[tuple[LineChannel, int, int]]:
    """A channel, and the agent's ends: what it reads from, what it writes to."""
    to_agent, from_agent = os.pipe(), os.pipe()
    channel = LineChannel(from_agent[0], to_agent[1])
    try:
        yield channel, to_agent[0], from_agent[1]
    finally:
        channel.close()
        for descriptor in (to_agent[0], from_agent[1]):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def soon(seconds: float = 2.0) -> float:
    return time.monotonic() + seconds


def received(raw: bytes) -> dict[str, Any]:
    with pipes() as (channel, _, write):
        os.write(write, raw)
        return channel.receive(soon())


@settings(max_examples=40, deadline=None)
@given(st.lists(MESSAGES, min_size=1, max_size=3), st.integers(3, 40))
def test_messages_arrive_whole_however_they_are_cut(messages: list[dict[str, Any]], size: int) -> None:
    raw = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    with pipes() as (channel, _, write):
        got: list[dict[str, Any]] = []
        for at in range(0, len(raw), size):
            os.write(write, raw[at : at + size])
            while len(got) < raw[: at + size].count(b"\n"):
                got.append(channel.receive(soon()))
    assert got == json.loads(json.dumps(messages))


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused(raw: bytes) -> None:
    with pipes() as (channel, _, write):
        os.write(write, raw + b"\n")
        os.close(write)
        with contextlib.suppress(NotAMessageError, AgentGoneError):
            while True:
                assert isinstance(channel.receive(soon())["type"], str)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"hello",
        b"[]",
        b"{}",
        b'{"type": 1}',
        b'{"type":"output","output":NaN}',
        b'{"type":"\xff"}',
        b"[" * 20_000,
    ],
)
def test_what_is_no_message_is_refused_with_its_beginning(line: bytes) -> None:
    with pytest.raises(NotAMessageError, match=r"it wrote '.*', which is no message"):
        received(line + b"\n")


def test_half_of_a_character_pair_is_read_as_a_question_mark() -> None:
    assert received(b'{"type":"output","output":"a\\ud800b"}\n') == {"type": "output", "output": "a?b"}


def test_big_numbers_stay_exact() -> None:
    assert (
        received(b'{"type":"output","output":{"big":1' + b"0" * 40 + b',"odd":"\\udc00"}}\n')["output"]["big"] == 10**40
    )


@pytest.mark.parametrize("given", [{}, {"callId": None}, {"callId": True}, {"callId": {"a": 1}}, {"callId": 1.5}])
def test_call_needs_an_id_that_is_a_text_or_a_whole_number(given: dict[str, Any]) -> None:
    with pytest.raises(NotAMessageError, match="a call without a callId"):
        call_id_of(given)


def test_waiting_ends_at_the_deadline() -> None:
    with pipes() as (channel, _, _):
        begin = time.monotonic()
        with pytest.raises(TimeUpError):
            channel.receive(soon(0.05))
        assert 0.04 < time.monotonic() - begin < 1


def test_agent_that_never_pauses_cannot_hold_the_engine_beyond_the_deadline() -> None:
    with pipes() as (channel, _, write):
        os.write(write, b'{"type":"call"}\n' * 2000)
        with pytest.raises(TimeUpError):
            for _ in range(2001):
                channel.receive(soon(0))


def test_closed_end_is_noticed_after_the_last_line() -> None:
    with pipes() as (channel, _, write):
        os.write(write, b'{"type":"output"}\n{"type":"torn')
        os.close(write)
        assert channel.receive(soon()) == {"type": "output"}
        with pytest.raises(AgentGoneError):
            channel.receive(soon())


def test_what_an_agent_wrote_before_it_left_is_still_received() -> None:
    with pipes() as (channel, read, write):
        os.write(write, b'{"type":"output"}\n')
        os.close(read)
        channel.send(b"x" * 100 + b"\n", soon())
        assert channel.receive(soon()) == {"type": "output"}


def test_two_full_pipes_do_not_wait_for_each_other() -> None:
    """The agent writes a megabyte before it reads, while the engine writes one."""
    calls = b'{"type":"call","input":"' + b"x" * 1000 + b'"}\n'

    def agent(read: int, write: int) -> None:
        data = calls * 1000
        while data:
            data = data[os.write(write, data) :]
        left = 1_000_001
        while left:
            left -= len(os.read(read, left))

    with pipes() as (channel, read, write):
        thread = threading.Thread(target=agent, args=(read, write), daemon=True)
        thread.start()
        channel.send(b"y" * 1_000_000 + b"\n", soon(10))
        assert [channel.receive(soon())["type"] for _ in range(1000)] == ["call"] * 1000
        thread.join(5)
        assert not thread.is_alive()


def test_sending_to_an_agent_that_does_not_read_ends_at_the_deadline() -> None:
    with pipes() as (channel, _, _), pytest.raises(TimeUpError):
        channel.send(b"x" * 1_000_000 + b"\n", soon(0.05))


@pytest.mark.parametrize("call_id", ["c1", 'with "quotes"', "ä", 7, -1, 10**30])
def test_answer_carries_the_id_of_its_call(call_id: str | int) -> None:
    assert json.loads(result_line(call_id, b'{"a":1}', False)) == {
        "type": "result",
        "callId": call_id,
        "output": {"a": 1},
    }
    assert json.loads(result_line(call_id, b"{}", True))["is_error"] is True
    assert json.loads(stop_line("timeout", call_id)) == {"type": "stop", "callId": call_id, "reason": "timeout"}


def test_engine_writes_the_type_first_and_no_spaces() -> None:
    assert start_line("Do it.", b"[]", 5, 1000) == (
        b'{"type":"start","protocol":1,"task":"Do it.","tools":[],"maxToolCalls":5,"timeoutMs":1000}\n'
    )
    assert stop_line("timeout") == b'{"type":"stop","reason":"timeout"}\n'
