"""What bounds a rollout."""

from __future__ import annotations

from dataclasses import dataclass

MAX_TOOL_CALLS = 100
TIMEOUT_MS = 300_000
GRACE_MS = 2_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Calls allowed, milliseconds allowed for the whole, and milliseconds to finish in once a limit is passed."""

    max_tool_calls: int = MAX_TOOL_CALLS
    timeout_ms: int = TIMEOUT_MS
    grace_ms: int = GRACE_MS


def limits_of(*choices: tuple[int | None, int | None]) -> Limits:
    """The first that is given of (calls, milliseconds), then the common ones."""
    calls = next((calls for calls, _ in choices if calls is not None), MAX_TOOL_CALLS)
    timeout = next((timeout for _, timeout in choices if timeout is not None), TIMEOUT_MS)
    return Limits(calls, timeout)
