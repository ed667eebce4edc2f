"""Each listed difference from the library is there, and is as it is described."""

from __future__ import annotations

import math
from typing import Any

import jmespath
import pytest

from silo_decl.errors import ExpressionError
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.query_differences import DIFFERENCES, Difference
from silo_decl.expressions.shapes import Scope


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda one: one.query)
def test_a_listed_difference_is_as_described(difference: Difference) -> None:
    assert _library(difference.query, difference.data) == difference.library
    query = compile_query(difference.query, Scope())
    if difference.refused == "error":
        assert query.findings == []
        with pytest.raises(ExpressionError):
            query.run(difference.data, {})
    elif difference.refused:
        assert [finding.code for finding in query.findings] == [difference.refused]
    else:
        assert query.findings == []
        assert query.run(difference.data, {}) == difference.here


def _library(text: str, data: Any) -> Any:
    try:
        found = jmespath.search(text, data)
    except Exception as error:
        return type(error).__name__
    return found if not isinstance(found, float) or math.isfinite(found) else float("inf")
