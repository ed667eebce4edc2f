"""The one table of functions that both expression languages call."""

from __future__ import annotations

from silo_decl.expressions.functions_dates import DATE_FUNCTIONS
from silo_decl.expressions.functions_lists import LIST_FUNCTIONS
from silo_decl.expressions.functions_numbers import NUMBER_FUNCTIONS
from silo_decl.expressions.functions_records import RECORD_FUNCTIONS
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_texts import TEXT_FUNCTIONS

__all__ = ["FILTERS", "FUNCTIONS", "Function", "Parameter"]

FUNCTIONS: dict[str, Function] = {
    function.name: function
    for functions in (NUMBER_FUNCTIONS, TEXT_FUNCTIONS, DATE_FUNCTIONS, LIST_FUNCTIONS, RECORD_FUNCTIONS)
    for function in functions
}

FILTERS: dict[str, str] = {
    "default": "coalesce",
    **{name: name for name, function in FUNCTIONS.items() if function.filter},
}
"""What may stand behind a bar in values (`x | round(2)`), and the function it calls with `x` put first."""
