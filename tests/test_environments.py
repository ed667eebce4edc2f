"""Every shipped world: no mistake in its files, solutions pass, doing nothing fails, and results repeat exactly."""

from pathlib import Path

import pytest

from silo_decl.engine.environment import check, load_folder

WORLDS = sorted(path.parent for path in (Path(__file__).parent.parent / "environments").glob("*/environment.yaml"))
ENVIRONMENTS = {world.name: load_folder(world) for world in WORLDS}
TASKS = [(name, task) for name, environment in ENVIRONMENTS.items() for task in environment.tasks]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_files_of_a_shipped_world_have_no_mistake(world: Path) -> None:
    assert [problem for problem in check(world) if problem.level != "note"] == []


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_solution_passes(name: str, task: str) -> None:
    result = ENVIRONMENTS[name].run(task, agent="solution")
    assert result.passed, [check for check in result.checks if not check.passed]


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_doing_nothing_fails(name: str, task: str) -> None:
    assert not ENVIRONMENTS[name].run(task, agent="idle").passed


CHANGING = [(name, task) for name, task in TASKS if ENVIRONMENTS[name].run(task, agent="solution").diff["collections"]]


@pytest.mark.parametrize(("name", "task"), CHANGING)
def test_solution_without_its_last_change_fails(name: str, task: str) -> None:
    """Grading sees a change that is missing, and an answer without the work behind it."""
    environment = ENVIRONMENTS[name]

    def without(run: object) -> object:
        calls: list[tuple[str, dict[str, object]]] = []
        world = environment.new_world()
        made = environment.tasks[task].solution.play(
            lambda tool, given: _answer(environment, world, calls, tool, given)
        )
        writes = [place for place, (tool, _) in enumerate(calls) if environment.toolbox.tools[tool].spec.writes]
        for place, (tool, given) in enumerate(calls):
            if place != writes[-1]:
                run.call_tool(tool, given)  # type: ignore[attr-defined]
        return made

    assert not environment.run(task, agent=without).passed


def _answer(environment: object, world: object, calls: list, tool: str, given: dict) -> dict:
    calls.append((tool, given))
    result = environment.toolbox.call(world, tool, given)  # type: ignore[attr-defined]
    return {"output": result.output, "is_error": result.is_error} if result.is_error else {"output": result.output}


def test_the_same_run_gives_the_same_result_and_diff() -> None:
    for name, environment in ENVIRONMENTS.items():
        for task in environment.tasks:
            one, other = (environment.run(task, agent="solution") for _ in range(2))
            assert (one.result, one.diff) == (other.result, other.diff), (name, task)
