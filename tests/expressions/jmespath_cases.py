"""Queries of plain JMESPath and data for them, made at random, and the library's interpreter with our differences."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st
from jmespath.visitor import TreeInterpreter

from silo_decl.expressions import meaning

NAMES = ("a", "b", "c", "first name")


class Refused(Exception):
    """Our meaning has an error where the library goes on."""


class OurInterpreter(TreeInterpreter):
    """The library's interpreter with each listed difference of meaning put in, as plainly as can be."""

    def visit_field(self, node: Any, value: Any) -> Any:
        if isinstance(value, (str, int, float, bool)):
            raise Refused("field of a plain value")
        return super().visit_field(node, value)

    def visit_comparator(self, node: Any, value: Any) -> Any:
        left, right = (self.visit(child, value) for child in node["children"])
        sign = {"eq": "==", "ne": "!=", "lt": "<", "lte": "<=", "gt": ">", "gte": ">="}[node["value"]]
        if sign in ("==", "!="):
            return (json.dumps(_counted(left), sort_keys=True) == json.dumps(_counted(right), sort_keys=True)) == (
                sign == "=="
            )
        if left is None or right is None:
            return False
        kinds = {meaning.kind_of(left), meaning.kind_of(right)}
        if kinds not in ({"a number"}, {"a text"}):
            raise Refused("no order")
        return super().visit_comparator(node, value)


def _counted(value: Any) -> Any:
    """The value with whole numbers written alike."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, list):
        return [_counted(one) for one in value]
    return {key: _counted(one) for key, one in value.items()}


numbers = st.integers(-3, 3)
texts = st.sampled_from(("", "a", "b", "open", "2", "it's"))
scalars = st.one_of(st.none(), st.booleans(), numbers, st.sampled_from((0.5, 2.0)), texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    ),
    max_leaves=8,
)
records = st.fixed_dictionaries({}, optional={"a": scalars, "b": values, "c": texts, "first name": numbers})
data = st.one_of(
    st.fixed_dictionaries({}, optional={"a": values, "b": st.lists(records, max_size=4), "c": records}),
    st.lists(records, max_size=4),
    values,
)


def _name(name: str) -> str:
    return name if name.isalpha() else json.dumps(name)


names = st.sampled_from(NAMES).map(_name)
raw_texts = texts.map(lambda text: "'" + text.replace("'", "\\'") + "'")
literals = st.one_of(values.map(lambda value: f"`{json.dumps(value)}`"), raw_texts)
places = st.one_of(
    st.integers(-2, 2).map(lambda place: f"[{place}]"),
    st.sampled_from(("[:1]", "[1:]", "[::2]", "[::-1]", "[-2:2]")),
)
signs = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))


_OF_ONE = (
    *("length", "keys", "values", "type", "to_array", "to_string", "to_number", "sort", "reverse", "abs", "ceil"),
    *("floor", "max", "min", "sum", "avg", "merge", "not_null"),
)
_OF_TWO = ("contains", "starts_with", "ends_with", "join", "not_null")
_BY = ("sort_by", "max_by", "min_by")


@st.composite
def queries(draw: st.DrawFn, depth: int = 2) -> str:
    """A valid query of plain JMESPath."""
    inner = queries(depth - 1) if depth else st.one_of(names, names, names, literals, st.just("@"))
    kind = draw(st.sampled_from(("chain", "chain", "chain", "compared", "compared", "joined", "not", "piped")))
    if kind == "compared":
        return f"{draw(chains(depth))} {draw(signs)} {draw(chains(depth))}"
    if kind == "joined":
        return f"{draw(inner)} {draw(st.sampled_from(('&&', '||')))} {draw(inner)}"
    if kind == "not":
        return f"!({draw(inner)})"
    return f"{draw(inner)} | {draw(inner)}" if kind == "piped" else draw(chains(depth))


@st.composite
def chains(draw: st.DrawFn, depth: int) -> str:
    """A first part and steps from it."""
    inner = queries(depth - 1) if depth else names
    firsts = [*[names] * 8, literals, st.just("@")]
    if depth:
        firsts += [calls(depth), lists(inner), objects(inner), inner.map(lambda part: f"({part})")]
    steps = [names.map(lambda name: f".{name}"), places, st.sampled_from(("[*]", "[]", ".*"))]
    if depth:
        steps += [inner.map(lambda condition: f"[?{condition}]")] * 2
        steps += [part.map(lambda part: f".{part}") for part in (calls(depth), lists(inner), objects(inner))]
    return draw(st.one_of(firsts)) + "".join(draw(st.lists(st.one_of(steps), max_size=3)))


@st.composite
def calls(draw: st.DrawFn, depth: int) -> str:
    inner = queries(depth - 1)
    kind = draw(st.sampled_from(("one", "two", "by", "map")))
    if kind == "one":
        return f"{draw(st.sampled_from(_OF_ONE))}({draw(inner)})"
    if kind == "two":
        return f"{draw(st.sampled_from(_OF_TWO))}({draw(inner)}, {draw(inner)})"
    if kind == "by":
        return f"{draw(st.sampled_from(_BY))}({draw(inner)}, &{draw(inner)})"
    return f"map(&{draw(inner)}, {draw(inner)})"


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    return f"[{', '.join(draw(st.lists(inner, min_size=1, max_size=2)))}]"


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    pair = st.tuples(names, inner)
    pairs = draw(st.lists(pair, min_size=1, max_size=2, unique_by=lambda one: one[0]))
    return "{" + ", ".join(f"{name}: {part}" for name, part in pairs) + "}"
