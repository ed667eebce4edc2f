"""Every code that a look over an expression can give, with what it means: one list for both languages."""

from __future__ import annotations

FINDING_CODES: dict[str, str] = {
    "ambiguous-name": "A plain name could be two things, such as a field and a collection of the same name.",
    "block-tags": "A text holds {% %}, which the format does not have; only {{ }} is filled in.",
    "chained-comparison": "Comparisons stand in a row, such as a < b < c, which the languages read differently.",
    "equals-sign-in-query": "A query begins with an equals sign, which belongs to values.",
    "expression-syntax": "An expression cannot be read.",
    "field-of-list": "A field is read from a list, which has none; it is the records in the list that have it.",
    "field-of-text": "A field is read from a text, a number or a truth, which have none.",
    "filter-after-filter": "A filter stands right behind another step over a list, where it finds nothing.",
    "index-after-flatten": "A place such as [0] stands behind [] of lists, which has already joined the lists to one.",
    "index-of-no-list": "A place such as [0] or [0:3] is read from something that is not a list.",
    "keyed-by-id": "An object keyed by id is used like a list.",
    "list-against-text": "A list is compared with a single value, which is never equal to it.",
    "not-a-list": "A step over a list, such as [] or [?...], stands behind something that is not a list.",
    "number-as-truth": "A number stands where true or false is asked for; 0 would count as something.",
    "pipe-into-function": "A value is piped into a function's name, which reads a field of that name instead.",
    "template-in-query": "A query holds {{ }}; values from outside are written $name in it.",
    "text-in-double-quotes": "A text stands between double quotes, which in a query mark the name of a field.",
    "unknown-field": "A field is read that no such record has.",
    "unknown-function": "A function is called that does not exist.",
    "unknown-name": "A name is used that nothing in reach has.",
    "wrong-arithmetic": "A sum is made of something that is no number.",
    "wrong-arguments": "A function is called with too few or too many values, or with values of a kind it cannot use.",
    "wrong-comparison": "A value is compared with one that it can never be equal to, or has no order with.",
}
