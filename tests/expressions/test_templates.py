"""Values, conditions and texts: what they give, and where a finding points."""

from __future__ import annotations

import json
from typing import Any

import pytest

from silo_decl.errors import ExpressionError
from silo_decl.expressions.functions import FUNCTIONS, Function
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import BOOLEAN, NUMBER, TEXT, Scope
from silo_decl.expressions.templates import Value, compile_condition, compile_text, compile_value
from tests.expressions.shapes_of_data import world_scope
from tests.expressions.small_world import SmallWorld

LINE = {
    "n": 2,
    "st": "open",
    "tags": ["a", "b"],
    "at": {"x": {"y": 1}},
    "flag": True,
    "gone": None,
    "day": "2026-01-31",
}
WORLD = {"lines": [LINE], "users": [{"id": "U1", "name": "Ann", "age": 3}, {"id": "U2", "name": None, "age": None}]}
SCOPE = Scope(
    names={"input": TEXT},
    element=world_scope(WORLD).collections["lines"].element,
    collections=world_scope(WORLD).collections,
)


def ran(made: Value) -> Any:
    assert made.findings == []
    return plain(made.run(LINE, {"input": "given", "": SmallWorld(**WORLD)}))


def value(raw: Any) -> Any:
    return ran(compile_value(raw, SCOPE))


# -- what is written ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw", [None, True, 3, 2.5, "a text", "", "a = b", " = n", "}}", "{", [], {}, [1, [2]], {"a": {}}]
)
def test_what_holds_no_expression_is_itself(raw: Any) -> None:
    made = compile_value(raw, SCOPE)
    assert made.constant and ran(made) == raw


def test_expressions_stand_at_any_depth() -> None:
    assert value({"a": "= n", "b": ["x", "= n + 1", {"c": "{{ n }}!"}], "d": 4}) == {
        "a": 2,
        "b": ["x", 3, {"c": "2!"}],
        "d": 4,
    }


def test_what_holds_no_expression_is_apart_each_time() -> None:
    made = compile_value("= ['a', ['b']]", SCOPE)
    first = made.run(LINE, {})
    first.append("x")
    first[1].append("y")
    assert made.run(LINE, {}) == ["a", ["b"]]


def test_a_value_keeps_its_kind_and_a_text_is_a_text() -> None:
    assert value("= n") == 2 and value("=n") == 2
    assert value("{{ n }}") == "2"
    assert value("= tags") == ["a", "b"]
    assert value("{{ gone }}") == ""
    assert compile_value("= n + 1", SCOPE).shape == NUMBER
    assert compile_value("{{ n }}", SCOPE).shape == TEXT
    assert compile_condition("n > 1", SCOPE).shape == BOOLEAN


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("a {{ n }} b {{ st }} c", "a 2 b open c"),
        ("{{ n }}{{ n }}", "22"),
        ("{{n}}", "2"),
        ("a\n{{ n }}\n", "a\n2\n"),
        ("{{ '}}' }}", "}}"),
        ("{{ '{{' }} {{ n }}", "{{ 2"),
        ("{# {{ n }} #}", "{# 2 #}"),
        ("# {{ n }} ## x", "# 2 ## x"),
        ("{ {{ n }} }", "{ 2 }"),
        ("<b>{{ '<i>' }}</b> &", "<b><i></b> &"),
        ("{{ {'a': {'b': n}}.a.b }}", "2"),
        ("é{{ st }}\u20ac", "éopen\u20ac"),
        ("  {{- n -}}  x", "2x"),
    ],
)
def test_a_text_is_filled_in(text: str, filled: str) -> None:
    assert value(text) == filled


def test_what_an_expression_reads_is_known() -> None:
    made = compile_value({"a": "= users['U1'].name", "b": "= days_between(day, today)", "c": "{{ st }}"}, SCOPE)
    assert (made.reads, made.clock) == (frozenset({"users"}), True)
    assert made.fields >= {"day", "st"}
    assert not made.constant
    assert "users" in compile_value("= lookup('users', input).name", SCOPE).reads
    assert not compile_value("= n", SCOPE).clock


