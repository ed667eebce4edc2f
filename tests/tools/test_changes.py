"""`set`, `add`, `append` and `unset`: paths, values that were not given, and what may be in a field."""

import json
from pathlib import Path
from typing import Any

import pytest

from silo_decl.engine.environment import load_folder
from silo_decl.world.store import World

from .shop import DATA, ENVIRONMENT, attempt, call, refused, shop, stored, write

SET = """\
  - name: set
    description: Set fields.
    update:
      record: orderId
      input:
        note: {type: text, required: false, description: A note.}
        extra: {type: object, required: false, description: More., parameters: {note: {type: text, required: false}}}
        amount: {type: number, required: false, description: An amount.}
        count: {type: integer, default: 7, description: How many.}
      set:
"""


def setting(folder: Path, lines: str) -> World:
    return shop(folder, SET + "".join(f"        {line}\n" for line in lines.splitlines())).new_world()


@pytest.mark.parametrize("value", ["= input.note", "=input.note", "'{{ input.note }}'", "'{{input.note}}'"])
def test_value_that_is_exactly_an_argument_not_given_leaves_the_field_alone(tmp_path: Path, value: str) -> None:
    world = setting(tmp_path, f"note: {value}")
    call(world, "set", orderId="O-001")
    assert stored(world, "orders", "O-001")["note"] == "first"
    call(world, "set", orderId="O-001", note="")
    assert stored(world, "orders", "O-001")["note"] == ""


def test_part_of_an_object_that_was_not_given_leaves_the_field_alone(tmp_path: Path) -> None:
    world = setting(tmp_path, "note: = input.extra.note")
    call(world, "set", orderId="O-001", extra={})
    assert stored(world, "orders", "O-001")["note"] == "first"
    call(world, "set", orderId="O-001", extra={"note": "deep"})
    assert stored(world, "orders", "O-001")["note"] == "deep"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("= coalesce(input.note, null)", None),
        ("= input.note or null", None),
        ("'<{{ input.note }}>'", "<>"),
        ("null", None),
    ],
)
def test_value_that_is_worked_out_to_nothing_sets_null(tmp_path: Path, value: str, found: Any) -> None:
    world = setting(tmp_path, f"note: {value}")
    call(world, "set", orderId="O-001")
    assert stored(world, "orders", "O-001")["note"] == found


def test_argument_with_a_default_counts_as_given(tmp_path: Path) -> None:
    world = setting(tmp_path, "count: = input.count")
    call(world, "set", orderId="O-001")
    assert stored(world, "orders", "O-001")["count"] == 7


def test_add_and_append_of_what_was_not_given_do_nothing(tmp_path: Path) -> None:
    tool = SET.replace("      set:\n", "      add: {count: = input.amount}\n      append: {history: = input.note}\n")
    world = shop(tmp_path, tool).new_world()
    call(world, "set", orderId="O-001")
    assert stored(world, "orders", "O-001") == DATA["orders"][0]


def test_sums_are_exact(tmp_path: Path) -> None:
    tool = "  - name: pay\n    description: Pay.\n    collection: people\n    update:\n      add: {balance: 0.2}\n"
    world = shop(tmp_path, tool).new_world()
    for person in ("P-2", "P-3"):
        call(world, "pay", personId=person)
    assert [stored(world, "people", one)["balance"] for one in ("P-2", "P-3")] == [0.2, 0.3]


WALLETS = """\
  - name: wallet
    description: Change a wallet.
    collection: people
    update:
      record: personId
      input:
        method: {type: text, description: Which.}
        what: {enum: [add, set, deep, unset, append], description: What to do.}
      also:
        - when: input.what == 'add'
          add: {"wallets.{{ input.method }}.balance": 5}
        - when: input.what == 'set'
          set: {"wallets.{{ input.method }}": {balance: 1}}
        - when: input.what == 'deep'
          set: {"wallets.{{ input.method }}.balance": 2}
        - when: input.what == 'unset'
          unset: ["wallets.{{input.method}}"]
        - when: input.what == 'append'
          append: {"wallets.{{ input.method }}.used": x}
"""


@pytest.fixture
def wallets(tmp_path: Path) -> World:
    folder = write(tmp_path, WALLETS)
    people = [
        {**one, "wallets": {"card_1": {"balance": 1}, "gift.2": {"balance": 0, "used": []}}} for one in DATA["people"]
    ]
    (folder / "data" / "people.json").write_text(json.dumps(people), encoding="utf-8")
    return load_folder(folder).new_world()


def _wallets(world: World) -> Any:
    return stored(world, "people", "P-1")["wallets"]


def test_path_takes_a_key_from_an_argument_and_a_dot_in_it_is_no_step(wallets: World) -> None:
    call(wallets, "wallet", personId="P-1", method="gift.2", what="add")
    assert _wallets(wallets) == {"card_1": {"balance": 1}, "gift.2": {"balance": 5, "used": []}}


def test_only_the_last_step_of_a_path_may_be_new(wallets: World) -> None:
    call(wallets, "wallet", personId="P-1", method="new", what="set")
    assert _wallets(wallets)["new"] == {"balance": 1}
    result = attempt(wallets, "wallet", personId="P-1", method="other", what="deep")
    assert result.fault.message == (
        "'wallets.other' is nothing, so 'wallets.other.balance' cannot be changed; "
        "only the last step of a path may be new."
    )


