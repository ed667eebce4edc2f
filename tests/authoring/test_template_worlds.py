"""Every template, filled in, is a sound world: no problem, tasks that are proven."""

from pathlib import Path

import pytest

from silo_decl.authoring.new_environment import environment_templates, new_environment
from silo_decl.engine.environment import check, load_folder
from silo_decl.proving.prove import prove

TEMPLATES = environment_templates()


@pytest.fixture(params=TEMPLATES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return new_environment("my-world", request.param, tmp_path, "A title: with 'quotes' # and more")


def test_the_four_templates_are_there() -> None:
    assert TEMPLATES == ["blank", "crm", "helpdesk", "shop"]


def test_a_filled_in_template_has_no_problem(world: Path) -> None:
    assert [str(one) for one in check(world) if one.code != "unneeded-tools"] == []


def test_its_tasks_are_proven_without_a_survivor(world: Path) -> None:
    env = load_folder(world)
    assert env.tasks
    for proof in prove(env, list(env.tasks.values())):
        assert proof.holds and not proof.survivors and not proof.unfair, proof
        assert env.run(proof.task_id, agent="solution").passed


def test_it_carries_its_name_and_schemas_for_editors(world: Path) -> None:
    env = load_folder(world)
    assert (env.name, env.spec.title) == ("my-world", "A title: with 'quotes' # and more")
    for file in world.rglob("*.yaml"):
        first = file.read_text("utf-8").splitlines()[0]
        assert first.startswith("# yaml-language-server: $schema=")
        assert (file.parent / first.partition("$schema=")[2]).is_file()


def test_nothing_of_the_template_is_left_unfilled(world: Path) -> None:
    assert not [path for path in world.rglob("*") if path.is_file() and "cookiecutter" in path.read_text("utf-8")]
