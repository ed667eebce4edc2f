"""What a rollout leaves on disk, and reading it again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.engine.artifacts import (
    Folder,
    Pack,
    find_run,
    list_runs,
    new_run_id,
    read_folder,
    read_run,
    rollouts,
    unpack,
    write_whole,
)
from silo_decl.errors import UsageError

TRACE = [{"type": "run_start", "taskId": "T"}, {"type": "run_end", "terminationReason": "completed"}]
RESULT = {"taskId": "T", "passed": True, "reward": 1.0, "output": "ä \u2028 x"}
DIFF = {"collections": {"tickets": {"added": [{"id": "T-9"}], "removed": [], "changed": []}}, "scalars": {}}


def finish(sink: Any, run_id: str, events: list[dict[str, Any]] = TRACE) -> None:
    for event in events:
        sink.write(orjson.dumps(event) + b"\n")
    sink.finish({"runId": run_id}, RESULT, DIFF, b"said \xff\n")


def test_run_ids_are_unique_and_sort_by_time() -> None:
    ids = [new_run_id() for _ in range(50)]
    assert len(set(ids)) == 50
    assert [one[:15] for one in ids] == sorted(one[:15] for one in ids)


def test_folder_holds_the_five_files_and_nothing_else(tmp_path: Path) -> None:
    finish(Folder(tmp_path / "a"), "a")
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["agent.log", "result.json", "run.json", "state-diff.json", "trace.jsonl"]
    assert json.loads((tmp_path / "a" / "result.json").read_text(encoding="utf-8")) == RESULT
    record = read_folder(tmp_path / "a")
    assert (record.trace, record.result, record.diff, record.log) == (TRACE, RESULT, DIFF, "said \ufffd\n")


def test_trace_of_a_killed_run_is_readable_as_far_as_it_came(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a")
    folder.write(b'{"type":"run_start"}\n')
    folder.write(b'{"type":"tool_call","call')
    folder.close()
    record = read_folder(tmp_path / "a")
    assert (record.trace, record.result, record.run) == ([{"type": "run_start"}], {}, {})


def test_packed_rollouts_are_read_as_folders_are(tmp_path: Path) -> None:
    pack = Pack(tmp_path / "packed" / "worker-1.pack")
    finish(pack.rollout(), "packed.1")
    pack.close()
    finish(Folder(tmp_path / "folders" / "packed.1"), "packed.1")
    packed, folder = next(rollouts(tmp_path / "packed")), next(rollouts(tmp_path / "folders"))
    assert (packed.run, packed.trace, packed.result, packed.diff, packed.log) == (
        (folder.run, folder.trace, folder.result, folder.diff, folder.log)
    )


def test_unpacked_folder_is_what_would_have_been_written_at_once(tmp_path: Path) -> None:
    pack = Pack(tmp_path / "packed" / "worker-1.pack")
    finish(pack.rollout(), "packed.1")
    pack.close()
    finish(Folder(tmp_path / "folders" / "packed.1"), "packed.1")
    assert unpack(tmp_path / "packed") == [tmp_path / "packed" / "packed.1"]
    for name in ("trace.jsonl", "result.json", "state-diff.json", "run.json"):
        made, direct = tmp_path / "packed" / "packed.1" / name, tmp_path / "folders" / "packed.1" / name
        assert made.read_bytes() == direct.read_bytes()
    assert unpack(tmp_path / "packed") == []


def test_rollouts_are_listed_once_when_they_are_packed_and_unpacked(tmp_path: Path) -> None:
    pack = Pack(tmp_path / "worker-1.pack")
    finish(pack.rollout(), "r.1")
    pack.close()
    unpack(tmp_path)
    assert [record.run_id for record in rollouts(tmp_path)] == ["r.1"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 400))
def test_torn_end_of_a_pack_is_left_out(cut: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "worker-1.pack"
        pack = Pack(path)
        finish(pack.rollout(), "r.1")
        whole = path.stat().st_size
        finish(pack.rollout(), "r.2")
        pack.close()
        os.truncate(path, min(whole + cut, path.stat().st_size - 2))
        assert [record.run_id for record in rollouts(Path(name))] == ["r.1"]


@pytest.mark.parametrize(
    "line", ["[]", "{}", '{"run":{}}', "null", "7", '{"run":[],"trace":[],"result":{},"diff":{},"log":""}']
)
def test_line_of_a_pack_that_is_no_rollout_is_left_out(tmp_path: Path, line: str) -> None:
    (tmp_path / "worker-1.pack").write_text(line + "\n", encoding="utf-8")
    assert list(rollouts(tmp_path)) == []


_FULL_DISK = """
import resource, sys
from pathlib import Path
from silo_decl.engine.artifacts import Pack
pack = Pack(Path(sys.argv[1]))
def put(name, size):
    one = pack.rollout()
    one.write(b'{"type":"run_start"}\\n')
    one.finish({"runId": name}, {"output": "x" * size}, {}, b"")
put("r.1", 10)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    put("r.2", 10000)
    print("written")
except OSError as wrong:
    print("refused")
put("r.3", 10)
"""


def test_pack_stays_whole_where_a_rollout_does_not_fit_on_the_disk(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, str(tmp_path / "worker-1.pack")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "refused\n"
    assert [record.run_id for record in rollouts(tmp_path)] == ["r.1", "r.3"]


def test_file_that_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    write_whole(target, b"old")
    write_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
    with pytest.raises(OSError):
        write_whole(tmp_path / "missing" / "result.json", b"x")


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("20260401-090000-aaaaaa", "20260401-090000-bbbbbb", "20260402-090000-cccccc"):
        finish(Folder(tmp_path / "runs" / name), name)
    finish(Folder(tmp_path / "outside"), "outside")
    (tmp_path / "runs" / ".hidden").mkdir()
    return tmp_path / "runs"


def test_runs_are_listed_newest_first(runs: Path) -> None:
    assert [one[:8] for one in list_runs(runs)] == ["20260402", "20260401", "20260401"]
    assert list_runs(runs / "missing") == []


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("last", "20260402-090000-cccccc"),
        ("20260401-090000-aaaaaa", "20260401-090000-aaaaaa"),
        ("20260402", "20260402-090000-cccccc"),
    ],
)
def test_run_is_found_by_its_id_its_beginning_or_as_the_last(runs: Path, given: str, found: str) -> None:
    assert find_run(runs, given) == runs / found
    record = read_run(runs, given)
    assert record is not None
    assert record.run_id == found


@pytest.mark.parametrize(
    "given",
    [
        "",
        "nothing",
        "20260401",
        "..",
        "../outside",
        "../outside.1",
        ".hidden",
        "/",
        "runs.1",
        "\0",
        "20260402-090000-cccccc.1",
    ],
)
def test_name_that_is_no_run_is_refused_and_leaves_the_folder_of_runs_alone(runs: Path, given: str) -> None:
    with pytest.raises(UsageError):
        read_run(runs, given)
