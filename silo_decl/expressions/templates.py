"""Values, conditions and texts: Jinja2 expressions compiled ahead of time to closures and looked over while they are.

Jinja2 parses them; nothing of its runtime is used, so there is no Python behind a dot. What they mean is said by
`meaning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import nodes

from silo_decl.errors import ExpressionError
from silo_decl.expressions.findings_comparisons import literal_shape
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY, TEXT, Finding, Scope, Shape
from silo_decl.expressions.template_build import LOGIC_KINDS, Builder, Part, Run, constant, joined
from silo_decl.expressions.template_names import NAME_KINDS
from silo_decl.expressions.template_parse import TemplateMistake, braces_in, parse_expression, parse_text

_KINDS = {**LOGIC_KINDS, **NAME_KINDS}
_DEEP = "This is nested too deeply to be read."


@dataclass(frozen=True, slots=True)
class Value:
    """A value, condition or text that is ready to run: `run(element, env)`.

    `element` is the record whose fields are bare names, or None; `env` holds the values from outside by name, and the
    world under ''. Where `findings` has an error, `run` raises ExpressionError. `constant` says that it holds no
    expression; `reads` are the collections and `fields` the fields of the element that it may read.
    """

    run: Run
    findings: list[Finding] = field(default_factory=list)
    shape: Shape = ANY
    reads: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    clock: bool = False
    constant: bool = False


def compile_value(raw: Any, scope: Scope) -> Value:
    """A value as written: `= expression` keeps its type, a text with `{{ }}` is a text, lists and objects hold values.

    Anything else is itself.
    """
    if isinstance(raw, str):
        if raw.startswith("="):
            return _expression(" " + raw[1:], scope)
        return compile_text(raw, scope)
    if isinstance(raw, Mapping):
        return _object({name: compile_value(inner, scope) for name, inner in raw.items()}, raw)
    if isinstance(raw, (list, tuple)):
        return _list([compile_value(inner, scope) for inner in raw], raw)
    return _constant(raw)


def compile_condition(text: str, scope: Scope) -> Value:
    """A condition; ask `meaning.truth` of what it gives."""
    if isinstance(text, str) and text.lstrip().startswith("="):
        said = "A condition is written without an equals sign in front."
        return _unusable([Finding("expression-syntax", said, f"Write {text.lstrip()[1:].strip()}")])
    return _expression(text, scope, truth=True)


def compile_text(text: str, scope: Scope) -> Value:
    """A text, filled in where it holds `{{ }}`; what is filled in is never looked at again."""
    if "{{" not in text and "{%" not in text:
        return _constant(text)
    try:
        builder = Builder(scope, _KINDS)
        parts = [_piece(builder, piece) for piece in parse_text(text)]
        return _done(builder, Part(joined(parts), TEXT))
    except TemplateMistake as mistake:
        return _unusable([mistake.finding])
    except RecursionError:
        return _unusable([Finding("expression-syntax", _DEEP, "Split it.")])


def _piece(builder: Builder, node: nodes.Node) -> Part:
    return constant(node.data) if isinstance(node, nodes.TemplateData) else builder.build(node)


def _expression(text: str, scope: Scope, truth: bool = False) -> Value:
    if "{{" in text and (braces := braces_in(text)) >= 0:
        what = "A condition" if truth else "What stands behind '='"
        said = what + " is an expression already, so it holds no '{{ }}'."
        return _unusable([Finding("expression-syntax", said, "Take the braces away.", braces)])
    try:
        tree = parse_expression(text)
        builder = Builder(scope, _KINDS)
        return _done(builder, builder.build_truth(tree) if truth else builder.build(tree))
    except TemplateMistake as mistake:
        return _unusable([mistake.finding])
    except RecursionError:
        return _unusable([Finding("expression-syntax", _DEEP, "Split it.")])


def _done(builder: Builder, part: Part) -> Value:
    findings = sorted(dict.fromkeys(builder.findings), key=lambda finding: finding.offset)
    if any(finding.level == "error" for finding in findings):
        return _unusable(findings)
    return Value(
        part.run, findings, part.shape, frozenset(builder.reads), frozenset(builder.fields), builder.clock, False
    )


def _unusable(findings: list[Finding]) -> Value:
    said = findings[0].message

    def run(element: Any, env: Any) -> Any:
        raise ExpressionError(said)

    return Value(run, findings)


def _constant(value: Any) -> Value:
    if isinstance(value, (list, dict)):
        return Value(lambda element, env: plain(value), [], literal_shape(value), constant=True)
    return Value(lambda element, env: value, [], literal_shape(value), constant=True)


def _object(parts: dict[str, Value], raw: Any) -> Value:
    if all(part.constant for part in parts.values()):
        return _constant(raw)
    runs = [(name, part.run) for name, part in parts.items()]
    shape = Shape("object", fields={name: part.shape for name, part in parts.items()})
    return _together(list(parts.values()), lambda element, env: {name: run(element, env) for name, run in runs}, shape)


def _list(parts: list[Value], raw: Any) -> Value:
    if all(part.constant for part in parts):
        return _constant(list(raw))
    runs = [part.run for part in parts]
    return _together(parts, lambda element, env: [run(element, env) for run in runs], Shape("list", of=ANY))


def _together(parts: list[Value], run: Run, shape: Shape) -> Value:
    return Value(
        run,
        [finding for part in parts for finding in part.findings],
        shape,
        frozenset().union(*(part.reads for part in parts)),
        frozenset().union(*(part.fields for part in parts)),
        any(part.clock for part in parts),
    )
