"""Environments of any size to measure with: a sales team's deals, written to a folder as an author would have them."""

from __future__ import annotations

import random
from pathlib import Path

import orjson

ENVIRONMENT = """\
silo: 1
name: bench
title: Benchmark
description: Deals of a sales team, as many as wanted.
now: "2026-04-01"
collections:
  users:
    ids: "USR-{:03}"
  deals:
    ids: "DEAL-{:07}"
    fields:
      ownerId:
        references: users
    views:
      summary:
        - id
        - name
        - ownerId
        - status
        - stage
        - amount
        - closeDate
tools:
  - tools/deals.yaml
"""

TOOLS = """\
collection: deals
tools:
  - name: get_deal
    description: Get one deal.
    get: {}
  - name: list_deals
    description: List deals by owner and status.
    list:
      filters:
        ownerId: Only deals of this owner.
        status: Only deals in this status.
      sort:
        - id
      view: summary
  - name: search_deals
    description: Search deals by name, account or city.
    search:
      in:
        - name
        - account
        - city
      view: summary
  - name: move_deal
    description: Move a deal to another owner.
    update:
      record:
        parameter: dealId
      input:
        newOwnerId:
          references: users
          description: The new owner.
      set:
        ownerId: = input.newOwnerId
"""

TASK = """\
id: TASK-001
title: Move two deals
instruction: Move the deals to the second owner.
checks:
  - label: Both deals moved
    changes:
      deals:
        - records:
            - DEAL-0000007
            - DEAL-0000011
          to:
            ownerId: USR-002
  - label: The first one is the second owner's
    query: final.deals[?id == 'DEAL-0000007'].ownerId | [0]
    expect:
      equals: USR-002
  - label: Says so
    answer:
      mentions:
        all:
          - moved
solution:
  - call: get_deal
    input:
      dealId: DEAL-0000007
  - call: move_deal
    input:
      dealId: DEAL-0000007
      newOwnerId: USR-002
  - call: move_deal
    input:
      dealId: DEAL-0000011
      newOwnerId: USR-002
  - answer: moved
"""

CITIES = ("Lisbon", "Oslo", "Austin", "Leeds", "Graz", "Nantes", "Turin", "Tampere", "Boise", "Cork")
WORDS = ("renewal", "expansion", "pilot", "migration", "rollout", "license", "audit", "support", "upgrade", "bundle")
STAGES = ("discovery", "proposal", "negotiation", "closed")
USERS = 20


def deal(number: int, dice: random.Random) -> dict[str, object]:
    """One deal of 14 fields."""
    day = dice.randint(1, 28)
    return {
        "id": f"DEAL-{number:07}",
        "name": f"{dice.choice(CITIES)} {dice.choice(WORDS)} {number % 977}",
        "account": f"Account {dice.randint(1, 5000)}",
        "city": dice.choice(CITIES),
        "ownerId": f"USR-{dice.randint(1, USERS):03}",
        "status": dice.choice(("open", "open", "won", "lost")),
        "stage": dice.choice(STAGES),
        "amount": {"amount": dice.randint(1000, 90000), "currency": "USD"},
        "probability": dice.randint(0, 100),
        "createdDate": f"2025-{dice.randint(1, 12):02}-{day:02}",
        "closeDate": f"2026-{dice.randint(1, 12):02}-{day:02}",
        "priority": dice.randint(1, 5),
        "tags": [dice.choice(WORDS), dice.choice(WORDS)],
        "notes": None,
    }


def write(folder: Path, size: int) -> Path:
    """Write an environment with `size` deals and give its folder."""
    dice = random.Random(size)
    for name in ("data", "tools", "tasks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    users = [{"id": f"USR-{place:03}", "name": f"Rep {place}", "active": True} for place in range(1, USERS + 1)]
    deals = [deal(number, dice) for number in range(1, size + 1)]
    (folder / "environment.yaml").write_text(ENVIRONMENT, encoding="utf-8")
    (folder / "tools" / "deals.yaml").write_text(TOOLS, encoding="utf-8")
    (folder / "tasks" / "TASK-001.yaml").write_text(TASK, encoding="utf-8")
    (folder / "data" / "users.json").write_bytes(orjson.dumps(users))
    (folder / "data" / "deals.json").write_bytes(orjson.dumps(deals))
    return folder
