"""The plain ways to do the same, as one would write them first: deep copies, a query interpreter, full compares."""

from __future__ import annotations

import copy
from typing import Any

import jmespath

State = dict[str, list[dict[str, Any]]]


def fresh_world(state: State) -> State:
    return copy.deepcopy(state)


def diff(before: State, after: State) -> dict[str, list[Any]]:
    """Every record compared with what it was."""
    changed: dict[str, list[Any]] = {}
    for name, records in after.items():
        was = {record["id"]: record for record in before[name]}
        changed[name] = [record["id"] for record in records if was.get(record["id"]) != record]
    return changed


def get(state: State, deal_id: str) -> Any:
    return jmespath.search(f"deals[?id == '{deal_id}'] | [0]", state)


def listed(state: State, owner: str, status: str) -> Any:
    return jmespath.search(f"deals[?ownerId == '{owner}' && status == '{status}']", state)


class _Lower(jmespath.functions.Functions):  # type: ignore[misc]
    @jmespath.functions.signature({"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_lower(self, text: str) -> str:
        return text.casefold()


_OPTIONS = jmespath.Options(custom_functions=_Lower())


def searched(state: State, words: str) -> Any:
    fields = " || ".join(f"contains(lower({field}), '{words}')" for field in ("name", "account", "city"))
    return jmespath.search(f"deals[?{fields}]", state, options=_OPTIONS)


def page(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return copy.deepcopy(records)
