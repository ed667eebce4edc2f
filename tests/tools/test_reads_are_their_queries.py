"""A generated read is its query: whatever a world changed before, the tool and the query it prints agree."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import ANY
from silo_decl.specs.tool import ListTool, SearchTool
from silo_decl.tools.toolbox import Tool
from silo_decl.world.store import World
from tests.test_fuzz import CRM, arguments

READS = [tool for tool in CRM.toolbox.tools.values() if tool.canonical]


def _answered(tool: Tool, world: World, given: dict[str, Any]) -> Any:
    query = compile_query(tool.canonical or "", CRM.base.world_scope(input=ANY))
    assert query.findings == []
    return query.run(world, {"": world, "input": given})


def _agrees(tool: Tool, world: World, given: dict[str, Any]) -> None:
    result = CRM.toolbox.call(world, tool.name, given)
    if result.is_error:
        return
    complete = tool.read(given)
    found = _answered(tool, world, complete)
    output = result.output
    if isinstance(tool.spec.body, (ListTool, SearchTool)):
        page = found[complete["offset"] : complete["offset"] + complete["limit"]]
        assert output["total"] == len(found)
        assert [one["id"] for one in output["results"]] == [one.id for one in page]
    elif tool.spec.kind == "get":
        assert output["id"] == found.id
    elif isinstance(found, dict):
        assert {name: output[name] for name in found} == plain(found)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(arguments(), max_size=15), st.data())
def test_read_equals_its_query_in_any_world(calls: list[tuple[str, Any]], data: st.DataObject) -> None:
    world = CRM.new_world()
    for name, input in calls:
        CRM.toolbox.call(world, name, input)
    for _ in range(4):
        name, given = data.draw(arguments().filter(lambda one: one[0] in {tool.name for tool in READS}))
        _agrees(CRM.toolbox.tools[name], world, given)


@pytest.mark.parametrize("tool", READS, ids=lambda tool: tool.name)
def test_read_without_arguments_equals_its_query(tool: Tool) -> None:
    if not tool.input_schema.get("required"):
        _agrees(tool, CRM.new_world(), {})
