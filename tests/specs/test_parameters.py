"""Parameters worked out from fields and data, and the JSON Schema of a tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from silo_decl.expressions.shapes import NUMBER, Shape
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.load import load_environment
from silo_decl.specs.parameters import input_schema, parameters_of
from silo_decl.specs.shapes import collection_shapes
from silo_decl.specs.tool import ParameterSpec
from tests.specs.folders import EXAMPLES


@pytest.fixture(scope="module")
def helpdesk() -> EnvironmentSpec:
    spec, problems = load_environment(EXAMPLES / "good" / "helpdesk")
    assert spec is not None and not problems
    return spec


@pytest.fixture(scope="module")
def design() -> EnvironmentSpec:
    spec, problems = load_environment(EXAMPLES / "good" / "design")
    assert spec is not None and not problems
    return spec


def of(spec: EnvironmentSpec, tool: str) -> dict[str, ParameterSpec]:
    return {one.name: one for one in parameters_of(spec, spec.tools[tool])}


def test_filter_takes_type_enum_and_reference_from_its_field(helpdesk: EnvironmentSpec) -> None:
    found = of(helpdesk, "list_tickets")
    assert list(found) == ["agentId", "status", "minAge", "tag", "priorities", "unattended", "limit", "offset"]
    assert (found["agentId"].type, found["agentId"].references) == ("text", "agents")
    assert found["status"].enum == ("open", "waiting", "closed")
    assert found["minAge"].type == "integer"
    assert found["tag"].type == "text"
    assert found["unattended"].type == "boolean"
    priorities = found["priorities"]
    assert (priorities.type, priorities.of and priorities.of.enum) == ("list", ("low", "normal", "high"))
    assert not any(one.required for one in found.values())


def test_page_has_a_limit_and_an_offset(helpdesk: EnvironmentSpec) -> None:
    limit, offset = of(helpdesk, "search_tickets")["limit"], of(helpdesk, "search_tickets")["offset"]
    assert (limit.type, limit.default, limit.minimum, limit.maximum) == ("integer", 50, 1, 500)
    assert (offset.type, offset.default, offset.minimum) == ("integer", 0, 0)
    assert of(helpdesk, "search_tickets")["query"].required


def test_get_takes_the_id_of_a_record(helpdesk: EnvironmentSpec) -> None:
    found = of(helpdesk, "get_ticket")["ticketId"]
    assert (found.type, found.references, found.required) == ("text", "tickets", True)
    assert found.description == "Id of the ticket."
    assert list(of(helpdesk, "get_agent_by_name")) == ["name"]


def test_input_of_a_create_is_like_the_field_of_its_name(helpdesk: EnvironmentSpec) -> None:
    found = of(helpdesk, "create_ticket")
    assert list(found) == ["subject", "customerId", "agentId", "priority", "firstNote", "actingAgentId"]
    assert (found["customerId"].references, found["agentId"].references) == ("customers", "agents")
    assert (found["priority"].enum, found["priority"].required) == (("low", "normal", "high"), False)


def test_change_is_optional_and_clear_lists_what_may_be_emptied(helpdesk: EnvironmentSpec) -> None:
    found = of(helpdesk, "update_ticket")
    assert list(found) == ["ticketId", "subject", "priority", "closedDate", "clear", "actingAgentId"]
    assert found["ticketId"].required and not found["subject"].required
    assert found["closedDate"].type == "date"
    clear = found["clear"]
    assert (clear.type, clear.required, clear.of and clear.of.enum) == ("list", False, ("closedDate",))


def test_actor_is_a_parameter_of_every_tool_that_writes_and_of_no_other(helpdesk: EnvironmentSpec) -> None:
    for name, tool in helpdesk.tools.items():
        assert ("actingAgentId" in of(helpdesk, name)) == tool.writes
    actor = of(helpdesk, "delete_ticket")["actingAgentId"]
    assert (actor.references, actor.rule, actor.required) == ("agents", "active_agent", True)


def test_money_of_a_change_by_path_is_a_number(design: EnvironmentSpec) -> None:
    found = of(design, "update_opportunity")
    assert list(found)[:5] == ["opportunityId", "name", "amount", "expectedCloseDate", "primaryContactId"]
    assert (found["amount"].type, found["expectedCloseDate"].type) == ("number", "date")
    assert found["minAmount" if "minAmount" in found else "amount"].type == "number"


def test_type_of_a_computed_field_comes_from_better_shapes(helpdesk: EnvironmentSpec) -> None:
    shapes = collection_shapes(helpdesk)
    tickets = shapes["tickets"].element
    refined = Shape("record", fields={**tickets.fields, "ageDays": NUMBER}, name="tickets")
    shapes["tickets"] = Shape("collection", of=refined, name="tickets")
    tool = helpdesk.tools["list_tickets"]
    found = {one.name: one for one in parameters_of(helpdesk, tool, shapes)}
    assert found["minAge"].type == "integer"


ALLOWED = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "description",
    "minimum",
    "maximum",
    "pattern",
}


def keywords(schema: dict[str, Any]) -> set[str]:
    found = set(schema)
    for inner in schema.get("properties", {}).values():
        found |= keywords(inner)
    return found | (keywords(schema["items"]) if "items" in schema else set())


@pytest.mark.parametrize("name", ["helpdesk", "design", "minimal"])
def test_schema_stays_inside_what_every_provider_accepts(name: str) -> None:
    spec, _ = load_environment(EXAMPLES / "good" / name)
    assert spec is not None
    for tool in spec.tools.values():
        schema = input_schema(parameters_of(spec, tool))
        jsonschema.Draft202012Validator.check_schema(schema)
        assert keywords(schema) <= ALLOWED
        assert schema["additionalProperties"] is False
        for parameter in schema["properties"].values():
            assert isinstance(parameter["type"], str)
            assert parameter["description"]
        json.dumps(schema)


def test_default_and_form_are_said_in_the_description(helpdesk: EnvironmentSpec) -> None:
    properties = input_schema(parameters_of(helpdesk, helpdesk.tools["update_ticket"]))["properties"]
    assert properties["closedDate"]["description"] == "When it was closed. Written YYYY-MM-DD."
    page = input_schema(parameters_of(helpdesk, helpdesk.tools["list_tickets"]))["properties"]
    assert page["limit"]["description"].endswith("Default: 50.")


DATES = [("2026-04-01", True), ("2026-13-01", False), ("2026-4-1", False), ("tomorrow", False)]


@pytest.mark.parametrize(("value", "fits"), DATES)
def test_date_is_held_against_its_form(helpdesk: EnvironmentSpec, value: str, fits: bool) -> None:
    schema = input_schema(parameters_of(helpdesk, helpdesk.tools["update_ticket"]))
    given = {"ticketId": "T-1", "actingAgentId": "AG-01", "closedDate": value}
    assert jsonschema.Draft202012Validator(schema).is_valid(given) is fits


def test_every_tool_of_the_examples_has_parameters(tmp_path: Path) -> None:
    for folder in (EXAMPLES / "good").iterdir():
        spec, _ = load_environment(folder)
        assert spec is not None
        assert all(
            parameters_of(spec, tool)
            for tool in spec.tools.values()
            if tool.kind != "query" and tool.name != "busiest_agent"
        )
