"""A small process that starts agents: it forks or executes one at a time, and leaves none of their children behind.

It runs apart from the engine, which holds the world: a fork of that would be slow and would share its memory. It
reads lines of JSON from a socket, over which it also gets four descriptors for each start (what the agent reads from,
what it writes to, its log, and one that is closed when it has ended), and does them in order:

    {"start": {"python": file} or {"exec": [program, …]}, "number": n, "cwd": folder}
    {"end": n, "linger": seconds, "preload": file or null, "said": file}
    and answers    {"ended": n, "status": as wait(2) has it, or null where it had to be killed}

Only the standard library is imported. When the engine is gone, so are the agents and their folder.

Every line that runs between a fork and its agent touches pages that must then be copied, which is most of what a
start costs; so what can be done before the fork is done there.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the plain one: that of `signal` makes enums, in every fork
import contextlib
import fcntl
import gc
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from silo_decl.engine import child

READ_FD, WRITE_FD = 3, 4
PRELOAD_SECONDS = 10
_LOOK_SECONDS = 0.002
_DEATH_SIGNAL, _SUBREAPER, _KILL = 1, 36, 9

# Run with -P, so that no file of the folder the engine was started in stands in for a module. The package is the one
# the engine is of, wherever that is.
_BOOT = """\
import sys
root, module = sys.argv[1:3]
del sys.argv[1:3]
sys.path.insert(0, root)
import silo_decl
sys.path.remove(root)
__import__(module, fromlist=["main"]).main()
"""
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120


def python_command(module: str, *arguments: str) -> list[str]:
    """The command that runs `main` of one of our modules in a Python of its own."""
    return [sys.executable, "-P", "-c", _BOOT, _ROOT, module, *arguments]


class Zygote:
    """The parent of the agents of one worker. `modules` are agents' modules that are loaded already.

    `cold` are agents that must not be loaded here, because what they hold open or start does not survive a fork.
    """

    def __init__(self, link: socket.socket, tie: Callable[..., object]):
        self.link = link
        self.tie = tie
        self.leaving = False
        self.pids: dict[int, int] = {}
        self.alive: dict[int, int] = {}
        self.modules: dict[str, tuple[ModuleType, bytes]] = {}
        self.cold: set[str] = set()

    def leave(self, *unused: object) -> None:
        """What SIGTERM asks."""
        self.leaving = True
        raise SystemExit

    def serve(self) -> None:
        """Do what is asked until the engine is gone; then end what is left."""
        try:
            self._serve()
        finally:
            for number in list(self.pids):
                self.end(number, 0)

    def _serve(self) -> None:
        buffer, descriptors = b"", list[int]()
        while True:
            try:
                data, more, _, _ = socket.recv_fds(self.link, 1 << 20, 16)
            except OSError:
                return
            if not data:
                return
            buffer += data
            descriptors += more
            while b"\n" in buffer:
                line, _, buffer = buffer.partition(b"\n")
                self.do(json.loads(line), descriptors)

    def do(self, request: dict[str, Any], descriptors: list[int]) -> None:
        if "start" in request:
            *theirs, alive = descriptors[:4]
            del descriptors[:4]
            number = request["number"]
            self.alive[number] = alive
            self.pids[number] = self.start(request, theirs)
            for descriptor in theirs:
                os.close(descriptor)
            self.notice()
            return
        status = self.end(request["end"], request["linger"])
        self.link.sendall(json.dumps({"ended": request["end"], "status": status}).encode() + b"\n")
        if request["preload"] is not None:
            self.preload(request["preload"], request["said"])

    # -- starting -------------------------------------------------------------------------------------------

    def start(self, request: dict[str, Any], descriptors: list[int]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                self.become_agent(request, descriptors, parent)
            except BaseException as wrong:
                with contextlib.suppress(BaseException):
                    print(f"The agent could not be started: {wrong}", file=sys.stderr, flush=True)
                    message = {"type": "error", "message": f"It could not be started: {wrong}."}
                    os.write(WRITE_FD, json.dumps(message).encode() + b"\n")
            finally:
                with contextlib.suppress(BaseException):
                    sys.stdout.flush()
                    sys.stderr.flush()
                os._exit(0)
        return pid

    def become_agent(self, request: dict[str, Any], descriptors: list[int], parent: int) -> None:
        """Turn this fork into the agent: a session of its own, its descriptors and nothing else."""
        os.setsid()
        self.tie(_DEATH_SIGNAL, _KILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)
        self.link.detach()
        _take(*descriptors)
        for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGCHLD):
            _signal.signal(number, _signal.SIG_DFL)
        os.chdir(request["cwd"])
        what = request["start"]
        if "exec" in what:
            _execute(what["exec"])
        path = what["python"]
        if path in self.cold:
            _execute(python_command("silo_decl.engine.child", path))
        module, said = self.modules.get(path, (None, b""))
        if said:
            os.write(1, said)
        if "random" in sys.modules:
            sys.modules["random"].seed()
        child.serve(path, READ_FD, WRITE_FD, module)

    # -- ending ---------------------------------------------------------------------------------------------

    def notice(self, *unused: object) -> None:
        """Tell the engine of agents that have ended, also where their children hold what they spoke through."""
        for number in list(self.alive):
            pid = self.pids.get(number)
            if pid is not None and hasattr(os, "waitid") and _has_ended(pid, 0):
                self.forget_alive(number)

    def forget_alive(self, number: int) -> None:
        """Close what tells the engine that an agent is there; a signal may have come first."""
        descriptor = self.alive.pop(number, None)
        if descriptor is not None:
            os.close(descriptor)

    def end(self, number: int, linger: float) -> int | None:
        """Kill what is left of an agent and of what it started; gives its status where it had ended by itself.

        `linger` is how many seconds it has for that.
        """
        pid = self.pids.pop(number, None)
        if pid is None:
            return 0
        self.forget_alive(number)
        by_itself = _has_ended(pid, linger)
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        self.end_orphans()
        return status if by_itself else None

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

    # -- loading ahead --------------------------------------------------------------------------------------

    def preload(self, path: str, said: str) -> None:
        """Load an agent's module, so that each of its forks has it; what it prints meanwhile is kept for them."""
        if path in self.modules or path in self.cold:
            return
        self.cold.add(path)
        file = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        with _printing_to(file), _at_most(PRELOAD_SECONDS), contextlib.suppress(BaseException):
            before = _holdings(self.pids)
            module = child.load(path)
            sys.stdout.flush()
            sys.stderr.flush()
            if _holdings(self.pids) == before:
                self.modules[path] = (module, os.pread(file, os.fstat(file).st_size, 0))
                self.cold.remove(path)
                gc.freeze()
        os.close(file)
        self.end_orphans()
        if self.leaving:
            raise SystemExit


