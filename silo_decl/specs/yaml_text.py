"""YAML 1.2 core, read by hand from the nodes of libyaml: what a plain text means, and what the format leaves out.

`no`, `2026-01-31`, `12:30` and `1_000` are texts and `012` is twelve. Merge keys, tags and repeated keys are
troubles; plain aliases work as long as they do not blow up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml

from silo_decl.specs import yaml_comments, yaml_syntax, yaml_words
from silo_decl.specs.texts import Hole, Step, Trouble

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]

DEEPEST = 100
MOST_VALUES = 1_000_000

_WORDS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMBER_STARTS = frozenset("-+.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")

Path = tuple[Step, ...]


class _Loader(_SafeLoader):
    """Composes nodes whose tag says only how they are written: plain, quoted, list, map, or a tag of the author."""

    def resolve(self, kind: type[Any], value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode:
            return "plain" if implicit[0] else "quoted"
        return "map" if kind is yaml.MappingNode else "list"

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


_OWN_TAGS = frozenset({"plain", "quoted", "list", "map"})


def core_scalar(text: str) -> Any:
    """What a plain text means in YAML 1.2 core; numbers that JSON cannot hold raise ValueError."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _INTEGER.match(text):
        return int(text)
    if _BASED.match(text):
        return int(text, 0)
    if _FLOAT.match(text):
        number = float(text)
        if math.isinf(number):
            raise ValueError(text)
        return number
    if _ENDLESS.match(text):
        raise ValueError(text)
    return text


def composed(body: str) -> Any:
    """The root node of a text, or None where there is none to be had."""
    try:
        return _compose(body)
    except yaml.YAMLError:
        return None


def _compose(body: str) -> Any:
    loader = _Loader(body)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def read(body: str) -> tuple[Any, list[Trouble]]:
    """The data of a text and everything wrong with it; a `Hole` where nothing can be known."""
    try:
        root = _compose(body)
    except yaml.YAMLError as wrong:
        return Hole(), [yaml_syntax.syntax(body, wrong)]
    except RecursionError:
        return Hole(), [Trouble("too-deep", "Lists and mappings are nested too deeply in this file.", "", 0)]
    if root is None:
        return Hole(), [Trouble("empty-file", "This file is empty.", "Write it, or remove the file.", 0)]
    builder = _Builder(body)
    data = builder.value(root, (), 0)
    if builder.expanded > MOST_VALUES:
        data = Hole()
    if "#" in body:
        for trouble in yaml_comments.swallowed(body, list(_scalars(root, (), set()))):
            builder.troubles.append(trouble)
            data = _with_hole(data, trouble.path) if trouble.path is not None else data
    return data, builder.troubles


def _with_hole(data: Any, path: Path) -> Any:
    """The data with a `Hole` at a path, because what stands there is not whole."""
    within: Any = data
    for step in path[:-1]:
        if isinstance(within, Hole):
            return data
        within = within[step]
    if not path:
        return Hole()
    if not isinstance(within, Hole):
        within[path[-1]] = Hole()
    return data


class _Builder:
    """Turns nodes into data and gathers troubles; `expanded` counts values with every alias written out."""

    def __init__(self, body: str):
        self.body = body
        self.troubles: list[Trouble] = []
        self.expanded = 0
        self._known: dict[int, tuple[Any, int]] = {}
        self._open: set[int] = set()

    def value(self, node: Any, path: Path, depth: int) -> Any:
        self.expanded += 1
        if node.tag not in _OWN_TAGS:
            return self._hole(yaml_words.tagged(self.body, node), path)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        return self._container(node, path, depth)

    def _scalar(self, node: Any, path: Path) -> Any:
        if node.tag == "quoted":
            return node.value
        try:
            value = core_scalar(node.value)
        except ValueError:
            return self._hole(yaml_words.no_number(node), path)
        if value is None and node.end_mark.index > node.start_mark.index:
            written = self.body[node.start_mark.index : node.end_mark.index]
            if written.startswith(("&", "*")):
                return self._hole(yaml_words.needs_quotes(node.start_mark.index, written), path)
        return value

    def _container(self, node: Any, path: Path, depth: int) -> Any:
        seen = self._known.get(id(node))
        if seen is not None:
            self.expanded += seen[1]
            self._refuse_bomb(node)
            return seen[0]
        if depth > DEEPEST or id(node) in self._open:
            return self._hole(yaml_words.too_deep(node, DEEPEST), path)
        before = self.expanded
        self._open.add(id(node))
        value = self._list(node, path, depth) if node.tag == "list" else self._mapping(node, path, depth)
        self._open.discard(id(node))
        self._known[id(node)] = (value, self.expanded - before)
        self._refuse_bomb(node)
        return value

    def _refuse_bomb(self, node: Any) -> None:
        if self.expanded > MOST_VALUES and not any(trouble.code == "alias-bomb" for trouble in self.troubles):
            self.troubles.append(yaml_words.bomb(node, MOST_VALUES))

    def _list(self, node: Any, path: Path, depth: int) -> list[Any]:
        return [self.value(inner, (*path, place), depth + 1) for place, inner in enumerate(node.value)]

    def _mapping(self, node: Any, path: Path, depth: int) -> Any:
        result: dict[str, Any] = {}
        first: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                return self._hole(yaml_words.no_key(self.body, node, key_node), path)
            key = key_node.value
            if key_node.tag not in _OWN_TAGS:
                return self._hole(yaml_words.tagged(self.body, key_node), path)
            if key == "<<" and key_node.tag == "plain":
                return self._hole(yaml_words.merge_key(key_node), path)
            if key in result:
                self.troubles.append(yaml_words.twice(self.body, key_node, first[key]))
                continue
            first[key] = key_node
            result[key] = self.value(value_node, (*path, key), depth + 1)
        return result

    def _hole(self, trouble: Trouble, path: Path) -> Hole:
        hole_at = Trouble(trouble.code, trouble.message, trouble.fix, trouble.index, trouble.level, path)
        self.troubles.append(hole_at)
        return Hole()


def _scalars(node: Any, path: Path, seen: set[int]) -> Iterator[tuple[Any, Path | None]]:
    """Every scalar with its path; keys have none."""
    if isinstance(node, yaml.ScalarNode):
        yield node, path
        return
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for place, inner in enumerate(node.value):
            yield from _scalars(inner, (*path, place), seen)
        return
    for key, inner in node.value:
        if isinstance(key, yaml.ScalarNode):
            yield key, None
            yield from _scalars(inner, (*path, key.value), seen)
