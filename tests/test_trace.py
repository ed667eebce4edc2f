"""Facts of a rollout and the lines they are written as."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.trace import CallFact, decoded, fragment, line, page, writable

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_event_is_one_line_that_reads_as_it_was(value: object) -> None:
    written = line({"type": "tool_call", "input": value})
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    assert orjson.loads(written) == {"type": "tool_call", "input": value}


@given(VALUES)
def test_result_that_is_written_already_stands_in_the_event_as_it_is(value: object) -> None:
    encoded = orjson.dumps(value)
    assert line({"output": fragment(encoded)}) == b'{"output":' + encoded + b"}\n"


def test_call_knows_its_output_once_someone_asks() -> None:
    call = CallFact("get_deal", {"dealId": "D-1"}, b'{"id":"D-1"}', False)
    assert call.output == {"id": "D-1"}
    assert call.output is call.output


def test_dict_that_is_more_than_a_dict_is_refused_and_not_written_in_part() -> None:
    class Overlay(dict[str, int]):
        pass

    with pytest.raises(TypeError):
        line({"output": Overlay(a=1)})


@given(VALUES | st.integers())
def test_what_is_read_is_exactly_what_was_written(value: object) -> None:
    assert decoded(json.dumps(value).encode()) == value


@pytest.mark.parametrize("text", [b"NaN", b'{"a": Infinity}', b"", b"{", b'"\xff"', b"[" * 10_000])
def test_what_is_not_json_is_refused(text: bytes) -> None:
    with pytest.raises((ValueError, RecursionError)):
        decoded(text)


@given(st.recursive(st.integers() | st.text(st.characters(codec="utf-8")), st.lists))
def test_what_the_quick_writer_refuses_is_written_exactly(value: object) -> None:
    assert decoded(line({"a": value})) == decoded(page({"a": value})) == {"a": value}


def test_halves_of_character_pairs_are_written_as_question_marks() -> None:
    assert decoded(page({"a\ud800": ["b\udc00", 2**70, -(2**64), True]})) == {"a?": ["b?", 2**70, -(2**64), True]}
    assert writable("a\ud83d") == "a?"
