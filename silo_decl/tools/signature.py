"""A tool as a model sees it."""

from __future__ import annotations

from typing import Any

from silo_decl.tools.toolbox import Tool


def signature(tool: Tool) -> dict[str, Any]:
    """The name, the description and the JSON Schema of the arguments."""
    return {
        "name": tool.spec.name,
        "description": tool.spec.description.strip(),
        "inputSchema": tool.input_schema,
    }
