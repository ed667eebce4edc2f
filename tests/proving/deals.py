"""A small sales desk to prove in: a few deals of three people, with tools that change, add, take away and close."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from silo_decl.engine.environment import load_folder
from silo_decl.proving.proof import Proof
from silo_decl.proving.prove import prove

ENVIRONMENT = """\
silo: 1
name: deals
title: Deals
description: Deals and the people who own them.
now: "2026-04-01"
collections:
  people:
    ids: "P-{}"
  deals:
    ids: "D-{}"
    fields:
      ownerId:
        references: people
      stage:
        enum: [open, won, lost]
      amount:
        type: number
      closeDate:
        type: date
  notes:
    ids: "N-{}"
    fields:
      dealId:
        references: deals
      text:
        type: text
tools:
  - tools/all.yaml
"""

TOOLS = """\
collection: deals
tools:
  - name: list_deals
    description: List deals of an owner or in a stage.
    list:
      filters:
        ownerId: Only deals of this person.
        stage: Only deals in this stage.
      sort: [id]
  - name: get_deal
    description: Get one deal by its id.
    get: {}
  - name: list_people
    description: List everybody who can own a deal.
    collection: people
    list:
      sort: [id]
  - name: update_deal
    description: Change an open deal.
    update:
      require:
        - that: record.stage == 'open'
          code: invalid_state
          message: Deal {{ record.id }} is {{ record.stage }}.
      change: [ownerId, amount, closeDate]
  - name: close_deal
    description: Say how an open deal ended.
    update:
      record: {parameter: dealId}
      change:
        stage: {required: true}
  - name: raise_deal
    description: Raise the amount of an open deal by a share of it in percent.
    update:
      input:
        percent:
          type: number
      set:
        amount: = record.amount * (100 + input.percent) / 100
  - name: extend_deal
    description: Add some dollars to the amount of an open deal.
    update:
      input:
        dollars:
          type: number
      set:
        amount: = record.amount + input.dollars
  - name: delete_deal
    description: Delete a deal.
    delete: {}
  - name: add_note
    description: Add a note to a deal.
    collection: notes
    create:
      input:
        dealId: {}
        text: {}
"""

DATA: dict[str, Any] = {
    "people": [{"id": "P-1", "name": "Ann Lee"}, {"id": "P-2", "name": "Bo Marsh"}, {"id": "P-3", "name": "Cy Stone"}],
    "deals": [
        {
            "id": f"D-{number}",
            "name": name,
            "ownerId": owner,
            "stage": stage,
            "amount": amount,
            "closeDate": f"2026-05-{10 + number}",
        }
        for number, name, owner, stage, amount in (
            (1, "Alder rollout", "P-1", "open", 500),
            (2, "Birch pilot", "P-1", "open", 820),
            (3, "Cedar renewal", "P-2", "open", 300),
            (4, "Dogwood upgrade", "P-2", "won", 950),
            (5, "Elder rollout", "P-3", "lost", 120),
            (6, "Fir pilot", "P-3", "open", 640),
        )
    ],
    "notes": [{"id": "N-1", "dealId": "D-1", "text": "Called."}],
}


def proof(folder: Path, task: str) -> Proof:
    """What proving finds of one task, given as YAML without its id and title."""
    for name in ("data", "tools", "tasks", "hooks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "environment.yaml").write_text(ENVIRONMENT)
    (folder / "tools" / "all.yaml").write_text(TOOLS)
    for name, records in DATA.items():
        (folder / "data" / f"{name}.json").write_text(json.dumps(records))
    (folder / "tasks" / "t.yaml").write_text(f"id: T\ntitle: A task\n{task}")
    environment = load_folder(folder)
    (found,) = prove(environment, [environment.tasks["T"]])
    return found
