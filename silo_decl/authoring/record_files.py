"""The JSON files of a world's facts: what changes is put into the text that is there, and every other letter stays.

Written anew from its values, a file would lose how its numbers are written and how its lines are laid out, and a
change of one record would look like a change of all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from silo_decl.authoring.json_layout import Layout, Part, layout_of, top_parts
from silo_decl.errors import ProblemsFound, SiloError
from silo_decl.specs.environment import CollectionSpec
from silo_decl.specs.load import load_environment

Record = Mapping[str, Any]

_MARK = "\ufeff"


class ChangedMeanwhile(SiloError):
    """A file is not as it was when it was read, so that writing it would undo what someone else did."""

    def __init__(self, path: Path):
        super().__init__(f"{path} was changed while this was at work; nothing was written. Do it again.")


def data_path(root: Path, collection: str, spec: CollectionSpec | None) -> Path:
    """The file of a collection's facts, also where it is still to be written."""
    return root / (spec.data_file if spec is not None and spec.data_file else f"data/{collection}.json")


def must_be_whole(root: Path, collection: CollectionSpec) -> None:
    """Refuse to write facts that could not be read whole: what was not read would be lost.

    Raises ProblemsFound with what is in the way.
    """
    if not collection.open:
        return
    errors = [problem for problem in load_environment(root)[1] if problem.level == "error"]
    files = {collection.data_file, collection.at.file.name}
    raise ProblemsFound([problem for problem in errors if problem.file in files] or errors)


def text_of_file(path: Path) -> str:
    """What a data file holds now; '' where it is not there."""
    return path.read_bytes().decode("utf-8") if path.is_file() else ""


def with_records(path: Path, collection: CollectionSpec | None, records: Iterable[Record], key: str) -> bytes:
    """What the data file holds once it has these records, in their order.

    Raises ChangedMeanwhile where it no longer holds the records of `collection`.
    """
    before = text_of_file(path)
    if collection is not None and before.strip(_MARK + " \t\r\n"):
        there = [_with_key(part, key) for part in top_parts(before.removeprefix(_MARK))]
        if there != list(collection.records):
            raise ChangedMeanwhile(path)
    return written(records, key, before).encode()


def written(records: Iterable[Record], key: str, before: str = "") -> str:
    """The text of a data file. `before` is its present text: records that it holds already keep their letters, and
    others are written as those are. A record that is known by its id and differs is changed in its place.
    """
    mark = _MARK if before.startswith(_MARK) else ""
    text = before.removeprefix(_MARK)
    listed = [dict(record) for record in records]
    if not text.strip():
        return _fresh(listed)
    parts = top_parts(text)
    if not parts or not listed:
        brackets = "{}" if text.lstrip().startswith("{") else "[]"
        return mark + (_fresh(listed, keyed=key if brackets == "{}" else "") if listed else f"{brackets}\n")
    return mark + _spliced(text, parts, listed, key)


def _with_key(part: Part, key: str) -> Any:
    value = part.value
    return {key: part.name, **value} if part.name is not None and key not in value else value


def _fresh(records: list[dict[str, Any]], keyed: str = "") -> str:
    if not records:
        return "[]\n"
    value: Any = records
    if keyed:
        value = {one[keyed]: {name: inner for name, inner in one.items() if name != keyed} for one in records}
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _spliced(text: str, parts: list[Part], records: list[dict[str, Any]], key: str) -> str:
    layout = layout_of(text, parts)
    keyed = parts[0].name is not None
    own_key = keyed and all(key in part.value for part in parts)
    known = {_with_key(part, key)[key]: place for place, part in enumerate(parts)}
    head, tail = text[: parts[0].start], text[parts[-1].end :]
    pieces: list[str] = []
    for number, record in enumerate(records):
        place = known.get(record[key])
        wanted = record
        if keyed and not own_key and (place is None or key not in parts[place].value):
            wanted = {name: value for name, value in record.items() if name != key}
        if number:
            pieces.append(_gap(text, parts, place, layout))
        if place is None:
            pieces.append(layout.entry(record[key] if keyed else None, wanted))
        else:
            pieces.append(layout.changed(text, parts[place], wanted))
    return head + "".join(pieces) + tail


def _gap(text: str, parts: list[Part], place: int | None, layout: Layout) -> str:
    """What stands before an entry: what stood there, else what usually does."""
    if place is None or place == 0:
        return layout.gap
    return text[parts[place - 1].end : parts[place].start]
