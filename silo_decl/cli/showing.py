"""`silo env`, `silo tool` and `silo task`: what an environment holds."""

from __future__ import annotations

import json
import sys
from typing import Any

from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import out, print_json, table, wrapped
from silo_decl.engine.environment import Environment, load
from silo_decl.errors import UsageError, did_you_mean
from silo_decl.specs.find import find_environment, list_environments
from silo_decl.specs.load import load_environment
from silo_decl.specs.task import AnswerStep, CallStep, EachStep, StepSpec
from silo_decl.tools.call import call
from silo_decl.tools.signature import signature
from silo_decl.tools.toolbox import Tool

Json = dict[str, Any]


def env_list(as_json: bool) -> None:
    """The environments that are found by name."""
    rows = []
    for name, path in list_environments():
        spec, problems = load_environment(path)
        broken = spec is None or any(problem.level == "error" for problem in problems)
        rows.append({"name": name, "title": spec.title if spec else "", "path": str(path), "ok": not broken})
    if as_json:
        print_json(rows)
    elif rows:
        cells = [
            [str(row["name"]), str(row["title"]), str(row["path"]), "" if row["ok"] else "see validate"] for row in rows
        ]
        print(table(cells, ["name", "title", "where", ""], out()))
    else:
        print("There is no environment under ./environments.")


def env_show(name: str | None, as_json: bool) -> None:
    """One environment: counts, suites and what it is about."""
    if not name:
        raise UsageError("Which environment?", "Write: silo env show NAME")
    environment = load(find_environment(name))
    facts = _environment_facts(environment)
    if as_json:
        print_json(facts)
        return
    screen = out()
    print(screen.styled(f"{facts['title']} ({facts['name']})", "bold"))
    print(wrapped(facts["description"], "", min(screen.width, 100)))
    print(
        f"\nToday is {environment.base.new_world().today}. {len(facts['tools'])} tools, {len(facts['tasks'])} tasks.\n"
    )
    rows = [[one["name"], str(one["records"]), ", ".join(one["views"])] for one in facts["collections"]]
    print(table(rows, ["collection", "records", "views"], screen, right=[1]))
    if facts["suites"]:
        print()
        rows = [[one["name"], str(len(one["tasks"])), one["description"]] for one in facts["suites"]]
        print(table(rows, ["suite", "tasks", ""], screen, right=[1]))


def _environment_facts(environment: Environment) -> Json:
    spec = environment.spec
    collections = [
        {"name": one.name, "records": len(one.records), "views": list(one.views), "computed": list(one.computed)}
        for one in spec.collections.values()
    ]
    suites = [
        {"name": one.name, "description": one.description or one.title, "tasks": list(one.selected)}
        for one in spec.suites.values()
    ]
    return {
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "path": str(spec.root),
        "contentHash": spec.content_hash,
        "now": spec.now,
        "collections": collections,
        "tools": list(environment.toolbox.tools),
        "tasks": list(environment.tasks),
        "suites": suites,
    }


def tool_list(name: str, as_json: bool) -> None:
    """The tools an agent gets."""
    environment = load(name)
    facts = [_tool_facts(tool) for tool in environment.toolbox.tools.values()]
    if as_json:
        print_json(facts)
        return
    rows = [[fact["name"], fact["kind"], _first_sentence(fact["description"])] for fact in facts]
    print(table(rows, ["tool", "kind", ""], out()))


def _tool_facts(tool: Tool) -> Json:
    signed = signature(tool)
    return {
        "name": signed["name"],
        "kind": tool.spec.kind,
        "description": signed["description"],
        "inputSchema": signed["inputSchema"],
        "file": tool.spec.at.file.name,
    }


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0].rstrip(".") + "."


def _tool(environment: Environment, name: str) -> Tool:
    tools = environment.toolbox.tools
    if name not in tools:
        raise UsageError(
            f"{environment.name} has no tool '{name}'.{did_you_mean(name, tools)}",
            f"See 'silo tool list --env {environment.name}'.",
        )
    return tools[name]


