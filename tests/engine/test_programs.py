"""Programs that speak the line protocol themselves, here in a plain shell."""

from __future__ import annotations

import pytest

from silo_decl.engine.limits import Limits
from tests.engine.rollouts import Bench

BRIEF = Limits(max_tool_calls=3, timeout_ms=500, grace_ms=200)
HEAD = """
say() { printf '%s\\n' "$1" >&"$SILO_WRITE_FD"; }
hear() { IFS= read -r line <&"$SILO_READ_FD"; }
hear; start=$line
"""


def test_program_reads_the_task_calls_and_answers(bench: Bench) -> None:
    result = bench.shell(
        HEAD
        + """
        case $start in '{"type":"start","protocol":1,"task":"'*T-002*) echo "a task" ;; esac
        say '{"type":"call","callId":1,"name":"close_ticket","input":{"ticketId":"T-002","actingAgentId":"AG-02"}}'
        hear; echo "$line"
        say '{"type": "call", "name": "close_ticket", "callId": "two", "input": {}}'
        hear; echo "$line"
        say '{"type":"output","output":"Closed T-002."}'
        """
    )
    assert (result.passed, result.tool_calls, result.tool_errors) == (True, 2, 1)
    task, closed, refused = bench.log.splitlines()
    assert task == "a task"
    assert closed.startswith('{"type":"result","callId":1,"output":{"closed":{')
    assert refused.startswith('{"type":"result","callId":"two","output":{"code":"invalid_input",')
    assert refused.endswith(',"is_error":true}')


def test_program_may_give_up_in_words(bench: Bench) -> None:
    result = bench.shell(HEAD + """say '{"type":"error","message":"I do not know how."}'""")
    assert result.termination_reason == "agent_error"
    assert result.fault == {"of": "agent", "where": "agent", "message": "I do not know how."}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("say hello", "it wrote 'hello', which is no message"),
        ("""say '{"type":"calls"}'""", "there is no message of type 'calls'"),
        ("""say '{"type":"call","name":"list_tickets"}'""", "it wrote a call without a callId"),
        ("""say '{"type":"output","output":NaN}'""", "which is no message"),
    ],
)
def test_program_that_breaks_the_protocol_is_an_agent_error(bench: Bench, words: str, said: str) -> None:
    result = bench.shell(HEAD + words + "\nsleep 30")
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert said in result.fault["message"]


def test_program_that_ends_without_an_answer_has_crashed(bench: Bench) -> None:
    result = bench.shell(HEAD + "exit 5")
    assert result.termination_reason == "agent_crashed"
    assert result.fault is not None
    assert result.fault["message"] == "Its process ended with status 5 before it gave an output."


def test_answer_counts_that_was_written_without_waiting_for_a_call(bench: Bench) -> None:
    result = bench.shell(
        HEAD
        + """
        say '{"type":"call","callId":1,"name":"close_ticket","input":{"ticketId":"T-002","actingAgentId":"AG-02"}}'
        say '{"type":"output","output":"Closed T-002."}'
        """
    )
    assert (result.termination_reason, result.passed) == ("completed", True)


def test_call_that_is_one_too_many_is_answered_by_stop(bench: Bench) -> None:
    result = bench.shell(
        HEAD
        + """
        for id in 1 2 3 4; do
          say '{"type":"call","callId":'$id',"name":"busiest_agent","input":{}}'; hear
        done
        echo "$line"; hear; echo "$line"
        say '{"type":"output","output":"out of calls"}'
        """,
        Limits(max_tool_calls=3, timeout_ms=10_000, grace_ms=500),
    )
    assert (result.termination_reason, result.tool_calls, result.output) == ("max_tool_calls", 3, "out of calls")
    assert bench.log.splitlines() == [
        '{"type":"stop","callId":4,"reason":"max_tool_calls"}',
        '{"type":"stop","reason":"max_tool_calls"}',
    ]


@pytest.mark.parametrize(
    "words",
    [
        "while :; do :; done",
        "trap '' TERM INT; sleep 30",
        """while :; do say '{"type":"call","callId":1,"name":"nothing"}'; done""",
        """while :; do say '{"type":"call","callId":1,"name":"nothing"}'; hear; done""",
    ],
)
def test_program_that_does_not_end_is_ended(bench: Bench, words: str) -> None:
    assert bench.shell(HEAD + words, BRIEF).termination_reason in ("timeout", "max_tool_calls")


def test_program_finds_signals_as_a_program_expects_them(bench: Bench) -> None:
    """A pipe that is closed early ends its writer in silence."""
    result = bench.shell(HEAD + """yes | head -1 >/dev/null; say '{"type":"output","output":"done"}'""")
    assert (result.output, bench.log) == ("done", "")


def test_program_has_the_protocol_s_descriptors_and_no_others(bench: Bench) -> None:
    result = bench.shell(
        HEAD
        + """
        open=""
        for number in 0 1 2 3 4 5 6 7 8 9; do
          if (eval ": <&$number") 2>/dev/null; then open="$open $number"; fi
        done
        echo "$SILO_READ_FD $SILO_WRITE_FD"
        say "{\\"type\\":\\"output\\",\\"output\\":\\"$open\\"}"
        """
    )
    assert bench.log == "3 4\n"
    assert result.output is not None
    assert set(result.output.split()) <= {"0", "1", "2", "3", "4", "10"}


def test_program_that_cannot_be_executed_is_an_agent_error(bench: Bench) -> None:
    path = bench.folder / "program"
    path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    path.chmod(0o755)
    result = bench.run(f"cmd: {path}")
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert result.fault["message"].startswith("It could not be started:")
