"""What a rollout leaves on disk: a folder of its own, or a line in a packed file; and reading both again.

A folder is written as things happen, so a killed run leaves a readable trace. Finished files appear whole. A packed
file gets each finished rollout as one line in one write; a torn last line is left out when it is read.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from silo_decl.errors import UsageError
from silo_decl.trace import decoded, line, page

TRACE, RESULT, DIFF, RUN, LOG = "trace.jsonl", "result.json", "state-diff.json", "run.json", "agent.log"
SUITE = "suite.json"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_PACK = "*.pack"
_PARTS = {"run", "result", "diff", "log", "trace"}


def new_run_id() -> str:
    """An id that sorts by time: 20260401-093000-1a2b3c."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


@dataclass(frozen=True)
class RunRecord:
    """One rollout as it was left. `result` and `diff` are empty where it was killed before its end."""

    run_id: str
    run: dict[str, Any]
    trace: list[dict[str, Any]]
    result: dict[str, Any]
    diff: dict[str, Any]
    log: str
    path: Path


# -- writing ------------------------------------------------------------------------------------------------


class Folder:
    """The folder of one rollout; the trace is written as it happens."""

    def __init__(self, path: Path):
        self.path = path
        path.mkdir(parents=True, exist_ok=False)
        self._trace = os.open(path / TRACE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def write(self, line: bytes) -> None:
        """Add an event to the trace."""
        _write_all(self._trace, line)

    def finish(self, run: dict[str, Any], result: dict[str, Any], diff: dict[str, Any], log: bytes) -> None:
        self.close()
        write_whole(self.path / DIFF, page(diff))
        write_whole(self.path / LOG, log)
        write_whole(self.path / RUN, page(run))
        write_whole(self.path / RESULT, page(result))

    def close(self) -> None:
        """Write no more; the trace is as far as it came."""
        if self._trace >= 0:
            os.close(self._trace)
            self._trace = -1


class Pack:
    """A packed file: each finished rollout is one line. One per worker."""

    def __init__(self, path: Path):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def rollout(self) -> Packed:
        return Packed(self)

    def append(self, line: bytes) -> None:
        """Add a rollout, whole or not at all. Raises OSError."""
        begin = os.fstat(self._file).st_size
        try:
            _write_all(self._file, line)
        except OSError:
            os.ftruncate(self._file, begin)
            raise

    def close(self) -> None:
        os.close(self._file)


class Packed:
    """One rollout on its way into a packed file; it is kept in memory until it is finished."""

    def __init__(self, pack: Pack | None = None):
        self.path = pack.path if pack is not None else None
        self.events: list[bytes] = []
        self.write = self.events.append
        self._pack = pack

    def finish(self, run: dict[str, Any], result: dict[str, Any], diff: dict[str, Any], log: bytes) -> None:
        if self._pack is None:
            return
        trace = b",".join(event.rstrip(b"\n") for event in self.events)
        facts = {"run": run, "result": result, "diff": diff, "log": log.decode("utf-8", "replace")}
        self._pack.append(line(facts)[:-2] + b',"trace":[' + trace + b"]}\n")

    def close(self) -> None:
        """Nothing is open."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(3)}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _write_all(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


# -- reading ------------------------------------------------------------------------------------------------


def list_runs(runs_dir: Path) -> list[str]:
    """The ids of runs (single ones and suites), newest first."""
    if not runs_dir.is_dir():
        return []
    return sorted((path.name for path in runs_dir.iterdir() if path.is_dir() and _ID.match(path.name)), reverse=True)


def find_run(runs_dir: Path, given: str) -> Path:
    """The folder of a run by its id, the start of one, or 'last'. Raises UsageError."""
    known = list_runs(runs_dir)
    if given == "last" and known:
        return runs_dir / known[0]
    if given in known:
        return runs_dir / given
    hits = [name for name in known if given and name.startswith(given)]
    if len(hits) == 1:
        return runs_dir / hits[0]
    if hits:
        raise UsageError(f"Several runs begin with '{given}'.", f"Give more of the id: {', '.join(hits[:5])}.")
    raise UsageError(f"There is no run '{given}' in {runs_dir}.", "See 'silo runs list'.")


def is_suite(folder: Path) -> bool:
    return (folder / SUITE).is_file()


def read_suite(folder: Path) -> dict[str, Any]:
    return _json(folder / SUITE)


def rollouts(folder: Path) -> Iterator[RunRecord]:
    """The rollouts of a suite's folder, packed ones and folders, by id; one that is both only once."""
    found = {path.name: read_folder(path) for path in folder.iterdir() if (path / TRACE).is_file()}
    found |= {record.run_id: record for path in folder.glob(_PACK) for record in _packed(path)}
    yield from (found[run_id] for run_id in sorted(found))


def read_run(runs_dir: Path, given: str) -> RunRecord | None:
    """One rollout by its id, such as RUN.07 or last.7; None where the id is a suite's."""
    suite, _, number = given.rpartition(".")
    if suite and number.isdecimal():
        folder = find_run(runs_dir, suite)
        for record in rollouts(folder):
            if int(record.run_id.rpartition(".")[2] or -1) == int(number):
                return record
        raise UsageError(f"The run {folder.name} has no rollout {number}.", f"See 'silo runs show {folder.name}'.")
    folder = find_run(runs_dir, given)
    return None if is_suite(folder) else read_folder(folder)


def read_folder(path: Path) -> RunRecord:
    """A rollout from its folder, as much of it as is there."""
    run = _json(path / RUN)
    log = path / LOG
    said = log.read_text("utf-8", "replace") if log.is_file() else ""
    return RunRecord(path.name, run, _trace(path / TRACE), _json(path / RESULT), _json(path / DIFF), said, path)


def _packed(path: Path) -> Iterator[RunRecord]:
    with path.open("rb") as file:
        for line in file:
            facts = _read(line)
            if not facts.keys() >= _PARTS or "runId" not in facts["run"]:
                continue
            run = facts["run"]
            yield RunRecord(run["runId"], run, facts["trace"], facts["result"], facts["diff"], facts["log"], path)


def _json(path: Path) -> dict[str, Any]:
    try:
        return _read(path.read_bytes())
    except OSError:
        return {}


def _trace(path: Path) -> list[dict[str, Any]]:
    found = [_read(line) for line in path.read_bytes().split(b"\n")] if path.is_file() else []
    return [event for event in found if event]


def _read(text: bytes) -> dict[str, Any]:
    """An object; an empty one where it is torn or something else."""
    try:
        found = decoded(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def unpack(folder: Path) -> list[Path]:
    """Write a folder for each packed rollout of a suite's folder; those that are there are left as they are."""
    made = []
    for record in rollouts(folder):
        target = folder / record.run_id
        if record.path.suffix != ".pack" or target.exists():
            continue
        written = Folder(target)
        for event in record.trace:
            written.write(line(event))
        written.finish(record.run, record.result, record.diff, record.log.encode())
        made.append(target)
    return made
