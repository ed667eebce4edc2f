"""Every valid JMESPath query gives what the library's interpreter gives, except the listed differences."""

from __future__ import annotations

import json
from typing import Any

import jmespath
from hypothesis import HealthCheck, assume, event, given, settings
from jmespath.exceptions import JMESPathError

from silo_decl.errors import ExpressionError
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.shapes import Scope
from tests.expressions.jmespath_cases import OurInterpreter, Refused, data, queries

LOOKED_OVER = {
    "number-as-truth",
    "wrong-comparison",
    "chained-comparison",
    "list-against-text",
    "filter-after-filter",
    "field-of-text",
    "field-of-list",
    "unknown-field",
    "not-a-list",
    "index-of-no-list",
    "index-after-flatten",
    "pipe-into-function",
    "wrong-arguments",
    "text-in-double-quotes",
}


def same(one: Any, other: Any) -> bool:
    return json.dumps(numbered(one)) == json.dumps(numbered(other))


def numbered(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return round(float(value), 9)
    if isinstance(value, list):
        return [numbered(one) for one in value]
    return {key: numbered(one) for key, one in value.items()} if isinstance(value, dict) else value


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(queries(), data)
def test_valid_jmespath_means_what_the_library_says(text: str, value: Any) -> None:
    ours = compile_query(text, Scope())
    if ours.findings:
        assert {finding.code for finding in ours.findings} <= LOOKED_OVER
        event("looked over")
        return
    try:
        expected = OurInterpreter().visit(jmespath.compile(text).parsed, value)
    except Refused:
        expected = Refused
    except (JMESPathError, TypeError, ValueError, AttributeError):
        assume(False)
    try:
        found = ours.run(value, {})
    except ExpressionError:
        found = Refused
    event("refused" if expected is Refused else "compared")
    assert (found is Refused) == (expected is Refused)
    assert expected is Refused or same(found, expected)
