"""A change of one record leaves every other letter of its file, and what could not be read is never written over."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.authoring.importing import Request, plan_import
from silo_decl.authoring.own_world import own_world
from silo_decl.authoring.record_files import ChangedMeanwhile, written
from silo_decl.authoring.records import add_record, remove_record, update_record
from silo_decl.errors import ProblemsFound

YAML = 'silo: 1\nname: w\nnow: "2026-04-01"\ncollections:\n  things: {ids: "T-{}"}\n'


def world(folder: Path, data: str) -> Path:
    """A world with one data file of this text."""
    (folder / "data").mkdir(parents=True)
    (folder / "environment.yaml").write_text(YAML, "utf-8")
    (folder / "data" / "things.json").write_bytes(data.encode())
    return folder


def change(folder: Path, *words: str) -> str:
    """The data file after T-1 was changed."""
    spec = own_world(str(folder))
    update_record(spec, spec.collections["things"], "T-1", words)
    return (folder / "data" / "things.json").read_bytes().decode()


LAYOUTS = {
    "a record a line": '[\n  {"id": "T-1", "size": 1.50, "on": 1},\n\n  {"id": "T-2", "big": 123456789012345678}]',
    "spread": '[\n    {\n        "size": 1.50,\n        "id": "T-1"\n    },\n    {\n        "id": "T-2"\n    }\n]',
    "dense": '[{"id":"T-1","size":1.50},{"id":"T-2","size":0.10}]\n',
    "by id": '{\n  "T-1": {"size": 1.50},\n  "T-2": {"size": 1E2}\n}\n',
    "by id with ids": '{"T-1": {"id": "T-1", "size": 1.50}, "T-2": {"id": "T-2", "size": 2}}\n',
    "windows": '\ufeff[\r\n\t{\r\n\t\t"id": "T-1",\r\n\t\t"size": 1.50\r\n\t},\r\n\t{"id": "T-2"}\r\n]\r\n',
    "escaped": '[\n  {"id": "T-1", "size": 1.50, "name": "\\u00e9"}\n]\n',
}  # fmt: skip


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_only_the_value_that_changes_is_written(tmp_path: Path, text: str) -> None:
    assert change(world(tmp_path / "w", text), "size=3") == text.replace("1.50", "3")


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ('[\n  {"id": "T-1", "name": "a"}\n]\n', '[\n  {"id": "T-1", "name": "a"},\n  {"id": "T-2", "name": "ü"}\n]\n'),
        ('[{"id":"T-1","name":"a"}]', '[{"id":"T-1","name":"a"},{"id":"T-2","name":"ü"}]'),
        ('{\n "T-1": {"name": "a"}\n}\n', '{\n "T-1": {"name": "a"},\n "T-2": {"name": "ü"}\n}\n'),
        (
            '[\n  {\n    "id": "T-1",\n    "name": "a"\n  }\n]\n',
            '[\n  {\n    "id": "T-1",\n    "name": "a"\n  },\n  {\n    "id": "T-2",\n    "name": "ü"\n  }\n]\n',
        ),
        ('[{"id": "T-1", "name": "\\u00e9"}]', '[{"id": "T-1", "name": "\\u00e9"}, {"id": "T-2", "name": "\\u00fc"}]'),
    ],
)
def test_a_new_record_is_written_as_the_others_are(tmp_path: Path, text: str, added: str) -> None:
    folder = world(tmp_path / "w", text)
    spec = own_world(str(folder))
    assert add_record(spec, spec.collections["things"], ["name=ü"]) == "T-2"
    assert (folder / "data" / "things.json").read_text("utf-8") == added


def test_the_last_record_can_go_and_the_first_can_come(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", '{\n  "T-1": {"name": "a"}\n}\n')
    spec = own_world(str(folder))
    remove_record(spec, spec.collections["things"], "T-1", False)
    assert (folder / "data" / "things.json").read_text("utf-8") == "{}\n"
    spec = own_world(str(folder))
    add_record(spec, spec.collections["things"], ["id=T-9"])
    assert json.loads((folder / "data" / "things.json").read_text("utf-8")) == {"T-9": {}}


@pytest.mark.parametrize(
    "text",
    ['[{"id": "T-1"},]', '[{"id": "T-1"}, {"name": "no id"}]', '[{"id": "T-1"}, {"id": "T-1", "name": "twin"}]', "3"],
)
def test_facts_that_could_not_be_read_whole_are_not_written_over(tmp_path: Path, text: str) -> None:
    folder = world(tmp_path / "w", text)
    spec = own_world(str(folder))
    with pytest.raises(ProblemsFound) as stopped:
        add_record(spec, spec.collections["things"], ["id=T-5"])
    assert {problem.file for problem in stopped.value.problems} == {"data/things.json"}
    (tmp_path / "things.csv").write_text("id,name\nT-7,x\n", "utf-8")
    with pytest.raises(ProblemsFound):
        plan_import(spec, Request(tmp_path / "things.csv"))
    assert (folder / "data" / "things.json").read_text("utf-8") == text


def test_a_file_that_someone_else_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", '[{"id": "T-1"}]')
    spec = own_world(str(folder))
    theirs = '[{"id": "T-1"}, {"id": "T-2"}]'
    (folder / "data" / "things.json").write_text(theirs, "utf-8")
    with pytest.raises(ChangedMeanwhile, match="changed while this was at work; nothing was written"):
        add_record(spec, spec.collections["things"], ["id=T-3"])
    assert (folder / "data" / "things.json").read_text("utf-8") == theirs


def test_a_file_that_changed_between_plan_and_writing_is_left_alone(tmp_path: Path) -> None:
    folder = world(tmp_path / "w", '[{"id": "T-1"}]')
    (tmp_path / "things.csv").write_text("id,name\nT-7,x\n", "utf-8")
    plan = plan_import(own_world(str(folder)), Request(tmp_path / "things.csv", tools=True))
    theirs = (folder / "environment.yaml").read_text("utf-8") + "# mine\n"
    (folder / "environment.yaml").write_text(theirs, "utf-8")
    with pytest.raises(ChangedMeanwhile):
        plan.write()
    assert (folder / "environment.yaml").read_text("utf-8") == theirs
    assert (folder / "data" / "things.json").read_text("utf-8") == '[{"id": "T-1"}]'
    assert not (folder / "tools").exists()


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
records = st.dictionaries(
    st.text("XYZ123", min_size=1, max_size=3),
    st.dictionaries(st.text("abcd", min_size=1, max_size=2), values),
    max_size=5,
)
layouts = st.sampled_from([{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}, {"separators": (",", ":")}])


@settings(max_examples=150, deadline=None)
@given(records, records, layouts, st.booleans(), st.booleans())
def test_what_is_written_is_what_was_meant(
    before: dict[str, Any], after: dict[str, Any], layout: dict[str, Any], keyed: bool, ascii_only: bool
) -> None:
    old: Any = before if keyed else [{"id": key, **value} for key, value in before.items()]
    text = json.dumps(old, ensure_ascii=ascii_only, **layout)
    wanted = [{"id": key, **value} for key, value in after.items()]
    found = json.loads(written(wanted, "id", text))
    if isinstance(found, dict):
        found = [{"id": key, **value} for key, value in found.items()]
    assert found == wanted
    assert json.dumps(written(wanted, "id", json.dumps(old)))
