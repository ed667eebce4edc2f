"""The base of an environment is shared by every world, so nothing that happens in one may change it."""

import json
from pathlib import Path

from silo_decl.engine.environment import Environment, load_folder

CRM = Path(__file__).parents[2] / "environments" / "crm"


def written(environment: Environment) -> str:
    """The data of the base as text."""
    return json.dumps({name: one.rows for name, one in environment.base.collections.items()})


def test_all_solutions_of_a_world_leave_its_base_as_it_was() -> None:
    environment = load_folder(CRM)
    before = written(environment)
    for task in environment.tasks:
        assert environment.run(task, agent="solution").passed
    assert written(environment) == before
    assert before == written(load_folder(CRM))


def test_every_tool_called_without_arguments_leaves_the_base_as_it_was() -> None:
    environment = load_folder(CRM)
    before, world = written(environment), environment.new_world()
    for name in environment.toolbox.tools:
        world.call(name)
    assert written(environment) == before
