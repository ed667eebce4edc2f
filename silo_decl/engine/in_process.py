"""An agent that is a function of this process: for trying out and for tests, without a wall around it.

The limits hold as far as they can without a process to kill: a function that goes on is raised out of, but one that
waits in a call of the system (a sleep, a socket) only once that returns. An agent in a file has no such way out.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from silo_decl.engine.child import Answer, described, output_of
from silo_decl.engine.session import AGENT_ERROR, COMPLETED, TIMEOUT, Ending, Session, answer_of, json_of
from silo_decl.engine.watchdog import WATCHDOG, Alarm, OverdueError
from silo_decl.errors import RunStopped
from silo_decl.trace import decoded


class Signal:
    """`aborted` turns true when a limit of the rollout is passed."""

    def __init__(self, session: Session):
        self._session = session

    @property
    def aborted(self) -> bool:
        return self._session.stopped is not None or time.monotonic() >= self._session.deadline


class Run:
    """What a function gets: the same members as an agent in a process of its own.

    `call_tool` may be used from several threads; arguments and results are copies, as if they had been sent.
    """

    def __init__(self, session: Session, task: str, tools: Sequence[dict[str, Any]]):
        self._session = session
        self._alarm = Alarm(session.deadline + session.limits.grace_ms / 1000, threading.Lock())
        self.task = task
        self.tools = [
            {"name": one["name"], "description": one["description"], "input_schema": one["inputSchema"]}
            for one in tools
        ]
        self.signal = Signal(session)

    def call_tool(self, name: str, input: dict[str, Any] | None = None) -> Answer:
        """Call a tool: `{"output": …}`, with `"is_error": True` when it refused. Raises RunStopped after a limit."""
        encoded = json_of({} if input is None else input)
        with self._alarm.lock:
            if self._alarm.over:
                raise RunStopped(self._session.stopped or COMPLETED)
            stopped_before = self._session.stopped
            try:
                return Answer(answer_of(self._session.call(name, decoded(encoded), encoded)))
            except RunStopped:
                if stopped_before is None:
                    self._alarm.due = time.monotonic() + self._session.limits.grace_ms / 1000
                    WATCHDOG.arm(self._alarm)
                raise

    callTool = call_tool

    def finish(self, function: Callable[[Any], Any]) -> Any:
        """What the function returns. Raises OverdueError where it did not in time."""
        WATCHDOG.arm(self._alarm)
        try:
            value = function(self)
            if hasattr(value, "__await__"):
                value = _waited_for(value, self._alarm.due)
        finally:
            WATCHDOG.disarm(self._alarm)
        return value


def run_function(
    function: Callable[[Any], Any], session: Session, task: str, tools: Sequence[dict[str, Any]]
) -> Ending:
    """Call the function and take what it returns, raises, or leaves undone. What broke in a call is raised again."""
    ending = _ending(function, session, task, tools)
    if session.broke is not None:
        raise session.broke
    return ending


def _ending(function: Callable[[Any], Any], session: Session, task: str, tools: Sequence[dict[str, Any]]) -> Ending:
    try:
        value = Run(session, task, tools).finish(function)
        return Ending(_stop_of(session) or COMPLETED, output_of(value))
    except (RunStopped, OverdueError, TimeoutError) as wrong:
        reason = _stop_of(session)
        return Ending(reason) if reason is not None else _failed(wrong, session)
    except KeyboardInterrupt:
        raise
    except BaseException as wrong:
        return _failed(wrong, session)


def _stop_of(session: Session) -> str | None:
    """The limit that was passed, also where no call was there to notice that the time is up."""
    if session.stopped is None and time.monotonic() >= session.deadline:
        session.stopped = TIMEOUT
    return session.stopped


def _failed(wrong: BaseException, session: Session) -> Ending:
    log = "".join(traceback.format_exception(wrong)).encode("utf-8", "replace")
    return Ending(_stop_of(session) or AGENT_ERROR, message=described(wrong), log=log)


def _waited_for(value: Coroutine[Any, Any, Any], due: float) -> Any:
    """The result of an async function, also where this thread has an event loop that runs already (a notebook)."""
    import asyncio  # heavy, and plain functions do without

    async def wait() -> Any:
        return await asyncio.wait_for(value, max(0.0, due - time.monotonic()))

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    return _in_a_thread(lambda: asyncio.run(wait()))


def _in_a_thread(work: Callable[[], Any]) -> Any:
    results: list[Any] = []
    failures: list[BaseException] = []

    def do() -> None:
        try:
            results.append(work())
        except BaseException as wrong:
            failures.append(wrong)

    thread = threading.Thread(target=do, daemon=True, name="silo-agent")
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
