"""Agents in JavaScript, run by the Node.js of this machine."""

from __future__ import annotations

import time

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.host import AgentHost
from silo_decl.engine.limits import Limits
from tests.engine.rollouts import QUICK, Bench, needs_node

pytestmark = needs_node

BRIEF = Limits(max_tool_calls=20, timeout_ms=600, grace_ms=200)
FEW = Limits(max_tool_calls=3, timeout_ms=10_000, grace_ms=200)
CLOSE = 'callTool("close_ticket", { ticketId: "T-002", actingAgentId: "AG-02" })'


def test_default_export_gets_task_tools_calls_and_signal(bench: Bench) -> None:
    result = bench.javascript(
        f"""
        export default async function ({{ task, tools, callTool, signal }}) {{
          console.log(task.includes("T-002"), Object.keys(tools[0]).join(), signal.aborted);
          const closed = await {CLOSE};
          const again = await {CLOSE};
          console.log(closed.output.closed.status, closed.is_error, again.is_error, again.output.code);
          return {{ output: "Closed T-002." }};
        }}
        """
    )
    assert (result.passed, result.tool_calls, result.tool_errors) == (True, 2, 1)
    assert bench.log.splitlines() == ["true name,description,inputSchema false", "closed undefined true invalid_state"]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("() => 'text'", "text"),
        ("() => undefined", None),
        ("() => ({ output: null })", None),
        ("() => 0.5", "0.5"),
        ("async () => ({ output: { a: [1, 'ä'] } })", '{"a": [1, "ä"]}'),
        ("() => ({ answer: 1 })", '{"answer": 1}'),
        ("() => '\\ud800!'", "?!"),
        ("() => new Date(0)", "1970-01-01T00:00:00.000Z"),
    ],
)
def test_what_it_returns_is_the_output(bench: Bench, source: str, output: str | None) -> None:
    result = bench.javascript(f"export default {source}")
    assert (result.termination_reason, result.output) == ("completed", output)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("export default () => { throw new Error('boo'); }", "Error: boo"),
        ("export default () => Promise.reject('no')", "no"),
        ("export default () => { Promise.reject(new Error('later')); return new Promise(() => {}); }", "Error: later"),
        ("export default (", "SyntaxError"),
        ("export default 7", "TypeError: the file has no function as its default export"),
        ("export const agent = () => 1", "TypeError: the file has no function as its default export"),
        ("import './missing.mjs'; export default () => 1", "Error: Cannot find module"),
        ("throw new RangeError('at import')", "RangeError: at import"),
        ("export default () => ({ output: 10n })", "cannot be written as JSON: bigint 10"),
        ("export default () => [NaN]", "cannot be written as JSON: number NaN"),
        ("export default () => ({ output: new Set([1]) })", "cannot be written as JSON: a Set"),
        ("export default () => () => 1", "cannot be written as JSON: function"),
        ("export default () => { const a = []; a.push(a); return a; }", "circular"),
    ],
)
def test_what_goes_wrong_in_it_is_an_agent_error_told_in_words(bench: Bench, source: str, said: str) -> None:
    result = bench.javascript(source)
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert result.fault["of"] == "agent"
    assert said in result.fault["message"]
    assert bench.log.strip()


@pytest.mark.parametrize("words", ["process.exit(3)", "setTimeout(() => { throw new Error('late'); }, 5)"])
def test_process_that_ends_before_the_answer_has_crashed_at_once(bench: Bench, words: str) -> None:
    begin = time.monotonic()
    result = bench.javascript(f"export default () => {{ {words}; return new Promise(() => {{}}); }}")
    assert time.monotonic() - begin < 4
    assert result.termination_reason == "agent_crashed"
    assert result.fault is not None
    assert "Its process ended with status" in result.fault["message"]


@pytest.mark.parametrize("source", ["() => { for (;;); }", "() => new Promise(() => {})"])
def test_agent_that_does_not_end_is_ended(bench: Bench, source: str) -> None:
    assert bench.javascript(f"export default {source}", BRIEF).termination_reason == "timeout"


def test_signal_trips_at_a_limit_and_the_answer_still_counts(bench: Bench) -> None:
    result = bench.javascript(
        """
        export default ({ signal }) => new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(`stopped: ${signal.reason.reason}`));
        });
        """,
        BRIEF,
    )
    assert (result.termination_reason, result.output) == ("timeout", "stopped: timeout")


def test_call_after_a_limit_is_rejected_and_does_not_run(bench: Bench) -> None:
    result = bench.javascript(
        """
        export default async ({ callTool, signal }) => {
          try { for (;;) await callTool("list_tickets", {}); }
          catch (error) { return `${error.name} ${error.reason} ${signal.aborted}`; }
        };
        """,
        FEW,
    )
    assert (result.termination_reason, result.tool_calls) == ("max_tool_calls", 3)
    assert result.output == "RunStopped max_tool_calls true"


def test_agent_that_lets_the_stop_pass_gave_no_answer(bench: Bench) -> None:
    result = bench.javascript(
        'export default async ({ callTool }) => { for (;;) await callTool("list_tickets"); }', FEW
    )
    assert (result.termination_reason, result.output, result.fault) == ("max_tool_calls", None, None)


def test_thousands_of_calls_under_way_are_all_answered(bench: Bench) -> None:
    """More than the pipes hold in both directions."""
    result = bench.javascript(
        """
        export default async ({ callTool }) => {
          const calls = Array.from({ length: 2000 }, (_, n) => callTool("nothing", { n, text: "y".repeat(500) }));
          return (await Promise.all(calls)).filter((answer) => answer.is_error).length;
        };
        """,
        Limits(2000, 20_000, 200),
    )
    assert (result.output, result.tool_calls) == ("2000", 2000)


def test_module_may_import_what_is_beside_it(bench: Bench) -> None:
    (bench.folder / "beside.mjs").write_text("export const word = 'beside';", encoding="utf-8")
    assert bench.javascript("import { word } from './beside.mjs'; export default () => word").output == "beside"


def test_kept_process_serves_several_rollouts(bench: Bench) -> None:
    source = (
        "let count = 0; export default async ({ callTool }) => { await callTool('list_tickets', {}); return ++count; }"
    )
    with AgentHost(agent_of(bench.file(source, ".mjs"))) as host:
        assert [bench.on(host, QUICK, reuse=True).output for _ in range(3)] == ["1", "2", "3"]
    with AgentHost(agent_of(bench.file(source, ".mjs")), ahead=True) as host:
        assert [bench.on(host, QUICK).output for _ in range(3)] == ["1", "1", "1"]
