"""What an agent returns, prints and writes to where it should not."""

from __future__ import annotations

import json

import pytest

from tests.engine.rollouts import SHORT, Bench


@pytest.mark.parametrize(
    ("returned", "output"),
    [
        ("'a text'", "a text"),
        ("''", ""),
        ("None", None),
        ("0", "0"),
        ("False", "false"),
        ("[1, 'zwei', None]", '[1, "zwei", null]'),
        ("{'a': {'b': 1}}", '{"a": {"b": 1}}'),
        ("{'output': 'in a dict'}", "in a dict"),
        ("{'output': {'a': 1}, 'steps': 3}", '{"a": 1}'),
        ("{'output': None}", None),
        ("type('Result', (), {'output': 'of an object'})()", "of an object"),
        ("type('Words', (str,), {'output': 'not this'})('a kind of text')", "a kind of text"),
        ("'Größe 漢字 🙂'", "Größe 漢字 🙂"),
        ("10 ** 40", "1" + "0" * 40),
        ("'half \\ud83d of a pair'", "half ? of a pair"),
        ("{'half': '\\ud83d'}", '{"half": "?"}'),
        ("'line\\nline\\r\\u2028\\x00end'", "line\nline\r\u2028\x00end"),
        ("(1, 2)", "[1, 2]"),
    ],
)
def test_answer_is_a_text_as_it_is_and_anything_else_as_json(bench: Bench, returned: str, output: str | None) -> None:
    result = bench.python(f"def agent(run):\n    return {returned}\n")
    assert (result.termination_reason, result.output, result.fault) == ("completed", output, None)
    assert bench.record.result["output"] == output
    assert bench.events("agent_output")[0]["output"] == output


@pytest.mark.parametrize(
    "returned",
    [
        "{1, 2}",
        "float('nan')",
        "[float('inf')]",
        "b'bytes'",
        "object()",
        "{(1, 2): 3}",
        "lambda: 1",
        "run",
        "(x := [], x.append(x), x)[2]",
        "__import__('functools').reduce(lambda inner, _: [inner], range(100_000), [])",
        "__import__('datetime').date(2026, 1, 1)",
    ],
)
def test_answer_that_json_cannot_hold_is_an_agent_error(bench: Bench, returned: str) -> None:
    result = bench.python(f"def agent(run):\n    return {returned}\n")
    assert (result.termination_reason, result.output) == ("agent_error", None)
    assert result.fault is not None
    assert "What the agent returned cannot be written as JSON" in result.fault["message"]


def test_deep_answer_does_not_break_the_engine(bench: Bench) -> None:
    deep = "'[' * 5000 + ']' * 5000"
    text = f"""
    import os
    def agent(run):
        fd = int(os.environ["SILO_WRITE_FD"])
        os.write(fd, ('{{"type":"output","output":' + {deep} + "}}\\n").encode())
        import time; time.sleep(5)
    """
    assert bench.python(text).termination_reason in ("agent_error", "completed")
    assert bench.record.result["taskId"] == "close-one"


def test_huge_answer_arrives_whole(bench: Bench) -> None:
    result = bench.python("def agent(run):\n    return 'ä' * 3_000_000\n")
    assert result.output == "ä" * 3_000_000
    assert bench.record.result["output"] == result.output


def test_answer_over_the_longest_line_is_an_agent_error(bench: Bench) -> None:
    result = bench.python("def agent(run):\n    return 'x' * (65 * 2**20)\n")
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert "more than 64 MB" in result.fault["message"]


def test_prints_go_to_the_log_and_leave_the_protocol_alone(bench: Bench) -> None:
    text = """
    import os, subprocess, sys
    print("at import")
    def agent(run):
        print("to stdout")
        print("to stderr", file=sys.stderr)
        os.write(1, b"written to 1\\n")
        os.write(2, b"written to 2\\xff\\n")
        print("half \\ud83d")
        subprocess.run(["echo", "of a child"], check=True)
        run.call_tool("list_tickets", {})
        sys.stdout.write("no end of line")
        return "ok"
    """
    result = bench.python(text)
    assert (result.termination_reason, result.tool_calls) == ("completed", 1)
    said = ("at import", "to stdout", "to stderr", "written to 1", "written to 2", "of a child", "no end of line")
    assert [one for one in said if one not in bench.log] == []


def test_what_was_printed_before_the_agent_was_killed_is_kept(bench: Bench) -> None:
    bench.python("def agent(run):\n    print('here I hang')\n    while True: pass\n", SHORT)
    assert "here I hang" in bench.log


