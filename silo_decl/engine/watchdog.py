"""Raises an exception in code of this process that works for too long. One thread watches over all.

A module of its own because raising in another thread is delicate: it must not hit the engine in the middle of a
tool call, nor after the code that was watched.
"""

from __future__ import annotations

import ctypes
import threading
import time


class OverdueError(BaseException):
    """Raised inside code that did not end in time; not an Exception, so that it is not taken for an ordinary one."""


class Alarm:
    """The watch over one piece of code, run by the thread that makes it. It cannot go off while `lock` is held."""

    def __init__(self, due: float, lock: threading.Lock):
        self.due = due
        self.lock = lock
        self.over = False
        self._thread = threading.get_ident()

    def go_off(self) -> None:
        with self.lock:
            if not self.over:
                self.over = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(OverdueError))


class Watchdog:
    """Alarms that are armed. Arming is cheap: the thread is woken only for what is due before its next look."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._alarms: set[Alarm] = set()
        self._next_look = float("inf")
        self._thread: threading.Thread | None = None

    def arm(self, alarm: Alarm) -> None:
        """Watch, or take note that an alarm is due earlier."""
        with self._changed:
            self._alarms.add(alarm)
            if self._thread is None or not self._thread.is_alive():
                self._next_look = alarm.due
                self._thread = threading.Thread(target=self._watch, daemon=True, name="silo-watchdog")
                self._thread.start()
            elif alarm.due < self._next_look:
                self._changed.notify()

    def disarm(self, alarm: Alarm) -> None:
        """Watch no more. Once it is done, the alarm does not go off."""
        with self._changed:
            self._alarms.discard(alarm)
        with alarm.lock:
            alarm.over = True

    def _watch(self) -> None:
        while True:
            for alarm in self._due():
                alarm.go_off()

    def _due(self) -> list[Alarm]:
        with self._changed:
            now = time.monotonic()
            due = [alarm for alarm in self._alarms if alarm.due <= now]
            self._alarms.difference_update(due)
            if not due:
                self._next_look = min((alarm.due for alarm in self._alarms), default=float("inf"))
                self._changed.wait(None if self._next_look == float("inf") else self._next_look - now)
            return due


WATCHDOG = Watchdog()
