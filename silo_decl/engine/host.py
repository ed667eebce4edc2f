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
from silo_decl.engine.protocol import LineChannel, TimeUpError

_START_SECONDS = 30.0


class AgentProcess:
    """One process of an agent: its channel, and the file its prints go to."""

    def __init__(self, pid: int, channel: LineChannel, log: Path):
        self.pid = pid
        self.channel = channel
        self.log = log


class AgentHost:
    """Starts and ends the processes of one agent, one at a time."""

    def __init__(self, agent: AgentSpec):
        self.agent = agent
        self._home = Path(tempfile.mkdtemp(prefix="silo-agent-"))
        self._cwd = self._home / "cwd"
        self._cwd.mkdir()
        self._log = self._home / "agent.log"
        self._zygote: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._told = 0
        self._running: AgentProcess | None = None

    def __enter__(self) -> AgentHost:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.close()

    def start(self, deadline: float) -> AgentProcess:
        """A fresh process of the agent. Raises TimeUpError where it does not start in time."""
        self._ready()
        to_agent, from_agent = os.pipe(), os.pipe()
        log = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        self._told = 0
        what: dict[str, Any] = (
            {"exec": self.agent.command} if self.agent.path is None else {"python": str(self.agent.path)}
        )
        request = json.dumps({"start": what, "cwd": str(self._cwd)}).encode()
        theirs = [to_agent[0], from_agent[1], log]
        try:
            assert self._link is not None
            socket.send_fds(self._link, [request], theirs)
            reply = self._reply(max(deadline, time.monotonic() + _START_SECONDS))
        except BaseException:
            os.close(to_agent[1])
            os.close(from_agent[0])
            self._abandon()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self._running = AgentProcess(reply["pid"], LineChannel(from_agent[0], to_agent[1]), self._log)
        return self._running

    def channel(self, deadline: float, reuse: bool) -> LineChannel:
        """The channel to a process that waits for a task: a fresh one, or with `reuse` the one that is there."""
        if reuse and self.agent.reusable and self._running is not None:
            return self._running.channel
        self.end()
        return self.start(deadline).channel

    def end(self, preload: bool = False) -> int:
        """Kill the present process with everything it started; gives its status as wait(2) has it.

        `preload` says that the agent is fit to be loaded once for the forks to come.
        """
        running, self._running = self._running, None
        if running is None or self._link is None:
            return 0
        running.channel.close()
        path = str(self.agent.path) if preload and self.agent.path is not None else None
        try:
            self._link.sendall(json.dumps({"end": running.pid, "preload": path}).encode())
            status = int(self._reply(time.monotonic() + _START_SECONDS)["status"])
        except (TimeUpError, OSError):
            self._abandon()
            return 0
        self._tidy()
        return status

    def log_text(self) -> bytes:
        """What the agent printed since this was last asked."""
        try:
            with self._log.open("rb") as file:
                file.seek(self._told)
                said = file.read()
        except OSError:
            return b""
        self._told += len(said)
        return said

    def close(self) -> None:
        """End the agent, its zygote and its folder."""
        self.end()
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._zygote is not None:
            try:
                self._zygote.wait(timeout=2)
            except subprocess.TimeoutExpired:
                self._zygote.kill()
                self._zygote.wait()
            self._zygote = None
        shutil.rmtree(self._home, ignore_errors=True)

    def _ready(self) -> None:
        if self._zygote is not None and self._zygote.poll() is None:
            return
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

    def _reply(self, deadline: float) -> dict[str, Any]:
        assert self._link is not None
        if not select.select([self._link], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeUpError
        data = self._link.recv(1 << 16)
        if not data:
            raise OSError("the process that starts agents is gone")
        reply: dict[str, Any] = json.loads(data)
        return reply

    def _abandon(self) -> None:
        """Give up a zygote that does not answer; the next start makes a new one."""
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote.wait()
            self._zygote = None
        if self._link is not None:
            self._link.close()
            self._link = None

    def _tidy(self) -> None:
        """The next agent begins in an empty folder too."""
        with contextlib.suppress(OSError):
            for left in os.scandir(self._cwd):
                if left.is_dir(follow_symlinks=False):
                    shutil.rmtree(left.path, ignore_errors=True)
                else:
                    Path(left.path).unlink()
