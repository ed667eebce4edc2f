"""Runs the real command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
DESK = ROOT / "tests" / "examples" / "good" / "helpdesk"


def silo(*words: str | Path, cwd: Path = ROOT, **more: Any) -> subprocess.CompletedProcess[str]:
    """`silo` with these words; its stdout and stderr as texts."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "silo_decl", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, env=environment, **more)


def answer(*words: str | Path, cwd: Path = ROOT) -> Any:
    """The JSON that a command prints."""
    return json.loads(silo(*words, "--json", cwd=cwd).stdout)
