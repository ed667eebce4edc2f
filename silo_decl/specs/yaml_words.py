"""What YAML does behind an author's back, said in words: texts that need quotes, lost colons, swallowed comments.

Each function takes nodes or an error of libyaml and gives the trouble that the author reads.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from silo_decl.specs.texts import Trouble

QUOTES = "Put the whole text between quotes."
BLOCK = "Put the text in a block: write '>' behind the colon and the text indented on the next line."


def needs_quotes(index: int, written: str) -> Trouble:
    """A text whose first letter means something else in YAML."""
    if written.startswith("{{"):
        return unquoted_template(index)
    first = written[0]
    return Trouble(
        "needs-quotes",
        f"A text that begins with {_letter(first)} needs quotes.",
        f"Put it between quotes: {_in_quotes(written)}" if len(written) < 80 else QUOTES,
        index,
    )


def _letter(letter: str) -> str:
    return '"\'"' if letter == "'" else f"'{letter}'"


def _in_quotes(written: str) -> str:
    written = written.rstrip()
    if '"' not in written and "\\" not in written:
        return f'"{written}"'
    return "'" + written.replace("'", "''") + "'"


def unquoted_template(index: int) -> Trouble:
    return Trouble(
        "needs-quotes",
        "A text that begins with '{{' needs quotes, or else it opens a mapping.",
        'Write "{{ … }}" in quotes for a text, or = … without braces to keep the kind of value.',
        index,
    )


def tagged(body: str, node: Any) -> Trouble:
    """A word with '!' in front: a tag, or a condition that needs quotes."""
    index = node.start_mark.index
    line = _line_from(body, index)
    if not line.startswith("!!") and isinstance(node, yaml.ScalarNode):
        return needs_quotes(index, line)
    return Trouble(
        "yaml-tag",
        f"'{line.split()[0] if line.split() else node.tag}' is a tag, which this format does not have.",
        "Remove it; a text that looks like a number is written between quotes.",
        index,
    )


def no_number(node: Any) -> Trouble:
    return Trouble(
        "no-number",
        f"'{node.value}' is no number that JSON can hold.",
        "Write a number, or put it between quotes for a text.",
        node.start_mark.index,
    )


def too_deep(node: Any, deepest: int) -> Trouble:
    return Trouble(
        "too-deep", f"Lists and mappings are nested more than {deepest} deep here.", "", node.start_mark.index
    )


def bomb(node: Any, most: int) -> Trouble:
    return Trouble(
        "alias-bomb",
        f"With every alias ('*name') written out this file has more than {most:,} values.",
        "Write the values out, or use fewer aliases.",
        node.start_mark.index,
    )


def no_key(body: str, mapping: Any, key: Any) -> Trouble:
    """A key that is itself a list or a mapping: nearly always `{{ }}` without quotes."""
    index = mapping.start_mark.index
    if body.startswith("{{", index):
        return unquoted_template(index)
    if mapping.flow_style and body.startswith("{", index) and body.startswith("{", key.start_mark.index):
        return unquoted_template(key.start_mark.index)
    return Trouble("yaml-syntax", "A key must be a text.", QUOTES, key.start_mark.index)


def merge_key(key: Any) -> Trouble:
    return Trouble(
        "merge-key",
        "'<<' merges mappings in old YAML; this format does not have it.",
        "Write the settings out, or use an alias for the whole value: key: *name.",
        key.start_mark.index,
    )


def twice(body: str, key: Any, first: Any) -> Trouble:
    line = body.count("\n", 0, first.start_mark.index) + 1
    return Trouble(
        "duplicate-key",
        f"'{key.value}' is written twice in one mapping; the first one is in line {line}.",
        "Keep one of them.",
        key.start_mark.index,
    )


def lost_behind_hash(index: int, body: str, whole: bool) -> Trouble:
    """A '#' that makes the rest of a line a comment; `whole` says that the text began before it."""
    written = re.match(r"#[^\s,\]}]*", body[index:]).group()  # type: ignore[union-attr]
    return Trouble(
        "needs-quotes",
        "Everything behind this '#' is a comment, so it is lost.",
        QUOTES if whole or "{{" in written else f'Put the text between quotes: "{written}"',
        index,
    )


def line_start(body: str, index: int) -> int:
    return body.rfind("\n", 0, index) + 1


def _line_from(body: str, index: int) -> str:
    return body[index:].split("\n", 1)[0].split(" #")[0].rstrip()
