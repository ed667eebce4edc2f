"""However an agent ends, the rollout ends, says how, and is graded."""

from __future__ import annotations

import time

import pytest

from silo_decl.engine.limits import Limits
from tests.engine.rollouts import QUICK, SHORT, Bench

CLOSES = """
def close(run):
    return run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"})
"""


def test_agent_that_answers_is_completed(bench: Bench) -> None:
    result = bench.python(CLOSES + "def agent(run):\n    close(run)\n    return 'Closed T-002.'\n")
    assert (result.termination_reason, result.passed, result.fault) == ("completed", True, None)
    assert (result.tool_calls, result.tool_errors, result.output) == (1, 0, "Closed T-002.")


def test_agent_that_loops_for_ever_is_killed_after_the_grace(bench: Bench) -> None:
    begin = time.monotonic()
    result = bench.python(CLOSES + "def agent(run):\n    close(run)\n    while True: pass\n", Limits(20, 800, 200))
    assert time.monotonic() - begin < 2.5
    assert (result.termination_reason, result.fault) == ("timeout", None)
    assert [check.passed for check in result.checks] == [True, True, False]


def test_agent_that_catches_everything_is_killed_after_the_grace(bench: Bench) -> None:
    text = """
    def agent(run):
        while True:
            try:
                run.call_tool("list_tickets", {})
            except BaseException:
                pass
    """
    result = bench.python(text, Limits(max_tool_calls=3, timeout_ms=5000, grace_ms=200))
    assert (result.termination_reason, result.tool_calls) == ("max_tool_calls", 3)
    assert len(bench.events("tool_call")) == 3


def test_agent_that_ignores_signals_is_killed(bench: Bench) -> None:
    text = """
    import signal, time
    def agent(run):
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        time.sleep(60)
    """
    assert bench.python(text, SHORT).termination_reason == "timeout"


def test_agent_that_stops_itself_is_killed(bench: Bench) -> None:
    result = bench.python("import os, signal\ndef agent(run):\n    os.kill(os.getpid(), signal.SIGSTOP)\n", SHORT)
    assert result.termination_reason == "timeout"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("import sys; sys.exit()", "Its process ended with status 0 before it gave an output."),
        ("import sys; sys.exit(7)", "Its process ended with status 7 before it gave an output."),
        ("import sys; sys.exit('enough')", "Its process ended with status 1 before it gave an output."),
        ("import os; os._exit(9)", "Its process ended with status 9 before it gave an output."),
        ("import os; os.kill(os.getpid(), 9)", "Its process was ended by signal 9."),
        ("import os; os.abort()", "Its process was ended by signal 6."),
        ("import os; os.closerange(0, 99)\n    while True: pass", "It closed its end of the protocol"),
    ],
)
def test_agent_whose_process_is_gone_has_crashed(bench: Bench, words: str, message: str) -> None:
    result = bench.python(CLOSES + f"def agent(run):\n    close(run)\n    {words}\n")
    assert result.termination_reason == "agent_crashed"
    assert result.fault is not None
    assert (result.fault["of"], result.broken) == ("agent", False)
    assert message in result.fault["message"]
    assert result.checks[0].passed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("raise ValueError('no luck')", "ValueError: no luck"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise GeneratorExit('over')", "GeneratorExit: over"),
        ("raise type('Mine', (BaseException,), {})('oh')", "Mine: oh"),
        ("raise type('Odd', (Exception,), {'__str__': lambda self: 1 / 0})", "Odd"),
        ("raise ValueError('\\ud800')", "ValueError: ?"),
        ("return (lambda f: f(f))(lambda f: f(f))", "RecursionError"),
        ("raise ExceptionGroup('two', [ValueError(1), KeyError(2)])", "ExceptionGroup: two (2 sub-exceptions)"),
    ],
)
def test_agent_that_raises_is_an_agent_error(bench: Bench, words: str, message: str) -> None:
    result = bench.python(CLOSES + f"def agent(run):\n    close(run)\n    {words}\n")
    assert (result.termination_reason, result.output) == ("agent_error", None)
    assert result.fault is not None
    assert result.fault["of"] == "agent"
    assert result.fault["message"].startswith(message)
    assert "Traceback" in bench.log
    assert result.checks[0].passed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def agent(run:\n", "SyntaxError"),
        ("import nothing_of_the_kind\ndef agent(run): return 1\n", "ModuleNotFoundError"),
        ("raise RuntimeError('at import')\n", "RuntimeError: at import"),
        ("def agen(run): return 1\n", "defines no function called 'agent'"),
        ("agent = 5\n", "defines no function called 'agent'"),
        ("def agent(): return 1\n", "TypeError"),
        ("\x00", ""),
    ],
)
def test_agent_that_cannot_be_loaded_is_an_agent_error(bench: Bench, text: str, message: str) -> None:
    result = bench.python(text)
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert message in result.fault["message"]
    assert not result.passed


