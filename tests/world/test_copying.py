"""Copies share nothing that can be changed, whether their fields were known or not."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.world.copying import deep, deepen, deepener

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=1), inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.dictionaries(st.sampled_from("abcd"), VALUES)


def parts(value: Any) -> set[int]:
    """The identities of every list and object in a value."""
    if not isinstance(value, (list, dict)):
        return set()
    inner = value.values() if isinstance(value, dict) else value
    return {id(value)}.union(*map(parts, inner))


@given(st.lists(RECORDS, max_size=5))
@settings(max_examples=300)
def test_copies_of_the_records_of_the_data_are_deep(records: list[dict[str, Any]]) -> None:
    for deepen_copy in (deepener(records), deepen):
        for record in records:
            made = record.copy()
            deepen_copy(made)
            assert json.dumps(made) == json.dumps(record)
            assert parts(made).isdisjoint(parts(record))


@given(VALUES)
def test_copy_of_any_value_is_deep(value: Any) -> None:
    made = deep(value)
    assert json.dumps(made) == json.dumps(value)
    assert parts(made).isdisjoint(parts(value))
