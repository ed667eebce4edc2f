"""One tool call: lookup, arguments, work inside a transaction, and a result that is written down once."""

from __future__ import annotations

import difflib
import json
import traceback
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from silo_decl.errors import ExpressionError, RunStopped, ToolError
from silo_decl.expressions.records import plain
from silo_decl.specs.source import At
from silo_decl.tools.hooks import HookError
from silo_decl.tools.placing import PlacedError
from silo_decl.trace import decoded
from silo_decl.world.computed import ComputedError
from silo_decl.world.store import World

if TYPE_CHECKING:
    from silo_decl.tools.toolbox import Tool, Toolbox

_OPTIONS = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME


@dataclass(frozen=True, slots=True)
class Fault:
    """A call that failed by a mistake of the world: where, what, and the trace for its author."""

    boundary: str
    message: str
    traceback: str = ""


@dataclass(frozen=True)
class ToolResult:
    """What a call gave. `encoded` is the output as JSON: copy, wire form and trace at once."""

    is_error: bool
    encoded: bytes
    fault: Fault | None = None

    @cached_property
    def output(self) -> Any:
        """The output as values of its own; on an error `{code, message, details?}`."""
        return decoded(self.encoded)


def call(toolbox: Toolbox, world: World, name: Any, given: Any) -> ToolResult:
    """Run one call. Whatever goes wrong with it is in the result; a failed call leaves the world as it was.

    Only RunStopped comes out of it: a limit is no answer of a tool.
    """
    tool = toolbox.tools.get(name) if isinstance(name, str) else None
    if tool is None:
        return _refused(_unknown_tool(toolbox, name))
    try:
        arguments = tool.read(given)
        if not tool.guarded:
            return ToolResult(False, encode(tool.run(world, arguments)))
        with world.transaction():
            return ToolResult(False, encode(tool.run(world, arguments)))
    except ToolError as refusal:
        return _refused(refusal)
    except RunStopped:
        raise
    except Exception as wrong:
        return _world_failed(_fault(tool, world, wrong), f'The tool "{tool.name}"')


def encode(value: Any) -> bytes:
    """JSON of plain values, records and collections; big integers too. Raises for what JSON cannot hold."""
    try:
        return orjson.dumps(value, default=_default, option=_OPTIONS)
    except TypeError:
        return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _default(value: Any) -> Any:
    made = plain(value)
    if made is value:
        raise TypeError(f"a {type(value).__name__} cannot be sent")
    return made


def _refused(refusal: ToolError) -> ToolResult:
    output = {"code": str(refusal.code), "message": str(refusal.message).strip()}
    try:
        if refusal.details is not None:
            output["details"] = orjson.loads(encode(refusal.details))
        return ToolResult(True, encode(output))
    except (TypeError, ValueError) as wrong:
        return _world_failed(Fault("the error of a tool", str(wrong), ""), "The tool")


def _world_failed(fault: Fault, subject: str) -> ToolResult:
    message = f"{subject} failed because of a mistake in this environment, not in the call. Nothing was changed."
    return ToolResult(True, encode({"code": "tool_failed", "message": message}), fault)


def _fault(tool: Tool, world: World, wrong: Exception) -> Fault:
    if isinstance(wrong, HookError):
        return Fault(wrong.place, str(wrong), wrong.trace)
    if isinstance(wrong, PlacedError):
        return Fault(f"expression {_shown(wrong.at)}", str(wrong))
    if isinstance(wrong, ComputedError):
        spec = world.base.spec.collections[wrong.collection]
        return Fault(f"expression {_shown(spec.at.child('computed', wrong.name))}", str(wrong))
    if isinstance(wrong, ExpressionError):
        return Fault(f"tool {tool.name}", str(wrong))
    trace = "".join(traceback.format_exception(wrong))
    return Fault(f"tool {tool.name}", f"{type(wrong).__name__}: {wrong}", trace)


def _shown(at: At) -> str:
    """A place as file, line and column."""
    problem = at.problem("", "")
    return f"{problem.file}:{problem.line}:{problem.column}" if problem.line else problem.file


def _unknown_tool(toolbox: Toolbox, name: Any) -> ToolError:
    if not isinstance(name, str):
        return ToolError("tool_not_found", "The name of a tool is a text.")
    near = difflib.get_close_matches(name, list(toolbox.tools), n=3, cutoff=0.5)
    hint = f" Nearest: {', '.join(near)}." if near else ""
    shown = name.encode("utf-8", "replace").decode()[:100]
    return ToolError("tool_not_found", f'There is no tool "{shown}".{hint}')
