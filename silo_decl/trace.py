"""What happens in a rollout, as plain facts, and the lines of JSON they are written as."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

_LONG_NUMBER = re.compile(rb"[0-9]{19}")
_WIDEST = 63
_LINE = orjson.OPT_APPEND_NEWLINE | orjson.OPT_PASSTHROUGH_SUBCLASS
_PAGE = _LINE | orjson.OPT_INDENT_2


def decoded(encoded: bytes) -> Any:
    """What JSON says, exactly. Raises ValueError or RecursionError.

    The quick reader makes fractions of very big whole numbers, and refuses what is rare but allowed.
    """
    if _LONG_NUMBER.search(encoded) is None:
        try:
            return orjson.loads(encoded)
        except orjson.JSONDecodeError:
            pass
    return json.loads(encoded, parse_constant=_no_number)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


@dataclass(frozen=True)
class CallFact:
    """One tool call that ran: `encoded` is its output as JSON, decoded only when someone asks."""

    name: str
    input: Any
    encoded: bytes
    is_error: bool

    @cached_property
    def output(self) -> Any:
        return decoded(self.encoded)


def fragment(encoded: bytes) -> orjson.Fragment:
    """JSON that is written already, to stand in an event as it is."""
    return orjson.Fragment(encoded)


def line(event: Mapping[str, Any]) -> bytes:
    """An event as one line of JSON, its end included. Values may be orjson fragments."""
    return _encoded(event, _LINE)


def page(facts: Mapping[str, Any]) -> bytes:
    """Facts as JSON that people can read."""
    return _encoded(facts, _PAGE)


def writable(text: str) -> str:
    """The text with question marks for halves of character pairs, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _encoded(value: Any, option: int) -> bytes:
    try:
        return orjson.dumps(value, option=option)
    except TypeError:
        return orjson.dumps(_accepted(value), option=option)


def _accepted(value: Any) -> Any:
    """The value as the quick writer takes it, which refuses very big integers and halves of character pairs."""
    if type(value) is dict:
        return {_accepted(key): _accepted(inner) for key, inner in value.items()}
    if type(value) is list:
        return [_accepted(inner) for inner in value]
    if type(value) is str:
        return writable(value)
    if type(value) is int and value.bit_length() > _WIDEST:
        return orjson.Fragment(str(value).encode())
    return value
