"""Whether a file has the structure its schema says, and in an author's words what is different.

The schemas decide; this module reads the small part of JSON Schema they are written in. Where a value may have
several forms, the form is chosen by what is there and only that one is held against it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import jsonschema_rs

from silo_decl.errors import Problem, nearest
from silo_decl.specs import structure_words as words
from silo_decl.specs.shipped import shipped
from silo_decl.specs.source import At, Reading
from silo_decl.specs.texts import Hole, Step, has_hole

Schema = Mapping[str, Any]
Path = tuple[Step, ...]


@cache
def schema_of(kind: str) -> Schema:
    """The schema of one kind of file: environment, collections, tool, task or suite."""
    loaded: Schema = json.loads((shipped("schemas") / f"{kind}.schema.json").read_text("utf-8"))
    return loaded


@cache
def _validator(kind: str) -> Any:
    return jsonschema_rs.Draft202012Validator(dict(schema_of(kind)))


def check_file(kind: str, reading: Reading, problems: list[Problem]) -> set[Path]:
    """Hold a file against its schema. Problems are appended; the paths of what cannot be used come back."""
    bad = set(reading.bad)
    if not bad and _validator(kind).is_valid(reading.data):
        return bad
    walk = Walk(schema_of(kind), reading.at, problems)
    walk.look(schema_of(kind), reading.data, ())
    return bad | walk.bad


class Walk:
    """Holds one value against one schema; gathers problems, and in `bad` the paths that have errors.

    `noun` is what a key is called in messages: a setting, a parameter.
    """

    def __init__(self, root: Schema, at: At, problems: list[Problem], noun: str = "setting"):
        self.root = root
        self.at = at
        self.problems = problems
        self.noun = noun
        self.bad: set[Path] = set()

    def look(self, schema: Schema, value: Any, path: Path) -> None:
        """Everything about `value` that is not as `schema` says."""
        if isinstance(value, Hole):
            return
        schema = self.resolved(schema)
        if "anyOf" in schema:
            branch = self._branch(schema["anyOf"], value)
            if branch is None:
                self._wrong_type([self.resolved(one) for one in schema["anyOf"]], value, path)
                return
            schema = branch
        if not fits_type(schema, value):
            self._wrong_type([schema], value, path)
        elif "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
            self.say(path, *words.not_one_of(path, value, schema["enum"]))
        elif isinstance(value, str):
            self._text(schema, value, path)
        elif isinstance(value, list):
            self._list(schema, value, path)
        elif isinstance(value, dict):
            self._mapping(schema, value, path)
        elif not isinstance(value, bool) and isinstance(value, (int, float)):
            self._number(schema, value, path)

    def resolved(self, schema: Schema) -> Schema:
        """The schema itself, or what it refers to."""
        while "$ref" in schema:
            schema = self.root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        return schema

    def say(self, path: Path, code: str, message: str, fix: str = "", key: bool = False) -> None:
        self.bad.add(path)
        self.problems.append(self.at.child(*path).problem(code, message, fix, key=key))

    def _branch(self, branches: Iterable[Schema], value: Any) -> Schema | None:
        """The form that the author meant: the first whose type fits, a named word before any text."""
        fitting = [one for one in map(self.resolved, branches) if fits_type(one, value)]
        for one in fitting:
            if "enum" in one and any(_same(value, choice) for choice in one["enum"]):
                return one
        open_ones = [one for one in fitting if "enum" not in one]
        return next(iter(open_ones or fitting), None)

    def _wrong_type(self, schemas: list[Schema], value: Any, path: Path) -> None:
        if has_hole(value):
            self.bad.add(path)
            return
        self.say(path, *words.wrong_type(path, value, schemas, self.at.child(*path).written()))

    def _text(self, schema: Schema, value: str, path: Path) -> None:
        if not value.strip() and schema.get("minLength"):
            self.say(path, *words.empty(path, "text", schema))
        elif "pattern" in schema and not re.search(schema["pattern"], value):
            self.say(path, *words.wrong_form(path, value, schema))

    def _number(self, schema: Schema, value: float, path: Path) -> None:
        too_small = value < schema.get("minimum", -math.inf) or value <= schema.get("exclusiveMinimum", -math.inf)
        if too_small or value > schema.get("maximum", math.inf):
            self.say(path, *words.out_of_range(path, value, schema))

    def _list(self, schema: Schema, value: list[Any], path: Path) -> None:
        if len(value) < schema.get("minItems", 0):
            self.say(path, *words.empty(path, "list", schema, len(value)))
        for place, item in enumerate(value):
            self.look(schema.get("items", {}), item, (*path, place))

    def _mapping(self, schema: Schema, value: dict[str, Any], path: Path) -> None:
        known = schema.get("properties", {})
        rest = schema.get("additionalProperties", {})
        unknown = [key for key in value if key not in known] if rest is False else []
        if not self._one_of(schema, value, unknown, path):
            unknown = []
        for key in unknown:
            flow = self.at.child(*path).in_braces()
            self.say((*path, key), *words.unknown_key(schema, key, value[key], known, self.noun, flow), key=True)
        self._needed(schema, value, path, unknown)
        self._names(schema, value, path)
        for key, inner in value.items():
            if key in known:
                self.look(known[key], inner, (*path, key))
            elif rest:
                self.look(rest, inner, (*path, key))

    def _one_of(self, schema: Schema, value: dict[str, Any], unknown: list[str], path: Path) -> bool:
        """Exactly one of several keys; False where an unknown key was already said to be an unknown kind."""
        if "oneOf" not in schema:
            return True
        names = [name for branch in schema["oneOf"] for name in branch.get("required", ())]
        given = [name for name in names if name in value]
        if len(given) > 1:
            self.say((*path, given[1]), *words.several_kinds(schema, given), key=True)
        elif not given and not any("not" in branch for branch in schema["oneOf"]):
            guess = words.unknown_kind(schema, unknown, names)
            if guess is not None:
                key, problem = guess
                self.say((*path, key), *problem, key=True)
                return len(unknown) > 1
            self.say(path, *words.missing_kind(schema, names))
        return True

    def _needed(self, schema: Schema, value: dict[str, Any], path: Path, unknown: list[str]) -> None:
        for key in schema.get("required", ()):
            if key not in value and nearest(key, unknown) is None:
                self.say(path, *words.missing_key(schema, key))
            elif key not in value:
                self.bad.add(path)
        for key, needs in schema.get("dependentRequired", {}).items():
            for other in needs:
                if key in value and other not in value:
                    self.say((*path, key), *words.missing_beside(schema, key, other), key=True)
        if len(value) < schema.get("minProperties", 0):
            self.say(path, *words.empty(path, "mapping", schema))

    def _names(self, schema: Schema, value: dict[str, Any], path: Path) -> None:
        names = schema.get("propertyNames") or {"pattern": ""}
        for key in value:
            if not re.search(names["pattern"], key):
                self.say((*path, key), *words.wrong_name(key, names), key=True)


def fits_type(schema: Schema, value: Any) -> bool:
    """Whether a value is of a type the schema allows; a schema that names none allows all of its choices' types."""
    if "type" in schema:
        named = schema["type"]
        return any(_is(one, value) for one in ([named] if isinstance(named, str) else named))
    if "enum" in schema:
        return any(words.type_of(one) == words.type_of(value) for one in schema["enum"])
    return True


def _is(named: str, value: Any) -> bool:
    if named == "number":
        return words.type_of(value) in ("integer", "number")
    if named == "integer":
        return words.type_of(value) == "integer" or (isinstance(value, float) and value.is_integer())
    return words.type_of(value) == named


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
