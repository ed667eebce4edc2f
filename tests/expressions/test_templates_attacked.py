"""Whatever a text holds, compiling it never raises and running it raises nothing but ExpressionError."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.errors import ExpressionError
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, Scope
from silo_decl.expressions.templates import Value, compile_condition, compile_text, compile_value
from tests.expressions.shapes_of_data import world_scope
from tests.expressions.small_world import SmallWorld

LINE = {"n": 2, "st": "open", "tags": ["a", "b"], "at": {"x": {"y": 1}}, "flag": True, "gone": None}
WORLD = {"lines": [LINE], "users": [{"id": "U1", "name": "Ann"}]}
KNOWN = Scope(
    names={"input": ANY},
    element=world_scope(WORLD).collections["lines"].element,
    collections=world_scope(WORLD).collections,
)
LOOSE = Scope(names={"input": ANY, "x": ANY})
ENV: dict[str, Any] = {"input": {"a": "{{ n }}", "b": 1}, "x": "text"}

MAKERS: list[Callable[[str, Scope], Value]] = [
    compile_condition,
    compile_text,
    compile_value,
    lambda text, scope: compile_value(f"= {text}", scope),
    lambda text, scope: compile_text(f"a {{{{ {text} }}}} b", scope),
]


def tried(text: str, deep: bool = True) -> None:
    """Compile the text in every way and run what comes out; what it gives can be written as JSON."""
    for make in MAKERS:
        for scope in (KNOWN, LOOSE):
            made = make(text, scope)
            for finding in made.findings:
                assert finding.message and finding.code
                assert 0 <= finding.offset <= len(text) + 6
            try:
                found = made.run(LINE, {**ENV, "": SmallWorld(**WORLD)})
            except ExpressionError:
                continue
            assert not any(finding.level == "error" for finding in made.findings)
            json.dumps(plain(found))


@pytest.mark.parametrize(
    "text",
    [
        "''.__class__",
        "''.__class__.__mro__[1].__subclasses__()",
        "''['__class__']",
        "tags.__class__.__base__",
        "input.__init__.__globals__",
        "x.__class__",
        "x['__class__']",
        "x[x]",
        "record.__class__",
        "record['__dict__']",
        "users.__class__",
        "users['__class__']",
        "users.records",
        "users.select",
        "record.fields",
        "record.read",
        "now.__class__",
        "st|attr('__class__')",
        "''|attr('__class__')|attr('__mro__')",
        "lipsum()",
        "lipsum.__globals__['os'].popen('id').read()",
        "cycler.__init__.__globals__",
        "joiner('x')",
        "namespace(x=1)",
        "dict(__class__=1)",
        "range(10**9)",
        "range(1000000000)",
        "range(-1000000000, 1000000000)",
        "9**9**9",
        "9**999999999",
        "(9**9)|string * 9",
        "'a' * 1000000000",
        "[1] * 1000000000",
        "1000000000 * 'a'",
        "'%999999999d' % 1",
        "'%s' % tags",
        "'{0.__class__}'.format(1)",
        "'{0.__class__}'|format(1)",
        "self.__init__",
        "self",
        "caller()",
        "varargs[0]",
        "loop.index",
        "_.x",
        "__import__('os')",
        "eval('1')",
        "open('/etc/passwd')",
        "get_flashed_messages.__globals__",
        "config.items()",
        "request.application",
        "environ",
        "url_for.__globals__",
        "st is callable",
        "st is sameas(st)",
        "st is filter",
        "tags|map(attribute='__class__')",
        "tags|groupby('__class__')",
        "tags|sort(attribute='__class__')",
        "tags|tojson",
        "tags|pprint",
        "tags|xmlattr",
        "sort_by(tags, '__class__')",
        "map('__class__', tags)",
        "sum(tags, '__class__.__mro__')",
        "at(input, '__class__')",
        "keys(input)",
        "lookup('__class__', 'x')",
        "lookup('', '')",
        "view(record, '__class__')",
        "matches('" + "a" * 30 + "!', '^(a+)+$')",
        "split('" + "a" * 1000 + "', '')",
        "replace('aaaa', '', 'b')",
        "join(tags, tags)",
        "zip(range(10000), range(10000))",
        "concat(range(10000), range(10000))",
        "round(1.5, 999999999)",
        "round(1.5, -999999999)",
        "round(1e300, 300)",
        "date_add('2026-01-31', 999999999999)",
        "date_add('9999-12-31', 1)",
        "date_add('0001-01-01', -1, 'years')",
        "days_between('0001-01-01', '9999-12-31')",
        "1e308 * 1e308",
        "1e400",
        "-1e400",
        "1e308 + 0.1",
        "1 / 3e-308",
        "5e-324 / 1e308",
        "5e-324 * 5e-324",
        "99999999999999999999999999999999999999999999999 * 99999999999999999999999",
        "1" + "0" * 5000,
        "1" + "0" * 5000 + " + 1",
        "0x" + "f" * 5000,
        "tags[99999999999999999999999]",
        "tags[-99999999999999999999999]",
        "tags[1e300]",
        "tags[0.5]",
        "tags[n / 4]",
        "tags[::0]",
        "tags[0:1:0]",
        "tags[99999999999999999999:]",
        "'\\ud800'",
        "'\\x00'",
        "'\\N{DIGIT ONE}'",
        "'\\N{no such name}'",
        "'\\x'",
        "'\\u12'",
        "'\\'",
        "\ud800",
        "{'a': 1, 'a': 2}",
        "{'a': {'b': {'c': [1, {'d': 2}]}}}.a.b.c[1].d",
        "{**input}",
        "[*tags]",
        "f(**input)",
        "round(*[1])",
        "round(value=1)",
        "(lambda: 1)()",
        "[x for x in tags]",
        "x := 1",
        "n; n",
        "n # n",
        "{# n #}",
        "{{ n }}",
        "{% n %}",
        "}}{{",
        "{{",
        "}}",
        "{{{{",
        "}}}}",
        "{{{n}}}",
        "{{}}",
        "{{ '{{' }} }}",
        "{%- raw -%}{{ x }}{%- endraw -%}",
        "{{ n }}{%",
        "{{ n }}{#",
        "-%}",
        "{{-}}",
        "{{--}}",
        "{{- n -}}",
        "{{+ n +}}",
        "\x00\x01b x \x00\x01e",
        "\x00\x01c x \x00\x01d",
        "a \x00\x01b for x in tags \x00\x01e {{ n }}",
        "{{ n }} \x00\x01c {{ n }} \x00\x01d",
        "{{ '\x00\x01b' }}",
        "# for x in tags",
        "## {{ n }}",
        "\u2028 n \u2028",
        "\xa0n",
        "n\x0b+\x0cn",
        "ｎ",
        "ﬀ",
        "true.x",
        "null.x.y.z",
        "null[0]",
        "null()",
        "not",
        "and",
        "is",
        "in",
        "n is",
        "n is not",
        "n is not in tags",
        "n not",
        "n in",
        "if n",
        "n if",
        "n if else",
        "else",
        ".n",
        "n.",
        "n..n",
        "n[",
        "n[]",
        "n[:]",
        "n[::]",
        "n[1:2:3:4]",
        "n[1, 2]",
        "()",
        "(n,)",
        "(,)",
        "n,",
        "n, n",
        "|",
        "n|",
        "n||n",
        "n|round|",
        "n|round.x",
        "n|round()()",
        "(n|round).x",
        "round|n",
        "~",
        "n ~",
        "+-+-n",
        "- - - n",
        "not not not n",
        "",
        " ",
        "\n",
        "\t",
    ],
)
def test_an_attack_gives_findings_or_an_error(text: str) -> None:
    tried(text)


@pytest.mark.parametrize("count", [10, 70, 4000])
@pytest.mark.parametrize(
    ("before", "middle", "behind"),
    [
        ("(", "n", ")"),
        ("[", "n", "]"),
        ("{'a': ", "n", "}"),
        ("not ", "n", ""),
        ("-", "n", ""),
        ("- ", "n", ""),
        ("", "at", ".x"),
        ("", "tags", "[0]"),
        ("", "n", " + n"),
        ("", "n", " ~ n"),
        ("", "flag", " and flag"),
        ("", "flag", " or flag"),
        ("", "n", " == n"),
        ("", "n", " | round"),
        ("", "n", " if n else n"),
        ("n if n else ", "n", ""),
        ("round(", "n", ")"),
        ("n + (", "n", ")"),
        ("", "n", " is none"),
        ("", "n", "()"),
        ("(", "n", ""),
        ("", "n", ")"),
        ("{{ ", "n", " }}"),
        ("'", "n", "'"),
        ("{", "n", "}"),
    ],
)
def test_any_depth_is_survived(before: str, middle: str, behind: str, count: int) -> None:
    tried(before * count + middle + behind * count)


def test_long_texts_are_survived() -> None:
    for text in (
        "n" * 10_000,
        "'" + "a" * 10_000 + "'",
        "{{ n }}" * 2_000,
        "a" * 10_000 + "{{ typo }}",
        "[" + "1," * 5_000 + "]",
    ):
        tried(text)
    assert compile_text("{{ n }}" * 2_000, KNOWN).run(LINE, {}) == "2" * 2_000


def test_braces_in_what_is_filled_in_stay_text() -> None:
    for said in ("{{ n }}", "{% for %}", "{{ ''.__class__ }}", "= n", "{# x #}"):
        env = {"input": {"a": said}, "x": said}
        assert compile_text("{{ x }} and {{ input.a }}", LOOSE).run(None, env) == f"{said} and {said}"
        assert compile_value("= x ~ input.a", LOOSE).run(None, env) == said + said
        assert compile_value({"a": ["{{ x }}"]}, LOOSE).run(None, env) == {"a": [said]}


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_no_text_at_all_raises(text: str) -> None:
    tried(text)


PIECES = st.sampled_from(
    [
        "n",
        "st",
        "tags",
        "at.x",
        "gone",
        "input",
        "users",
        "now",
        "1",
        "2.5",
        "'a'",
        '"b"',
        "true",
        "null",
        "(",
        ")",
        "[",
        "]",
    ]
    + [
        "{",
        "}",
        "{{",
        "}}",
        "{%",
        "%}",
        ".",
        ",",
        ":",
        "|",
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "**",
        "~",
        "==",
        "!=",
        "<",
        ">=",
    ]
    + [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "else",
        "none",
        "round",
        "sum",
        "join",
        "length",
        "__class__",
        "'",
        '"',
        "\\",
        "=",
    ]
    + ["$x", "@", "`1`", "&&", "||", "!", "?", "#", "\n", " "]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=14).map("".join))
def test_no_row_of_signs_raises(text: str) -> None:
    tried(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(
        [
            "x + 1",
            "x.a",
            "x[0]",
            "x['a']",
            "x < 1",
            "x == x",
            "x in x",
            "'a' in x",
            "x in ['a']",
            "-x",
            "x ~ x",
            "x[0:2]",
        ]
        + [
            "sum(x)",
            "length(x)",
            "join(x, ',')",
            "round(x)",
            "x if x else 0",
            "not x",
            "x % 2",
            "x // 3",
            "x / 7",
            "x * 1.1",
        ]
        + [
            "sort(x)",
            "unique(x)",
            "text(x)",
            "number(x)",
            "first(x)",
            "max(x)",
            "keys(x)",
            "merge(x, x)",
            "zip(x, x)",
            "x - x",
        ]
        + [
            "flatten(x)",
            "date_add(x, 1)",
            "year(x)",
            "lower(x)",
            "split(x, 'a')",
            "contains(x, x)",
            "coalesce(x, 1)",
            "avg(x)",
        ]
        + [
            "sort_by(x, 'a')",
            "group_by(x, 'a')",
            "map('a', x)",
            "count(x, 'a')",
            "any(x, 'a')",
            "min_by(x, 'a')",
            "range(x)",
        ]
        + [
            "round(1.5, x)",
            "money(x, 'EUR')",
            "matches('a', x)",
            "replace(x, 'a', x)",
            "without(x, x)",
            "x | default(1)",
        ]
    ),
    JSON,
)
def test_any_value_gives_a_value_or_an_error(text: str, value: Any) -> None:
    before = json.dumps(value)
    for made in (compile_value(f"= {text}", LOOSE), compile_text(f"{{{{ {text} }}}}", LOOSE)):
        assert made.findings == []
        try:
            found = made.run(None, {"x": value, "input": {}})
        except ExpressionError as wrong:
            assert str(wrong)
        else:
            json.dumps(found, allow_nan=False)
    assert json.dumps(value) == before
