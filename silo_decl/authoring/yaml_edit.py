"""Small additions to an author's YAML file that leave every other letter of it as it was.

A file is not written anew from its data: lines are put in at the place where they belong, and the result is read
again before it is kept. `docs/decisions/0008-editing-yaml.md` says why.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from silo_decl.authoring.files import write_bytes
from silo_decl.errors import SiloError


class CannotEdit(SiloError):
    """The file is written in a way that an addition cannot be made safely; says what to write by hand."""


class YamlText:
    """The text of one YAML file, and additions to it. Nothing reaches the disk before `save`."""

    def __init__(self, path: Path):
        self.path = path
        self.before = path.read_bytes().decode("utf-8")
        self._newline = "\r\n" if "\r\n" in self.before else "\n"
        self.text = self.before.replace("\r\n", "\n")

    @property
    def data(self) -> Any:
        """The values as ruamel.yaml reads them, which is enough to compare with."""
        return _read(self.text)

    def has(self, *keys: str) -> bool:
        """Whether something stands under these keys."""
        return _under(_tree(self.text), keys) is not None

    def append(self, keys: tuple[str, ...], item: str) -> None:
        """Put a word at the end of the list under `keys`, which is made where it is not there.

        Raises CannotEdit where the file does not let this be done.
        """
        self._changed(
            lambda: _Adding(self.text, keys).item(item), lambda data: _with_item(data, keys, item), f"- {item}"
        )

    def add(self, keys: tuple[str, ...], name: str, block: str) -> None:
        """Put `name:` with the block of settings (not indented) at the end of the mapping under `keys`.

        Raises CannotEdit where the file does not let this be done.
        """
        value = _read(block) if block.strip() else None
        self._changed(
            lambda: _Adding(self.text, keys).entry(name, block),
            lambda data: _with_entry(data, keys, name, value),
            f"{name}:",
        )

    def replace(self, name: str, block: str) -> None:
        """Put the block (not indented) in the place of what stands under a key of the file, or add the key."""
        if not self.has(name):
            self.add((), name, block)
            return
        self._changed(
            lambda: _Adding(self.text, ()).replaced(name, block), lambda data: {**data, name: _read(block)}, f"{name}:"
        )

    def save(self) -> None:
        """Write the file whole or not at all."""
        if self.encoded() != self.before.encode():
            write_bytes(self.path, self.encoded())

    def encoded(self) -> bytes:
        """What `save` would write."""
        return self.text.replace("\n", self._newline).encode()

    def _changed(self, make: Callable[[], str], expected: Callable[[Any], Any], by_hand: str) -> None:
        try:
            text = make()
            same = _read(text) == expected(self.data)
        except (YAMLError, _Unfit, AttributeError, TypeError, KeyError):
            same = False
        if not same:
            raise CannotEdit(f"{self.path} is written in a way that cannot be added to. Add there by hand: {by_hand}")
        self.text = text


class _Unfit(Exception):
    """What stands at the place is no list or mapping that can grow."""


def _yaml() -> YAML:
    reader = YAML(typ="rt")
    reader.preserve_quotes = True
    return reader


def _read(text: str) -> Any:
    return _plain(_yaml().load(text))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value


def _tree(text: str) -> Node | None:
    return _yaml().compose(io.StringIO(text))  # type: ignore[no-any-return]


def _under(node: Node | None, keys: tuple[str, ...]) -> Node | None:
    for key in keys:
        pairs = node.value if isinstance(node, MappingNode) else []
        node = next((value for name, value in pairs if name.value == key), None)
        if node is None:
            return None
    return node


def _with_item(data: Any, keys: tuple[str, ...], item: str) -> Any:
    whole = data if data is not None else {}
    if not keys:
        return [*(whole or []), _read(item)]
    inner = _with_item(whole.get(keys[0]), keys[1:], item) if len(keys) > 1 else [*(whole.get(keys[0]) or []), item]
    return {**whole, keys[0]: inner}


def _with_entry(data: Any, keys: tuple[str, ...], name: str, value: Any) -> Any:
    whole = data if data is not None else {}
    if not keys:
        return {**whole, name: value}
    return {**whole, keys[0]: _with_entry(whole.get(keys[0]), keys[1:], name, value)}


class _Adding:
    """Works out the new text for one addition."""

    def __init__(self, text: str, keys: tuple[str, ...]):
        self.lines = text.splitlines()
        self.keys = keys
        self.tree = _tree(text)

    def item(self, item: str) -> str:
        parent = _under(self.tree, self.keys)
        if isinstance(parent, SequenceNode) and parent.value:
            if parent.flow_style:
                return self._in_brackets(parent, item)
            column = parent.start_mark.column
            return self._after(_last_line(parent.value[-1], self.lines), [f"{' ' * column}- {item}"])
        return self._empty(parent, [f"- {item}"])

    def entry(self, name: str, block: str) -> str:
        parent = _under(self.tree, self.keys)
        lines = _entry(name, block)
        if isinstance(parent, MappingNode) and parent.value:
            if parent.flow_style:
                raise _Unfit
            last_key, last = parent.value[-1]
            column = parent.start_mark.column
            return self._after(max(last_key.end_mark.line, _last_line(last, self.lines)), _indented(lines, column))
        return self._empty(parent, lines)

    def replaced(self, name: str, block: str) -> str:
        pairs = self.tree.value if isinstance(self.tree, MappingNode) else []
        key, value = next((key, value) for key, value in pairs if key.value == name)
        first, last = key.start_mark.line, max(key.end_mark.line, _last_line(value, self.lines))
        return self._joined([*self.lines[:first], *_entry(name, block), *self.lines[last + 1 :]])

    def _empty(self, parent: Node | None, lines: list[str]) -> str:
        """The key is there with nothing under it, or is not there."""
        if parent is None:
            return self._new_key(lines)
        key_line = parent.start_mark.line
        key_node = self._key_node()
        head = self.lines[key_node.start_mark.line]
        if parent.value and str(parent.value).lower() not in ("null", "~"):
            raise _Unfit
        if key_line == key_node.start_mark.line and parent.start_mark.column < len(head.rstrip()):
            rest = head[parent.end_mark.column :] if parent.end_mark.line == key_line else ""
            head = head[: parent.start_mark.column].rstrip() + rest
        indent = key_node.start_mark.column + 2
        at = key_node.start_mark.line
        before, after = [*self.lines[:at], head], self.lines[at + 1 :]
        return self._joined([*before, *_indented(lines, indent), *after])

    def _key_node(self) -> Node:
        parent = _under(self.tree, self.keys[:-1])
        if not isinstance(parent, MappingNode):
            raise _Unfit
        keys: list[Node] = [key for key, _ in parent.value]
        return next(key for key in keys if key.value == self.keys[-1])

    def _new_key(self, lines: list[str]) -> str:
        if not self.keys:
            return self._joined([*_without_tail(self.lines), "", *lines])
        if _under(self.tree, self.keys[:-1]) is None and len(self.keys) > 1:
            raise _Unfit
        inner = _Adding("\n".join(self.lines), self.keys[:-1])
        block = "\n".join(lines)
        if len(self.keys) > 1 or not isinstance(self.tree, MappingNode):
            return inner.entry(self.keys[-1], block)
        return self._joined([*_without_tail(self.lines), "", *_entry(self.keys[-1], block)])

    def _in_brackets(self, parent: SequenceNode, item: str) -> str:
        end = parent.value[-1].end_mark
        line = self.lines[end.line]
        self.lines[end.line] = f"{line[: end.column]}, {item}{line[end.column :]}"
        return self._joined(self.lines)

    def _after(self, line: int, new: list[str]) -> str:
        return self._joined([*self.lines[: line + 1], *new, *self.lines[line + 1 :]])

    def _joined(self, lines: list[str]) -> str:
        return "\n".join(lines) + "\n"


def _entry(name: str, block: str) -> list[str]:
    """The lines of `name:` with its block; a block of one plain line stands behind the colon."""
    body = block.rstrip("\n").splitlines()
    if not body:
        return [f"{name}:"]
    if len(body) == 1 and not body[0].startswith("- ") and ": " not in body[0] and not body[0].endswith(":"):
        return [f"{name}: {body[0]}"]
    return [f"{name}:", *_indented(body, 2)]


def _indented(lines: list[str], column: int) -> list[str]:
    return [" " * column + line if line else line for line in lines]


def _without_tail(lines: list[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def _last_line(node: Node, lines: list[str]) -> int:
    """The last line that belongs to a value, without the comments and empty lines behind it."""
    if isinstance(node, MappingNode) and node.value and not node.flow_style:
        key, value = node.value[-1]
        return max(int(key.end_mark.line), _last_line(value, lines))
    if isinstance(node, SequenceNode) and node.value and not node.flow_style:
        return _last_line(node.value[-1], lines)
    last = int(node.end_mark.line)
    if isinstance(node, ScalarNode) and node.style in ("|", ">"):
        column = len(lines[node.start_mark.line]) - len(lines[node.start_mark.line].lstrip())
        last = min(last, len(lines) - 1)
        while last > node.start_mark.line and not _inside(lines[last], column):
            last -= 1
    return last


def _inside(line: str, column: int) -> bool:
    """Whether a line is a line of the text that begins below a key at this column."""
    return bool(line.strip()) and len(line) - len(line.lstrip()) > column
