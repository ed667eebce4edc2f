"""The agents of one worker: started by a zygote, each in a session and an empty folder of its own, and surely ended."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from silo_decl.engine.agent import AgentSpec
from silo_decl.engine.protocol import LineChannel
from silo_decl.engine.zygote import python_command

_PATIENCE_SECONDS = 30.0
_LONGEST_LOG = 8 * 2**20


class AgentsGoneError(OSError):
    """The process that starts agents cannot be reached: the machinery broke, or was told to stop."""


class Place:
    """The folder an agent works in and the file its prints go to, both empty when it starts.

    Making and removing files is half of what a start costs, so what an agent left as it was is given to a later one.
    """

    def __init__(self, home: Path, number: int):
        self.cwd = home / f"{number}"
        self.log = home / f"{number}.log"
        self.cwd.mkdir()

    def opened_log(self) -> int:
        return os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)

    def is_clean(self) -> bool:
        """Whether the folder is empty still, and one that its owner can use."""
        try:
            kind = self.cwd.lstat().st_mode
            return stat.S_ISDIR(kind) and kind & stat.S_IRWXU == stat.S_IRWXU and not any(self.cwd.iterdir())
        except OSError:
            return False

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self.log.unlink()
        if self.cwd.is_symlink():
            self.cwd.unlink()
        shutil.rmtree(self.cwd, ignore_errors=True)


class AgentProcess:
    """One process of an agent: its number, its channel, the file its prints go to and the folder it works in."""

    def __init__(self, number: int, channel: LineChannel, place: Place):
        self.number = number
        self.channel = channel
        self.place = place
        self.told = 0


class AgentHost:
    """Starts and ends the processes of one agent. With `ahead`, the next one is made ready meanwhile.

    `stopped` is whether another thread has ended it all.
    """

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
        self._ended: list[AgentProcess] = []
        self._preloads = True
        self.stopped = False

    def __enter__(self) -> AgentHost:
        return self

    def __exit__(self, *wrong: object) -> None:
        self.close()

    def channel(self, reuse: bool) -> LineChannel:
        """The channel to a process that waits for a task: a fresh one, or with `reuse` the one that is there."""
        running = self._running
        if not (reuse and self.agent.reusable and running is not None and running.channel.is_quiet()):
            self.end()
            self._last = self._running = self._waiting or self._started()
            self._waiting = self._started() if self.ahead else None
        assert self._running is not None
        return self._running.channel

    def stop(self) -> None:
        """End everything from another thread; whoever waits for an agent gets AgentsGoneError."""
        self.stopped = True
        if self._zygote is not None:
            self._zygote.terminate()

    def end(self, preload: bool = False, wait: bool = False, linger: float = 0.0) -> int | None:
        """Kill the present process with everything it started.

        With `wait`, gives its status as wait(2) has it, or None where it had not ended by itself within `linger`
        seconds; raises AgentsGoneError. `preload` says that the agent is fit to be loaded once for the forks to come.
        """
        running, self._running = self._running, None
        if running is None or self._link is None:
            return None
        running.channel.close()
        loads = preload and self._preloads and self.agent.path is not None
        self._ending[running.number] = running
        request = {
            "end": running.number,
            "linger": linger,
            "preload": str(self.agent.path) if loads else None,
            "said": str(self._home / "loaded.log"),
        }
        try:
            self._link.sendall(json.dumps(request).encode() + b"\n")
            return self._collect(running.number) if wait else self._collect(None)
        except OSError as wrong:
            self._abandon()
            if not wait:
                return None
            raise AgentsGoneError(f"the process that starts agents cannot be reached ({wrong})") from wrong

    def log_text(self) -> bytes:
        """What the agent printed since this was last asked; of very much only the beginning."""
        last = self._last
        if last is None:
            return b""
        try:
            with last.place.log.open("rb") as file:
                begin, last.told = last.told, file.seek(0, os.SEEK_END)
                file.seek(begin)
                said = file.read(min(_LONGEST_LOG, last.told - begin))
        except OSError:
            return b""
        more = last.told - begin - len(said)
        return said + f"\n(and {more} more bytes)\n".encode() if more else said

    def close(self) -> None:
        """End the agents, their zygote and their folder."""
        for process in (self._running, self._waiting):
            if process is not None:
                process.channel.close()
        self._running = self._waiting = None
        if self._link is not None:
            self._link.close()
            self._link = None
        self._wait_for_zygote()
        shutil.rmtree(self._home, ignore_errors=True)

    # -- the zygote -----------------------------------------------------------------------------------------

    def _started(self) -> AgentProcess:
        self._ready()
        assert self._link is not None
        self._count += 1
        place = self._place()
        to_agent, from_agent, alive = os.pipe(), os.pipe(), os.pipe()
        process = AgentProcess(self._count, LineChannel(from_agent[0], to_agent[1], alive[0]), place)
        log = place.opened_log()
        path = self.agent.path
        what: dict[str, Any] = {"exec": self.agent.command} if path is None else {"python": str(path)}
        request = {"start": what, "number": process.number, "cwd": str(place.cwd)}
        theirs = [to_agent[0], from_agent[1], log, alive[1]]
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
        if self.stopped:
            raise AgentsGoneError("it was stopped")
        if self._zygote is not None and self._zygote.poll() is None:
            return
        self._abandon()
        self._home.mkdir(exist_ok=True)
        ours, theirs = socket.socketpair()
        command = python_command("silo_decl.engine.zygote", str(theirs.fileno()), str(self._home))
        with theirs:
            self._zygote = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd=self._home,
            )
        self._link = ours

    def _wait_for_zygote(self) -> None:
        if self._zygote is None:
            return
        self._zygote.send_signal(signal.SIGCONT)  # an agent may have halted it
        try:
            self._zygote.wait(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._zygote.kill()
            self._zygote.wait()
        self._zygote = None

    def _collect(self, number: int | None) -> int | None:
        """Hear of processes that have ended, and tidy after them; waits for `number` where one is given."""
        assert self._link is not None
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            wait = max(0.0, until - time.monotonic()) if number is not None else 0.0
            if not select.select([self._link], [], [], wait)[0]:
                if number is None:
                    return None
                raise OSError("the process that starts agents does not answer")
            data = self._link.recv(1 << 16)
            if not data:
                raise OSError("the process that starts agents is gone")
            *lines, self._replies = (self._replies + data).split(b"\n")
            for line in lines:
                reply = json.loads(line)
                self._ended.append(self._ending.pop(reply["ended"]))
                if reply["ended"] == number:
                    status: int | None = reply["status"]
                    return status

    def _abandon(self) -> None:
        """Give up a zygote that does not answer, or is gone; the next start makes a new one."""
        if self._zygote is not None:
            self._preloads = False
            self._zygote.terminate()
            self._wait_for_zygote()
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._waiting is not None:
            self._waiting.channel.close()
            self._waiting = None
        self._replies = b""
        self._ending.clear()
        self._ended.clear()

    def _place(self) -> Place:
        """That of an agent that has ended, where it can be used again; one whose log may yet be read stays."""
        ended, self._ended = self._ended, [one for one in self._ended if one is self._last]
        clean: Place | None = None
        for process in ended:
            if process is self._last:
                continue
            if clean is None and process.place.is_clean():
                clean = process.place
            else:
                process.place.remove()
        return clean or Place(self._home, self._count)
