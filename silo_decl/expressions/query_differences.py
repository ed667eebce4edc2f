"""Where a valid JMESPath query gives something else than the library's interpreter, each with its reason.

Everything that is not listed here is the same; a property over generated queries and data holds it so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Difference:
    """`query` over `data`: the library gives `library`; here it gives `here`, or the finding or error `refused`.

    `library` is the text of an exception's class where the library raises. `refused` is a finding's code, or 'error'
    for an error when the values meet.
    """

    what: str
    query: str
    data: Any
    library: Any
    reason: str
    here: Any = None
    refused: str = ""


DIFFERENCES: tuple[Difference, ...] = (
    # -- words and literals
    Difference(
        "bare true, false and null are literals",
        "[?ok == true].n",
        [{"ok": True, "n": 1}],
        [],
        "In the library they are fields of these names, so the comparison silently finds nothing. "
        'The field is written "true".',
        here=[1],
    ),
    Difference(
        "a number between backticks is one that JSON can hold",
        "`1e999`",
        None,
        float("inf"),
        "No JSON can hold the number, so it could not leave the world again.",
        refused="expression-syntax",
    ),
    # -- comparisons
    Difference(
        "nothing compared by order is false",
        "a < `1`",
        {"a": None},
        None,
        "The library gives null, which is no answer to the question; in a filter both choose nothing.",
        here=False,
    ),
    Difference(
        "values without a common order are an error",
        "a < b",
        {"a": "5", "b": 6},
        "TypeError",
        "A text against a number is a mistake in the data or the query. The library raises a bare TypeError, "
        "or gives null for true, false, lists and objects.",
        refused="error",
    ),
    Difference(
        "a date compared by order with a moment in time is an error",
        "a < b",
        {"a": "2026-04-01", "b": "2026-04-01T09:00:00"},
        True,
        "As texts they have an order that means nothing.",
        refused="error",
    ),
    Difference(
        "true is not 1 inside lists and objects either",
        "a == b",
        {"a": [True], "b": [1]},
        True,
        "The library tells them apart only where they stand alone.",
        here=False,
    ),
    # -- steps
    Difference(
        "a field of a text, a number or a truth is an error",
        "a.b",
        {"a": "open"},
        None,
        "Conditions have it so, and a query that reads it silently finds nothing for ever.",
        refused="error",
    ),
    Difference(
        "lists without commas are refused",
        "not_null(a b)",
        {"a": 1},
        1,
        "JMESPath's grammar has the commas; the library's parser does not ask for them.",
        refused="expression-syntax",
    ),
    # -- looked over at load: valid queries that surely are not what their author meant
    Difference(
        "a filter right behind a filter",
        "[?a].items[?b]",
        [{"a": 1, "items": [{"b": 1}]}],
        [],
        "The second filter looks at whole lists and finds nothing.",
        refused="filter-after-filter",
    ),
    Difference(
        "a number that is asked for its truth",
        "[?length(@)]",
        [[]],
        [[]],
        "0 counts as something, which an author does not expect. Refused where it surely is a number.",
        refused="number-as-truth",
    ),
    Difference(
        "comparisons in a row",
        "a == b == c",
        {"a": 1, "b": 2, "c": False},
        True,
        "The first comparison's truth is compared with c; conditions read the same text as a == b and b == c.",
        refused="chained-comparison",
    ),
    Difference(
        "a comparison that can never hold",
        "`1` == 'a'",
        None,
        False,
        "Values of different kinds are never equal; the same for lists, and for order.",
        refused="wrong-comparison",
    ),
    Difference(
        "a list compared with a single value",
        "[?a].id == '1'",
        [{"a": 1, "id": "1"}],
        False,
        "A list is never equal to a text.",
        refused="list-against-text",
    ),
    Difference(
        "a sign for not before a path",
        "!a.b",
        {"a": {"b": 1}},
        None,
        "The library's parser reads (!a).b, a field of a truth.",
        refused="field-of-text",
    ),
    Difference(
        "a function's name behind a bar",
        "[0:2] | length",
        [1, 2],
        None,
        "It reads a field called length. Refused where what stands before the bar surely has no such field.",
        refused="pipe-into-function",
    ),
    Difference(
        "a place or a step over a list where there surely is none",
        "type(a)[0]",
        {"a": 1},
        None,
        "It is nothing for ever.",
        refused="index-of-no-list",
    ),
    # -- functions
    Difference(
        "functions take nothing as no answer, an empty list or nothing",
        "length(a)",
        {"a": None},
        "JMESPathTypeError",
        "One record without the field must not break a whole list: nothing is left out of sums, is last in an order, "
        "begins with nothing and has length 0.",
        here=0,
    ),
    Difference(
        "nothing is last in an order",
        "sort_by(@, &n)[].i",
        [{"n": None, "i": 1}, {"n": 2, "i": 2}],
        "JMESPathTypeError",
        "As above.",
        here=[2, 1],
    ),
    Difference(
        "elements without the field do not count for the greatest",
        "max_by(@, &n).i",
        [{"n": None, "i": 1}, {"n": 2, "i": 2}],
        "JMESPathTypeError",
        "As above.",
        here=2,
    ),
    Difference(
        "nothing is left out of a sum",
        "sum([].n)",
        [{"n": 0.1}, {"n": 0.2}],
        0.30000000000000004,
        "Sums, means and rounding are exact decimals.",
        here=0.3,
    ),
    Difference(
        "sums of money are money",
        "sum(@).amount",
        [{"amount": 1, "currency": "EUR"}, {"amount": 2, "currency": "EUR"}],
        "JMESPathTypeError",
        "Money is what business records hold.",
        here=3,
    ),
    Difference(
        "contains compares as == does",
        "contains(a, `true`)",
        {"a": [1]},
        True,
        "1 is not true.",
        here=False,
    ),
    Difference(
        "to_number reads numbers as people write them",
        "to_number('1_000')",
        None,
        1000,
        "Python's own reading takes underscores, digits of other scripts and the word nan.",
        here=None,
    ),
)
