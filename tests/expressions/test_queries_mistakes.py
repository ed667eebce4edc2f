"""A query that cannot be read is told in words: what is wrong, where, and what to write instead."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.shapes import ANY, Scope, Shape


@pytest.mark.parametrize(
    ("text", "place", "message", "fix"),
    [
        ("", 0, "Here stands no query.", "Write a query, such as accounts[?tier == 'smb']."),
        ("= a", 0, "A query does not begin with '='; that is how a value begins.", "Leave the '=' out."),
        (
            "{{ input.x }}",
            0,
            "A query is not a template, so '{{' cannot stand in it.",
            "Write a value from outside with a dollar sign, such as $input.ownerId, without braces and quotes.",
        ),
        (
            "name == '{% if %}'",
            9,
            "A query is not a template, so '{%' cannot stand in it.",
            "Write a value from outside with a dollar sign, such as $input.ownerId, without braces and quotes.",
        ),
        ("a = 1", 2, "A single '=' compares nothing.", "Write '=='."),
        ("a => 1", 2, "'=>' compares nothing.", "Write '>='."),
        ("a <> b", 2, "This sign compares nothing.", "Write '!=' for: is not equal to."),
        (
            "a + b",
            2,
            "A query does not calculate with '+'; sums stand in values, behind '='.",
            "In a query write add(..., ...).",
        ),
        (
            "a * b",
            2,
            "A query does not calculate with '*'; sums stand in values, behind '='.",
            "In a query write multiply(..., ...).",
        ),
        (
            "a / b",
            2,
            "A query does not calculate with '/'; sums stand in values, behind '='.",
            "In a query write divide(..., ...).",
        ),
        (
            "a % b",
            2,
            "A query does not calculate with '%'; sums stand in values, behind '='.",
            "Work the remainder out in a value that begins with '='.",
        ),
        (
            "a - 1",
            2,
            "A query does not calculate with '-'; sums stand in values, behind '='.",
            "In a query write subtract(..., ...).",
        ),
        (
            "first-name",
            0,
            "'first-name' cannot be read, because a plain name has no '-' in it.",
            'Put the name between double quotes: "first-name". For a sum write subtract(first, name).',
        ),
        (
            "screen size == 'x'",
            0,
            "'size' stands right behind 'screen', with nothing between them.",
            'Put the name between double quotes: "screen size". If they are two, write what joins them: ==, and, or.',
        ),
        (
            "größe",
            0,
            "'größe' cannot be read, because a plain name has only the letters a to z, digits and '_' in it.",
            'Put the name between double quotes: "größe".',
        ),
        (
            "$ == a",
            0,
            "Behind '$' no name follows.",
            "Write the name of a value from outside, such as $input or $today.",
        ),
        ("“open” == a", 0, "The quote “ is not a plain one.", "Write a text between single quotes: 'open'."),
        ("a ~ b", 2, "A query does not join texts with '~'.", "Write concat(..., ...)."),
        ("a ; b", 2, "';' means nothing in a query.", "Leave it out, or put a text between quotes."),
        (
            "created == 2026-04-01",
            11,
            "The date 2026-04-01 stands without quotes.",
            "Put it between single quotes: '2026-04-01'.",
        ),
        ("'open", 0, "The text that begins with ' has no ' at its end.", "Add the missing ' behind it."),
        ('a == "open', 5, 'The name that begins with " has no " at its end.', 'Add the missing " behind it.'),
        (
            "`{`x",
            3,
            "'x' stands right behind the text '{', with nothing between them.",
            "Write what joins them, such as ==, and, or; or a comma in a list.",
        ),
        ("a[?b", 1, "The query ends before the '[?' is closed.", "Add the missing ']'."),
        ("f(a", 1, "The query ends before the '(' is closed.", "Add the missing ')'."),
        ("{a: b", 0, "The query ends before the '{' is closed.", "Add the missing '}'."),
        ("a)", 1, "')' closes nothing.", "Remove it, or add what opens it."),
        ("a.", 1, "Behind the dot something is missing.", "Write it, or remove the dot."),
        ("a and", 2, "Behind 'and' something is missing.", "Write it, or remove 'and'."),
        ("a.b]", 3, "']' closes nothing.", "Remove it, or add what opens it."),
        ("a AND b", 2, "'AND' is read as a name.", "Write it in small letters: and."),
        ("a is null", 2, "A query has no word 'is'.", "Write == null, or == and a value."),
        (
            "a if b else c",
            2,
            "A query has no word 'if'.",
            "A choice with if and else stands in a value that begins with '='.",
        ),
        (
            "m[k]",
            1,
            "A name cannot stand between the brackets of [k].",
            "For the key 'k' write ['k'], for the value of the field at(..., k), for a filter [?k].",
        ),
        (
            "m[$k]",
            2,
            "A key from outside, $k, cannot stand here.",
            "Write at(..., $k), or lookup('...', $k) for a record of a collection.",
        ),
        (
            "m.$k",
            2,
            "A key from outside, $k, cannot stand here.",
            "Write at(..., $k), or lookup('...', $k) for a record of a collection.",
        ),
        ("a[1.5]", 2, "A place in a list is a whole number.", "Write one, counted from 0."),
        (
            "f(a b)",
            2,
            "'b' stands right behind 'a', with nothing between them.",
            'Put the name between double quotes: "a b". If they are two, write what joins them: ==, and, or.',
        ),
        (
            "'a' 'b'",
            4,
            "The text 'b' stands right behind the text 'a', with nothing between them.",
            "Write what joins them, such as ==, and, or; or a comma in a list.",
        ),
        ("{a: 1, }", 5, "Behind ',' something is missing.", "Write it, or remove ','."),
        ("a, b", 1, "A comma stands only between brackets.", "Remove it, or write what it belongs to."),
        ("&& a", 0, "A query cannot begin with '&&'.", "Begin with a name."),
        ("a..b", 2, "Behind the dot a name is missing, before '.'.", "Write the name."),
        ("a ! b", 2, "'!' cannot stand between two values.", "Write != for: is not equal to."),
        ("1e999", 0, "The number 1e999 is too large.", "Write a smaller one."),
        ("[?a == 'x' and]", 11, "Behind 'and' something is missing.", "Write it, or remove 'and'."),
        (
            "a.'b'",
            2,
            "Behind a dot stands the name of a field, not a text.",
            "Write .b without quotes, or ['b'] without the dot.",
        ),
        (
            "a[]b",
            3,
            "'b' stands right behind '[]', with nothing between them.",
            "Write what joins them, such as ==, and, or; or a comma in a list.",
        ),
        (
            "{}",
            0,
            "{} has no field in it.",
            "Write `{}` for an empty object; to ask whether an object is empty write not and its name.",
        ),
        (
            "x == {}",
            5,
            "{} has no field in it.",
            "Write `{}` for an empty object; to ask whether an object is empty write not and its name.",
        ),
        (
            "a b c",
            0,
            "'b' stands right behind 'a', with nothing between them.",
            'Put the name between double quotes: "a b". If they are two, write what joins them: ==, and, or.',
        ),
        ("[*", 0, "The query ends before the '[' is closed.", "Add the missing ']'."),
        ("a['k'", 1, "The query ends before the '[' is closed.", "Add the missing ']'."),
        ("a.[", 2, "The query ends before the '[' is closed.", "Add the missing ']'."),
        (
            "foo.*bar",
            5,
            "'bar' stands right behind '*', with nothing between them.",
            "Write what joins them, such as ==, and, or; or a comma in a list.",
        ),
        ("x in", 2, "Behind 'in' something is missing.", "Write it, or remove 'in'."),
        ("a ==", 2, "Behind '==' something is missing.", "Write it, or remove '=='."),
        (
            "@a",
            1,
            "'a' stands right behind '@', with nothing between them.",
            "Write what joins them, such as ==, and, or; or a comma in a list.",
        ),
        ("true(a)", 0, "There is no function 'true'.", "The reference of functions lists them all."),
        ('"f"(a)', 0, "The name of a function stands without quotes.", "Write f(...)."),
    ],
)
def test_a_mistake_of_writing_has_words_of_its_own(text: str, place: int, message: str, fix: str) -> None:
    (finding,) = compile_query(text, Scope()).findings
    assert (finding.offset, finding.message, finding.fix) == (place, message, fix)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("= a", "equals-sign-in-query"),
        ("{{ input.x }}", "template-in-query"),
        ("a = b", "expression-syntax"),
    ],
)
def test_what_belongs_elsewhere_has_a_code_of_its_own(text: str, code: str) -> None:
    assert [finding.code for finding in compile_query(text, Scope()).findings] == [code]


def test_empty_brackets_beside_a_field_are_no_empty_list() -> None:
    scope = Scope(element=Shape("record", name="deals", fields={"tags": ANY}))
    (finding,) = compile_query("tags == []", scope).findings
    assert finding.fix == "Write length(tags) == 0."


PIECES = (
    *(
        "a",
        "b",
        "and",
        "or",
        "not",
        "in",
        "true",
        "null",
        "$a",
        "$",
        "'x'",
        '"x"',
        "`1`",
        "`",
        "'",
        '"',
        "1",
        "-1",
        "1.5",
    ),
    *(
        "[",
        "]",
        "[?",
        "[]",
        "[*]",
        "{",
        "}",
        "(",
        ")",
        ".",
        ",",
        ":",
        "|",
        "||",
        "&&",
        "&",
        "!",
        "!=",
        "==",
        "=",
        "<",
        ">=",
    ),
    *("*", "+", "-", "/", "~", "@", " ", "length(", "sort_by(", "&a", "ä", "\\", "{{", "#"),
)


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_any_text_is_a_query_or_told_in_words(text: str) -> None:
    for scope in (Scope(), Scope(element=Shape("record", name="r", fields={"a": ANY}))):
        for finding in compile_query(text, scope).findings:
            assert finding.message.endswith((".", "?"))
            assert 0 <= finding.offset <= len(text)
