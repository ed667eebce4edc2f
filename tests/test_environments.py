"""Every shipped world: its files have no problem, solutions pass, doing nothing fails, the same run gives the same bytes."""

from pathlib import Path

import pytest

from silo_decl.engine.environment import check, load_folder

WORLDS = sorted(path.parent for path in (Path(__file__).parent.parent / "environments").glob("*/environment.yaml"))
ENVIRONMENTS = {world.name: load_folder(world) for world in WORLDS}
TASKS = [(name, task) for name, environment in ENVIRONMENTS.items() for task in environment.tasks]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_files_of_a_shipped_world_have_no_problem(world: Path) -> None:
    assert check(world) == []


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_solution_passes(name: str, task: str) -> None:
    result = ENVIRONMENTS[name].run(task, agent="solution")
    assert result.passed, [check for check in result.checks if not check.passed]


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_doing_nothing_fails(name: str, task: str) -> None:
    assert not ENVIRONMENTS[name].run(task, agent="idle").passed
