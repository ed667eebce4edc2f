"""Calls of functions looked over before there are values: how many arguments, of which kinds, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from silo_decl.errors import ExpressionError, did_you_mean
from silo_decl.expressions.findings_comparisons import Side
from silo_decl.expressions.findings_fields import unknown_name
from silo_decl.expressions.functions import FUNCTIONS, Function, Parameter
from silo_decl.expressions.functions_texts import pattern_of
from silo_decl.expressions.functions_values import element_of
from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import ANY, Finding, Scope, Shape, words

_ALSO = {
    "date": ("date", "text"),
    "datetime": ("datetime", "text"),
    "record": ("record", "object"),
    "map": ("map", "object"),
    "collection": ("collection", "list"),
}
_KIND_WORDS = {"list": "a list", "record": "a record", "text": "a text", "number": "a number", "object": "an object"}


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument as written. `expression` says that it is `&...` of a query, with the shape of its result."""

    side: Side
    expression: bool = False


@dataclass(slots=True)
class Call:
    """What is known of a call: the shape of its result, what is wrong with it, the collections it may read."""

    shape: Shape = ANY
    findings: list[Finding] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)


def unknown_function(name: str, offset: int) -> Finding:
    """A function that is not in the table."""
    foreign = _FOREIGN.get(name.lower())
    fix = f"Write {foreign}." if foreign else "The reference of functions lists them all."
    known = "" if foreign else did_you_mean(name, FUNCTIONS)
    return Finding("unknown-function", f"There is no function '{name}'.{known}", fix, offset)


_FOREIGN = {
    "len": "length(...)",
    "size": "length(...)",
    "int": "number(...)",
    "float": "number(...)",
    "str": "text(...)",
    "now": "now for the moment, today for the date",
    "average": "avg(...)",
    "mean": "avg(...)",
    "exists": "... != null",
    "isnull": "... == null",
    "items": "values(...) or keys(...)",
    "get": "at(object, key)",
    "filter": "[?...] behind a list",
    "if": "= a if b else c in a value",
    "strip": "trim(...)",
    "datediff": "days_between(start, end)",
}


def wrong_count(function: Function, given: int, offset: int) -> Finding | None:
    """Too few or too many arguments."""
    most = function.most
    if given >= function.fewest and (most is None or given <= most):
        return None
    if most is None:
        few = f"at least {function.fewest}"
    elif most == function.fewest:
        few = str(most)
    else:
        few = f"{function.fewest} {'or' if most == function.fewest + 1 else 'to'} {most}"
    unit = "value" if few.endswith("1") else "values"
    return Finding(
        "wrong-arguments",
        f"The function '{function.name}' takes {few} {unit}, not {given}.",
        _example(function),
        offset,
    )


def list_place(function: Function) -> int:
    """Which argument holds the elements that an expression argument is worked out for."""
    return next(
        (place for place, parameter in enumerate(function.parameters) if not parameter.expression),
        0,
    )


def look_at_call(function: Function, arguments: Sequence[Argument], scope: Scope, offset: int) -> Call:
    """Everything that the shapes of the arguments say of a call with the right number of them."""
    call = Call()
    shapes: list[Shape] = []
    element = element_of([argument.side.shape for argument in arguments], list_place(function))
    for place, argument in enumerate(arguments):
        parameter = function.parameter(place)
        if parameter.expression:
            shape, findings = _expression(function, parameter, argument, element)
        else:
            shape, findings = argument.side.shape, _kind(function, parameter, argument)
        shapes.append(shape)
        if not call.findings:
            call.findings.extend(findings)
    call.shape = function.result(shapes)
    if look := _LOOKS.get(function.name):
        look(call, arguments, scope)
    return call


def _expression(
    function: Function, parameter: Parameter, argument: Argument, element: Shape
) -> tuple[Shape, list[Finding]]:
    side = argument.side
    if argument.expression:
        return side.shape, []
    if side.literal and isinstance(side.value, str):
        _, shape, findings = field_path(side.value, element)
        return shape, [Finding(one.code, one.message, one.fix, side.offset, one.level) for one in findings]
    if side.shape.kind in ("any", "nothing") or side.shape.textual:
        return ANY, []
    fix = f"Write {function.signature}, with & before the field in a query, or the field as a text: '{parameter.name}'."
    message = f"The function '{function.name}' takes the name of a field here, not {words(side.shape)}."
    return ANY, [Finding("wrong-arguments", message, fix, side.offset)]


