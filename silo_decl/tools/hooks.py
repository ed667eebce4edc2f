"""Hooks: functions of an environment that tools and checks call, and what becomes of what they raise and return."""

from __future__ import annotations

import inspect
import math
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from silo_decl.errors import Problem, RunStopped, SiloError, ToolError
from silo_decl.expressions.records import CollectionLike, RecordLike
from silo_decl.specs.source import At
from silo_decl.tools.hook_modules import HookModules
from silo_decl.world.store import World

DEEPEST = 200


class HookError(Exception):
    """A hook failed by a mistake of its own. `place` says which one, `trace` is for its author."""

    def __init__(self, hook: str, message: str, trace: str = ""):
        self.place = f"hook {hook}"
        self.trace = trace
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Hook:
    """One function of the hooks, by its written name."""

    name: str
    function: Callable[..., Any]
    folder: Path

    def write(self, world: World, given: Any) -> Any:
        """Run it on a world that it may change; gives plain values. Raises ToolError and HookError."""
        result = self.plain(self.run(world, given))
        self._answering(world.hooks.write_back)
        return result

    def read(self, world: World, given: Any) -> Any:
        """Run it on a world that it must not change."""
        with world.reading():
            return self.write(world, given)

    def run(self, *values: Any) -> Any:
        """What the function returns, as it is."""
        return self._answering(self.function, *values)

    def _answering(self, work: Callable[..., Any], *values: Any) -> Any:
        """Do something for which the hook answers."""
        try:
            return work(*values)
        except (ToolError, RunStopped):
            raise
        except (Exception, SystemExit) as wrong:
            raise HookError(self.name, _said(wrong), trace_of(wrong, self.folder)) from wrong

    def plain(self, value: Any) -> Any:
        """A copy in plain JSON values; records as their stored fields."""
        try:
            return _plain(value, 0)
        except _NotJsonError as wrong:
            raise HookError(self.name, str(wrong)) from None


def _said(wrong: BaseException) -> str:
    """An error as the author of a hook reads it; what the world itself says needs no class name."""
    if isinstance(wrong, SiloError):
        return str(wrong)
    return f"{type(wrong).__name__}: {wrong}" if str(wrong) else type(wrong).__name__


class _NotJsonError(Exception):
    pass


def _plain(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NotJsonError(f"It returned the number {value}, which JSON cannot hold.")
        return value
    if depth > DEEPEST:
        raise _NotJsonError("What it returned is nested too deeply, or contains itself.")
    return _plain_container(value, depth)


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _NotJsonError("It returned a text with half of a character pair, which JSON cannot hold.") from None
    return str(value)


def _plain_container(value: Any, depth: int) -> Any:
    if isinstance(value, RecordLike):
        return _plain(value.plain(), depth)
    if isinstance(value, (list, tuple, CollectionLike)):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise _NotJsonError(f"It returned an object with the key {key!r}; keys are texts.")
        return {_text(key): _plain(inner, depth + 1) for key, inner in value.items()}
    raise _NotJsonError(f"It returned a {type(value).__name__}, which JSON cannot hold.")


def trace_of(wrong: BaseException, folder: Path) -> str:
    """The traceback from the first line under the folder on: what the author of a hook can use."""
    trace = wrong.__traceback__
    while trace is not None and not _is_under(trace.tb_frame.f_code.co_filename, folder):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(wrong), wrong, trace or wrong.__traceback__))


def _is_under(name: str, folder: Path) -> bool:
    return Path(name).is_relative_to(folder)


# -- finding them -------------------------------------------------------------------------------------------


@dataclass
class Hooks:
    """The hooks of one environment. A module that cannot be loaded is told once."""

    root: Path
    _modules: HookModules = field(init=False)
    _broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._modules = HookModules(self.root / "hooks")

    def hook(self, name: str, at: At, problems: list[Problem]) -> Hook | None:
        """The hook written at `at` as module.function; None where it cannot be had.

        A file or a function that is not there, or cannot be read, was told when the files were looked over.
        """
        module, _, function_name = name.rpartition(".")
        if module in self._broken or not self._modules.path(module).is_file():
            return None
        try:
            loaded = self._modules.load(module)
        except (Exception, SystemExit) as wrong:
            self._broken.add(module)
            if not isinstance(wrong, SyntaxError) or wrong.filename != str(self._modules.path(module)):
                problems.append(self._cannot_load(module, wrong))
            return None
        function = getattr(loaded, function_name, None)
        if not callable(function):
            return None
        if inspect.iscoroutinefunction(function):
            said = f"The function '{function_name}' is 'async def'; hooks are ordinary functions."
            problems.append(at.problem("wrong-hook", said, f"Write it as: def {function_name}(world, input):"))
            return None
        return Hook(name, function, self._modules.folder)

    def _cannot_load(self, module: str, wrong: BaseException) -> Problem:
        file = f"hooks/{module.replace('.', '/')}.py"
        line = 0
        for frame in traceback.extract_tb(wrong.__traceback__):
            if _is_under(frame.filename, self._modules.folder):
                file = f"hooks/{Path(frame.filename).relative_to(self._modules.folder).as_posix()}"
                line = frame.lineno or 0
        said = f"Python cannot load this file: {type(wrong).__name__}: {wrong}."
        excerpt = _line(self.root / file, line)
        return Problem("hook-syntax", said, file, line, 1 if line else 0, excerpt=excerpt, mark=1 if excerpt else 0)


def _line(path: Path, line: int) -> str:
    try:
        return path.read_text("utf-8").splitlines()[line - 1] if line else ""
    except (OSError, UnicodeDecodeError, IndexError):
        return ""
