"""A small process that starts agents: it forks or executes one at a time, and leaves none of their children behind.

It runs apart from the engine, which holds the world: a fork of that would be slow and would share its memory. It
speaks lines of JSON over a socket, over which it also gets the descriptors of each agent. Only the standard library
is imported.

    {"start": {"python": file} or {"exec": [program, …]}, "cwd": folder}  with 3 descriptors  ->  {"pid": number}
    {"end": pid, "preload": file or null}  ->  {"status": number}
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import random
import signal
import socket
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from silo_decl.engine import child

READ_FD, WRITE_FD = 3, 4
_SUBREAPER = 36


class Zygote:
    """The parent of the agents of one worker. `modules` are agents' modules that are loaded already."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.modules: dict[str, tuple[ModuleType, bytes]] = {}
        self.cold: set[str] = set()

    def serve(self) -> None:
        """Answer requests until the engine is gone."""
        while True:
            data, descriptors, _, _ = socket.recv_fds(self.link, 1 << 20, 3)
            if not data:
                return
            request = json.loads(data)
            if "start" in request:
                pid = self.start(request, descriptors)
                for descriptor in descriptors:
                    os.close(descriptor)
                self.reply({"pid": pid})
            else:
                self.reply({"status": self.end(request["end"])})
                self.preload(request.get("preload"))

    def reply(self, message: dict[str, Any]) -> None:
        self.link.sendall(json.dumps(message).encode())

    def start(self, request: dict[str, Any], descriptors: list[int]) -> int:
        pid = os.fork()
        if pid == 0:
            try:
                self.become_agent(request, descriptors)
            except BaseException as wrong:
                with contextlib.suppress(BaseException):
                    print(f"The agent could not be started: {wrong}", file=sys.stderr, flush=True)
                    message = {"type": "error", "message": f"it could not be started: {wrong}"}
                    os.write(WRITE_FD, json.dumps(message).encode() + b"\n")
            finally:
                with contextlib.suppress(BaseException):
                    sys.stdout.flush()
                    sys.stderr.flush()
                os._exit(0)
        return pid

    def become_agent(self, request: dict[str, Any], descriptors: list[int]) -> None:
        """Turn this fork into the agent: a session of its own, its descriptors and nothing else."""
        os.setsid()
        self.link.close()
        _take(descriptors)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(request["cwd"])
        os.environ["SILO_READ_FD"], os.environ["SILO_WRITE_FD"] = str(READ_FD), str(WRITE_FD)
        what = request["start"]
        if "exec" in what:
            os.execvp(what["exec"][0], what["exec"])
        path = what["python"]
        if path in self.cold:
            os.execv(sys.executable, [sys.executable, "-m", "silo_decl.engine.child", path])
        module, said = self.modules.get(path, (None, b""))
        if said:
            os.write(1, said)
        random.seed()
        child.serve(path, READ_FD, WRITE_FD, module)

    def end(self, pid: int) -> int:
        """Kill what is left of an agent and of what it started; gives its status."""
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        self.end_orphans()
        return status

    def end_orphans(self) -> None:
        """Children of agents that left their session came to this process; there is no other one."""
        for _ in range(100):
            left = _children()
            if not left:
                return
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def preload(self, path: str | None) -> None:
        """Load an agent's module, so that each of its forks has it; what it prints meanwhile is kept for them."""
        if path is None or path in self.modules or path in self.cold:
            return
        with tempfile.TemporaryFile() as said:
            saved = [os.dup(1), os.dup(2)]
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            try:
                module = child.load(path)
                sys.stdout.flush()
                sys.stderr.flush()
                alone = threading.active_count() == 1 and _threads() == 1
            except BaseException:
                alone = False
            finally:
                for number, descriptor in enumerate(saved, 1):
                    os.dup2(descriptor, number)
                    os.close(descriptor)
            said.seek(0)
            if alone:
                self.modules[path] = (module, said.read())
            else:
                self.cold.add(path)


def _take(descriptors: list[int]) -> None:
    """Read from 3, write to 4, print to the log; nothing else stays open."""
    moved = [os.dup(descriptor) for descriptor in descriptors]
    high = [_above(descriptor) for descriptor in moved]
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for source, target in zip((high[2], high[2], high[0], high[1]), (1, 2, READ_FD, WRITE_FD)):
        os.dup2(source, target, inheritable=True)
    os.closerange(5, 256)


def _above(descriptor: int) -> int:
    """The same descriptor with a number above those that are about to be used."""
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD, 20)


def _children() -> list[int]:
    try:
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii")
        return [int(pid) for pid in listed.split()]
    except OSError:
        return []


def _threads() -> int:
    try:
        return sum(1 for _ in Path("/proc/self/task").iterdir())
    except OSError:
        return 1


def _adopt_orphans() -> None:
    """Ask that processes whose parent died come to this one (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _adopt_orphans()
    Zygote(socket.socket(fileno=int(sys.argv[1]))).serve()


if __name__ == "__main__":
    main()