def test_agent_that_hangs_at_import_runs_out_of_time(bench: Bench) -> None:
    result = bench.python("import time\ntime.sleep(60)\ndef agent(run): return 1\n", SHORT)
    assert (result.termination_reason, result.tool_calls) == ("timeout", 0)


def test_agent_that_exits_at_import_has_crashed(bench: Bench) -> None:
    assert bench.python("import os\nos._exit(3)\n").termination_reason == "agent_crashed"


def test_stopped_agent_may_still_answer(bench: Bench) -> None:
    text = """
    def agent(run):
        try:
            while True:
                run.call_tool("list_tickets", {})
        except Exception as stop:
            return f"{type(stop).__name__} {stop.reason}, aborted: {run.signal.aborted}"
    """
    result = bench.python(text, Limits(max_tool_calls=2, timeout_ms=5000, grace_ms=2000))
    assert result.termination_reason == "max_tool_calls"
    assert result.output == "RunStopped max_tool_calls, aborted: True"


def test_agent_that_lets_the_stop_pass_gave_no_answer(bench: Bench) -> None:
    result = bench.python("def agent(run):\n    while True: run.call_tool('list_tickets', {})\n", Limits(2, 5000, 2000))
    assert (result.termination_reason, result.output, result.fault) == ("max_tool_calls", None, None)


def test_signal_turns_aborted_when_the_time_is_up(bench: Bench) -> None:
    text = """
    import time
    def agent(run):
        while not run.signal.aborted:
            time.sleep(0.005)
        return "I saw it"
    """
    result = bench.python(text, Limits(20, 400, 2000))
    assert (result.termination_reason, result.output) == ("timeout", "I saw it")


def test_no_call_is_allowed_where_the_limit_is_none(bench: Bench) -> None:
    result = bench.python("def agent(run):\n    run.call_tool('list_tickets', {})\n", Limits(0, 5000, 200))
    assert (result.termination_reason, result.tool_calls) == ("max_tool_calls", 0)


def test_every_call_within_the_limit_runs(bench: Bench) -> None:
    result = bench.python(
        "def agent(run):\n    for _ in range(3): run.call_tool('list_tickets')\n    return 'ok'\n", Limits(3, 5000, 200)
    )
    assert (result.termination_reason, result.tool_calls) == ("completed", 3)


def test_next_agent_of_the_same_host_is_not_touched_by_how_the_last_one_ended(bench: Bench) -> None:
    from silo_decl.engine.agent import agent_of
    from silo_decl.engine.host import AgentHost

    text = """
    import os, pathlib
    def agent(run):
        mark = pathlib.Path({mark!r})
        said = mark.read_text() if mark.exists() else ""
        mark.write_text(said + "x")
        if len(said) == 0: os._exit(1)
        if len(said) == 1: os.closerange(0, 99); os.abort()
        if len(said) == 2: raise SystemExit
        if len(said) == 3: raise ValueError
        return "fine"
    """
    path = bench.file(text.format(mark=str(bench.folder / "mark")))
    with AgentHost(agent_of(path), ahead=True) as host:
        reasons = [bench.on(host, QUICK).termination_reason for _ in range(6)]
    assert reasons == ["agent_crashed"] * 3 + ["agent_error"] + ["completed"] * 2


def test_stop_that_the_agent_makes_up_is_its_error(bench: Bench) -> None:
    result = bench.python("from silo_decl.errors import RunStopped\ndef agent(run): raise RunStopped('completed')\n")
    assert result.termination_reason == "agent_error"
