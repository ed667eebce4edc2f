"""The versions of this package and of what its results depend on."""

from __future__ import annotations

import platform
from functools import cache
from importlib import metadata

DISTRIBUTION = "silo-decl"
SHOWN = ("jmespath", "jinja2", "orjson", "jsonschema-rs")


def version() -> str:
    """The version of this package."""
    return metadata.version(DISTRIBUTION)


@cache
def versions() -> dict[str, str]:
    """Name to version of silo, Python and the libraries whose behaviour shows in results. Not to be changed."""
    found = {"silo": version(), "python": platform.python_version()}
    for name in SHOWN:
        found[name] = metadata.version(name)
    return found