def tool_show(env: str, name: str, as_json: bool) -> None:
    """One tool as an agent sees it."""
    tool = _tool(load(env), name)
    facts = _tool_facts(tool) | ({"query": tool.canonical} if tool.canonical else {})
    if as_json:
        print_json(facts)
        return
    screen = out()
    print(f"{screen.styled(facts['name'], 'bold')}  {facts['kind']}, {facts['file']}")
    print(wrapped(facts["description"], "  ", min(screen.width, 100)))
    schema = facts["inputSchema"]
    rows = []
    for parameter, setting in schema.get("properties", {}).items():
        needed = "" if parameter in schema.get("required", []) else "optional"
        kind = " or ".join(map(str, setting["enum"])) if "enum" in setting else str(setting.get("type", ""))
        rows.append([parameter, kind, needed, setting.get("description", "")])
    if rows:
        print()
        print(table(rows, ["parameter", "type", "", ""], screen))
    if tool.canonical:
        print(f"\nThe query it is:\n\n  {tool.canonical}")


def tool_call(env: str, name: str, text: str, as_json: bool) -> None:
    """Call a tool on a fresh world; Failed when the tool refuses."""
    environment = load(env)
    _tool(environment, name)
    source = sys.stdin.read() if text == "-" else text
    try:
        arguments = json.loads(source)
    except ValueError as wrong:
        raise UsageError(
            f"The arguments are not JSON: {wrong}.", """Write --input '{"userId": "USR-001"}'."""
        ) from None
    result = call(environment.toolbox, environment.new_world(), name, arguments)
    if as_json:
        print_json({"output": result.output, "isError": result.is_error})
    else:
        print(json.dumps(result.output, ensure_ascii=False, indent=2))
    if result.fault is not None:
        print(f"{result.fault.boundary}: {result.fault.message}\n{result.fault.traceback}", file=sys.stderr)
    if result.is_error:
        raise Failed


def task_list(name: str, as_json: bool) -> None:
    """The tasks of an environment."""
    environment = load(name)
    facts = [_task_facts(environment, task_id) for task_id in environment.tasks]
    if as_json:
        print_json(facts)
        return
    rows = [[fact["id"], fact["difficulty"], ", ".join(fact["tags"]), fact["title"]] for fact in facts]
    print(table(rows, ["task", "difficulty", "tags", "title"], out()))


def _task_facts(environment: Environment, task_id: str) -> Json:
    spec = environment.tasks[task_id].spec
    return {
        "id": spec.id,
        "title": spec.title,
        "difficulty": spec.difficulty,
        "tags": list(spec.tags),
        "file": spec.file,
        "family": spec.family,
        "suites": [suite.name for suite in environment.suites.values() if task_id in suite.selected],
    }


def task_show(env: str, task_id: str, with_solution: bool, as_json: bool) -> None:
    """One task: what is asked, the checks, and the solution where it is wanted."""
    environment = load(env)
    task = environment.task(task_id)
    checks = [{"label": check.label, "required": check.required, "weight": check.weight} for check in task.spec.checks]
    facts = _task_facts(environment, task_id) | {"instruction": task.instruction, "checks": checks}
    if with_solution:
        facts["solution"] = [_step(step) for step in task.spec.solution]
    if as_json:
        print_json(facts)
        return
    screen = out()
    print(screen.styled(f"{facts['id']}: {facts['title']}", "bold"))
    print(f"{facts['difficulty']}; {', '.join(facts['tags'])}; {facts['file']}\n")
    print(wrapped(task.instruction, "  ", min(screen.width, 100)))
    print("\nChecks")
    for check in checks:
        print(f"  {check['label']}" + ("" if check["required"] else " (not required)"))
    if with_solution:
        print("\nSolution")
        print("\n".join(_step_lines(task.spec.solution, "  ")))


def _step(step: StepSpec) -> Json:
    if isinstance(step, CallStep):
        return {"call": step.call, "input": dict(step.input)} | ({"save": step.save} if step.save else {})
    if isinstance(step, EachStep):
        return {"for_each": step.for_each, "as": step.as_, "do": [_step(inner) for inner in step.do]}
    return {"answer": step.value}


def _step_lines(steps: tuple[StepSpec, ...], indent: str) -> list[str]:
    lines = []
    for step in steps:
        if isinstance(step, CallStep):
            arguments = json.dumps(dict(step.input), ensure_ascii=False)
            lines.append(f"{indent}{step.call} {arguments}" + (f" -> {step.save}" if step.save else ""))
        elif isinstance(step, EachStep):
            lines.append(f"{indent}for each {step.as_} of {step.for_each}:")
            lines += _step_lines(step.do, indent + "  ")
        elif isinstance(step, AnswerStep):
            lines.append(f"{indent}answer: {step.value}")
    return lines
