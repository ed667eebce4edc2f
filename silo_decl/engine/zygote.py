"""A small process that starts agents: it forks or executes one at a time, and leaves none of their children behind.

It runs apart from the engine, which holds the world: a fork of that would be slow and would share its memory. It
reads lines of JSON from a socket, over which it also gets three descriptors for each start, and does them in order:

    {"start": {"python": file} or {"exec": [program, …]}, "number": n, "cwd": folder}
    {"end": n, "preload": file or null, "said": file}    and answers    {"ended": n, "status": as wait(2) has it}

Only the standard library is imported. When the engine is gone, so are the agents.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import sys
from types import ModuleType
from typing import Any

from silo_decl.engine import child

READ_FD, WRITE_FD = 3, 4
_SUBREAPER = 36


class Zygote:
    """The parent of the agents of one worker. `modules` are agents' modules that are loaded already."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.pids: dict[int, int] = {}
        self.modules: dict[str, tuple[ModuleType, bytes]] = {}
        self.cold: set[str] = set()

    def serve(self) -> None:
        """Do what is asked until the engine is gone; then end what is left."""
        buffer, descriptors = b"", list[int]()
        while True:
            try:
                data, more, _, _ = socket.recv_fds(self.link, 1 << 20, 12)
            except OSError:
                data, more = b"", []
            if not data:
                break
            buffer += data
            descriptors += more
            while b"\n" in buffer:
                line, _, buffer = buffer.partition(b"\n")
                self.do(json.loads(line), descriptors)
        for number in list(self.pids):
            self.end(number)

    def do(self, request: dict[str, Any], descriptors: list[int]) -> None:
        if "start" in request:
            mine = descriptors[:3]
            del descriptors[:3]
            self.pids[request["number"]] = self.start(request, mine)
            for descriptor in mine:
                os.close(descriptor)
            return
        status = self.end(request["end"])
        self.link.sendall(json.dumps({"ended": request["end"], "status": status}).encode() + b"\n")
        self.preload(request.get("preload"), request.get("said"))

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
        if "random" in sys.modules:
            sys.modules["random"].seed()
        child.serve(path, READ_FD, WRITE_FD, module)

    def end(self, number: int) -> int:
        """Kill what is left of an agent and of what it started; gives its status."""
        pid = self.pids.pop(number, None)
        if pid is None:
            return 0
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        self.end_orphans()
        return status

    def end_orphans(self) -> None:
        """Processes of agents that left their session came to this one; no other child is unknown to it."""
        for _ in range(100):
            left = [pid for pid in _children() if pid not in self.pids.values()]
            if not left:
                return
            for pid in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def preload(self, path: str | None, said: str | None) -> None:
        """Load an agent's module, so that each of its forks has it; what it prints meanwhile is kept for them."""
        if path is None or said is None or path in self.modules or path in self.cold:
            return
        saved = [os.dup(1), os.dup(2)]
        file = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, 1)
        os.dup2(file, 2)
        try:
            module = child.load(path)
            sys.stdout.flush()
            sys.stderr.flush()
            alone = _threads() == 1
        except BaseException:
            alone = False
        finally:
            for number, descriptor in enumerate(saved, 1):
                os.dup2(descriptor, number)
                os.close(descriptor)
        size = os.fstat(file).st_size
        if alone:
            self.modules[path] = (module, os.pread(file, size, 0))
        else:
            self.cold.add(path)
        os.close(file)


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
        file = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)
    except OSError:
        return []
    try:
        return [int(pid) for pid in os.read(file, 1 << 16).split()]
    finally:
        os.close(file)


def _threads() -> int:
    """How many threads this process has; where the system does not tell, what Python knows of."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except OSError:
        threading = sys.modules.get("threading")
        return threading.active_count() if threading is not None else 1


def _adopt_orphans() -> None:
    """Ask that processes whose parent died come to this one (Linux)."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _adopt_orphans()
    Zygote(socket.socket(fileno=int(sys.argv[1]))).serve()


if __name__ == "__main__":
    main()
