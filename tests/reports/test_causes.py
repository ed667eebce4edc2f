"""Each sign of why a rollout failed, on a rollout that has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from silo_decl.reports.causes import Call, likely_cause
from tests.reports.desks import broken_desk, cause


def close(run: Any) -> Any:
    return run.call_tool("close_ticket", {"ticketId": "T-002", "actingAgentId": "AG-02"})


def test_rollout_that_passed_has_no_cause() -> None:
    def agent(run: Any) -> str:
        close(run)
        return "Closed T-002."

    assert cause(agent) == ""


def test_no_call_at_all() -> None:
    assert cause(lambda run: "Closed T-002.") == "The agent called no tool at all."


def test_same_call_again_and_again() -> None:
    def agent(run: Any) -> str:
        for _ in range(4):
            run.call_tool("get_ticket", {"ticketId": "T-002"})
        return "?"

    assert cause(agent) == "The same call of get_ticket with the same arguments was made 4 times."


def test_calls_with_other_arguments_are_not_the_same_call() -> None:
    def agent(run: Any) -> str:
        for number in (1, 2, 3, 4):
            run.call_tool("get_ticket", {"ticketId": f"T-00{number}"})
        return ""

    assert "same" not in cause(agent)


def test_errors_repeated_unread() -> None:
    def agent(run: Any) -> str:
        for number in (7, 8, 9):
            run.call_tool("get_ticket", {"ticketId": f"T-00{number}"})
        return "?"

    assert cause(agent) == "The error 'not_found' of get_ticket came 3 times in a row; the agent did not act on it."


def test_error_that_was_acted_on_is_no_cause() -> None:
    def agent(run: Any) -> str:
        for number in (7, 8, 9):
            run.call_tool("get_ticket", {"ticketId": f"T-00{number}"})
            run.call_tool("list_tickets", {"limit": number})
        return ""

    assert "in a row" not in cause(agent)


def test_answer_with_nothing_behind_it() -> None:
    def agent(run: Any) -> str:
        run.call_tool("get_ticket", {"ticketId": "T-002"})
        return "I closed T-002."

    assert cause(agent) == "There is an answer with nothing behind it: nothing in the world changed."


def test_wrong_answer_to_a_question_is_not_blamed_for_changing_nothing() -> None:
    def agent(run: Any) -> str:
        run.call_tool("list_tickets")
        return "There are 99 open tickets."

    assert cause(agent, "count-open") == ""


def test_limit_of_calls_reached_and_what_they_were() -> None:
    def agent(run: Any) -> None:
        while True:
            run.call_tool("list_tickets")

    assert cause(agent, max_tool_calls=5) == (
        "The limit of tool calls was reached. The same call of list_tickets with the same arguments was made 5 times."
    )


def test_limit_of_time_reached() -> None:
    def agent(run: Any) -> None:
        while not run.signal.aborted:
            pass

    assert cause(agent, timeout_ms=50) == "The time was up."


def test_agent_that_raised_or_died() -> None:
    def agent(run: Any) -> None:
        raise ValueError("no luck")

    assert cause(agent) == "The agent raised an error: ValueError: no luck. Its prints are in agent.log."
    died = {"passed": False, "terminationReason": "agent_crashed", "fault": {"of": "agent", "message": "Signal 9"}}
    assert likely_cause(died, [], {}) == "The agent died: Signal 9. Its prints are in agent.log."


def test_hook_that_raised(tmp_path: Path) -> None:
    environment = broken_desk(tmp_path, "return {}['nothing']")

    def agent(run: Any) -> str:
        close(run)
        return "Closed T-002."

    said = cause(agent, environment=environment)
    assert said.startswith("The world's own rules broke, not the agent: hook tickets.close: KeyError")


def test_machinery_that_broke() -> None:
    result = {"passed": False, "fault": {"of": "machinery", "where": "disk", "message": "No space left"}}
    assert likely_cause(result, [], {}) == "The machinery broke, so this says nothing about the agent: No space left"


def test_last_call_that_was_refused() -> None:
    def agent(run: Any) -> None:
        run.call_tool("close_ticket", {"ticketId": "T-004", "actingAgentId": "AG-02"})

    assert cause(agent).startswith("The last call, close_ticket, was refused: Ticket T-004 is closed and can no")


def test_surest_sign_comes_first() -> None:
    calls = [Call("list_tickets", {}, {"code": "not_found", "message": "No."}, True)] * 5
    result = {"passed": False, "terminationReason": "completed", "output": "Done", "fault": None, "checks": []}
    assert "came 5 times in a row" in likely_cause(result, calls, {})
    assert "limit" in likely_cause({**result, "terminationReason": "max_tool_calls"}, calls, {})
    assert "world" in likely_cause({**result, "fault": {"of": "world"}}, calls, {})


def test_result_of_which_little_is_known_is_no_trouble() -> None:
    assert likely_cause({}, [], {}) == "The agent called no tool at all."
    assert likely_cause({"passed": False, "fault": None}, [Call("a", {1: object()}, None, True)], {}) == ""