def _take(read: int, write: int, log: int) -> None:
    """Read from 3, write to 4, print to the log; nothing else stays open."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.dup2(read, READ_FD)
    os.dup2(write, WRITE_FD)
    os.closerange(5, 256)


def _made_ready(link: int) -> int:
    """Do what is the same for all agents, and keep the numbers of their descriptors; gives the link's new one."""
    moved = fcntl.fcntl(link, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(link)
    for descriptor in (READ_FD, WRITE_FD):
        os.dup2(0, descriptor, inheritable=False)
    os.environ["SILO_READ_FD"], os.environ["SILO_WRITE_FD"] = str(READ_FD), str(WRITE_FD)
    child.print_at_once()
    return moved


def _execute(command: list[str]) -> None:
    """Become another program, with signals as a program expects to find them."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


def _has_ended(pid: int, linger: float) -> bool:
    """Whether a child has ended, or does within `linger` seconds; it is still to be waited for."""
    if not hasattr(os, "waitid"):
        return True
    until = time.monotonic() + linger
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


@contextlib.contextmanager
def _printing_to(file: int) -> Any:
    saved = [os.dup(1), os.dup(2)]
    os.dup2(file, 1)
    os.dup2(file, 2)
    try:
        yield
    finally:
        for number, descriptor in enumerate(saved, 1):
            os.dup2(descriptor, number)
            os.close(descriptor)


@contextlib.contextmanager
def _at_most(seconds: int) -> Any:
    """Give up what takes longer, with a TimeoutError."""

    def give_up(*unused: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _holdings(agents: dict[int, int]) -> tuple[int, list[str], set[int]]:
    """What a fork would lose or share: threads, open descriptors, children that are no agents."""
    return _threads(), sorted(os.listdir("/dev/fd")), set(_children()) - set(agents.values())  # noqa: PTH208


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


def _system_ties() -> Callable[..., object]:
    """The call that ties processes together on Linux: orphans come to this process, and agents end with it."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            tie: Callable[..., object] = ctypes.CDLL(None).prctl
            tie(_SUBREAPER, 1, 0, 0, 0)
            return tie
    return lambda *words: None


def main() -> None:
    """Serve the engine over the socket of this number; the agents' folder goes when it does."""
    number, home = sys.argv[1:3]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    link = socket.socket(fileno=_made_ready(int(number)))
    zygote = Zygote(link, _system_ties())
    gc.freeze()
    signal.signal(signal.SIGTERM, zygote.leave)
    signal.signal(signal.SIGCHLD, zygote.notice)
    try:
        zygote.serve()
    finally:
        import shutil

        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
