"""A small shop with a tool for every sentence of the format; tools and hooks are given as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from silo_decl.engine.environment import Environment, check, load_folder
from silo_decl.errors import Problem
from silo_decl.specs.codes import ADVICE_CODES
from silo_decl.world.store import World

ENVIRONMENT = """\
silo: 1
name: shop
title: Shop
description: Orders and people.
now: "2026-04-01T10:00:00"
collections:
  people:
    singular: person
    ids: "P-{}"
    fields:
      balance:
        type: number
  orders:
    ids: "O-{:03}"
    fields:
      personId:
        references: people
      status:
        enum: [new, paid, sent]
      note:
        type: text
      total.amount:
        type: number
      total.currency:
        type: text
        default: USD
      history:
        type: list
      count:
        type: integer
    computed:
      personName: = people[personId].name
      large: = total.amount > 100
    views:
      short: [id, status, personName]
      long: [id, status, personId, note, total, count]
  lines:
    ids: "L-{}"
    fields:
      orderId:
        references: orders
      quantity:
        type: integer
  audit:
    singular: audit
    ids: "A-{}"
    fields:
      at:
        type: datetime
rules:
  active:
    of: people
    require: active
    code: not_allowed
    message: Person {{ id }} ({{ name }}) is not active.
  unsent:
    of: orders
    require: status != 'sent'
    code: invalid_state
    message: Order {{ id }} is {{ status }}.
actor:
  parameter: actorId
  references: people
  rule: active
audit:
  collection: audit
  entry:
    at: = now
    actorId: = input.actorId
    action: = tool
    kind: = kind
    recordId: = record_id
    detail: = log
tools:
  - tools/all.yaml
"""

DATA: dict[str, list[dict[str, Any]]] = {
    "people": [
        {"id": "P-1", "name": "Ann", "active": True, "balance": 10},
        {"id": "P-2", "name": "Bo", "active": False, "balance": None},
        {"id": "P-3", "name": "Çelik", "active": True, "balance": 0.1},
    ],
    "orders": [
        {
            "id": "O-001",
            "personId": "P-1",
            "status": "new",
            "note": "first",
            "total": {"amount": 150, "currency": "USD"},
            "history": [{"what": "made"}],
            "count": 1,
        },
        {
            "id": "O-002",
            "personId": "P-3",
            "status": "sent",
            "note": None,
            "total": {"amount": 20.5, "currency": "USD"},
            "history": None,
            "count": None,
        },
    ],
    "lines": [{"id": "L-1", "orderId": "O-001", "quantity": 2}, {"id": "L-2", "orderId": "O-001", "quantity": 1}],
    "audit": [],
}


def write(folder: Path, tools: str, hooks: str = "") -> Path:
    for name in ("data", "tools", "hooks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "environment.yaml").write_text(ENVIRONMENT, encoding="utf-8")
    (folder / "tools" / "all.yaml").write_text(f"collection: orders\ntools:\n{tools}", encoding="utf-8")
    if hooks:
        (folder / "hooks" / "mine.py").write_text(hooks, encoding="utf-8")
    for name, records in DATA.items():
        (folder / "data" / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    return folder


def shop(folder: Path, tools: str, hooks: str = "") -> Environment:
    return load_folder(write(folder, tools, hooks))


def problems(folder: Path, tools: str, hooks: str = "") -> list[Problem]:
    return [one for one in check(write(folder, tools, hooks)) if one.code not in ADVICE_CODES]


def call(world: World, name: str, /, **given: Any) -> Any:
    """The output of a call that succeeds; the actor is filled in where the tool takes one."""
    result = attempt(world, name, **given)
    assert not result.is_error, (result.output, result.fault)
    return result.output


def refused(world: World, name: str, /, **given: Any) -> dict[str, Any]:
    """The error of a call that is refused; the world is as it was."""
    before = world.diff()
    result = attempt(world, name, **given)
    assert result.is_error
    assert world.diff() == before
    output: dict[str, Any] = result.output
    return output


def attempt(world: World, name: str, /, **given: Any) -> Any:
    return world.call(name, {"actorId": "P-1", **given} if given.pop("acting", True) else given)


def stored(world: World, collection: str, record_id: str) -> dict[str, Any]:
    found = world.stored(collection, record_id)
    assert found is not None
    return found
