"""Timing: the median of batches, each long enough that the clock does not matter."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], batches: int = 7, batch_seconds: float = 0.02) -> float:
    """Seconds of one call: the median over batches."""
    once = _elapsed(work, 1)
    repeats = max(1, int(batch_seconds / max(once, 1e-7)))
    if once > 0.5:
        return min(once, _elapsed(work, 1))
    return statistics.median(_elapsed(work, repeats) / repeats for _ in range(batches))


def _elapsed(work: Callable[[], object], repeats: int) -> float:
    begin = time.perf_counter()
    for _ in range(repeats):
        work()
    return time.perf_counter() - begin


def shown(value: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
