"""What a hook may put into a record: values that JSON can hold, as plain copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from silo_decl.errors import SiloError
from silo_decl.expressions.records import CollectionLike, RecordLike, plain

_BIGGEST = 2**63
_DEEPEST = 200


class HookValueError(SiloError):
    """A hook put something into a record that cannot be there."""


def checked(value: Any, place: str, path: str = "", depth: int = 0) -> Any:
    """The value as plain JSON data of its own. Raises HookValueError, with the place, for what JSON cannot hold."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, place, path)
    if isinstance(value, (int, float)):
        return _number(value, place, path)
    if depth > _DEEPEST:
        raise _refused(place, path, "is nested too deeply, or contains itself")
    if isinstance(value, (RecordLike, CollectionLike)):
        value = plain(value)
    if isinstance(value, Mapping):
        made = {}
        for key, inner in value.items():
            if not isinstance(key, str):
                raise _refused(place, path, f"has the key {key!r}, which is not a text")
            made[_text(key, place, path)] = checked(inner, place, f"{path}.{key}" if path else key, depth + 1)
        return made
    if isinstance(value, (list, tuple)):
        return [checked(inner, place, f"{path}[{at}]", depth + 1) for at, inner in enumerate(value)]
    raise _refused(place, path, f"is a {type(value).__name__}, which JSON cannot hold")


def _text(value: str, place: str, path: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _refused(place, path, "has half of a character pair, which JSON cannot hold") from None
    return str(value)


def _number(value: int | float, place: str, path: str) -> int | float:
    if isinstance(value, int):
        if not -_BIGGEST <= value < 2 * _BIGGEST:
            raise _refused(place, path, f"is {value}, which is too large a number for JSON")
        return int(value)
    if not math.isfinite(value):
        raise _refused(place, path, f"is {value}, which is no number that JSON can hold")
    return float(value)


def _refused(place: str, path: str, reason: str) -> HookValueError:
    shown = path if len(path) <= 80 else path[:79] + "…"
    return HookValueError(f"'{shown}' of {place} {reason}." if path else f"{place} {reason}.")
