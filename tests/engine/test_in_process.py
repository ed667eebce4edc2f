"""Agents that are functions of this process."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from silo_decl.engine.agent import agent_of
from silo_decl.engine.artifacts import Packed
from silo_decl.engine.environment import Environment
from silo_decl.engine.limits import Limits
from silo_decl.engine.rollout import Job, RolloutResult, run_rollout

BRIEF = Limits(max_tool_calls=2, timeout_ms=100, grace_ms=50)
CLOSE = {"ticketId": "T-002", "actingAgentId": "AG-02"}


def briefly(desk: Environment, agent: Any) -> RolloutResult:
    return run_rollout(Job(desk, desk.task("close-one"), agent_of(agent), BRIEF, "brief"), None, Packed())


def test_function_gets_what_an_agent_in_a_process_gets(desk: Environment) -> None:
    def agent(run: Any) -> Any:
        assert "T-002" in run.task
        assert set(run.tools[0]) == {"name", "description", "input_schema"}
        assert run.signal.aborted is False
        assert run.call_tool("close_ticket", CLOSE)["output"]["closed"]["status"] == "closed"
        assert run.call_tool("close_ticket", CLOSE)["is_error"] is True
        return {"output": "Closed T-002."}

    result = desk.run("close-one", agent=agent)
    assert (result.passed, result.tool_calls, result.tool_errors) == (True, 2, 1)


async def closing(run: Any) -> str:
    answers = await asyncio.gather(
        run.call_tool("get_ticket", {"ticketId": "T-001"}), run.call_tool("close_ticket", CLOSE)
    )
    again = await asyncio.create_task(run.call_tool("close_ticket", CLOSE))
    assert [answer.get("is_error", False) for answer in (*answers, again)] == [False, False, True]
    return "Closed T-002."


def test_async_function_is_waited_for(desk: Environment) -> None:
    assert desk.run("close-one", agent=closing).passed


def test_async_function_is_waited_for_where_an_event_loop_runs_already(desk: Environment) -> None:
    async def notebook() -> bool:
        return desk.run("close-one", agent=closing).passed

    assert asyncio.run(notebook())


def test_function_that_loops_for_ever_is_raised_out_of(desk: Environment) -> None:
    def agent(run: Any) -> None:
        run.call_tool("close_ticket", CLOSE)
        while True:
            pass

    begin = time.monotonic()
    result = briefly(desk, agent)
    assert time.monotonic() - begin < 3
    assert (result.termination_reason, result.fault) == ("timeout", None)
    assert result.checks[0].passed


def test_async_function_that_waits_for_ever_is_cancelled(desk: Environment) -> None:
    async def agent(run: Any) -> None:
        await asyncio.sleep(600)

    assert briefly(desk, agent).termination_reason == "timeout"


def test_function_that_ignores_the_stop_is_raised_out_of(desk: Environment) -> None:
    def agent(run: Any) -> None:
        while True:
            try:
                run.call_tool("list_tickets")
            except Exception:
                assert run.signal.aborted

    result = briefly(desk, agent)
    assert (result.termination_reason, result.tool_calls) == ("max_tool_calls", 2)


def test_code_after_a_late_function_is_not_hit(desk: Environment) -> None:
    """Functions that end just when they are overdue: no exception gets out of the rollout, however it falls."""
    for number in range(60):
        until = time.monotonic() + 0.004 + number % 10 / 5000

        def agent(run: Any, until: float = until) -> str:
            while time.monotonic() < until:
                pass
            return "late"

        assert desk.run("close-one", agent=agent, timeout_ms=1).termination_reason in ("timeout", "completed")


@pytest.mark.parametrize("wrong", [ValueError("no luck"), SystemExit(3), GeneratorExit(), TimeoutError("mine")])
def test_function_that_raises_is_an_agent_error_with_its_trace(desk: Environment, wrong: BaseException) -> None:
    def agent(run: Any) -> None:
        raise wrong

    result = desk.run("close-one", agent=agent)
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert result.fault["message"].startswith(type(wrong).__name__)


def test_interrupt_is_not_taken_for_the_function_s(desk: Environment) -> None:
    def agent(run: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.run("close-one", agent=agent)


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), {"output": object()}, [1, b"x"]])
def test_output_that_json_cannot_hold_is_an_agent_error(desk: Environment, value: Any) -> None:
    result = desk.run("close-one", agent=lambda run: value)
    assert result.termination_reason == "agent_error"
    assert result.fault is not None
    assert "cannot be written as JSON" in result.fault["message"]


@pytest.mark.parametrize("given", [{"ticketId": {1}}, {"ticketId": float("inf")}, {"ticketId": b"T"}])
def test_input_that_json_cannot_hold_raises_in_the_agent(desk: Environment, given: Any) -> None:
    def agent(run: Any) -> str:
        with pytest.raises((TypeError, ValueError)):
            run.call_tool("get_ticket", given)
        return "as expected"

    result = desk.run("close-one", agent=agent)
    assert (result.output, result.tool_calls) == ("as expected", 0)


def test_what_an_agent_passed_and_got_is_its_own(desk: Environment) -> None:
    """Changing an argument or a result later changes neither the world nor the record of the call."""
    given: dict[str, Any] = {"ticketId": "T-001", "newAgentId": "AG-01", "others": ["T-002"], "actingAgentId": "AG-02"}

    def agent(run: Any) -> Any:
        run.call_tool("reassign_tickets", given)
        given["others"].append("T-003")
        ticket = run.call_tool("get_ticket", {"ticketId": "T-001"})["output"]
        ticket["subject"] = "changed"
        return run.call_tool("get_ticket", {"ticketId": "T-001"})["output"]["subject"]

    result = desk.run("close-one", agent=agent)
    assert result.output != "changed"


def test_calls_from_several_threads_run_one_after_the_other(desk: Environment) -> None:
    def agent(run: Any) -> int:
        given = {"subject": "Help", "customerId": "CU-001", "agentId": "AG-01", "actingAgentId": "AG-01"}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: run.call_tool("create_ticket", given), range(40)))
        return len({answer["output"]["created"]["id"] for answer in answers})

    result = desk.run("close-one", agent=agent)
    assert (result.output, result.tool_calls) == ("40", 40)
    assert len(result.diff["collections"]["tickets"]["added"]) == 40


def test_call_after_the_rollout_does_not_run(desk: Environment) -> None:
    """A thread that the function left behind can do nothing more to the world."""
    later: list[str] = []
    ended = threading.Event()

    def agent(run: Any) -> str:
        def linger() -> None:
            ended.wait(5)
            try:
                run.call_tool("close_ticket", CLOSE)
            except Exception as wrong:
                later.append(type(wrong).__name__)

        threading.Thread(target=linger, daemon=True).start()
        return "done"

    result = desk.run("close-one", agent=agent)
    ended.set()
    until = time.monotonic() + 5
    while not later and time.monotonic() < until:
        time.sleep(0.01)
    assert later == ["RunStopped"]
    assert (result.tool_calls, result.diff["collections"]) == (0, {})