@pytest.mark.parametrize("what", ["add", "append"])
def test_what_is_not_declared_must_be_there_to_be_added_to(wallets: World, what: str) -> None:
    method = "card_9" if what == "add" else "card_1"
    result = attempt(wallets, "wallet", personId="P-1", method=method, what=what)
    assert result.output["code"] == "tool_failed"
    assert _wallets(wallets) == {"card_1": {"balance": 1}, "gift.2": {"balance": 0, "used": []}}


def test_unset_takes_a_key_out_of_a_map(wallets: World) -> None:
    call(wallets, "wallet", personId="P-1", method="card_1", what="unset")
    assert _wallets(wallets) == {"gift.2": {"balance": 0, "used": []}}


def test_unset_sets_a_field_to_null(tmp_path: Path) -> None:
    tool = "  - name: forget\n    description: Forget.\n    update:\n      unset: [note, total.currency]\n"
    world = shop(tmp_path, tool).new_world()
    call(world, "forget", orderId="O-001")
    assert stored(world, "orders", "O-001")["note"] is None
    assert stored(world, "orders", "O-001")["total"] == {"amount": 150, "currency": None}


def test_what_an_agent_gave_is_copied_into_the_world(tmp_path: Path) -> None:
    tool = """\
  - name: put
    description: Put.
    update:
      input:
        history: {type: list, of: {what: Text.}, description: All of it.}
      set: {history: = input.history}
"""
    world = shop(tmp_path, tool).new_world()
    given = [{"what": "mine"}]
    call(world, "put", orderId="O-001", history=given)
    given[0]["what"] = "changed"
    assert stored(world, "orders", "O-001")["history"] == [{"what": "mine"}]


def test_argument_cannot_be_given_and_cleared_at_once(tmp_path: Path) -> None:
    tool = "  - name: edit\n    description: Edit.\n    update:\n      change: [note, count]\n      clearable: [note]\n"
    world = shop(tmp_path, tool).new_world()
    error = refused(world, "edit", orderId="O-001", note="x", clear=["note"])
    assert error["code"] == "invalid_input"
    assert refused(world, "edit", orderId="O-001", clear=["count"])["code"] == "invalid_input"


# -- references ---------------------------------------------------------------------------------------------

NOTES = """\
  - name: write_note
    description: Write a note about something.
    collection: notes
    create:
      input:
        kind: {enum: [order, person], description: About what.}
        about: {type: text, description: Its id.}
        people: {type: list, of: text, default: [], description: Who else.}
      set:
        about:
          kind: = input.kind
          id: = input.about
        people: = input.people
  - name: drop_person
    description: Drop a person.
    collection: people
    delete: {}
"""


@pytest.fixture
def notes(tmp_path: Path) -> World:
    folder = write(tmp_path, NOTES)
    text = ENVIRONMENT.replace(
        "rules:\n",
        """\
  notes:
    ids: "N-{}"
    fields:
      about.kind: {enum: [order, person]}
      about.id: {references: {by: about.kind, order: orders, person: people}}
      people: {list_of: {references: people}}
rules:
""",
        1,
    )
    (folder / "environment.yaml").write_text(text, encoding="utf-8")
    (folder / "data" / "notes.json").write_text("[]", encoding="utf-8")
    with_friend = [*DATA["people"], {"id": "P-4", "name": "Dee", "active": True, "balance": 0}]
    (folder / "data" / "people.json").write_text(json.dumps(with_friend), encoding="utf-8")
    return load_folder(folder).new_world()


def test_reference_by_kind_is_looked_up_when_it_is_written(notes: World) -> None:
    created = call(notes, "write_note", kind="order", about="O-001")["created"]
    assert created == {"id": "N-1", "about": {"kind": "order", "id": "O-001"}, "people": []}
    error = refused(notes, "write_note", kind="person", about="O-001")
    assert error == {"code": "not_found", "message": 'Person "O-001" was not found.'}


def test_every_reference_of_a_list_is_looked_up(notes: World) -> None:
    error = refused(notes, "write_note", kind="order", about="O-001", people=["P-1", "P-9"])
    assert error == {"code": "not_found", "message": 'Person "P-9" was not found.'}


def test_delete_finds_what_refers_by_kind_and_in_lists(notes: World) -> None:
    call(notes, "write_note", kind="person", about="P-4")
    call(notes, "write_note", kind="order", about="O-001", people=["P-4"])
    assert refused(notes, "drop_person", personId="P-4") == {
        "code": "conflict",
        "message": "Person P-4 is still referred to by notes N-1, notes N-2.",
    }


def test_id_of_another_kind_does_not_hold_a_record(notes: World) -> None:
    with notes.transaction():
        notes.insert("notes", {"about": {"kind": "order", "id": "P-4"}, "people": []})
    assert call(notes, "drop_person", personId="P-4")["deleted"]["id"] == "P-4"


def test_given_id_that_is_taken_is_a_conflict(tmp_path: Path) -> None:
    tool = """\
  - name: make
    description: Make.
    create:
      input: {id: {type: text, description: Its id.}}
"""
    world = shop(tmp_path, tool).new_world()
    assert refused(world, "make", id="O-001") == {"code": "conflict", "message": 'Order "O-001" exists already.'}
    assert call(world, "make", id="X")["created"]["id"] == "X"
