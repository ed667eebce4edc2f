"""The list, get and search tools of a collection that came from a sheet, with filters that suit its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from silo_decl.authoring.infer import FieldColumn
from silo_decl.authoring.linking import Incoming

_MOST_SEARCHED = 6


def tool_file(one: Incoming, taken: set[str]) -> str | None:
    """The text of a tool file; None where one of the names is taken. The names are added to `taken`."""
    many, single = _snake(one.name), _snake(one.singular)
    names = [f"list_{many}", f"get_{single}", f"search_{many}"]
    if taken & set(names):
        return None
    taken |= set(names)
    filters = [line for column in one.fields if column.name != one.key for line in _filter(one, column)]
    searched = [one.key, *(c.name for c in one.fields if c.name != one.key and _is_searched(c))][:_MOST_SEARCHED]
    words, word = _words(one.name), _words(one.singular)
    lines = [
        f"collection: {one.name}",
        "tools:",
        f"  - name: {names[0]}",
        f"    description: List {words}, with filters. Use this to browse them or to count them.",
        "    list:",
        *(["      filters:", *(f"        {line}" for line in filters)] if filters else []),
        f"      sort: [{one.key}]",
        "",
        f"  - name: {names[1]}",
        f"    description: Get one {word} with all of its fields. Use this once its {_words(one.key)} is known.",
        "    get: {}",
        "",
        f"  - name: {names[2]}",
        f"    description: Find {words} by a part of their {_listed(searched)}. Use this when only a word is known.",
        "    search:",
        f"      in: [{', '.join(searched)}]",
    ]
    return "\n".join(lines) + "\n"


def _filter(one: Incoming, column: FieldColumn) -> Iterator[str]:
    """The filters of a column: equality for choices, ids and yes or no; from and to for numbers and dates."""
    words, name = _words(one.name), column.name
    label = _words(name)
    if column.references:
        yield f"{name}: Only {words} of this {_words(_role(name))}."
    elif column.choices:
        yield f"{name}: Only {words} with this {label}."
    elif column.kind == "boolean":
        yield f"{name}: Only {words} where '{label}' is this."
    elif column.kind in ("date", "datetime"):
        yield from _bound(f"{name}From", name, "at_least", f"Only {words} with {label} on this day or later.")
        yield from _bound(f"{name}To", name, "at_most", f"Only {words} with {label} on this day or earlier.")
    elif column.kind in ("number", "money"):
        field = f"{name}.amount" if column.kind == "money" else name
        head = f"{name[0].upper()}{name[1:]}"
        yield from _bound(f"min{head}", field, "at_least", f"Only {words} with {label} of at least this.")
        yield from _bound(f"max{head}", field, "at_most", f"Only {words} with {label} of at most this.")


def _bound(parameter: str, field: str, test: str, description: str) -> list[str]:
    return [f"{parameter}:", f"  field: {field}", f"  test: {test}", f"  description: {description}"]


def _is_searched(column: FieldColumn) -> bool:
    return column.kind == "text" and not column.choices and not column.references and column.example is not None


def _role(name: str) -> str:
    return re.sub(r"(Id|Ref)$", "", name) or name


def _listed(names: list[str]) -> str:
    words = [_words(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda hit: f" {hit[1].lower()}", name).replace("_", " ")


def _snake(name: str) -> str:
    return _words(name).replace(" ", "_").replace("-", "_")
