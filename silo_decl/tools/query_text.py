"""How a query is written: field paths, names and texts quoted where they must be, orders and measures spelt out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORDS = frozenset({"and", "or", "not", "in", "true", "false", "null"})


def name_text(name: str) -> str:
    """A field's or a collection's name as a query has it."""
    if _PLAIN.match(name) and name not in _WORDS:
        return name
    return json.dumps(name, ensure_ascii=False)


def path_text(path: str) -> str:
    return ".".join(map(name_text, path.split(".")))


def input_text(parameter: str) -> str:
    """An argument as a query reads it."""
    return f"$input.{name_text(parameter)}"


def chosen_text(collection: str, conditions: Iterable[str]) -> str:
    """The records of a collection for which every condition holds."""
    joined = " and ".join(conditions)
    return f"{name_text(collection)}[?{joined}]" if joined else f"{name_text(collection)}[]"


def sorted_text(query: str, sort: Iterable[str]) -> str:
    """The result of a query in an order: stable, the first field weighing most, nothing last both ways."""
    for one in reversed(tuple(sort)):
        path = path_text(one.removeprefix("-"))
        if one.startswith("-"):
            query = f"{query} | [reverse(sort_by(reverse([?{path} != null]), &{path})), [?{path} == null]][]"
        else:
            query = f"{query} | sort_by(@, &{path})"
    return query
