"""A small help desk to grade in: written to a folder, loaded as any environment is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from silo_decl.engine.environment import Environment, check, load_folder
from silo_decl.errors import Problem
from silo_decl.grading.reward import CheckResult, Grade
from silo_decl.specs.codes import ADVICE_CODES
from silo_decl.trace import CallFact
from silo_decl.world.store import World

ENVIRONMENT = """\
silo: 1
name: desk
title: Desk
description: Tickets and people.
now: "2026-04-01"
collections:
  people:
    ids: "P-{}"
  tickets:
    ids: "T-{}"
    fields:
      ownerId:
        references: people
      status:
        enum: [open, closed]
      note:
        type: text
      price.amount:
        type: number
    computed:
      ownerName: = people[ownerId].name
      big: = price.amount > 100
  notes:
    ids: "N-{}"
    fields:
      text:
        type: text
  audit:
    singular: audit
    ids: "A-{}"
audit:
  collection: audit
  entry:
    action: = tool
tools:
  - tools/all.yaml
"""

TOOLS = """\
collection: tickets
tools:
  - name: list_tickets
    description: List tickets.
    list:
      sort: [id]
  - name: set_status
    description: Set the status.
    update:
      record:
        parameter: ticketId
      change: [status, note, ownerId]
  - name: add_note
    description: Add a note.
    collection: notes
    create:
      input:
        text: {}
  - name: delete_ticket
    description: Delete a ticket.
    delete:
      record:
        parameter: ticketId
"""

DATA: dict[str, Any] = {
    "people": [{"id": "P-1", "name": "Ann"}, {"id": "P-2", "name": "Bo"}],
    "tickets": [
        {"id": "T-1", "ownerId": "P-1", "status": "open", "note": None, "price": {"amount": 150.5, "currency": "USD"}},
        {"id": "T-2", "ownerId": "P-1", "status": "open", "note": None, "price": {"amount": 20, "currency": "USD"}},
        {"id": "T-3", "ownerId": "P-2", "status": "closed", "note": "x", "price": {"amount": 5, "currency": "USD"}},
    ],
    "notes": [],
    "audit": [],
}


def write(folder: Path, task: str) -> Path:
    """The desk with one task, whose checks are given as YAML."""
    for name in ("data", "tools", "tasks", "hooks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "environment.yaml").write_text(ENVIRONMENT)
    (folder / "tools" / "all.yaml").write_text(TOOLS)
    for name, records in DATA.items():
        (folder / "data" / f"{name}.json").write_text(json.dumps(records))
    (folder / "tasks" / "t.yaml").write_text(task)
    return folder


def task(checks: str, more: str = "") -> str:
    return f"id: T\ntitle: A task\ninstruction: Do it for 30 days.\n{more}\nchecks:\n{checks}\n"


def desk(folder: Path, checks: str, more: str = "") -> Environment:
    return load_folder(write(folder, task(checks, more)))


def problems(folder: Path, checks: str, more: str = "") -> list[Problem]:
    found = [one for one in check(write(folder, task(checks, more))) if one.code not in ADVICE_CODES]
    return [one for one in found if one.code != "no-solution"]


def graded(environment: Environment, *calls: tuple[str, dict[str, Any]], output: str | None = None) -> Grade:
    """The grade after these calls and this answer."""
    world = environment.new_world()
    facts = []
    for name, given in calls:
        result = environment.toolbox.call(world, name, given)
        facts.append(CallFact(name, given, result.encoded, result.is_error))
    return end(environment, world, output, facts)


def end(environment: Environment, world: World, output: str | None, facts: list[CallFact]) -> Grade:
    return environment.tasks["T"].grade(environment.new_world(), world, output, facts)


def only(grade: Grade) -> CheckResult:
    (result,) = grade.checks
    return result


def says(environment: Environment, output: str) -> bool:
    return only(graded(environment, output=output)).passed
