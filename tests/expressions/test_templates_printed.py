"""What a message quotes of an expression reads as its author would write it, and means the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.expressions.template_parse import parse_expression
from silo_decl.expressions.template_print import printed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("not(a==b)", "not a == b"),
        ("(not a)==b", "(not a) == b"),
        ("(a or b) and c", "(a or b) and c"),
        ("-(a+b)", "-(a + b)"),
        ("(a~b).x", "(a ~ b).x"),
        ("(a+b)|round(2)", "(a + b) | round(2)"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("f(a, 'b')[0]['x y']", "f(a, 'b')[0]['x y']"),
        ("'it\\'s'", '"it\'s"'),
        ("None", "null"),
        ("a not in (b, c)", "a not in [b, c]"),
        ("{'a': 1}", "..."),
    ],
)
def test_an_expression_is_printed_as_it_is_written(text: str, expected: str) -> None:
    assert printed(parse_expression(text)) == expected


PARTS = st.recursive(
    st.sampled_from(["a", "b.c", "a['x']", "1", "2.5", "'t'", "true", "null", "f(a)", "[a, 1]"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+ - * / // % ~ and or == < in".split()), inner).map(
            lambda p: f"({' '.join(p)})"
        ),
        inner.map(lambda part: f"(not {part})"),
        inner.map(lambda part: f"(-{part})"),
        inner.map(lambda part: f"({part} | round)"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(PARTS)
def test_what_is_printed_is_the_same_expression(text: str) -> None:
    tree = parse_expression(text)
    again = parse_expression(printed(tree))
    assert printed(again) == printed(tree)
    assert repr(again) == repr(tree)
