"""Where the folders are that travel beside the package: environments, templates and schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(kind: Literal["environments", "templates", "schemas"]) -> Path:
    """The folder of an installed package, or of a checkout."""
    installed = _PACKAGE / "_shipped" / kind
    return installed if installed.is_dir() else _PACKAGE.parent / kind
