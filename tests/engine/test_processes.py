"""Threads, event loops, floods, and processes that agents leave behind."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from tests.engine.rollouts import QUICK, SHORT, Bench, are_gone


def test_calls_from_several_threads_each_get_their_own_answer(bench: Bench) -> None:
    text = """
    from concurrent.futures import ThreadPoolExecutor
    IDS = ["T-001", "T-002", "T-003", "T-004"] * 4
    def agent(run):
        ask = lambda ticket: run.call_tool("get_ticket", {"ticketId": ticket})["output"]["id"]
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(ask, IDS)) == IDS
    """
    result = bench.python(text)
    assert (result.output, result.tool_calls) == ("true", 16)
    ids = [event["callId"] for event in bench.record.trace if "callId" in event]
    assert ids == [f"call-{number}" for number in range(1, 17) for _ in range(2)]


def test_async_agent_may_gather_calls(bench: Bench) -> None:
    text = """
    import asyncio
    async def agent(run):
        ids = ["T-001", "T-002", "T-003"]
        answers = await asyncio.gather(*(run.call_tool("get_ticket", {"ticketId": one}) for one in ids))
        async with asyncio.TaskGroup() as group:
            task = group.create_task(run.call_tool("list_tickets"))
        late = await asyncio.wait_for(run.call_tool("list_tickets", {"status": "open"}), 5)
        return [one["output"]["id"] for one in answers] == ids and task.result()["output"]["total"] == 4
    """
    result = bench.python(text)
    assert (result.output, result.tool_calls) == ("true", 5)


def test_async_agent_that_never_wakes_runs_out_of_time(bench: Bench) -> None:
    result = bench.python("import asyncio\nasync def agent(run):\n    await asyncio.sleep(60)\n", SHORT)
    assert result.termination_reason == "timeout"


def test_thread_that_goes_on_after_the_answer_changes_nothing(bench: Bench) -> None:
    text = """
    import threading
    def agent(run):
        def go_on():
            while True:
                run.call_tool("list_tickets", {})
        threading.Thread(target=go_on).start()
        return "done"
    """
    result = bench.python(text)
    assert (result.termination_reason, result.output) == ("completed", "done")
    assert len(bench.events("tool_call")) == len(bench.events("tool_result")) == result.tool_calls


def test_threads_begun_at_import_are_there_in_every_rollout(bench: Bench) -> None:
    text = """
    import queue, threading
    questions, answers = queue.Queue(), queue.Queue()
    def work():
        while True:
            answers.put(questions.get() * 2)
    threading.Thread(target=work, daemon=True).start()
    def agent(run):
        questions.put(21)
        return answers.get(timeout=2)
    """
    with AgentHost(agent_of(bench.file(text)), ahead=True) as host:
        assert [bench.on(host).output for _ in range(4)] == ["42"] * 4


def test_flood_of_calls_stops_at_the_limit(bench: Bench) -> None:
    text = """
    import json, os, time
    def agent(run):
        fd = int(os.environ["SILO_WRITE_FD"])
        call = {"type": "call", "callId": "1", "name": "list_tickets", "input": {"status": "open"}}
        line = json.dumps(call).encode() + b"\\n"
        while True:
            os.write(fd, line * 500)
    """
    result = bench.python(text, Limits(50, 3000, 200))
    assert result.termination_reason in ("max_tool_calls", "timeout")
    assert result.tool_calls <= 50
    assert len(bench.events("tool_call")) == len(bench.events("tool_result")) == result.tool_calls


def test_call_is_cut_off_when_the_agent_is_gone_before_its_answer(bench: Bench) -> None:
    text = """
    import json, os
    def agent(run):
        fd = int(os.environ["SILO_WRITE_FD"])
        close = {"ticketId": "T-002", "actingAgentId": "AG-02"}
        line = {"type": "call", "callId": 1, "name": "close_ticket", "input": close}
        os.write(fd, json.dumps(line).encode() + b"\\n")
        os._exit(0)
    """
    result = bench.python(text)
    assert (result.termination_reason, result.tool_calls) == ("agent_crashed", 1)
    assert bench.record.diff["collections"]["tickets"]["changed"][0]["id"] == "T-002"


LEAVES = """
import json, os, pathlib, signal, subprocess, sys, time
def agent(run):
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    plain = subprocess.Popen(sleep)
    session = subprocess.Popen(sleep, start_new_session=True)
    deaf = subprocess.Popen(sleep, preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))
    read, write = os.pipe()
    if os.fork() == 0:                      # a daemon by the book: two forks and a session between
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        os.write(write, str(os.getpid()).encode())
        time.sleep(60)
        os._exit(0)
    daemon = int(os.read(read, 20))
    pids = [plain.pid, session.pid, deaf.pid, daemon, os.getpid()]
    pathlib.Path({pids!r}).write_text(json.dumps(pids))
    {words}
