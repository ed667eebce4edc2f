"""What is known of fields: from the data, and from declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from silo_decl.expressions.shapes import ANY, BOOLEAN, DATE, DATETIME, NUMBER, TEXT, Shape
from silo_decl.specs.shapes import collection_shapes, shape_of_all
from tests.specs.folders import ENVIRONMENT, EXAMPLES, sound


def test_shape_of_values_is_what_they_have_in_common() -> None:
    assert shape_of_all([1, 2.5]) == NUMBER
    assert shape_of_all([True]) == BOOLEAN
    assert shape_of_all(["a", None]) == TEXT.maybe()
    assert shape_of_all(["2026-01-01", "2026-01-02"]) == DATE
    assert shape_of_all(["2026-01-01T10:00"]) == DATETIME
    assert shape_of_all(["2026-01-01", "soon"]) == TEXT
    assert shape_of_all(["2026-01-01", 1]).kind == "any"
    assert shape_of_all([]) == ANY
    assert shape_of_all([["a"], []]).element == TEXT


def test_object_keyed_by_id_is_a_map() -> None:
    variants = [{"1001": {"price": 1}, "1002": {"price": 2}}, {"2001": {"price": 3}}]
    shape = shape_of_all(variants)
    assert (shape.kind, shape.element.fields["price"]) == ("map", NUMBER)
    assert shape_of_all([{"business": 10, "economy": 20}, {"business": 11, "economy": 19}]).kind == "object"
    assert shape_of_all([{"2026-05-01": {"free": 1}, "2026-05-02": {"free": 0}}]).kind == "map"
    assert shape_of_all([{"line1": "a", "city": "b"}, {"line1": "c", "line2": "d", "city": "e"}]).kind == "object"


def record(tmp_path: Path, fields: str, data: str) -> Shape:
    text = ENVIRONMENT.replace('{ids: "TH-{:02}"}', f"\n    fields:\n{fields}" if fields else "")
    return collection_shapes(sound(tmp_path, {"environment.yaml": text, "data/things.json": data}))["things"].element


def test_declaration_adds_what_the_data_cannot_show(tmp_path: Path) -> None:
    fields = (
        "      status: {enum: [open, won]}\n      ownerId: {references: things}\n      lost.reason: {type: text}\n"
        "      lines: {list_of: {type: object, fields: {count: {type: integer}}}}\n      closed: {type: date}\n"
    )
    shape = record(tmp_path, fields, '[{"id": "A", "status": "open", "ownerId": "A", "closed": null}]')
    assert shape.fields["status"].choices == ("open", "won")
    assert shape.fields["ownerId"].name == "things"
    assert shape.fields["lost"].fields["reason"].kind == "text"
    assert shape.fields["lines"].element.fields["count"].kind == "number"
    assert shape.fields["closed"] == DATE.maybe()
    assert not shape.open


def test_field_that_not_every_record_has_may_be_nothing(tmp_path: Path) -> None:
    shape = record(tmp_path, "", '[{"id": "A", "x": 1}, {"id": "B"}]')
    assert shape.fields["x"] == NUMBER.maybe()
    assert shape.fields["id"] == TEXT


def test_collection_of_which_nothing_is_known_is_open(tmp_path: Path) -> None:
    assert record(tmp_path / "a", "", "[]").open
    assert not record(tmp_path / "b", "      x: {type: text}\n", "[]").open


def test_audit_collection_has_the_fields_that_the_audit_writes() -> None:
    from silo_decl.specs.load import load_environment

    spec, _ = load_environment(EXAMPLES / "good" / "helpdesk")
    assert spec is not None
    assert {"actor", "action", "recordId"} <= set(collection_shapes(spec)["auditLog"].element.fields)


SCALARS = st.none() | st.booleans() | st.integers() | st.sampled_from(["a", "2026-01-01", "2026-01-01T10:00", ""])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "1", "2"]), inner)
)


def fits(value: Any, shape: Shape) -> bool:
    """Whether a shape does not exclude a value."""
    if value is None:
        return shape.nullable or shape.kind == "any"
    if isinstance(value, bool):
        return shape.kind in ("any", "boolean")
    if isinstance(value, int):
        return shape.kind in ("any", "number")
    if isinstance(value, str):
        return shape.kind == "any" or shape.textual
    if isinstance(value, list):
        return shape.kind == "any" or (shape.kind == "list" and all(fits(one, shape.element) for one in value))
    if shape.kind == "map":
        return all(fits(one, shape.element) for one in value.values())
    if shape.kind != "object":
        return shape.kind == "any"
    missing = set(shape.fields) - set(value)
    return all(fits(value[key], shape.fields[key]) for key in value) and all(
        shape.fields[key].nullable for key in missing
    )


@given(st.lists(VALUES, max_size=5))
def test_shape_of_values_never_excludes_one_of_them(values: list[Any]) -> None:
    shape = shape_of_all(values)
    assert all(fits(value, shape) or value is None for value in values)
    assert all(shape.nullable or shape.kind == "any" for value in values if value is None)
