"""The schemas and what is said about files that do not fit them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.errors import Problem
from silo_decl.specs.shipped import shipped
from silo_decl.specs.source import At, SourceFile
from silo_decl.specs.structure import Walk, schema_of
from tests.specs.folders import EXAMPLES

KINDS = ("environment", "collections", "tool", "task", "suite")


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema within a schema, with its path."""
    if isinstance(schema, dict):
        yield path, schema
        for word in ("properties", "$defs"):
            for key, inner in schema.get(word, {}).items():
                yield from parts(inner, f"{path}/{key}")
        for word in ("items", "additionalProperties"):
            yield from parts(schema.get(word), f"{path}/{word}")
        for place, inner in enumerate(schema.get("anyOf", ())):
            yield from parts(inner, f"{path}/{place}")


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_right_json_schema(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(dict(schema_of(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_closed_at_every_level(kind: str) -> None:
    for path, schema in parts(schema_of(kind)):
        if "object" in str(schema.get("type", "")) or "properties" in schema:
            assert "additionalProperties" in schema, path
            assert schema["additionalProperties"] is not True, path


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_has_a_description_that_an_author_can_read(kind: str) -> None:
    for path, schema in parts(schema_of(kind)):
        for key, inner in schema.get("properties", {}).items():
            description = inner.get("description", "")
            assert description[:1].isupper() or description.startswith(("module", "`", "count")), f"{path}/{key}"
            assert description.rstrip().endswith((".", "…")), f"{path}/{key}"


def test_every_schema_is_of_one_kind_of_file() -> None:
    assert {path.name for path in shipped("schemas").glob("*.json")} == {f"{kind}.schema.json" for kind in KINDS}


def told(kind: str, data: Any) -> list[Problem]:
    problems: list[Problem] = []
    walk = Walk(schema_of(kind), At(SourceFile(Path(), "", "other")), problems)
    walk.look(schema_of(kind), data, ())
    assert bool(walk.bad) == bool(problems)
    return problems


FILES = [
    *(("environment", path) for path in EXAMPLES.glob("good/*/environment.yaml")),
    *(("tool", path) for path in EXAMPLES.glob("good/*/tools/*.yaml")),
    *(("task", path) for path in EXAMPLES.glob("good/*/tasks/*.yaml")),
    *(("suite", path) for path in EXAMPLES.glob("good/*/suites/*.yaml")),
]
VALUES: list[Any] = [None, True, 0, -1, 1.5, "", "x", "= y", [], ["x"], {}, {"x": 1}, [[]], [None], "nothing", "text"]


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for step, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(inner, (*path, step))


def damaged(data: Any, path: tuple[Any, ...], how: str, value: Any) -> Any:
    copy = json.loads(json.dumps(data))
    if not path:
        return value
    within = copy
    for step in path[:-1]:
        within = within[step]
    if how == "put":
        within[path[-1]] = value
    elif how == "remove":
        del within[path[-1]]
    elif isinstance(within, dict):
        within[f"{path[-1]}x"] = within.pop(path[-1])
    return copy


@given(st.sampled_from(FILES), st.sampled_from(["put", "remove", "rename"]), st.sampled_from(VALUES), st.data())
def test_something_is_said_exactly_where_the_schema_does_not_fit(
    file: tuple[str, Path], how: str, value: Any, data: st.DataObject
) -> None:
    kind, path = file
    whole = json.loads(json.dumps(yaml.safe_load(path.read_text()), default=str))
    changed = damaged(whole, data.draw(st.sampled_from(list(places(whole)))), how, value)
    fits = jsonschema.Draft202012Validator(dict(schema_of(kind))).is_valid(changed)
    assert fits == (told(kind, changed) == [])


@given(st.sampled_from(FILES), st.sampled_from(VALUES), st.data())
def test_no_word_of_the_machinery_reaches_an_author(file: tuple[str, Path], value: Any, data: st.DataObject) -> None:
    kind, path = file
    whole = json.loads(json.dumps(yaml.safe_load(path.read_text()), default=str))
    changed = damaged(whole, data.draw(st.sampled_from(list(places(whole)))), "put", value)
    for problem in told(kind, changed):
        for word in ("schema", "instance", "NoneType", "dict", "$", "anyOf", "null", "invalid"):
            assert word not in problem.message.replace(str(value), "")
