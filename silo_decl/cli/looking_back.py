"""`silo runs`: what earlier runs left behind."""

from __future__ import annotations

from pathlib import Path

from silo_decl.cli.render import Screen, out, print_json, table
from silo_decl.engine.artifacts import find_run, list_runs, unpack
from silo_decl.reports.causes import likely_cause
from silo_decl.reports.story import calls_of, story

_LOOKS = {
    "title": ("bold",),
    "heading": ("bold",),
    "line": (),
    "dim": ("dim",),
    "good": ("green",),
    "bad": ("red",),
    "hint": ("yellow",),
}
