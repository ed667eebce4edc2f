"""On ordinary expressions the closures agree with Jinja2's sandboxed runtime; where they do not, it is on purpose."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from silo_decl.errors import ExpressionError
from silo_decl.expressions.meaning import truth
from silo_decl.expressions.shapes import ANY, Scope
from silo_decl.expressions.templates import compile_text, compile_value

SANDBOX = SandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
RECORDS: list[dict[str, Any]] = [
    {
        "a": 1,
        "b": 2,
        "s": "open",
        "t": "Won",
        "f": True,
        "g": False,
        "l": [1, 2, 3],
        "w": ["x", "y"],
        "o": {"p": {"q": 7}},
    },
    {"a": 7, "b": -3, "s": "", "t": "x", "f": False, "g": True, "l": [], "w": ["open"], "o": {"p": {"q": 0}}},
    {"a": 40, "b": 4, "s": "won", "t": "won", "f": True, "g": True, "l": [40], "w": [], "o": {"p": {"q": -1}}},
]
SCOPE = Scope(names=dict.fromkeys(RECORDS[0], ANY))

ORDINARY = [
    "a",
    "o.p.q",
    "o['p']['q']",
    "l[0:2]",
    "w[0:1]",
    "[a, b]",
    "{'x': a}",
    "(a, b) | length",
    "'t' ~ a ~ s",
    "a + b",
    "a - b",
    "a * b",
    "a // b",
    "a % b",
    "-a",
    "+b",
    "a + b * 2 - 1",
    "(a + b) * 2",
    "a - (b - 1)",
    "-a // b",
    "-a % b",
    "a == b",
    "a != b",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "s == t",
    "s < t",
    "s == 'open'",
    "s != 'open'",
    "l == [1, 2, 3]",
    "s in w",
    "s not in w",
    "a in l",
    "a not in l",
    "'o' in s",
    "s in ['open', 'won']",
    "a in [1, 7]",
    "'p' in o",
    "f and g",
    "f or g",
    "not f",
    "not f and g",
    "not (f and g)",
    "f and not g or s == 'x'",
    "f or g and s == 'x'",
    "s and t",
    "s or t",
    "l or w",
    "not s",
    "not l",
    "not a == b",
    "not s in w",
    "a > 3 and s == 'won'",
    "a > 3 or b > 3",
    "'x' if f else 'y'",
    "'x' if a > 3 else 'y' if g else 'z'",
    "a if f else b",
    "s if s else 'none'",
    "(a if f else b) + 1",
    "l | length",
    "w | join(', ')",
    "s | upper",
    "t | lower",
    "s | upper | lower",
    "l | sum",
    "-a | abs",
    "s | length",
    "l | length > 1",
    "w | first",
    "l | sort",
    "w | unique",
    "s | replace('o', '0')",
    "s | trim",
    "f is none",
    "f is not none",
    "1 < 2",
    "'a' < 'b'",
    "2 ** 1 if false else 1",
    "[1, [2, 3]][1][0]",
    "{'k': [1, 2]}.k[1]",
    "[[a]] == [[a]]",
    "a == a * 1",
]
REFUSED = {"2 ** 1 if false else 1", "w | first"}


def sandboxed(text: str, record: dict[str, Any]) -> Any:
    found = SANDBOX.compile_expression(text, undefined_to_none=False)(**record)
    return list(found) if not isinstance(found, (str, dict, list, int, float, type(None))) else found


@pytest.mark.parametrize("text", [text for text in ORDINARY if text not in REFUSED])
def test_a_value_is_that_of_the_sandbox(text: str) -> None:
    made = compile_value(f"= {text}", SCOPE)
    assert made.findings == []
    for record in RECORDS:
        found, expected = made.run(None, record), sandboxed(text, record)
        assert found == expected and type(found) is type(expected)


TEXTS = ["a", "s", "l | length", "a + b", "'x' if f else 'y'", "o.p.q", "w | join('/')", "s ~ t", "s | upper", "a // 2"]


@pytest.mark.parametrize(("one", "other"), list(itertools.product(TEXTS, TEXTS[:4])))
def test_a_text_is_that_of_the_sandbox(one: str, other: str) -> None:
    text = f"Deal {{{{ {one} }}}}:\n  {{{{- {other} }}}} of {{{{ {one} -}}}}  end\n"
    made = compile_text(text, SCOPE)
    for record in RECORDS:
        assert made.run(None, record) == SANDBOX.from_string(text).render(record)


@pytest.mark.parametrize("left", [True, False, None, "", "a", [], [1], {}, {"a": 1}])
@pytest.mark.parametrize("right", [True, None, "b", [], {"b": 2}])
def test_truth_is_that_of_python_save_for_zero(left: Any, right: Any) -> None:
    for text in ("x and y", "x or y", "not x", "y if x else x"):
        record = {"x": left, "y": right}
        found = compile_value(f"= {text}", Scope(names=dict.fromkeys("xy", ANY))).run(None, record)
        assert found == sandboxed(text, record) and type(found) is type(sandboxed(text, record))
    assert truth(0) and truth(0.0)


def test_where_the_sandbox_raises_about_nothing_there_is_an_answer() -> None:
    scope = Scope(names=dict.fromkeys("xy", ANY))
    for text, expected in [("x.y.z", None), ("x < 1", False), ("x + 1", None), ("x['a']", None), ("'a' in x", False)]:
        with pytest.raises(Exception):  # noqa: B017
            sandboxed(text, {"x": None})
        assert compile_value(f"= {text}", scope).run(None, {"x": None}) is expected
    for text in ("x < 1", "x + 1", "1 in x", "x.upper"):
        with pytest.raises(ExpressionError):
            compile_value(f"= {text}", scope).run(None, {"x": "text"})
