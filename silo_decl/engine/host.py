"""The agents of one worker: started by a zygote, each in a session and an empty folder of its own, and surely ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import AgentSpec
from silo_decl.engine.protocol import LineChannel

_PATIENCE_SECONDS = 30.0


class AgentProcess:
    """One process of an agent: its number, its channel, the file its prints go to and the folder it works in."""

    def __init__(self, number: int, channel: LineChannel, home: Path):
        self.number = number
        self.channel = channel
        self.log = home / f"{number}.log"
        self.cwd = home / f"{number}"
        self.told = 0


class AgentHost:
    """Starts and ends the processes of one agent. With `ahead`, the next one is made ready meanwhile."""

    def __init__(self, agent: AgentSpec, ahead: bool = False):
        self.agent = agent
        self.ahead = ahead
        self._home = Path(tempfile.mkdtemp(prefix="silo-agent-"))
        self._count = 0
        self._zygote: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._replies = b""
        self._running: AgentProcess | None = None
        self._last: AgentProcess | None = None
        self._waiting: AgentProcess | None = None
        self._ending: dict[int, AgentProcess] = {}

    def __enter__(self) -> AgentHost:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.close()

    def channel(self, reuse: bool) -> LineChannel:
        """The channel to a process that waits for a task: a fresh one, or with `reuse` the one that is there."""
        if not (reuse and self.agent.reusable and self._running is not None):
            self.end()
            self._last = self._running = self._waiting or self._started()
            self._waiting = self._started() if self.ahead else None
        assert self._running is not None
        return self._running.channel

    def end(self, preload: bool = False, wait: bool = False) -> int:
        """Kill the present process with everything it started; with `wait`, gives its status as wait(2) has it.

        `preload` says that the agent is fit to be loaded once for the forks to come.
        """
        running, self._running = self._running, None
        if running is None or self._link is None:
            return 0
        running.channel.close()
        path = str(self.agent.path) if preload and self.agent.path is not None else None
        self._ending[running.number] = running
        try:
            request = {"end": running.number, "preload": path, "said": str(self._home / "loaded.log")}
            self._link.sendall(json.dumps(request).encode() + b"\n")
            status = self._collect(running.number) if wait else self._collect(None)
        except OSError:
            self._abandon()
            return 0
        return status

    def log_text(self) -> bytes:
        """What the agent printed since this was last asked."""
        last = self._last
        if last is None:
            return b""
        try:
            with last.log.open("rb") as file:
                file.seek(last.told)
                said = file.read()
        except OSError:
            return b""
        last.told += len(said)
        return said

    def close(self) -> None:
        """End the agents, their zygote and their folder."""
        for process in (self._running, self._waiting):
            if process is not None:
                process.channel.close()
        self._running = self._waiting = None
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._zygote is not None:
            try:
                self._zygote.wait(timeout=_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._zygote.kill()
                self._zygote.wait()
            self._zygote = None
        shutil.rmtree(self._home, ignore_errors=True)

    # -- the zygote -----------------------------------------------------------------------------------------

    def _started(self) -> AgentProcess:
        self._ready()
        assert self._link is not None
        self._count += 1
        to_agent, from_agent = os.pipe(), os.pipe()
        process = AgentProcess(self._count, LineChannel(from_agent[0], to_agent[1]), self._home)
        process.cwd.mkdir()
        log = os.open(process.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        path = self.agent.path
        what: dict[str, Any] = {"exec": self.agent.command} if path is None else {"python": str(path)}
        request = {"start": what, "number": process.number, "cwd": str(process.cwd)}
        theirs = [to_agent[0], from_agent[1], log]
        try:
            socket.send_fds(self._link, [json.dumps(request).encode() + b"\n"], theirs)
        except OSError:
            process.channel.close()
            self._abandon()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return process

    def _ready(self) -> None:
        if self._zygote is not None and self._zygote.poll() is None:
            return
        self._abandon()
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "silo_decl.engine.zygote", str(theirs.fileno())]
        with theirs:
            self._zygote = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._link = ours

    def _collect(self, number: int | None) -> int:
        """Hear of processes that have ended, and tidy after them; waits for `number` where one is given."""
        assert self._link is not None
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            wait = max(0.0, until - time.monotonic()) if number is not None else 0.0
            if not select.select([self._link], [], [], wait)[0]:
                if number is None:
                    return 0
                raise OSError("the process that starts agents does not answer")
            data = self._link.recv(1 << 16)
            if not data:
                raise OSError("the process that starts agents is gone")
            *lines, self._replies = (self._replies + data).split(b"\n")
            for line in lines:
                reply = json.loads(line)
                self._tidy(self._ending.pop(reply["ended"], None))
                if reply["ended"] == number:
                    return int(reply["status"])

    def _abandon(self) -> None:
        """Give up a zygote that does not answer, or is gone; the next start makes a new one."""
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote.wait()
            self._zygote = None
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._waiting is not None:
            self._waiting.channel.close()
            self._waiting = None
        self._replies = b""
        self._ending.clear()

    def _tidy(self, process: AgentProcess | None) -> None:
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process is not self._last:
                process.log.unlink()
            process.cwd.rmdir()
            return
        shutil.rmtree(process.cwd, ignore_errors=True)
