"""The figures of one size: rows of the design's table, calls, and rollouts in every way to run an agent."""

from __future__ import annotations

import copy
import gc
import itertools
import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from benchmarks import plain, rollouts, worlds
from benchmarks.clock import seconds
from silo_decl.engine.environment import Environment, load_folder
from silo_decl.tools.call import call

PLAIN_LIMIT = 100_000
"""Above this many records the plain ways take minutes, so they are not run."""


def measured(folder: Path, size: int) -> dict[str, dict[str, Any]]:
    """Seconds, bytes and rates; a plain way that would take minutes is None."""
    worlds.write(folder, size)
    begin = time.perf_counter()
    environment = load_folder(folder)
    load = time.perf_counter() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    environment.base.freeze_memory()
    record = dict(environment.spec.collections["deals"].records[0])
    facts = {"deepcopy_record": seconds(lambda: copy.deepcopy(record)), "load": load, "memory_mb": memory}
    with tempfile.TemporaryDirectory(prefix="silo-bench-runs-") as runs:
        rates = rollouts.rates(environment, Path(runs))
    return {"facts": facts, "against": _against(environment, size), "calls": _calls(environment), "rollouts": rates}


def _against(environment: Environment, size: int) -> dict[str, tuple[float | None, float]]:
    state = {name: list(one.records) for name, one in environment.spec.collections.items()}
    runs = size <= PLAIN_LIMIT

    def slow(work: Callable[[], object]) -> float | None:
        return seconds(work, batches=3) if runs else None

    world = environment.new_world()
    _touch(environment, world, 12)
    changed = plain.fresh_world(state) if runs else state
    page = [dict(one) for one in state["deals"][:50]]
    deals = environment.new_world().read("deals")
    tools, fresh = environment.toolbox, environment.new_world()
    two = {"ownerId": "USR-003", "status": "won"}
    needles = _needles()
    return {
        "fresh world": (slow(lambda: plain.fresh_world(state)), seconds(environment.new_world)),
        "memory of one more world, 10 touched": (
            _bytes(lambda: plain.fresh_world(state)) if runs else None,
            _bytes(lambda: _touch(environment, environment.new_world(), 10)),
        ),
        "diff, 12 touched": (slow(lambda: plain.diff(state, changed)), seconds(world.diff)),
        "get by id": (slow(lambda: plain.get(state, "DEAL-0000500")), seconds(lambda: deals.get("DEAL-0000500"))),
        "list, two equality filters, first page": (
            slow(lambda: plain.listed(state, "USR-003", "won")),
            seconds(lambda: call(tools, fresh, "list_deals", two)),
        ),
        "search of three fields, a new text": (
            slow(lambda: plain.searched(state, "lisbon pilot")),
            seconds(lambda: call(tools, fresh, "search_deals", {"query": next(needles)})),
        ),
        "clone a page of 50": (seconds(lambda: plain.page(page)), seconds(lambda: orjson.loads(orjson.dumps(page)))),
    }


def _touch(environment: Environment, world: Any, count: int) -> Any:
    for number in range(1, count + 1):
        arguments = {"dealId": f"DEAL-{number * 7:07}", "newOwnerId": "USR-002"}
        call(environment.toolbox, world, "move_deal", arguments)
    return world


def _bytes(make: Callable[[], object]) -> float:
    """Bytes that stay allocated for what `make` gives."""
    make()
    gc.collect()
    tracemalloc.start()
    kept = make()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return float(size)


def _needles() -> Iterator[str]:
    """Texts to search for, each once, as answers are kept."""
    places = itertools.product(worlds.CITIES, worlds.WORDS, range(977))
    return (f"{city} {word} {number}" for city, word, number in places)


def _calls(environment: Environment) -> dict[str, float]:
    tools, world = environment.toolbox, environment.new_world()
    return {
        "call: get": seconds(lambda: call(tools, world, "get_deal", {"dealId": "DEAL-0000500"})),
        "call: list, one filter, page of 50": seconds(lambda: call(tools, world, "list_deals", {"ownerId": "USR-003"})),
        "call: search asked before, page of 50": seconds(lambda: call(tools, world, "search_deals", {"query": "oslo"})),
        "call: update": seconds(
            lambda: call(tools, world, "move_deal", {"dealId": "DEAL-0000007", "newOwnerId": "USR-002"})
        ),
        "call: refused": seconds(lambda: call(tools, world, "get_deal", {"dealID": "DEAL-0000500"})),
    }
