"""What happens in a rollout, as plain facts, and the lines of JSON they are written as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson


@dataclass(frozen=True)
class CallFact:
    """One tool call that ran: `encoded` is its output as JSON, decoded only when someone asks."""

    name: str
    input: Any
    encoded: bytes
    is_error: bool

    @cached_property
    def output(self) -> Any:
        return orjson.loads(self.encoded)


def fragment(encoded: bytes) -> orjson.Fragment:
    """JSON that is written already, to stand in an event as it is."""
    return orjson.Fragment(encoded)


def line(event: Mapping[str, Any]) -> bytes:
    """An event as one line of JSON, its end included. Values may be orjson fragments."""
    return orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_PASSTHROUGH_SUBCLASS)
