"""Writes the reference pages from what they describe: schemas, the function table, problem codes and `--help`.

`python -m docs.generate` rewrites them; a test compares.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFERENCE = HERE / "reference"
SCHEMAS = HERE.parent / "schemas"
KINDS = {
    "environment": "environment.yaml and the collection files it lists.",
    "tool": "A file under `tools/`.",
    "task": "A file under `tasks/`.",
    "suite": "A file under `suites/`.",
}


def pages() -> dict[str, str]:
    """File name to text of every generated page."""
    made = {f"{kind}.md": _schema_page(kind, about) for kind, about in KINDS.items()}
    made["functions.md"] = _functions_page()
    made["problems.md"] = _problems_page()
    made["commands.md"] = _commands_page()
    made["README.md"] = _index(sorted(made))
    return made


def _index(names: list[str]) -> str:
    titles = {
        "environment.md": "every key of environment.yaml",
        "tool.md": "every key of a tool file",
        "task.md": "every key of a task file",
        "suite.md": "every key of a suite file",
        "functions.md": "every function of both expression languages",
        "problems.md": "every code of a problem and of a tool's error",
        "commands.md": "every command and its options",
    }
    lines = ["# Reference", "", "These pages are generated from what they describe.", ""]
    lines += [f"- [{name.removesuffix('.md')}]({name}): {titles[name]}" for name in names]
    return "\n".join(lines) + "\n"


# -- schemas ------------------------------------------------------------------------------------------------


def _schema_page(kind: str, about: str) -> str:
    schema = json.loads((SCHEMAS / f"{kind}.schema.json").read_text(encoding="utf-8"))
    lines = [f"# {schema.get('title', kind)}", "", about, "", schema.get("description", ""), ""]
    lines += _table(schema, schema)
    for name, part in schema.get("$defs", {}).items():
        if part.get("properties"):
            lines += ["", f"## {name}", ""]
            if part.get("description"):
                lines += [part["description"], ""]
            lines += _table(part, schema)
    return "\n".join(lines).rstrip() + "\n"


def _table(part: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    lines = ["| key | takes | |", "|---|---|---|"]
    for key, setting, required in _keys(part):
        need = "**required.** " if required else ""
        words = setting.get("description") or _resolved(setting, schema).get("description", "")
        takes = _expression(key) or _takes(setting, schema)
        lines.append(f"| `{key}` | {takes} | {need}{words} |".replace("\n", " "))
    return lines


def _keys(part: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Every key of a mapping and of the mappings in it: `a.b` in a mapping, `a[].b` in a list, `a.*.b` under a name."""
    required = part.get("required", ())
    for key, setting in part.get("properties", {}).items():
        yield prefix + key, setting, key in required
        for one in (setting, *setting.get("anyOf", ())):
            yield from _inner(one, prefix + key)


def _inner(setting: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any], bool]]:
    items, rest = setting.get("items"), setting.get("additionalProperties")
    yield from _keys(setting, f"{name}.")
    if isinstance(items, dict):
        for one in (items, *items.get("anyOf", ())):
            yield from _keys(one, f"{name}[].")
    if isinstance(rest, dict):
        for one in (rest, *rest.get("anyOf", ())):
            yield from _keys(one, f"{name}.*.")


_QUERIES = ("where", "find", "query", "given", "records")
_CONDITIONS = ("that", "when")
_TEXTS = ("message", "log")
_VALUES = ("set", "add", "append", "show", "entry", "to", "match", "returns", "computed", "answer", "value")


def _expression(key: str) -> str:
    """Which of the four kinds of expression a key takes; '' where it takes none."""
    last = key.rpartition(".")[2]
    link = "../guides/expressions.md#which-goes-where"
    if key in ("query", "answer", "any_of", "summarize.records"):
        return ""
    if key == "rules.*.require":
        return f"[condition]({link})"
    for names, word in ((_QUERIES, "query"), (_CONDITIONS, "condition"), (_TEXTS, "text"), (_VALUES, "value")):
        if last in names:
            return f"[{word}]({link})"
    return ""


