"""Exceptions become words and an exit code: 0 done, 1 something failed, 2 wrong usage, 3 a defect, 130 stopped."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Callable

import typer
from typer.exceptions import TyperException

from silo_decl.errors import ProblemsFound, SiloError, UsageError


class Failed(Exception):
    """The work was done and something failed; what there is to say has been said."""


def guarded(work: Callable[[], object]) -> int:
    """Do the work; say on stderr what stopped it; give the exit code."""
    try:
        result = work()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        _say("Stopped.")
        return 130
    except Failed:
        sys.stdout.flush()
        return 1
    except typer.Exit as stop:
        return stop.exit_code
    except TyperException as wrong:
        _say_usage(_usage(wrong), wrong.format_message(), "")
        return 2
    except ProblemsFound as found:
        _say_problems(found)
        return 1
    except UsageError as wrong:
        _say_usage(f"{wrong.message}\n  Fix: {wrong.fix}" if wrong.fix else wrong.message, wrong.message, wrong.fix)
        return 2
    except SiloError as failed:
        _say(str(failed))
        return 1
    except OSError as wrong:
        where = f" ({wrong.filename})" if wrong.filename else ""
        _say(f"The system does not let this be read or written{where}: {wrong.strerror or wrong}.")
        return 1
    except Exception:
        return _defect()
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _usage(wrong: TyperException) -> str:
    context = getattr(wrong, "ctx", None)
    if context is None:
        return wrong.format_message()
    message = wrong.format_message()
    if message.startswith("Usage:"):
        return message
    return f"{context.get_usage()}\n{message}\n  Fix: see '{context.command_path} --help'."


def _say_usage(text: str, message: str, fix: str) -> None:
    """In words, or for a machine that asked for JSON as one object on stderr."""
    if "--json" in sys.argv[1:]:
        text = json.dumps({"error": {"code": "usage", "message": message, "fix": fix}}, ensure_ascii=False)
    _say(text)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _say_problems(found: ProblemsFound) -> None:
    from silo_decl.cli.render import Screen, problems_text

    screen = Screen(sys.stderr)
    _say(problems_text(found.problems, "", screen))


def _defect() -> int:
    from silo_decl.versions import versions

    said = [f"{name} {version}" for name, version in versions().items()]
    text = "\n".join([" ".join(sys.argv), platform.platform(), *said, "", traceback.format_exc()])
    handle, path = tempfile.mkstemp(prefix="silo-defect-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as report:
        report.write(text)
    _say(f"This is a defect of silo, not of your files. A report was written to {path}; please send it to its makers.")
    return 3