def _kind(function: Function, parameter: Parameter, argument: Argument) -> list[Finding]:
    side = argument.side
    if argument.expression:
        message = f"The function '{function.name}' takes no '&' here."
        return [Finding("wrong-arguments", message, f"Write {function.signature}.", side.offset)]
    wanted = " or ".join(_KIND_WORDS[kind] for kind in parameter.kinds if kind in _KIND_WORDS)
    if not _fits(side.shape, parameter.kinds):
        message = f"The function '{function.name}' takes {wanted} here, and {side.subject} is {words(side.shape)}."
        return [Finding("wrong-arguments", message, _fitting(function, parameter, side), side.offset)]
    elements = element_of([side.shape])
    if "list" in parameter.kinds and not _has_field_argument(function) and not _fits(elements, parameter.of):
        message = f"The function '{function.name}' cannot use a list in which each element is {words(elements)}."
        return [Finding("wrong-arguments", message, _example(function), side.offset)]
    return []


def _has_field_argument(function: Function) -> bool:
    return any(parameter.expression and not parameter.optional for parameter in function.parameters)


def _fits(shape: Shape, kinds: Sequence[str]) -> bool:
    if "any" in kinds or shape.kind in ("any", "nothing"):
        return True
    return any(kind in kinds for kind in (shape.kind, *_ALSO.get(shape.kind, ())))


def _fitting(function: Function, parameter: Parameter, side: Side) -> str:
    if side.shape.kind == "map" and "list" in parameter.kinds:
        return f"It is keyed by id: write {function.name}(values({side.written}), ...)."
    if side.shape.kind == "number" and parameter.kinds == ("text",):
        return f"Write text({side.written}) for its text."
    if side.shape.textual and parameter.kinds == ("number",) and not side.literal:
        return f"Write number({side.written}) if it spells a number."
    return _example(function)


def _example(function: Function) -> str:
    return f"Write {function.signature}, for example {function.example}."


# -- functions whose literal texts name something -----------------------------------------------------------


def _look_up(call: Call, arguments: Sequence[Argument], scope: Scope) -> None:
    """`lookup` reads the collection that its first text names, and the last step of it is its name."""
    side = arguments[0].side
    if not side.literal or not isinstance(side.value, str):
        call.reads.update(scope.collections)
        return
    *worlds, name = side.value.split(".")
    collection = scope.collections.get(name)
    known = scope.worlds or scope.collections
    if len(worlds) > 1 or (known and any(world not in scope.worlds for world in worlds)):
        message = f"There is no world '{'.'.join(worlds)}' to look something up in."
        call.findings.append(unknown_name(message, worlds[0], scope.worlds, side.offset))
    elif collection is None and scope.collections:
        message = f"There is no collection '{name}'."
        call.findings.append(unknown_name(message, name, scope.collections, side.offset))
    elif collection is not None:
        call.reads.add(name)
        call.shape = collection.element.maybe()


def _look_at_view(call: Call, arguments: Sequence[Argument], scope: Scope) -> None:
    call.reads.update(scope.collections)


def _look_at_pattern(call: Call, arguments: Sequence[Argument], scope: Scope) -> None:
    side = arguments[1].side
    if side.literal and isinstance(side.value, str):
        try:
            pattern_of(side.value)
        except ExpressionError as error:
            fix = "Write a pattern of RE2, which has no look-around and no back references."
            call.findings.append(Finding("wrong-arguments", str(error), fix, side.offset))


def _look_at_at(call: Call, arguments: Sequence[Argument], scope: Scope) -> None:
    shape, side = arguments[0].side.shape, arguments[1].side
    if shape.kind in ("object", "record") and side.literal and isinstance(side.value, str):
        call.shape = shape.fields[side.value].maybe() if side.value in shape.fields else ANY


_LOOKS: dict[str, Any] = {
    "lookup": _look_up,
    "view": _look_at_view,
    "matches": _look_at_pattern,
    "at": _look_at_at,
}
