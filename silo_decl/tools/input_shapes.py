"""What is known of the arguments of a tool, for its expressions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from silo_decl.expressions.shapes import ANY, BOOLEAN, DATE, DATETIME, MONEY, NUMBER, TEXT, Shape
from silo_decl.specs.tool import ParameterSpec

_SHAPES = {
    "text": TEXT,
    "number": NUMBER,
    "integer": NUMBER,
    "boolean": BOOLEAN,
    "date": DATE,
    "datetime": DATETIME,
    "money": MONEY,
}


def input_shape(parameters: Iterable[ParameterSpec]) -> Shape:
    """An object of the arguments; those that need not be given may be nothing."""
    return Shape("object", fields={one.name: parameter_shape(one) for one in parameters})


def parameter_shape(parameter: ParameterSpec) -> Shape:
    """What is known of one argument."""
    shape = _given_shape(parameter)
    return shape if parameter.required or parameter.has_default else shape.maybe()


def _given_shape(parameter: ParameterSpec) -> Shape:
    if parameter.type == "list":
        return Shape("list", of=_given_shape(parameter.of) if parameter.of is not None else ANY)
    if parameter.type == "object":
        inner = input_shape(parameter.fields.values())
        return inner if parameter.fields else replace(inner, open=True)
    shape = _SHAPES.get(parameter.type, ANY)
    if shape.textual:
        choices = tuple(one for one in parameter.enum if isinstance(one, str))
        return replace(shape, name=parameter.references, choices=choices)
    return shape
