"""`silo new task` and `silo new suite`: files that work as they stand, for an author to change."""

from __future__ import annotations

import tempfile
from pathlib import Path

from silo_decl.authoring.naming import SUITE, TASK
from silo_decl.authoring.registration import add_files, schema_line
from silo_decl.authoring.rendering import rendered
from silo_decl.errors import UsageError
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.tool import ListTool, ToolSpec


def new_task(spec: EnvironmentSpec, task_id: str) -> list[Path]:
    """Write `tasks/ID.yaml`, a question about a collection that a list tool shows; gives the new file.

    Raises UsageError for an id that is unsafe or taken, and where no tool lists a collection.
    """
    files = [path.stem for path in (spec.root / "tasks").glob("*.yaml")]
    TASK.check(task_id, [*spec.tasks, *files])
    tool = _listing(spec)
    values = {
        "id": task_id,
        "collection": tool.collection,
        "words": _words(tool.collection),
        "list_tool": tool.name,
        "schema_line": schema_line(spec.root, "tasks", "task"),
        "acting_as": "",
    }
    with tempfile.TemporaryDirectory(prefix="silo-new-") as scratch:
        return add_files(spec.root, rendered("task", values, Path(scratch)))


def _listing(spec: EnvironmentSpec) -> ToolSpec:
    for tool in spec.tools.values():
        body = tool.body
        if isinstance(body, ListTool) and not body.where and not tool.stub and tool.collection in spec.collections:
            optional = all(not one.parameter.required for one in body.filters)
            if optional and spec.collections[tool.collection].records:
                return tool
    raise UsageError(
        "No tool lists a collection yet, so a task would have nothing to ask about.",
        "Write one first: silo new tool list_things --kind list",
    )


def _words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().replace("_", " ")


def new_suite(spec: EnvironmentSpec, name: str) -> list[Path]:
    """Write `suites/NAME.yaml` with every task there is; gives the new file.

    Raises UsageError for a name that is unsafe or taken, and where there is no task.
    """
    files = [path.stem for path in (spec.root / "suites").glob("*.yaml")]
    SUITE.check(name, [*spec.suites, *files])
    if not spec.tasks:
        raise UsageError("There is no task yet, so a suite would be empty.", "Write one first: silo new task TASK-001")
    values = {
        "name": name,
        "tasks": "\n".join(f"  - {_quoted(one)}" for one in spec.tasks),
        "schema_line": schema_line(spec.root, "suites", "suite"),
    }
    with tempfile.TemporaryDirectory(prefix="silo-new-") as scratch:
        return add_files(spec.root, rendered("suite", values, Path(scratch)))


def _quoted(task_id: str) -> str:
    """Ids such as 007 or 1e5 would be numbers."""
    return task_id if task_id[0].isalpha() and task_id.lower() not in ("true", "false", "null") else f'"{task_id}"'
