"""What the files of a rollout hold, key by key: machines read them."""

from __future__ import annotations

import json
from typing import Any

from tests.engine.rollouts import Bench

CLOSES = """
def agent(run):
    print("on my way")
    run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"})
    run.call_tool("no_such_tool", {})
    return "Closed T-002."
"""


def events(bench: Bench) -> list[dict[str, Any]]:
    lines = (bench.record.path / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_trace_holds_events_in_the_order_they_happened(bench: Bench) -> None:
    bench.python(CLOSES)
    assert [(event["type"], sorted(event.keys() - {"type"})) for event in events(bench)] == [
        ("run_start", ["config", "task", "taskId", "tools"]),
        ("tool_call", ["callId", "input", "name"]),
        ("tool_result", ["callId", "durationMs", "isError", "output"]),
        ("tool_call", ["callId", "input", "name"]),
        ("tool_result", ["callId", "durationMs", "isError", "output"]),
        ("agent_output", ["output"]),
        ("run_end", ["fault", "terminationReason"]),
        ("verifier_result", ["checks", "passed", "reward"]),
    ]
    assert [event["callId"] for event in events(bench) if "callId" in event] == ["call-1"] * 2 + ["call-2"] * 2


def test_trace_begins_with_every_tool_that_is_offered(bench: Bench) -> None:
    bench.python(CLOSES)
    assert events(bench)[0]["tools"] == list(bench.environment.toolbox.tools)


def test_result_holds_the_verdict_and_no_time_and_no_id(bench: Bench) -> None:
    bench.python(CLOSES)
    result = json.loads((bench.record.path / "result.json").read_bytes())
    assert list(result) == [
        *("taskId", "passed", "reward", "share", "checks", "toolCalls", "toolErrors"),
        *("output", "terminationReason", "fault"),
    ]
    assert list(result["checks"][0]) == ["label", "kind", "passed", "detail", "required", "weight"]
    assert [check["kind"] for check in result["checks"]] == ["any_of", "python", "answer"]
    assert (result["toolCalls"], result["toolErrors"], result["fault"]) == (2, 1, None)


def test_run_holds_when_and_with_what(bench: Bench) -> None:
    bench.python(CLOSES)
    run = json.loads((bench.record.path / "run.json").read_bytes())
    assert list(run) == [
        *("runId", "environment", "contentHash", "taskId", "agent", "config", "versions"),
        *("startedAt", "finishedAt", "durationMs"),
    ]
    assert run["config"] == {"maxToolCalls": 20, "timeoutMs": 5000, "reuseAgents": False}
    assert run["startedAt"] < run["finishedAt"]


def test_diff_holds_added_removed_and_changed_records(bench: Bench) -> None:
    bench.python(CLOSES)
    diff = json.loads((bench.record.path / "state-diff.json").read_bytes())
    assert list(diff) == ["collections", "scalars"]
    assert diff["collections"]["tickets"] == {
        "added": [],
        "removed": [],
        "changed": [
            {
                "id": "T-002",
                "fields": {
                    "status": {"from": "waiting", "to": "closed"},
                    "closedDate": {"from": None, "to": "2026-04-01"},
                },
            }
        ],
    }
    assert [record["action"] for record in diff["collections"]["auditLog"]["added"]] == ["close_ticket"]


def test_same_rollout_twice_leaves_the_same_bytes(bench: Bench) -> None:
    path = bench.file(CLOSES)
    kept = []
    for _ in range(2):
        bench.run(path)
        kept.append([(bench.record.path / name).read_bytes() for name in ("result.json", "state-diff.json")])
    assert kept[0] == kept[1]
    assert (bench.record.path / "agent.log").read_text() == "on my way\n"
