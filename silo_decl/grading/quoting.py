"""Values and answers as the reason of a check quotes them: short, in plain words."""

from __future__ import annotations

import json
from typing import Any

from silo_decl.expressions.meaning import shown
from silo_decl.expressions.records import CollectionLike, RecordLike, plain

_QUOTED = 160
_LISTED = 3
_LONGEST = 200


def quoted(answer: str) -> str:
    """An answer, cut where it is long."""
    text = " ".join(answer[: 4 * _QUOTED].split())
    return f"'{text}'" if len(text) <= _QUOTED else f"'{text[: _QUOTED - 1]}…'"


def brief(expression: str) -> str:
    """An expression on one line, cut where it is long."""
    text = " ".join(expression.split())
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def told(value: Any) -> str:
    """A value; records by their ids, and of long lists how many and the first."""
    if isinstance(value, RecordLike):
        return str(named(value))
    if isinstance(value, (list, tuple, CollectionLike)):
        value = [named(one) for one in value]
    else:
        value = named(value)
    if isinstance(value, list) and len(value) > _LISTED:
        return f"{len(value)} items, first {', '.join(shown(one) for one in value[:_LISTED])}"
    if isinstance(value, (list, dict)):
        text = json.dumps(value, ensure_ascii=False)
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return shown(value, _LONGEST)


def named(value: Any) -> Any:
    """A record by its id, anything else in plain values."""
    found = getattr(value, "id", None) if isinstance(value, RecordLike) else None
    value = plain(value)
    if found is None and isinstance(value, dict):
        found = value.get("id")
    return value if found is None else found
