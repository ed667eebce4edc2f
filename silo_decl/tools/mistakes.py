"""What is wrong with the arguments of a call, in the words of the tool's own parameters.

The fast test of arguments only says yes or no; this walk runs after a no and names every mistake.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from silo_decl.errors import choices
from silo_decl.expressions.meaning import DATE, DATETIME, equals
from silo_decl.specs.source import NOWHERE
from silo_decl.specs.tool import ParameterSpec

Mistakes = Iterator[str]

BIGGEST = 2**63 - 1
DEEPEST = 100


def mistakes(parameters: Iterable[ParameterSpec], given: Any) -> list[str]:
    """Every mistake of the arguments, in the order of what was given, then what is missing."""
    if not isinstance(given, Mapping):
        return ["the arguments must be an object with a value for each parameter"]
    unreadable = [*_unreadable(given, "", 0)]
    return unreadable or [*_fields({one.name: one for one in parameters}, given, "")]


def _fields(parameters: Mapping[str, ParameterSpec], given: Mapping[str, Any], path: str) -> Mistakes:
    for name, parameter in parameters.items():
        if parameter.required and name not in given:
            yield f'"{path}{name}" is required'
    for name, value in given.items():
        if name in parameters:
            yield from _value(parameters[name], value, f"{path}{name}")
        else:
            yield f'"{path}{name}" is not a parameter'


def _value(parameter: ParameterSpec, value: Any, path: str) -> Mistakes:
    if value is None:
        hint = "" if parameter.required else "; leave it out where there is none"
        yield f'"{path}" must be {_wanted(parameter)}, not null{hint}'
    elif not _fits(parameter, value):
        yield f'"{path}" must be {_wanted(parameter)}'
    else:
        yield from _bounds(parameter, value, path)
        yield from _inner(parameter, value, path)


def _fits(parameter: ParameterSpec, value: Any) -> bool:
    """Whether the value is of the type, and among the choices where there are some."""
    if not _KINDS.get(parameter.type, _is_anything)(value):
        return False
    return not parameter.enum or any(equals(value, choice) for choice in parameter.enum)


def _bounds(parameter: ParameterSpec, value: Any, path: str) -> Mistakes:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    if parameter.minimum is not None and value < parameter.minimum:
        yield f'"{path}" must be at least {_shown(parameter.minimum)}'
    if parameter.maximum is not None and value > parameter.maximum:
        yield f'"{path}" must be at most {_shown(parameter.maximum)}'


def _inner(parameter: ParameterSpec, value: Any, path: str) -> Mistakes:
    if parameter.type == "money":
        yield from _fields(_MONEY, value, f"{path}.")
    elif isinstance(value, Mapping) and parameter.fields:
        yield from _fields(parameter.fields, value, f"{path}.")
    elif isinstance(value, (list, tuple)) and parameter.of is not None:
        for place, element in enumerate(value):
            yield from _value(parameter.of, element, f"{path}[{place}]")


def _wanted(parameter: ParameterSpec) -> str:
    if parameter.enum:
        return "one of: " + choices(map(_shown, parameter.enum))
    return _WORDS.get(parameter.type, "a value")


def _shown(value: Any) -> str:
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return _is_number(value) and value == int(value)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def is_date(value: Any) -> bool:
    """Whether a value is a day of the calendar, written YYYY-MM-DD."""
    return isinstance(value, str) and bool(DATE.match(value)) and _exists(date.fromisoformat, value)


def is_moment(value: Any) -> bool:
    """Whether a value is a moment in time, such as 2026-04-01T09:30:00."""
    return isinstance(value, str) and bool(DATETIME.match(value)) and _exists(datetime.fromisoformat, value)


def _exists(read: Callable[[str], Any], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_anything(value: Any) -> bool:
    return True


_KINDS: dict[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "number": _is_number,
    "integer": _is_integer,
    "boolean": _is_boolean,
    "date": is_date,
    "datetime": is_moment,
    "money": _is_object,
    "list": _is_list,
    "object": _is_object,
}

_WORDS = {
    "text": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "date": 'a date such as "2026-04-01"',
    "datetime": 'a moment in time such as "2026-04-01T09:30:00"',
    "money": 'an object such as {"amount": 10.5, "currency": "USD"}',
    "list": "a list",
    "object": "an object",
}


# -- what JSON cannot hold ----------------------------------------------------------------------------------


def _unreadable(value: Any, path: str, depth: int) -> Mistakes:
    if depth > DEEPEST:
        yield f'"{path[:60]}" is nested too deeply'
    elif isinstance(value, str):
        if not _writable(value):
            yield f'"{path}" holds a character that is half of a pair and cannot be written down'
    elif isinstance(value, (list, tuple)):
        for place, element in enumerate(value):
            yield from _unreadable(element, f"{path}[{place}]", depth + 1)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _unreadable_field(name, inner, path, depth)
    elif not _holdable(value):
        yield f'"{path}" must be a value that JSON can hold, with numbers of at most 18 digits'


def _unreadable_field(name: Any, value: Any, path: str, depth: int) -> Mistakes:
    if not isinstance(name, str) or not _writable(name):
        yield "the name of a parameter must be a text that can be written down"
    else:
        yield from _unreadable(value, f"{path}.{name}" if path else name, depth + 1)


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _holdable(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int):
        return -BIGGEST - 1 <= value <= BIGGEST
    return isinstance(value, float) and math.isfinite(value)


_MONEY = {
    "amount": ParameterSpec(NOWHERE, "amount", "number"),
    "currency": ParameterSpec(NOWHERE, "currency", "text"),
}