"""


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("return 'ok'", "completed"),
        ("raise ValueError", "agent_error"),
        ("os._exit(1)", "agent_crashed"),
        ("os.kill(os.getpid(), 9)", "agent_crashed"),
        ("time.sleep(60)", "timeout"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to a process that asks for them")
def test_no_process_of_an_agent_is_left(bench: Bench, words: str, reason: str) -> None:
    path = bench.folder / "pids"
    result = bench.python(LEAVES.format(pids=str(path), words=words), Limits(20, 1500, 200))
    assert result.termination_reason == reason
    assert are_gone(json.loads(path.read_text()))


def test_children_do_not_hold_the_rollout(bench: Bench) -> None:
    """A child has the agent's descriptors too, for good; the agent's death is noticed all the same."""
    text = """
    import os, time
    def agent(run):
        if os.fork() == 0:
            time.sleep(60)
        os._exit(4)
    """
    begin = time.monotonic()
    result = bench.python(text, Limits(20, 20_000, 200))
    assert time.monotonic() - begin < 10
    assert result.termination_reason == "agent_crashed"
    assert result.fault is not None
    assert result.fault["message"] == "Its process ended with status 4 before it gave an output."


def test_last_words_of_a_process_that_is_gone_are_heard(bench: Bench) -> None:
    text = """
    import json, os, time
    def agent(run):
        if os.fork() == 0:
            time.sleep(60)
        os.write(int(os.environ["SILO_WRITE_FD"]), b'{"type":"output","output":"last words"}\\n')
        os._exit(0)
    """
    result = bench.python(text)
    assert (result.termination_reason, result.output) == ("completed", "last words")


def test_each_rollout_has_a_process_and_an_empty_folder_of_its_own(bench: Bench) -> None:
    text = """
    import os, pathlib
    seen = []
    def agent(run):
        seen.append(1)
        before = os.listdir(".")
        pathlib.Path("left.txt").write_text("x")
        return {"pid": os.getpid(), "cwd": os.getcwd(), "files": before, "seen": len(seen)}
    """
    with AgentHost(agent_of(bench.file(text)), ahead=True) as host:
        said = [json.loads(bench.on(host).output or "") for _ in range(4)]
    assert len({one["pid"] for one in said}) == 4
    assert len({one["cwd"] for one in said}) == 4
    assert [one["files"] for one in said] == [[]] * 4
    assert [one["seen"] for one in said] == [1] * 4
    assert not any(Path(one["cwd"]).exists() for one in said)


def test_process_that_is_kept_serves_several_rollouts(bench: Bench) -> None:
    text = """
    import os
    def agent(run):
        run.call_tool("list_tickets", {})
        return os.getpid()
    """
    with AgentHost(agent_of(bench.file(text))) as host:
        results = [bench.on(host, reuse=True) for _ in range(4)]
    assert len({one.output for one in results}) == 1
    assert [one.tool_calls for one in results] == [1] * 4


@pytest.mark.parametrize("words", ["raise ValueError", "os._exit(1)", "return {1}", "time.sleep(60)"])
def test_process_that_failed_is_not_kept(bench: Bench, words: str) -> None:
    text = f"""
    import os, time
    seen = []
    def agent(run):
        seen.append(1)
        mark = {str(bench.folder / "mark")!r}
        if run.call_tool("list_tickets", {{}})["output"]["total"] and not os.path.exists(mark):
            open(mark, "w").close()
            {words}
        return len(seen)
    """
    with AgentHost(agent_of(bench.file(text))) as host:
        results = [bench.on(host, Limits(20, 400, 100), reuse=True) for _ in range(3)]
    assert results[0].termination_reason != "completed"
    assert [one.output for one in results[1:]] == ["1", "2"]


def test_late_message_of_one_rollout_is_not_taken_for_the_next(bench: Bench) -> None:
    """Of a process that is kept, a thread goes on calling after the answer; the next rollout has only its own calls."""
    text = """
    import threading
    def agent(run):
        def go_on():
            for _ in range(3):
                run.call_tool("busiest_agent", {})
        threading.Thread(target=go_on).start()
        run.call_tool("list_tickets", {})
        return "done"
    """
    with AgentHost(agent_of(bench.file(text))) as host:
        for _ in range(5):
            result = bench.on(host, QUICK, reuse=True)
            assert (result.termination_reason, result.output) == ("completed", "done")
            assert [event["name"] for event in bench.events("tool_call")].count("list_tickets") == 1


def test_agent_cannot_reach_descriptors_or_files_of_the_engine(bench: Bench) -> None:
    text = """
    import os, sys
    def agent(run):
        mine = {int(os.environ["SILO_READ_FD"]), int(os.environ["SILO_WRITE_FD"]), 0, 1, 2}
        others = []
        for number in range(256):
            try:
                os.fstat(number)
            except OSError:
                continue
            others += [number] * (number not in mine)
        worlds = [name for name in sys.modules if name.startswith(("silo_decl.world", "silo_decl.specs"))]
        return {"others": others, "worlds": worlds}
    """
    result = bench.python(text)
    assert json.loads(result.output or "") == {"others": [], "worlds": []}


def test_folder_of_the_agents_goes_with_their_host(bench: Bench) -> None:
    with AgentHost(agent_of(bench.file("import os\ndef agent(run):\n    return os.getcwd()\n"))) as host:
        cwd = Path(bench.on(host).output or "")
    assert not cwd.parent.exists()


def test_folder_that_an_agent_made_unusable_is_not_given_to_another(bench: Bench) -> None:
    text = """
    import os
    def agent(run):
        os.chmod(os.getcwd(), 0o000)
        return os.listdir("/")[:1] and "changed"
    """
    with AgentHost(agent_of(bench.file(text)), ahead=True) as host:
        results = [bench.on(host) for _ in range(4)]
    assert [(one.termination_reason, one.output) for one in results] == [("completed", "changed")] * 4


def test_log_of_a_rollout_begins_empty_where_the_folder_is_used_again(bench: Bench) -> None:
    text = """
    def agent(run):
        print("said once")
        return "done"
    """
    with AgentHost(agent_of(bench.file(text)), ahead=True) as host:
        logs = []
        for _ in range(5):
            bench.on(host)
            logs.append(bench.log)
    assert [log.count("said once") for log in logs] == [1] * 5
