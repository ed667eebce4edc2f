"""Every shipped world: no mistake in its files, tasks that are proven, and results that repeat exactly."""

from pathlib import Path

import pytest

from silo_decl.engine.environment import check, load_folder
from silo_decl.proving.prove import prove

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


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_every_task_is_proven(name: str) -> None:
    """Solvable, not free, steady and fair; idling and every left-out change are caught, and 95 % of all damage."""
    proofs = prove(ENVIRONMENTS[name], list(ENVIRONMENTS[name].tasks.values()))
    assert [proof for proof in proofs if not proof.holds or proof.unfair or proof.faults] == []
    assert [one for proof in proofs for one in proof.survivors if one.kind == "left-out"] == []
    tried, caught = map(sum, zip(*(proof.mutants for proof in proofs), strict=True))
    assert caught >= 0.95 * tried


def test_the_same_run_gives_the_same_result_and_diff() -> None:
    for name, environment in ENVIRONMENTS.items():
        for task in environment.tasks:
            one, other = (environment.run(task, agent="solution") for _ in range(2))
            assert (one.result, one.diff) == (other.result, other.diff), (name, task)
