"""Tools that change something: what they do, in which order, and that it happens whole or not at all."""

from pathlib import Path

import pytest

from .shop import attempt, call, problems, refused, shop, stored

UPDATE = """\
  - name: change_order
    description: Change an order.
    update:
      record: {parameter: orderId, rule: unsent}
      change: [note, total.amount, status]
      clearable: [note]
      log: Changed {{ record.id }} from {{ before.status }} to {{ record.status }}.
"""


def test_what_is_not_given_is_left_alone(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    call(world, "change_order", orderId="O-001", amount=7)
    assert stored(world, "orders", "O-001")["note"] == "first"
    assert stored(world, "orders", "O-001")["total"] == {"amount": 7, "currency": "USD"}


def test_clear_sets_null_on_purpose(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    call(world, "change_order", orderId="O-001", clear=["note"])
    assert stored(world, "orders", "O-001")["note"] is None


def test_common_answer_is_the_record_in_its_first_view(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    assert call(world, "change_order", orderId="O-001", status="paid") == {
        "updated": {"id": "O-001", "status": "paid", "personName": "Ann"}
    }


def test_each_change_writes_one_audit_record(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    call(world, "change_order", orderId="O-001", status="paid")
    assert stored(world, "audit", "A-1") == {
        "id": "A-1",
        "at": "2026-04-01T10:00:00",
        "actorId": "P-1",
        "action": "change_order",
        "kind": "order",
        "recordId": "O-001",
        "detail": "Changed O-001 from new to paid.",
    }


def test_refused_change_writes_no_audit_record_and_uses_no_number(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    assert refused(world, "change_order", orderId="O-002", status="paid") == {
        "code": "invalid_state",
        "message": "Order O-002 is sent.",
    }
    call(world, "change_order", orderId="O-001", status="paid")
    assert world.ids("audit") == ["A-1"]


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ({"orderId": "O-9", "note": "x"}, "not_found", 'Order "O-9" was not found.'),
        ({"orderId": "O-001", "note": "x", "actorId": "P-2"}, "not_allowed", "Person P-2 (Bo) is not active."),
        ({"orderId": "O-001", "note": "x", "actorId": "P-9"}, "not_found", 'Person "P-9" was not found.'),
    ],
)
def test_records_and_rules_are_checked_first(tmp_path: Path, given: dict, code: str, message: str) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    assert refused(world, "change_order", **given) == {"code": code, "message": message}


def test_message_names_every_mistake_and_the_real_parameters(tmp_path: Path) -> None:
    world = shop(tmp_path, UPDATE).new_world()
    error = refused(world, "change_order", orderID="O-001", status="lost", acting=False)
    assert error["code"] == "invalid_input"
    assert error["message"].startswith('Invalid arguments for "change_order": "orderId" is required; ')
    assert '"orderID" is not a parameter' in error["message"]
    assert error["message"].endswith("expected one of: orderId, note, amount, status, clear, actorId.")
    assert len(error["details"]["problems"]) == 4


CREATE = """\
  - name: make_order
    description: Make an order.
    create:
      input:
        personId: {references: people, rule: active, description: Whose.}
        note: {required: false}
        amount: {type: number, default: 5, description: How much.}
      set:
        status: new
        total.amount: = input.amount
      also:
        - create: lines
          as: line
          set: {orderId: = record.id, quantity: 1}
        - update: people
          record: = record.personId
          add: {balance: = -input.amount}
        - append:
            history: {what: = 'line ' ~ line.id, at: = now}
      log: Made {{ record.id }} with {{ line.id }}.
      returns:
        made: long
        line: = line.id
"""


def test_ids_continue_after_the_highest_and_declared_fields_are_null(tmp_path: Path) -> None:
    world = shop(tmp_path, CREATE).new_world()
    assert call(world, "make_order", personId="P-1") == {
        "made": {
            "id": "O-003",
            "status": "new",
            "personId": "P-1",
            "note": None,
            "total": {"amount": 5, "currency": "USD"},
            "count": None,
        },
        "line": "L-3",
    }


def test_what_else_changes_sees_the_record_as_it_now_is(tmp_path: Path) -> None:
    world = shop(tmp_path, CREATE).new_world()
    call(world, "make_order", personId="P-3", amount=0.2)
    assert stored(world, "people", "P-3")["balance"] == -0.1
    history = [{"what": "line L-3", "at": "2026-04-01T10:00:00"}]
    assert stored(world, "orders", "O-003")["history"] == history
    assert stored(world, "lines", "L-3") == {"id": "L-3", "orderId": "O-003", "quantity": 1}


def test_counter_rolls_back_with_a_failed_call(tmp_path: Path) -> None:
    world = shop(tmp_path, CREATE).new_world()
    refused(world, "make_order", personId="P-2")
    assert call(world, "make_order", personId="P-1")["made"]["id"] == "O-003"


ORDER = """\
  - name: move
    description: Swap two fields and touch every line.
    update:
      record: {parameter: orderId}
      input:
        stop: {type: boolean, default: false, description: Fail late.}
      find:
        mine: lines[?orderId == $record.id]
        most: max_by($mine, &quantity)
      require:
        - that: mine
          code: conflict
          message: "{{ record.id }} has no lines."
      set:
        note: = record.status
        status: = 'paid' if record.note == 'first' else 'new'
      also:
        - for_each: $mine
          as: one
          update: lines
          record: = one.id
          add: {quantity: = one.quantity}
        - for_each: $mine
          as: one
          create: lines
          set: {orderId: = record.id, quantity: = one.quantity}
        - when: input.stop
          update: people
          record: P-77
          set: {name: x}
      log: Most was {{ most.quantity }}.
"""


def test_values_are_worked_out_together_from_the_record_as_it_was(tmp_path: Path) -> None:
    world = shop(tmp_path, ORDER).new_world()
    call(world, "move", orderId="O-001")
    assert (stored(world, "orders", "O-001")["note"], stored(world, "orders", "O-001")["status"]) == ("new", "paid")


def test_lists_are_read_before_the_first_effect(tmp_path: Path) -> None:
    world = shop(tmp_path, ORDER).new_world()
    call(world, "move", orderId="O-001")
    assert [(one, stored(world, "lines", one)["quantity"]) for one in world.ids("lines")] == [
        ("L-1", 4),
        ("L-2", 2),
        ("L-3", 2),
        ("L-4", 1),
    ]


def test_late_failure_takes_everything_back(tmp_path: Path) -> None:
    world = shop(tmp_path, ORDER).new_world()
    refused(world, "move", orderId="O-001", stop=True)
    assert world.ids("lines") == ["L-1", "L-2"]
    assert world.ids("audit") == []


def test_requirement_is_refused_with_its_code(tmp_path: Path) -> None:
    world = shop(tmp_path, ORDER).new_world()
    assert refused(world, "move", orderId="O-002") == {"code": "conflict", "message": "O-002 has no lines."}


DELETE = """\
  - name: drop_line
    description: Drop a line.
    collection: lines
    delete:
      record: {parameter: lineId}
      log: Dropped {{ record.id }}.
  - name: drop_order
    description: Drop an order.
    delete:
      record: {parameter: orderId}
  - name: drop_order_with_lines
    description: Drop an order with its lines.
    delete:
      record: {parameter: orderId}
      also:
        - delete: lines
          where: orderId == $record.id
"""


def test_deleted_record_is_shown_as_it_was(tmp_path: Path) -> None:
    world = shop(tmp_path, DELETE).new_world()
    assert call(world, "drop_line", lineId="L-2") == {"deleted": {"id": "L-2", "orderId": "O-001", "quantity": 1}}
    assert world.ids("lines") == ["L-1"]


def test_delete_that_would_leave_references_behind_is_a_conflict(tmp_path: Path) -> None:
    world = shop(tmp_path, DELETE).new_world()
    error = refused(world, "drop_order", orderId="O-001")
    assert error["code"] == "conflict" and "L-1" in error["message"]
    call(world, "drop_order_with_lines", orderId="O-001")
    assert (world.ids("orders"), world.ids("lines")) == (["O-002"], [])


def test_mistyped_target_of_add_would_invent_a_balance_and_is_refused(tmp_path: Path) -> None:
    tool = """\
  - name: pay
    description: Pay.
    update:
      record: {parameter: orderId}
      also:
        - update: people
          record: = record.personId
          add: {balnce: 5}
"""
    assert [one.code for one in problems(tmp_path, tool)] == ["unknown-field"]


HOOKED = """\
  - name: act
    description: Run a hook.
    action:
      hook: mine.act
      record: = input.orderId
      log: Acted on {{ record_id }}.
      input:
        orderId: {references: orders, description: Which.}
        how: {type: text, description: How.}
  - name: look
    description: Look with a hook.
    action:
      hook: mine.look
      reads: true
"""

HOOKS = """\
from silo_decl import ToolError, World


def act(world: World, input: dict) -> dict:
    order = world["orders"][input["orderId"]]
    order["history"].append({"what": "act"})
    order["note"] = "acted"
    world["lines"].create(orderId=order["id"], quantity=9)
    if input["how"] == "refuse":
        raise ToolError("conflict", "No.")
    if input["how"] == "break":
        raise KeyError("oops")
    if input["how"] == "set":
        return {"bad": {1, 2}}
    if input["how"] == "lose":
        world["orders"]["O-999"]
    if input["how"] == "nan":
        order["count"] = float("nan")
    return {"order": order, "large": order["large"], "lines": list(world["lines"])}


def look(world: World, input: dict) -> dict:
    world["orders"]["O-001"]["note"] = "seen"
    return {}
"""


def test_hook_changes_records_in_place_and_gives_copies(tmp_path: Path) -> None:
    world = shop(tmp_path, HOOKED, HOOKS).new_world()
    output = call(world, "act", orderId="O-001", how="well")
    assert output["large"] is True and output["lines"] == ["L-1", "L-2", "L-3"]
    assert output["order"]["note"] == "acted"
    output["order"]["note"] = "changed outside"
    assert stored(world, "orders", "O-001")["note"] == "acted"
    assert stored(world, "orders", "O-001")["history"] == [{"what": "made"}, {"what": "act"}]
    assert stored(world, "audit", "A-1")["detail"] == "Acted on O-001."


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("refuse", "conflict"),
        ("break", "tool_failed"),
        ("set", "tool_failed"),
        ("lose", "not_found"),
        ("nan", "tool_failed"),
    ],
)
def test_failing_hook_leaves_the_world_unchanged(tmp_path: Path, how: str, code: str) -> None:
    world = shop(tmp_path, HOOKED, HOOKS).new_world()
    assert refused(world, "act", orderId="O-001", how=how)["code"] == code


def test_mistake_in_a_hook_is_the_worlds_fault_and_shows_the_agent_no_trace(tmp_path: Path) -> None:
    world = shop(tmp_path, HOOKED, HOOKS).new_world()
    result = attempt(world, "act", orderId="O-001", how="break")
    assert result.fault is not None and result.fault.boundary == "hook mine.act"
    assert "oops" in result.fault.traceback
    assert "oops" not in str(result.output) and "Traceback" not in str(result.output)


def test_hook_that_says_it_reads_may_not_change(tmp_path: Path) -> None:
    world = shop(tmp_path, HOOKED, HOOKS).new_world()
    assert refused(world, "look", acting=False)["code"] == "tool_failed"