# -- sums, tests, choices -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n + 1", 3),
        ("2 * (n + 1) - 1", 5),
        ("n / 4", 0.5),
        ("7 // n", 3),
        ("-7 % 3", 2),
        ("-n", -2),
        ("n - gone", None),
        ("gone * 0", None),
        ("-gone", None),
        ("0.1 + 0.2 == 0.3", True),
        ("1.1 * 3", 3.3),
        ("tags + ['c']", ["a", "b", "c"]),
        ("n ~ '/' ~ gone ~ flag", "2/true"),
        ("'x' if n > 1 else 'y'", "x"),
        ("'x' if n > 5", None),
        ("'x' if gone else 'y' if flag else 'z'", "y"),
        ("gone or 'none'", "none"),
        ("st and n > 1", True),
        ("not gone", True),
        ("n in [1, 2]", True),
        ("st not in ['open']", False),
        ("'pe' in st", True),
        ("gone in tags", False),
        ("'a' in gone", False),
        ("gone == null", True),
        ("gone is none", True),
        ("st is not none", True),
        ("tags == ['a', 'b']", True),
        ("at == {'x': {'y': 1.0}}", True),
        ("at.x.y", 1),
        ("at['x']['y']", 1),
        ("at.z.y", None),
        ("tags[0]", "a"),
        ("tags[-1]", "b"),
        ("tags[9]", None),
        ("tags[0:1]", ["a"]),
        ("users['U1'].name", "Ann"),
        ("users.U1.name", "Ann"),
        ("users[gone].name", None),
        ("'U1' in users", True),
        ("length(users)", 2),
        ("st | upper | lower", "open"),
        ("gone | default('x')", "x"),
        ("day < today", True),
        ("record.st", "open"),
        ("record['st']", "open"),
        ("{'a': n, 'b': [st]}", {"a": 2, "b": ["open"]}),
        ("round(2.675, 2)", 2.68),
        ("1_000", 1000),
    ],
)
def test_an_expression_gives(text: str, expected: Any) -> None:
    if text in ("at.z.y", "'a' in gone"):
        made = compile_value(f"= {text}", SCOPE)
        if made.findings:
            return
    found = value(f"= {text}")
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("n / 0", "2 is divided by zero"),
        ("n // (n - 2)", "divided by zero"),
        ("n % (n - 2)", "divided by zero"),
        ("users[input].age + any_number", None),
        ("10000000000000000000000000000000 * 10", None),
        ("number(st)", "open"),
        ("date_add(input, 1)", "given"),
    ],
)
def test_what_cannot_be_worked_out_says_so(text: str, told: str | None) -> None:
    made = compile_value(f"= {text}", SCOPE)
    with pytest.raises(ExpressionError, match=told):
        made.run(LINE, {"input": "given", "": SmallWorld(**WORLD)})


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
def test_the_example_of_each_function_gives_the_same_in_a_value(function: Function) -> None:
    text = function.template or function.example
    world = SmallWorld(users=[{"id": "USR-001", "name": "Ann"}])
    scope = world_scope({name: [record.plain() for record in one] for name, one in world.collections.items()})
    made = compile_value(f"= {text}", Scope(collections=scope.collections))
    assert made.findings == []
    assert plain(made.run(None, {"": world})) == function.gives


# -- where findings point -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("»typo", "unknown-name"),
        ("n + »typo", "unknown-name"),
        ("record.»typo", "unknown-field"),
        ("record . »typo", "unknown-field"),
        ("users['U1'].»nme", "unknown-field"),
        ("at.x.»z", "unknown-field"),
        ("st == 'a' and n == »'5'", "wrong-comparison"),
        ("n + »st", "wrong-arithmetic"),
        ("»n and flag", "number-as-truth"),
        ("flag and »frist(tags)", "unknown-function"),
        ("tags | »selectattr('x')", "unknown-function"),
        ("st.»upper()", "unknown-function"),
        ("flag and »1 < n < 5", "chained-comparison"),
        ("»n ** 2", "wrong-arithmetic"),
        ("flag »is defined", "expression-syntax"),
        ("[n, »typo, 1]", "unknown-name"),
        ("{'a': »typo}", "unknown-name"),
        ("st »; n", "expression-syntax"),
        ("st »# n", "expression-syntax"),
        ("st == »'open", "expression-syntax"),
        ("»(n + 1", "expression-syntax"),
        ("n + 1»)", "expression-syntax"),
        ("flag »&& st", "expression-syntax"),
        ("flag »|| st", "expression-syntax"),
        ("»! flag", "expression-syntax"),
        ("»$input", "expression-syntax"),
        ("tags»[?x]", "expression-syntax"),
        ("st »= 'open'", "expression-syntax"),
        ("n »+", "expression-syntax"),
    ],
)
def test_a_finding_points_at_what_is_wrong(text: str, code: str) -> None:
    bare = text.replace("»", "")
    place = text.index("»")
    for front, make in [
        ("", compile_condition),
        ("= ", compile_value),
        ("=   ", compile_value),
        ("=", compile_value),
        ("{{ ", compile_text),
        ("a {{ n }} and\n {{ st }} b {{ ", compile_text),
        ("a\r\n   {{- n -}}   {{", compile_value),
    ]:
        behind = " }} c {{ n }}" if "{{" in front else ""
        found = make(front + bare + behind, SCOPE).findings
        finding = found[0] if len(found) == 1 else next(one for one in found if one.code != "number-as-truth")
        assert (finding.code, finding.offset) == (code, len(front) + place), (front, finding)


def test_every_finding_is_told_in_the_order_of_places() -> None:
    text = "{{ typo }} {{ n }} {{ record.tipo }} {{ frist(x) }}"
    found = compile_text(text, SCOPE).findings
    assert [text[one.offset :][:4] for one in found] == ["typo", "tipo", "fris"]


def test_what_has_an_error_never_runs() -> None:
    with pytest.raises(ExpressionError, match="There is nothing called 'typo' here"):
        compile_value({"a": "= n", "b": "= typo"}, SCOPE).run(LINE, {})


def test_signs_of_other_languages_have_words_of_their_own() -> None:
    fixes = {
        "flag && st": "Write 'and' instead of '&&'.",
        "flag ? 1 : 2": "Write a if condition else b.",
        "st = 'a'": "Write '==' to compare.",
        "{{ n }}": "Take the braces away.",
        "n | int": "Write number(n).",
        "tags.join(', ')": "Write join(tags, ', ').",
        "record.get('st')": "Write record['st'].",
    }
    for text, fix in fixes.items():
        assert [one.fix for one in compile_value(f"= {text}", SCOPE).findings] == [fix]
    assert compile_condition("= flag", SCOPE).findings[0].fix == "Write flag"
    assert compile_condition("{{ flag }}", SCOPE).findings[0].fix == "Take the braces away."
    assert compile_condition("st == '{{ x }}'", SCOPE).findings == []
