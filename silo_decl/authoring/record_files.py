"""The JSON files of a world's facts, written in the way each one is written already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from silo_decl.specs.environment import CollectionSpec


def data_path(root: Path, collection: str, spec: CollectionSpec | None) -> Path:
    """The file of a collection's facts, also where it is still to be written."""
    return root / (spec.data_file if spec is not None and spec.data_file else f"data/{collection}.json")


def written(records: Iterable[Mapping[str, Any]], key: str, before: str = "") -> str:
    """The text of a data file. `before` is its present text, whose form is kept: a list or an object by ids, one
    record a line or spread over several, and how far it is indented.
    """
    start = before.lstrip("\ufeff \t\r\n")
    keyed = start.startswith("{")
    spread, indent = _form(before)
    end = "\r\n" if "\r\n" in before else "\n"
    if keyed:
        items = {str(record[key]): {name: one for name, one in record.items() if name != key} for record in records}
        text = (
            _spread(items, indent)
            if spread
            else _lines((json.dumps(k, ensure_ascii=False) + ": " + _line(v) for k, v in items.items()), "{}", indent)
        )
    else:
        listed = list(records)
        text = _spread(listed, indent) if spread else _lines(map(_line, listed), "[]", indent)
    return text.replace("\n", end)


def _form(before: str) -> tuple[bool, int]:
    """Whether records are spread over lines, and the indentation."""
    lines = [line for line in before.splitlines() if line.strip()]
    indents = [len(line) - len(line.lstrip()) for line in lines if len(line) > len(line.lstrip())]
    indent = min(indents) if indents else 2
    spread = any(line.strip() == "{" or line.rstrip().endswith(": {") for line in lines[1:3])
    return spread, indent


def _spread(value: Any, indent: int) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent) + "\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(parts: Iterable[str], brackets: str, indent: int) -> str:
    listed = [" " * indent + part for part in parts]
    inside = ",\n".join(listed)
    return f"{brackets[0]}\n{inside}\n{brackets[1]}\n" if listed else f"{brackets}\n"