def test_flood_of_prints_is_cut(bench: Bench) -> None:
    result = bench.python("def agent(run):\n    print('x' * 9_000_000)\n    return 'ok'\n")
    assert result.termination_reason == "completed"
    assert len(bench.log) < 8_500_000
    assert bench.log.endswith("more bytes)\n")


@pytest.mark.parametrize(
    "words",
    [
        "os.close(0); os.close(1); os.close(2)",
        "sys.stdout.close(); sys.stderr.close()",
        "sys.stdout = sys.stderr = None",
        "sys.stdout = open('/dev/full', 'w'); print('lost')",
        "sys.stdin.read()",
        "os.chdir('/'); os.rmdir(here)",
        "os.environ.clear()",
        "json.dumps = json.loads = None",
        "sys.modules.clear()",
        "sys.path.clear()",
        "sys.setrecursionlimit(60)",
        "import builtins; builtins.print = builtins.len = builtins.isinstance = None",
        "import gc; gc.disable()",
        "import signal; signal.signal(signal.SIGPIPE, signal.SIG_DFL)",
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))",
    ],
)
def test_agent_that_spoils_its_own_process_harms_only_itself(bench: Bench, words: str) -> None:
    text = f"import os, sys, json\nhere = os.getcwd()\ndef agent(run):\n    {words}\n    return 'ok'\n"
    result = bench.python(text)
    assert result.termination_reason in ("completed", "agent_error", "agent_crashed")
    assert not result.broken
    assert json.loads((bench.record.path / "result.json").read_text())["taskId"] == "close-one"


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello\n",
        b"[]\n",
        b"{}\n",
        b'{"type":"dance"}\n',
        b'{"type":"call"}\n',
        b'{"type":"call","callId":[]}\n',
        b'{"type":"output","output":NaN}\n',
        b"\xff\xfe\n",
        b"\n",
        b"[" * 100_000 + b"\n",
        b'{"type":"call","callId":"1","name":"list_tickets","input":' + b"[" * 900 + b"]" * 900 + b"\n",
    ],
)
def test_garbage_on_the_protocol_is_an_agent_error(bench: Bench, garbage: bytes) -> None:
    text = f"""
    import os, time
    def agent(run):
        os.write(int(os.environ["SILO_WRITE_FD"]), {garbage!r})
        time.sleep(60)
    """
    result = bench.python(text)
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert result.fault["message"].startswith("The agent broke the protocol: ")
    assert not result.broken


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("'get_ticket'", "{'ticketID': 'T-001'}", "invalid_input"),
        ("'get_ticket'", "[]", "invalid_input"),
        ("'get_ticket'", "'T-001'", "invalid_input"),
        ("'get_ticket'", "5", "invalid_input"),
        ("'get_ticket'", "{'ticketId': None}", "invalid_input"),
        ("'get_ticket'", "{'ticketId': {'$ne': 1}}", "invalid_input"),
        ("'get_ticket'", "{'ticketId': '\\ud800'}", "not_found"),
        ("'get_ticket'", "{'\\ud800': 1}", "invalid_input"),
        ("'get_ticket'", "{'ticketId': 10 ** 30}", "invalid_input"),
        ("'get_ticket'", "{'ticketId': 'x' * 1_000_000}", "not_found"),
        ("'get_tickte'", "{}", "tool_not_found"),
        ("''", "{}", "tool_not_found"),
        ("None", "{}", "tool_not_found"),
        ("{'a': 1}", "{}", "tool_not_found"),
        ("'\\ud800'", "{}", "tool_not_found"),
        ("'__class__'", "{}", "tool_not_found"),
    ],
)
def test_malformed_call_is_a_refusal(bench: Bench, name: str, given: str, code: str) -> None:
    result = bench.python(f"def agent(run):\n    return run.call_tool({name}, {given})['output']['code']\n")
    assert (result.output, result.tool_calls, result.tool_errors) == (code, 1, 1)
    assert len(bench.events("tool_call")) == len(bench.events("tool_result")) == 1
    assert not result.broken


@pytest.mark.parametrize("given", ["{1, 2}", "{'a': float('nan')}", "{'a': object()}", "{'a': b'x'}"])
def test_arguments_that_cannot_be_sent_raise_in_the_agent_and_are_no_call(bench: Bench, given: str) -> None:
    text = f"""
    def agent(run):
        try:
            run.call_tool("get_ticket", {given})
        except (TypeError, ValueError) as wrong:
            return run.call_tool("get_ticket", {{"ticketId": "T-001"}})["output"]["id"]
    """
    result = bench.python(text)
    assert (result.output, result.tool_calls) == ("T-001", 1)
