"""The facts under `data/`: each file becomes the records of a collection, each record with its id."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from silo_decl.errors import Problem, did_you_mean
from silo_decl.specs.environment import CollectionSpec
from silo_decl.specs.environment_parts import singular_of
from silo_decl.specs.folder import Folder
from silo_decl.specs.known import Known
from silo_decl.specs.source import At, Reading, SourceFile, read
from silo_decl.specs.structure_words import type_of
from silo_decl.specs.texts import Step

MOST_SHOWN = 10

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\Z")
_KINDS = {
    "string": "a text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a number",
    "array": "a list",
    "null": "null",
    "object": "an object",
}


def kind_words(value: Any) -> str:
    """What an author would call a value of a JSON file."""
    return _KINDS[type_of(value)]


def read_data(
    folder: Folder, declared: Mapping[str, CollectionSpec], known: Known, problems: list[Problem]
) -> dict[str, CollectionSpec]:
    """The declared collections with their records, and behind them those that only have a data file."""
    collections = dict(declared)
    owners: dict[str, str] = {}
    for file in folder.files("data"):
        name = PurePosixPath(file).stem
        at = At(SourceFile(folder.path(file), file, "json" if file.endswith(".json") else "other"))
        if PurePosixPath(file).name.casefold().startswith("readme"):
            continue
        if folder.leaves(file):
            problems.append(
                at.problem("path-outside", "This file is a link that leads out of the environment's folder.")
            )
        elif not file.endswith(".json") or PurePosixPath(file).parent.as_posix() != "data" or not _NAME.match(name):
            problems.append(_unused(at, "Data is one JSON file for each collection, right under data/."))
        elif name in owners:
            problems.append(_unused(at, f"{owners[name]} already holds '{name}'."))
        else:
            owners[name] = file
            if name not in declared and not known.collections_lost:
                problems.append(_undeclared(at, name, declared))
            blank = collections.get(name) or CollectionSpec(at, name, singular_of(name))
            collections[name] = _filled(blank, read(folder.path(file), file, "json"), known, problems)
            known.collections.add(name)
    return collections


def _unused(at: At, why: str) -> Problem:
    return at.problem("unused-data", f"This data file is not read. {why}", "Move or remove it.", level="warning")


def _undeclared(at: At, name: str, declared: Mapping[str, CollectionSpec]) -> Problem:
    free = [one for one in declared if one != name]
    return at.problem(
        "unused-data",
        f"This data file belongs to no collection of environment.yaml.{did_you_mean(name, free)}",
        f"Write '{name}: {{}}' under 'collections:', or rename the file; "
        f"until then it is read as the collection '{name}'.",
        level="warning",
    )


def _filled(blank: CollectionSpec, reading: Reading, known: Known, problems: list[Problem]) -> CollectionSpec:
    """The collection with the records of its file; those without an id are left out."""
    problems += reading.problems
    named = replace(blank, data_file=reading.at.file.name, data_at=reading.at)
    data = reading.data
    if not isinstance(data, (list, dict)):
        if reading.usable:
            problems.append(
                reading.at.problem("wrong-type", f"A data file holds a list of records, not {kind_words(data)}.")
            )
        known.data_lost.add(blank.name)
        return replace(named, open=True)
    keyed = isinstance(data, dict)
    steps: list[Step] = list(data) if isinstance(data, dict) else list(range(len(data)))
    values: list[Any] = list(data.values()) if isinstance(data, dict) else data
    if keyed:
        values = _with_keys(values, steps, blank.key)
        _say_differing(named, steps, values, problems)
    if not _plainly_right(values, blank.key):
        before = len(problems)
        steps, values = _sound_records(named, steps, values, problems)
        if len(problems) > before:
            known.data_lost.add(blank.name)
            named = replace(named, open=True)
    return replace(named, records=tuple(values), record_steps=tuple(steps))


def _with_keys(values: list[Any], steps: list[Step], key: str) -> list[Any]:
    """Records of an object keyed by id; one without its key field takes it from its object key."""
    return [
        {key: step, **record} if isinstance(record, dict) and key not in record else record
        for step, record in zip(steps, values)
    ]


def _say_differing(collection: CollectionSpec, steps: list[Step], values: list[Any], problems: list[Problem]) -> None:
    data_at = collection.data_at or collection.at
    several = Several(problems)
    for step, record in zip(steps, values):
        if isinstance(record, dict) and record[collection.key] != step:
            identity = record[collection.key]
            at = data_at.child(step, collection.key)
            message = f"The record under '{step}' has the {collection.key} '{identity}'."
            several.add("id-differs", partial(at.problem, "id-differs", message, "Make them the same, or remove one."))
    several.close(data_at)


def _plainly_right(values: list[Any], key: str) -> bool:
    try:
        ids = [record[key] for record in values]
    except (KeyError, TypeError, IndexError):
        return False
    return set(map(type, ids)) <= {str} and len(set(ids)) == len(ids) and "" not in set(ids)


def _sound_records(
    collection: CollectionSpec, steps: list[Step], values: list[Any], problems: list[Problem]
) -> tuple[list[Step], list[Any]]:
    """What can be used of records that have problems, which are said."""
    gathered = Several(problems)
    seen: dict[str, Step] = {}
    kept: list[tuple[Step, Any]] = []
    data_at = collection.data_at or collection.at
    for step, record in zip(steps, values):
        at = data_at.child(step)
        if not isinstance(record, dict):
            message = f"A record is an object with fields, not {kind_words(record)}."
            gathered.add("wrong-type", lambda at=at, message=message: at.problem("wrong-type", message))
            continue
        identity = record.get(collection.key)
        if not isinstance(identity, str) or not identity:
            gathered.add("id", lambda at=at, record=record: _wrong_id(at, collection, record))
        elif identity in seen:
            gathered.add("duplicate-id", lambda at=at, one=identity: _duplicate(at, collection, one))
        else:
            seen[identity] = step
            kept.append((step, record))
    gathered.close(data_at)
    return [step for step, _ in kept], [record for _, record in kept]


def _wrong_id(at: At, collection: CollectionSpec, record: Mapping[str, Any]) -> Problem:
    key = collection.key
    value = record.get(key)
    if value is None or value == "":
        others = [name for name in record if name.casefold().endswith(("id", "key", "code"))]
        hint = (
            f" If another field is its id, write 'key: {others[0]}' for the collection."
            if others and key not in record
            else ""
        )
        return at.problem("missing-id", f"This record of {collection.name} has no '{key}'.", f"Give it one.{hint}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return at.child(key).problem(
            "id-as-number", f"The {key} {value} is a number; an id is a text.", f'Put it between quotes: "{value}"'
        )
    return at.child(key).problem("wrong-type", f"The {key} of a record is a text, not {kind_words(value)}.")


def _duplicate(at: At, collection: CollectionSpec, identity: str) -> Problem:
    return at.child(collection.key).problem(
        "duplicate-id",
        f"{collection.name} has more than one record with the {collection.key} '{identity}'.",
        "Give each record an id of its own.",
    )


class Several:
    """Problems of one file, of which only the first few of each sort are shown with their places."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        self._counts: Counter[str] = Counter()

    def add(self, sort: str, make: Any) -> None:
        """`make` works out the problem; it is called for the first few of a `sort` only."""
        self._counts[sort] += 1
        if self._counts[sort] <= MOST_SHOWN:
            self.problems.append(make())

    def close(self, at: At) -> None:
        """Say how many more there are."""
        hidden = {sort: count - MOST_SHOWN for sort, count in self._counts.items() if count > MOST_SHOWN}
        for sort, count in hidden.items():
            self.problems.append(
                at.problem("more-of-the-same", f"{count:,} more problems like those of {sort} above are in this file.")
            )
