"""Rollouts on this machine: a few workers, each with its own agent processes and its own packed file."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from silo_decl.engine.artifacts import SUITE, Folder, Pack, write_whole
from silo_decl.engine.broken import broken_rollout
from silo_decl.engine.host import AgentHost
from silo_decl.engine.rollout import Job, RolloutResult, Sink, needs_host, run_rollout
from silo_decl.errors import UsageError
from silo_decl.executors.suite import Plan, Summary, facts
from silo_decl.trace import page

Done = Callable[[RolloutResult], None]


_PATIENCE_SECONDS = 10.0


def run_plan(plan: Plan, done: Done = lambda result: None) -> Summary:
    """Do every rollout of a plan; `done` hears of each as it ends. An interrupt keeps what is finished.

    Raises UsageError where nothing can be written to the folder of runs.
    """
    jobs = plan.jobs()
    workers = min(plan.concurrency, len(jobs)) or 1
    work = _Work(plan, jobs, done)
    begin = time.perf_counter()
    if not plan.single:
        _begin(work)
    plan.environment.base.freeze_memory()
    try:
        _all_workers(work, workers)
    except KeyboardInterrupt:
        work.stop()
        work.interrupted = True
    work.leave_out()
    summary = work.summary(time.perf_counter() - begin)
    if not plan.single:
        _end(work, summary)
    return summary


def _begin(work: _Work) -> None:
    folder = work.plan.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work.describe()
    except OSError as wrong:
        said = f"The run cannot be written to {folder}: {wrong.strerror or wrong}."
        raise UsageError(said, "Make room there, or give another folder with --runs-dir.") from wrong


def _end(work: _Work, summary: Summary) -> None:
    try:
        work.describe(summary)
    except OSError as wrong:
        summary.remark = (
            f"What became of the run could not be written to {work.plan.folder}: {wrong.strerror or wrong}."
        )


def _all_workers(work: _Work, workers: int) -> None:
    if workers == 1:
        work.worker(1)
        return
    threads = [threading.Thread(target=work.worker, args=(number,), daemon=True) for number in range(1, workers + 1)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        work.stop()
        for thread in threads:
            thread.join(_PATIENCE_SECONDS)
        raise
    if work.broke is not None:
        raise work.broke


class _Stopped(Exception):
    """The rollout was cut off by an interrupt; there is nothing to say about it."""


class _Work:
    """The jobs that are left, shared by the workers."""

    def __init__(self, plan: Plan, jobs: list[Job], done: Done):
        self.plan = plan
        self.jobs = jobs
        self.interrupted = False
        self.broke: BaseException | None = None
        self.gave_up: OSError | None = None
        self._next = 0
        self._lock = threading.Lock()
        self._done = done
        self._results: dict[int, RolloutResult] = {}
        self._hosts: list[AgentHost] = []

    def stop(self) -> None:
        """Start nothing more, and end the agents that are at work."""
        with self._lock:
            self._next = len(self.jobs)
            for host in self._hosts:
                host.stop()

    def _take(self) -> tuple[int, Job] | None:
        with self._lock:
            if self._next >= len(self.jobs):
                return None
            self._next += 1
            return self._next - 1, self.jobs[self._next - 1]

    def worker(self, number: int) -> None:
        try:
            with self._host() as host, self._pack(number) as pack:
                while (taken := self._take()) is not None:
                    place, job = taken
                    result = self._one(job, host, pack)
                    with self._lock:
                        self._results[place] = result
                        self._done(result)
        except _Stopped:
            return
        except OSError as wrong:
            self.gave_up = wrong
        except BaseException as wrong:
            self.stop()
            if threading.current_thread() is threading.main_thread():
                raise
            self.broke = wrong

    def leave_out(self) -> None:
        """The rollouts that no worker could begin."""
        while self.gave_up is not None and not self.interrupted and (taken := self._take()) is not None:
            place, job = taken
            self._results[place] = broken_rollout(job, self.gave_up)
            self._done(self._results[place])

    @contextmanager
    def _host(self) -> Iterator[AgentHost | None]:
        if not needs_host(self.plan.agent):
            yield None
            return
        with AgentHost(self.plan.agent, ahead=not self.plan.reuse and len(self.jobs) > 1) as host:
            with self._lock:
                self._hosts.append(host)
            yield host

    @contextmanager
    def _pack(self, number: int) -> Iterator[Pack | None]:
        if self.plan.single or self.plan.folders:
            yield None
            return
        pack = Pack(self.plan.folder / f"worker-{number}.pack")
        try:
            yield pack
        finally:
            pack.close()

    def _sink(self, job: Job, pack: Pack | None) -> Sink:
        if pack is not None:
            return pack.rollout()
        return Folder(self.plan.folder if self.plan.single else self.plan.folder / job.run_id)

    def _one(self, job: Job, host: AgentHost | None, pack: Pack | None) -> RolloutResult:
        sink = None
        try:
            sink = self._sink(job, pack)
            return run_rollout(job, host, sink)
        except OSError as wrong:
            if host is not None and host.stopped:
                raise _Stopped from wrong
            return broken_rollout(job, wrong, sink)
        finally:
            if sink is not None:
                sink.close()

    def summary(self, seconds: float) -> Summary:
        results = [self._results[place] for place in sorted(self._results)]
        return Summary(len(self.jobs), results, seconds, self.interrupted)

    def describe(self, summary: Summary | None = None) -> None:
        """Write down what the run is, and at its end what became of it."""
        plan = self.plan
        about: dict[str, Any] = {
            "runId": plan.run_id,
            "environment": plan.environment.name,
            "contentHash": plan.environment.spec.content_hash,
            "suite": plan.suite,
            "agent": plan.agent.name,
            "planned": len(self.jobs),
        }
        if summary is not None:
            about |= {key: value for key, value in facts(summary).items() if key != "runs"}
            about |= {"interrupted": summary.interrupted}
            about |= {"met": summary.met(plan.pass_rate), "durationMs": round(summary.seconds * 1000)}
        write_whole(plan.folder / SUITE, page(about))
