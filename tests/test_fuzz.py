"""Arguments of every kind, thrown at every tool of a shipped world: answers or refusals come out, never a fault,
and a refused call leaves the world as it was."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silo_decl.engine.environment import load_folder
from silo_decl.tools.call import call
from silo_decl.world.store import World

CRM = load_folder(Path(__file__).parent.parent / "environments" / "crm")
IDS = [record["id"] for one in CRM.spec.collections.values() for record in one.records[:25]]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(IDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mostly fit a parameter: an id, one of its choices, a number, a date."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema.get("type") == "boolean":
        return st.booleans()
    if schema.get("type") in ("integer", "number"):
        return st.integers(-3, 600) | st.floats(-10, 10**6, allow_nan=False)
    if schema.get("format") == "date":
        return st.dates().map(str)
    return st.sampled_from(IDS) | st.sampled_from(["USR-001", "USR-003", "OPP-038"]) | st.text(max_size=6)


@st.composite
def arguments(draw: st.DrawFn) -> tuple[str, Any]:
    name = draw(st.sampled_from(sorted(CRM.toolbox.tools)))
    schema = CRM.toolbox.tools[name].input_schema
    given: dict[str, Any] = {}
    for parameter, setting in schema.get("properties", {}).items():
        wanted = parameter in schema.get("required", ())
        if draw(st.integers(0, 9)) < (9 if wanted else 3):
            given[parameter] = draw(_fitting(setting)) if draw(st.integers(0, 9)) else draw(JSON)
    if draw(st.integers(0, 19)) == 0:
        return name, draw(JSON)
    return name, given


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(arguments(), min_size=1, max_size=12))
def test_any_arguments_give_an_answer_or_a_refusal(calls: list[tuple[str, Any]]) -> None:
    world: World = CRM.new_world()
    for name, input in calls:
        before = world.diff()
        result = call(CRM.toolbox, world, name, input)
        assert result.fault is None, (name, input, result.fault)
        if result.is_error:
            assert set(result.output) <= {"code", "message", "details"}
            assert world.diff() == before
            assert ".yaml" not in result.output["message"] and "Traceback" not in result.output["message"]
