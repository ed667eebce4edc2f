"""Field paths: what they read, and what is said of one that leads nowhere."""

from __future__ import annotations

import pytest

from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import ANY, MONEY, NUMBER, TEXT, Shape, list_of
from tests.expressions.small_world import SmallRecord

DEAL = Shape(
    "record",
    name="deals",
    fields={
        "name": TEXT,
        "amount": MONEY.maybe(),
        "tags": list_of(TEXT),
        "balances": Shape("map", of=NUMBER),
        "any": ANY,
    },
)


def test_a_path_reads_step_by_step_and_nothing_where_there_is_nothing() -> None:
    read, shape, findings = field_path("amount.amount", DEAL)
    assert findings == []
    assert shape == NUMBER.maybe()
    assert read(SmallRecord({"amount": {"amount": 5}})) == 5
    assert read({"amount": None}) is None
    assert read({}) is None
    assert read(None) is None


@pytest.mark.parametrize(
    ("path", "code", "offset", "message"),
    [
        ("nmae", "unknown-field", 0, "No record of deals has a field 'nmae'. Did you mean 'name'?"),
        ("amount.amuont", "unknown-field", 7, "This object has no field 'amuont'. Did you mean 'amount'?"),
        ("name.first", "field-of-text", 5, "'name' is a text, so it has no field 'first'."),
        ("tags.first", "field-of-list", 5, "'tags' is a list, which has no field 'first'."),
        ("", "expression-syntax", 0, "Here stands no field."),
        ("amount.", "expression-syntax", 7, "The path 'amount.' has a dot with no field beside it."),
    ],
)
def test_a_path_that_leads_nowhere_is_told(path: str, code: str, offset: int, message: str) -> None:
    _, _, (finding,) = field_path(path, DEAL)
    assert (finding.code, finding.offset, finding.message) == (code, offset, message)


@pytest.mark.parametrize("path", ["any.thing.at.all", "balances.p1", "amount.currency"])
def test_what_no_shape_excludes_is_not_spoken_of(path: str) -> None:
    assert field_path(path, DEAL)[2] == []