def _resolved(setting: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = setting.get("$ref", "")
    found: dict[str, Any] = schema.get("$defs", {}).get(reference.rpartition("/")[2], {}) if reference else setting
    return found


def _takes(setting: dict[str, Any], schema: dict[str, Any]) -> str:
    if "$ref" in setting:
        name = setting["$ref"].rpartition("/")[2]
        inner = _resolved(setting, schema)
        return f"[{name}](#{name.lower()})" if inner.get("properties") else _takes(inner, schema) if inner else name
    if "const" in setting:
        return f"`{setting['const']}`"
    if "enum" in setting:
        return ", ".join(f"`{value}`" for value in setting["enum"])
    for union in ("anyOf", "oneOf"):
        if union in setting:
            return " or ".join(dict.fromkeys(_takes(each, schema) for each in setting[union]))
    kind = setting.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(_words(each) for each in kind)
    if kind == "array" and isinstance(setting.get("items"), dict):
        return f"list of {_takes(setting['items'], schema)}"
    if kind == "object" and isinstance(setting.get("additionalProperties"), dict):
        return f"name to {_takes(setting['additionalProperties'], schema)}"
    return _words(str(kind))


def _words(kind: str) -> str:
    return _NAMED.get(kind, kind)


_NAMED = {
    "string": "text",
    "array": "list",
    "object": "mapping",
    "boolean": "true or false",
    "integer": "whole number",
}


# -- functions, codes, commands -----------------------------------------------------------------------------


def _functions_page() -> str:
    from silo_decl.expressions.functions import FUNCTIONS

    lines = [
        "# Functions",
        "",
        "Called as `f(x)` in queries, values, conditions and texts alike; nothing in means nothing out unless said.",
        "",
        "| function | gives | example |",
        "|---|---|---|",
    ]
    for name, function in sorted(FUNCTIONS.items()):
        parameters = ", ".join(f"{each.name}?" if each.optional else each.name for each in function.parameters)
        example = str(function.example).replace("|", "\\|")
        lines.append(f"| `{name}({parameters})` | {function.doc} | `{example}` |")
    return "\n".join(lines) + "\n"


def _problems_page() -> str:
    from silo_decl.specs.codes import TOOL_ERROR_CODES, all_codes

    lines = ["# Codes", "", "## Problems in files", "", "`silo explain CODE` says the same.", ""]
    lines += ["| code | means |", "|---|---|"]
    lines += [f"| `{code}` | {means} |" for code, means in sorted(all_codes().items())]
    lines += ["", "## Errors of tools", "", "| code | means |", "|---|---|"]
    lines += [f"| `{code}` | {means} |" for code, means in sorted(TOOL_ERROR_CODES.items())]
    return "\n".join(lines) + "\n"


def _commands_page() -> str:
    lines = ["# Commands", ""]
    for words, text in _helps():
        lines += [f"## {' '.join(words)}", "", "```", text.rstrip(), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _helps() -> Iterator[tuple[list[str], str]]:
    import typer.main

    from silo_decl.cli.app import app

    os.environ["COLUMNS"] = "100"
    root = typer.main.get_command(app)
    yield ["silo"], _help(root, ["silo"], None)
    parent = root.make_context("silo", ["--help"], resilient_parsing=True)
    for name, command in sorted(root.commands.items()):  # type: ignore[attr-defined]
        yield ["silo", name], _help(command, [name], parent)
        inner = command.make_context(name, ["--help"], parent=parent, resilient_parsing=True)
        for sub, part in sorted(getattr(command, "commands", {}).items()):
            yield ["silo", name, sub], _help(part, [sub], inner)


def _help(command: Any, words: list[str], parent: Any) -> str:
    context = command.make_context(words[-1], [], parent=parent, resilient_parsing=True, terminal_width=100)
    text: str = context.get_help()
    return text


def write() -> None:
    """Write every page."""
    REFERENCE.mkdir(exist_ok=True)
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
