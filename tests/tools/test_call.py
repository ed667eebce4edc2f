"""One call, from arguments to result: whatever is wrong becomes a value for the agent and a place for the author."""

from pathlib import Path
from typing import Any

import pytest

from silo_decl.engine.environment import Environment
from silo_decl.errors import RunStopped, ToolError
from silo_decl.tools.call import call as run
from silo_decl.tools.call import encode
from silo_decl.tools.signature import signature
from silo_decl.world.store import World

from .shop import attempt, call, shop, stored

TOOLS = """\
  - name: get_order
    description: |
      Get an order.
      With its numbers.
    get: {view: short}
  - name: is_large
    description: Is it large.
    get:
      view: short
      show:
        large: = large
  - name: list_orders
    description: List orders.
    list:
      filters:
        count: {field: count, test: at_least, description: From.}
  - name: work_out
    description: Work something out.
    query:
      input:
        by: {type: number, description: What to divide by.}
      find:
        half: divide(1, $input.by)
      require:
        - that: input.by < 100
          code: limit_exceeded
          message: "At most {{ 99 + half * 0 }}, not {{ input.by }}."
      returns: = half
  - name: touch_up
    description: Set a note.
    update:
      record: orderId
      input:
        text: {type: text, description: The note.}
        amount: {type: number, required: false, description: An amount.}
      set:
        note: = input.text
        count: = input.amount
"""


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return shop(tmp_path, TOOLS)


@pytest.fixture
def world(environment: Environment) -> World:
    return environment.new_world()


def test_unknown_tool_is_not_found_and_names_the_nearest(world: World) -> None:
    result = world.call("get_ordr", {})
    assert result.is_error
    assert result.output["code"] == "tool_not_found"
    assert result.output["message"].startswith('There is no tool "get_ordr". Nearest: get_order')


@pytest.mark.parametrize("name", [None, 5, ["get_order"], {}, "\ud800", "", "x" * 10_000])
def test_any_name_gives_an_answer(world: World, name: Any) -> None:
    assert world.call(name, {}).output["code"] == "tool_not_found"


def test_message_has_the_form_of_the_contract(world: World) -> None:
    assert world.call("get_order", {"orderID": "O-001"}).output == {
        "code": "invalid_input",
        "message": 'Invalid arguments for "get_order": "orderId" is required; "orderID" is not a parameter; '
        "expected one of: orderId.",
        "details": {"problems": ['"orderId" is required', '"orderID" is not a parameter']},
    }


@pytest.mark.parametrize("given", [None, [], "O-001", 5, float("nan"), b"x", object()])
def test_arguments_that_are_no_object_are_refused(environment: Environment, given: Any) -> None:
    result = run(environment.toolbox, environment.new_world(), "get_order", given)
    assert result.output["code"] == "invalid_input"


def test_arguments_are_looked_at_before_anything_runs(world: World) -> None:
    assert attempt(world, "touch_up", orderId="O-999", text=5).output["code"] == "invalid_input"


def test_output_is_a_copy_of_its_own(world: World) -> None:
    result = world.call("get_order", {"orderId": "O-001"})
    result.output["status"] = "mine"
    assert world.call("get_order", {"orderId": "O-001"}).output["status"] == "new"
    assert result.encoded == b'{"id":"O-001","status":"new","personName":"Ann"}'


def test_expression_that_cannot_be_worked_out_is_the_worlds_fault_at_its_place(world: World) -> None:
    result = world.call("work_out", {"by": 0})
    assert result.output == {
        "code": "tool_failed",
        "message": 'The tool "work_out" failed because of a mistake in this environment, not in the call. '
        "Nothing was changed.",
    }
    assert result.fault.boundary == "expression tools/all.yaml:25:15"
    assert result.fault.message == "1 is divided by zero."


def test_requirement_of_an_author_has_its_own_code(world: World) -> None:
    result = world.call("work_out", {"by": 100})
    assert result.output == {"code": "limit_exceeded", "message": "At most 99, not 100."}
    assert result.fault is None


def test_computed_field_that_cannot_be_worked_out_names_its_own_place(world: World) -> None:
    with world.transaction():
        world.touch("orders", "O-001")["total"] = {"amount": "a lot", "currency": "USD"}
    result = world.call("is_large", {"orderId": "O-001"})
    assert result.output["code"] == "tool_failed"
    assert result.fault.boundary == "expression environment.yaml:33:14"
    assert result.fault.message.startswith("'large' of orders O-001 cannot be worked out: ")


def test_value_that_does_not_fit_its_declared_field_is_the_worlds_fault(world: World) -> None:
    result = attempt(world, "touch_up", orderId="O-001", text="x", amount=2.5)
    assert result.output["code"] == "tool_failed"
    assert result.fault.message == "The field 'count' of orders got 2.5, which is not a whole number."
    assert world.diff() == {"collections": {}, "scalars": {}}


def test_agents_text_with_braces_stays_text(world: World) -> None:
    call(world, "touch_up", orderId="O-001", text="{{ now }} = 5")
    assert stored(world, "orders", "O-001")["note"] == "{{ now }} = 5"


def test_failed_call_leaves_nothing_behind_and_the_next_one_works(world: World) -> None:
    assert attempt(world, "touch_up", orderId="O-001", text="x", amount=2.5).is_error
    call(world, "touch_up", orderId="O-001", text="y", amount=2.0)
    assert stored(world, "orders", "O-001")["count"] == 2
    assert world.ids("audit") == ["A-1"]


def test_limit_passes_through(tmp_path: Path) -> None:
    tool = "  - name: stop\n    description: Stop.\n    action:\n      hook: mine.stop\n      reads: true\n"
    hook = "from silo_decl.errors import RunStopped\ndef stop(world, input):\n    raise RunStopped('timeout')\n"
    with pytest.raises(RunStopped):
        shop(tmp_path, tool, hook).new_world().call("stop", {})


def test_big_numbers_of_the_data_are_written_as_they_are() -> None:
    assert encode({"n": 2**80, "x": "é"}) == '{"n":1208925819614629174706176,"x":"é"}'.encode()
    with pytest.raises(TypeError):
        encode({"n": object()})


def test_signature_is_what_a_model_sees(environment: Environment) -> None:
    tool = environment.toolbox.tools["get_order"]
    assert signature(tool) == {
        "name": "get_order",
        "description": "Get an order.\nWith its numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {"orderId": {"type": "string", "description": "Id of the order."}},
            "required": ["orderId"],
            "additionalProperties": False,
        },
    }


def test_error_is_a_tool_error_for_those_who_raise_it() -> None:
    error = ToolError("conflict", "No.", {"ids": []})
    assert (error.code, error.message, error.details) == ("conflict", "No.", {"ids": []})
