"""Proving many tasks of one environment: what is known already from the cache, the rest in a few processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from silo_decl.engine.environment import Environment, load_folder
from silo_decl.grading.task import Task
from silo_decl.proving.cache import Cache, keys
from silo_decl.proving.proof import Proof, Prover
from silo_decl.proving.sources import spoken_by

# Fewer tasks than these are proven sooner than another process is ready.
_WORTH_A_PROCESS = 24
_AT_ONCE = 4

Done = Callable[[Proof], None]


def prover(environment: Environment) -> Prover:
    return Prover(environment.base, environment.toolbox, spoken_by(environment.signatures))


def prove(
    environment: Environment,
    tasks: list[Task],
    cache: Cache | None = None,
    processes: int = 1,
    done: Done = lambda proof: None,
) -> list[Proof]:
    """The proof of each task, in their order. `done` hears of each as it is found.

    With a cache, what stands in it is not proven again; what is found goes into it, also on an interrupt, but it is
    the caller who writes it.
    """
    known = keys(environment, tasks) if cache is not None else {}
    found: dict[str, Proof] = {}
    for task in tasks:
        kept = cache.get(task.id, known[task.id]) if cache is not None else None
        if kept is not None:
            found[task.id] = kept
            done(kept)
    left = [task for task in tasks if task.id not in found]
    for proof in _proofs(environment, left, min(processes, len(left) // _WORTH_A_PROCESS)):
        found[proof.task_id] = proof
        if cache is not None:
            cache.put(known[proof.task_id], proof)
        done(proof)
    return [found[task.id] for task in tasks]


def _proofs(environment: Environment, tasks: list[Task], processes: int) -> Iterator[Proof]:
    if processes <= 1:
        one = prover(environment) if tasks else None
        for task in tasks:
            assert one is not None
            yield one.prove(task, environment.told(task))
        return
    # A spawned process loads the world itself: nothing of the parent's threads or files is shared.
    context = multiprocessing.get_context("spawn")
    lots = [[task.id for task in tasks[start : start + _AT_ONCE]] for start in range(0, len(tasks), _AT_ONCE)]
    with ProcessPoolExecutor(processes, context, _begin, (environment.root,)) as pool:
        try:
            for future in as_completed([pool.submit(_prove_lot, lot) for lot in lots]):
                yield from future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_here: tuple[Environment, Prover] | None = None


def _begin(root: Path) -> None:
    global _here
    environment = load_folder(root)
    _here = environment, prover(environment)


def _prove_lot(task_ids: list[str]) -> list[Proof]:
    assert _here is not None
    environment, one = _here
    tasks = [environment.tasks[task_id] for task_id in task_ids]
    return [one.prove(task, environment.told(task)) for task in tasks]
