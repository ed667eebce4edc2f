"""A tool call happens whole or not at all, whatever fails in it and wherever."""

from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silo_decl.engine.environment import Environment
from silo_decl.world.store import World

from .shop import shop

TOOLS = """\
  - name: work
    description: Do many things, and fail where wanted.
    update:
      record: {parameter: orderId}
      input:
        stage: {type: integer, description: Where to fail.}
        amount: {type: number, description: An amount.}
      set:
        note: = input.stage ~ ' was here'
        total.amount: = input.amount
      append:
        history: {what: work}
      also:
        - when: input.stage == 1
          update: people
          record: P-99
          set: {name: x}
        - create: lines
          as: line
          set: {orderId: = record.id, quantity: 1}
        - when: input.stage == 2
          update: lines
          record: = line.id
          set: {orderId: O-999}
        - update: people
          where: active
          add: {balance: = input.amount}
        - when: input.stage == 3
          add: {count: = 0.5}
        - delete: lines
          where: quantity == 2
        - when: input.stage == 4
          set: {note: = 'x' ~ 1 / (input.stage - 4)}
      log: Worked, {{ 7 / (input.stage - 5) }}.
  - name: hook
    description: Do many things in a hook.
    action:
      hook: mine.work
      input:
        orderId: {type: text, description: Which.}
        stage: {type: integer, description: Where to fail.}
  - name: drop
    description: Drop an order.
    delete: {}
  - name: make
    description: Make an order.
    create:
      input:
        personId: {description: Whose.}
        id: {type: text, required: false, description: Its id.}
"""
HOOKS = """\
from silo_decl import ToolError


def work(world, input):
    stage = input["stage"]
    order = world["orders"][input["orderId"]]
    order["total"]["amount"] = stage
    (order["history"] or []).append(stage)
    made = world["lines"].create(orderId=order["id"], quantity=stage)
    if stage == 1:
        raise ToolError("conflict", "No.")
    made["quantity"] += 1
    other = world.call("work", {"orderId": order["id"], "stage": stage, "amount": 1, "actorId": "P-1"})
    if stage == 2:
        raise ValueError(other)
    world["lines"].delete(made["id"])
    if stage == 3:
        return {1, 2}
    if stage == 4:
        order["note"] = float("inf")
    return {"line": made, "inner": other.output}
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return shop(Path(tmp_path_factory.mktemp("failing")), TOOLS, HOOKS)


ORDERS = st.sampled_from(["O-001", "O-002", "O-003", "O-999"])
CALLS = st.one_of(
    st.tuples(
        st.just("work"),
        st.fixed_dictionaries({"orderId": ORDERS, "stage": st.integers(0, 6), "amount": st.integers(-5, 5)}),
    ),
    st.tuples(st.just("hook"), st.fixed_dictionaries({"orderId": ORDERS, "stage": st.integers(0, 6)})),
    st.tuples(st.just("drop"), st.fixed_dictionaries({"orderId": ORDERS})),
    st.tuples(
        st.just("make"),
        st.fixed_dictionaries({"personId": st.sampled_from(["P-1", "P-9"])}, optional={"id": ORDERS}),
    ),
)


def _whole(world: World) -> bytes:
    return orjson.dumps([world.plain(), world.diff()])


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CALLS, max_size=12))
def test_failed_call_leaves_the_world_unchanged(environment: Environment, calls: list) -> None:
    world = environment.new_world()
    reached = environment.new_world()
    for name, input in calls:
        before = _whole(world)
        result = world.call(name, {"actorId": "P-1", **input})
        if result.is_error:
            assert _whole(world) == before
        else:
            again = reached.call(name, {"actorId": "P-1", **input})
            assert (again.is_error, again.encoded) == (False, result.encoded)
    assert _whole(reached) == _whole(world)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CALLS, max_size=8))
def test_no_call_changes_what_worlds_share(environment: Environment, calls: list) -> None:
    before = _whole(environment.new_world())
    world = environment.new_world()
    for name, input in calls:
        world.call(name, {"actorId": "P-1", **input})
    assert _whole(environment.new_world()) == before
