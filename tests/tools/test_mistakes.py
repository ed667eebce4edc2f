"""What is wrong with arguments is said in words, and exactly where the schema that models see says no."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ToolError
from silo_decl.specs.parameters import input_schema
from silo_decl.specs.source import NOWHERE
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.arguments import argument_reader
from silo_decl.tools.mistakes import mistakes


def parameter(name: str, type: str = "text", **more: Any) -> ParameterSpec:
    return ParameterSpec(NOWHERE, name, type, **more)


ITEM = {"sku": parameter("sku"), "count": parameter("count", "integer", minimum=1, required=False)}
PARAMETERS = (
    parameter("id"),
    parameter("amount", "number", required=False, minimum=0, maximum=10.5),
    parameter("count", "integer", required=False, default=1, has_default=True),
    parameter("open", "boolean", required=False),
    parameter("due", "date", required=False),
    parameter("at", "datetime", required=False),
    parameter("price", "money", required=False),
    parameter("state", required=False, enum=("open", "won")),
    parameter("tags", "list", required=False, of=parameter("")),
    parameter("items", "list", required=False, of=parameter("", "object", fields=ITEM)),
    parameter("extra", "object", required=False),
)
SCHEMA = input_schema(PARAMETERS)
READ = argument_reader("sell", PARAMETERS, SCHEMA)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, '"id" is required'),
        ({"id": 5}, '"id" must be a text'),
        ({"id": "x", "Id": "x"}, '"Id" is not a parameter'),
        ({"id": "x", "amount": "5"}, '"amount" must be a number'),
        ({"id": "x", "amount": -1}, '"amount" must be at least 0'),
        ({"id": "x", "amount": 11}, '"amount" must be at most 10.5'),
        ({"id": "x", "amount": True}, '"amount" must be a number'),
        ({"id": "x", "count": 1.5}, '"count" must be a whole number'),
        ({"id": "x", "open": 1}, '"open" must be true or false'),
        ({"id": "x", "due": "2026-02-30"}, '"due" must be a date such as "2026-04-01"'),
        ({"id": "x", "at": "today"}, '"at" must be a moment in time such as "2026-04-01T09:30:00"'),
        ({"id": "x", "price": 5}, '"price" must be an object such as {"amount": 10.5, "currency": "USD"}'),
        ({"id": "x", "price": {"amount": 5}}, '"price.currency" is required'),
        ({"id": "x", "state": "opne"}, '"state" must be one of: open, won'),
        ({"id": "x", "tags": ["a", 1]}, '"tags[1]" must be a text'),
        ({"id": "x", "items": [{"sku": "s", "count": 0}]}, '"items[0].count" must be at least 1'),
        ({"id": "x", "items": [{"skuu": "s"}]}, '"items[0].skuu" is not a parameter'),
        ({"id": "x", "amount": None}, '"amount" must be a number, not null; leave it out where there is none'),
        ({"id": None}, '"id" must be a text, not null'),
        ({"id": "x", "extra": []}, '"extra" must be an object'),
        ([], "the arguments must be an object with a value for each parameter"),
        ("x", "the arguments must be an object with a value for each parameter"),
        ({"id": "\ud800"}, '"id" holds a character that is half of a pair and cannot be written down'),
        ({"id": "x", "amount": float("nan")}, '"amount" must be a value that JSON can hold'),
        ({"id": "x", "extra": {"deep": float("inf")}}, '"extra.deep" must be a value that JSON can hold'),
        ({"id": "x", "count": 2**70}, '"count" must be a value that JSON can hold'),
        ({"id": "x", "tags": b"x"}, '"tags" must be a value that JSON can hold'),
        ({1: "x"}, "the name of a parameter must be a text that can be written down"),
    ],
)
def test_mistake_names_the_argument_and_what_is_allowed(given: Any, said: str) -> None:
    with pytest.raises(ToolError) as refused:
        READ(given)
    assert refused.value.code == "invalid_input"
    assert any(one.startswith(said) for one in refused.value.details["problems"]), refused.value.details


def test_every_mistake_is_named_at_once() -> None:
    found = mistakes(PARAMETERS, {"amount": "a lot", "state": "x", "nope": 1})
    assert len(found) == 4


def test_arguments_that_contain_themselves_are_refused() -> None:
    endless: dict[str, Any] = {"id": "x"}
    endless["extra"] = endless
    with pytest.raises(ToolError):
        READ(endless)


def test_whole_numbers_written_with_a_point_are_whole_and_defaults_are_filled_in() -> None:
    assert READ({"id": "x", "items": [{"sku": "s", "count": 3.0}]}) == {
        "id": "x",
        "count": 1,
        "items": [{"sku": "s", "count": 3}],
    }
    assert type(READ({"id": "x", "count": 3.0})["count"]) is int


def test_what_was_given_is_not_changed() -> None:
    given = {"id": "x", "count": 3.0}
    READ(given)
    assert given == {"id": "x", "count": 3.0} and type(given["count"]) is float


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20)
    | st.floats(allow_nan=False)
    | st.sampled_from(["open", "won", "2026-04-01", "2026-04-01T10:00", "x"]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(st.sampled_from(["sku", "count", "amount", "currency", "x"]), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([one.name for one in PARAMETERS] + ["other"]), VALUES, max_size=5))
def test_words_and_schema_say_no_to_the_same_arguments(given: dict[str, Any]) -> None:
    fits = jsonschema_rs.validator_for(SCHEMA).is_valid(given)
    found = mistakes(PARAMETERS, given)
    if any("JSON can hold" in one for one in found):
        return
    assert fits is (not found), found
