"""The facts under `data/`: ids, keys, references, declared types, and files that belong to no collection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from silo_decl.specs.data import MOST_SHOWN
from tests.specs.folders import ENVIRONMENT, codes, loaded, sound


def environment(fields: str) -> str:
    return ENVIRONMENT.replace('{ids: "TH-{:02}"}', f'{{ids: "TH-{{:02}}", fields: {{{fields}}}}}')


def test_object_keyed_by_id_gives_each_record_its_id(tmp_path: Path) -> None:
    things = sound(tmp_path, {"data/things.json": '{"TH-02": {"name": "b"}, "TH-01": {"id": "TH-01", "name": "a"}}'})
    collection = things.collections["things"]
    assert list(collection.records) == [{"id": "TH-02", "name": "b"}, {"id": "TH-01", "name": "a"}]
    assert collection.record_steps == ("TH-02", "TH-01")
    assert collection.data_at is not None
    place = collection.data_at.child("TH-01", "name").problem("x", "Here.")
    assert (place.line, place.column) == (1, 59)


def test_list_of_records_keeps_its_order_and_places(tmp_path: Path) -> None:
    collection = sound(tmp_path, {"data/things.json": '[{"id": "b"}, {"id": "a"}]'}).collections["things"]
    assert [record["id"] for record in collection.records] == ["b", "a"]
    assert collection.record_steps == (0, 1)


def test_key_field_may_have_another_name(tmp_path: Path) -> None:
    files = {
        "environment.yaml": ENVIRONMENT.replace('{ids: "TH-{:02}"}', "{key: code}"),
        "data/things.json": '[{"code": "A"}, {"code": "B"}]',
    }
    assert [record["code"] for record in sound(tmp_path, files).collections["things"].records] == ["A", "B"]


def test_collection_without_data_is_empty(tmp_path: Path) -> None:
    files = {"environment.yaml": ENVIRONMENT.replace("tools:\n", "  log: {ids: 'L-{}'}\ntools:\n")}
    log = sound(tmp_path, files).collections["log"]
    assert (log.records, log.data_file) == ((), "")


def test_data_file_of_no_collection_is_read_and_warned_about(tmp_path: Path) -> None:
    spec, (problem,) = loaded(tmp_path, {"data/stages.json": '[{"id": "S-1"}]'})
    assert spec is not None
    assert [record["id"] for record in spec.collections["stages"].records] == ["S-1"]
    assert (problem.code, problem.level, problem.file) == ("unused-data", "warning", "data/stages.json")


@pytest.mark.parametrize("name", ["data/notes.txt", "data/old/things.json", "data/a b.json"])
def test_file_that_is_no_data_is_warned_about(tmp_path: Path, name: str) -> None:
    assert codes(tmp_path, {name: "[]"}) == ["unused-data"]


RECORDS = [
    ("5", "wrong-type"),
    ("[5]", "wrong-type"),
    ('[{"name": "x"}]', "missing-id"),
    ('[{"id": null}]', "missing-id"),
    ('[{"id": ""}]', "missing-id"),
    ('[{"id": 5}]', "id-as-number"),
    ('[{"id": ["x"]}]', "wrong-type"),
    ('[{"id": "a"}, {"id": "a"}]', "duplicate-id"),
    ('{"a": {"id": "b"}}', "id-differs"),
]


@pytest.mark.parametrize(("text", "code"), RECORDS)
def test_record_without_a_usable_id_is_a_problem(tmp_path: Path, text: str, code: str) -> None:
    assert codes(tmp_path, {"data/things.json": text}) == [code]


FIELDS = [
    ("ownerId: {references: things}", {"ownerId": "TH-01"}, None),
    ("ownerId: {references: things}", {"ownerId": None}, None),
    ("ownerId: {references: things}", {}, None),
    ("ownerId: {references: things}", {"ownerId": "TH-99"}, "broken-reference"),
    ("ownerId: {references: things}", {"ownerId": 7}, "id-as-number"),
    ("ownerId: {references: things}", {"ownerId": True}, "wrong-value"),
    ("owners: {list_of: {references: things}}", {"owners": ["TH-01", "TH-99"]}, "broken-reference"),
    (
        "lines.thingId: {references: things}",
        {"lines": [{"thingId": "TH-01"}, {"thingId": "TH-99"}]},
        "broken-reference",
    ),
    ("a.b: {references: things}", {"a": {"b": "TH-99"}}, "broken-reference"),
    ("a.b: {references: {by: a.k, thing: things}}", {"a": {"k": "thing", "b": "TH-01"}}, None),
    ("a.b: {references: {by: a.k, thing: things}}", {"a": {"k": "thing", "b": "TH-99"}}, "broken-reference"),
    ("a.b: {references: {by: a.k, thing: things}}", {"a": {"k": "thng", "b": "TH-01"}}, "broken-reference"),
    ("a.b: {references: {by: a.k, thing: things}}", {"a": {"k": None, "b": "TH-01"}}, None),
    ("x: {type: text}", {"x": 5}, "wrong-value"),
    ("x: {type: number}", {"x": 5}, None),
    ("x: {type: number}", {"x": "5"}, "wrong-value"),
    ("x: {type: number}", {"x": True}, "wrong-value"),
    ("x: {type: integer}", {"x": 5.0}, None),
    ("x: {type: integer}", {"x": 5.5}, "wrong-value"),
    ("x: {type: boolean}", {"x": "yes"}, "wrong-value"),
    ("x: {type: date}", {"x": "2026-02-28"}, None),
    ("x: {type: date}", {"x": "2026-02-30"}, "wrong-value"),
    ("x: {type: date}", {"x": "2026-02-28T10:00"}, "wrong-value"),
    ("x: {type: datetime}", {"x": "2026-02-28T10:00"}, None),
    ("x: {type: datetime}", {"x": "2026-02-28T25:00"}, "wrong-value"),
    ("x: {type: money}", {"x": {"amount": 5, "currency": "EUR"}}, None),
    ("x: {type: money}", {"x": 5}, "wrong-value"),
    ("x: {type: list}", {"x": {}}, "wrong-value"),
    ("x: {type: object}", {"x": []}, "wrong-value"),
    ("x: {list_of: integer}", {"x": [1, "2"]}, "wrong-value"),
    ("x: {fields: {y: {type: text}}}", {"x": {"y": 1}}, "wrong-value"),
    ("x: {enum: [a, b]}", {"x": "b"}, None),
    ("x: {enum: [a, b]}", {"x": "c"}, "wrong-value"),
    ("x: {enum: [1, 2]}", {"x": 2}, None),
    ("x: {enum: [1, 2]}", {"x": True}, "wrong-value"),
]


@pytest.mark.parametrize(("field", "record", "code"), FIELDS)
def test_data_is_held_against_what_fields_say(
    tmp_path: Path, field: str, record: dict[str, object], code: str | None
) -> None:
    files = {
        "environment.yaml": environment(field),
        "data/things.json": json.dumps([{"id": "TH-01"}, {"id": "TH-02", **record}]),
    }
    assert codes(tmp_path, files) == ([] if code is None else [code])


def test_only_the_first_of_many_like_problems_are_shown(tmp_path: Path) -> None:
    records = [{"id": f"TH-{n}", "x": n} for n in range(1000)]
    files = {"environment.yaml": environment("x: {type: text}"), "data/things.json": json.dumps(records)}
    found = codes(tmp_path, files)
    assert found == ["wrong-value"] * MOST_SHOWN + ["more-of-the-same"]
