"""Where things stand in a YAML text: values, keys, and single characters of a text across quotes and folded lines."""

from __future__ import annotations

from typing import Any

import yaml

from silo_decl.specs.texts import Step

Path = tuple[Step, ...]


def place(body: str, root: Any, path: Path, key: bool, offset: int | None) -> int | None:
    """How many characters stand before the value at `path` (or its key), or before a character in it."""
    if root is None:
        return 0
    node, key_node = root, None
    for depth, step in enumerate(path):
        found = _step(node, step)
        if found is None:
            return _start(node) if depth else int(node.start_mark.index)
        key_node, node = found
        if not isinstance(node, (yaml.ScalarNode, yaml.CollectionNode)):
            return None
    if key and key_node is not None:
        return int(key_node.start_mark.index)
    if offset is not None and isinstance(node, yaml.ScalarNode):
        return inside(body, node, offset)
    if key_node is not None and node.start_mark.index == node.end_mark.index:
        return int(key_node.start_mark.index)
    return _start(node)


def _start(node: Any) -> int:
    return int(node.start_mark.index)


def _step(node: Any, step: Step) -> tuple[Any, Any] | None:
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            if isinstance(key_node, yaml.ScalarNode) and key_node.value == step:
                return key_node, value_node
        return None
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and 0 <= step < len(node.value):
        return None, node.value[step]
    return None


def node_at(root: Any, path: Path) -> Any:
    """The node at a path, or None."""
    node = root
    for step in path:
        found = _step(node, step) if node is not None else None
        node = found[1] if found is not None else None
    return node


def written(body: str, root: Any, path: Path) -> str:
    """A value as its author wrote it."""
    node = node_at(root, path)
    return "" if node is None else body[node.start_mark.index : node.end_mark.index]


def in_braces(root: Any, path: Path) -> bool:
    """Whether the list or mapping at `path` is written in [ ] or { }."""
    return bool(getattr(node_at(root, path), "flow_style", False))


def inside(body: str, node: Any, offset: int) -> int:
    """Where the character `offset` of a text stands in the file, across quotes, escapes and folded lines."""
    at, end = int(node.start_mark.index), int(node.end_mark.index)
    if node.style in ("|", ">"):
        at = body.find("\n", at, end) + 1 or at
    elif node.style in ('"', "'"):
        at, end = at + 1, end - 1
    last: int = at
    for letter in node.value[: offset + 1]:
        if letter.isspace():
            continue
        while at < end and _skipped(body, at, node.style):
            at += 2 if body[at] == "\\" else 1
        last = at
        at += _width(body, at, node.style)
    if offset < len(node.value) and node.value[offset].isspace() and offset:
        return min(last + 1, end)
    return min(at if offset >= len(node.value) else last, end)


def _skipped(body: str, at: int, style: str | None) -> bool:
    if style == '"' and body[at] == "\\":
        return body[at + 1 : at + 2] in ("n", "t", "r", " ", "\n", "\t", "_")
    return body[at].isspace()


def _width(body: str, at: int, style: str | None) -> int:
    if style == "'" and body.startswith("''", at):
        return 2
    if style == '"' and body.startswith("\\", at):
        return {"x": 4, "u": 6, "U": 10}.get(body[at + 1 : at + 2], 2)
    return 1
