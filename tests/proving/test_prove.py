"""Many tasks: in processes as without, and from the cache where nothing changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from silo_decl.engine.environment import load_folder
from silo_decl.proving.cache import Cache, keys
from silo_decl.proving.prove import prove
from tests.cli.commands import ROOT, silo
from tests.proving.deals import proof
from tests.proving.test_proof import CHANGE, STRONG, WON, state

CRM = ROOT / "environments" / "crm"


def test_processes_find_the_same_as_one(tmp_path: Path) -> None:
    environment = load_folder(CRM)
    tasks = environment.chosen(["tag:refusal", "family:HANDOVER", "TASK-018"])
    alone = prove(environment, tasks)
    assert alone == prove(environment, tasks, processes=2)
    assert [one.task_id for one in alone] == [task.id for task in tasks]


def world(folder: Path, tasks: int = 2) -> Path:
    """The sales desk with some copies of one task."""
    proof(folder, STRONG)
    text = (folder / "tasks" / "t.yaml").read_text()
    for number in range(1, tasks):
        (folder / "tasks" / f"t{number}.yaml").write_text(text.replace("id: T\n", f"id: T-{number}\n"))
    return folder


def test_only_what_changed_is_proven_again(tmp_path: Path) -> None:
    folder = world(tmp_path / "deals", 3)
    cache = Cache(tmp_path / "kept" / "deals.json")

    def proven_anew() -> list[str]:
        environment = load_folder(folder)
        tasks = list(environment.tasks.values())
        known = keys(environment, tasks)
        anew = [task.id for task in tasks if Cache(cache.path).get(task.id, known[task.id]) is None]
        kept = Cache(cache.path)
        found = prove(environment, tasks, kept)
        kept.write()
        assert found == prove(environment, tasks)
        return anew

    assert proven_anew() == ["T", "T-1", "T-2"]
    assert proven_anew() == []
    (folder / "suites").mkdir()
    (folder / "suites" / "all.yaml").write_text("name: all\ntitle: All\ntasks: ['*']\n")
    assert proven_anew() == []
    path = folder / "tasks" / "t1.yaml"
    path.write_text(path.read_text().replace("A task", "Another"))
    assert proven_anew() == ["T-1"]
    (folder / "policy.md").write_text("Be kind.\n")
    assert proven_anew() == ["T", "T-1", "T-2"]


def test_a_damaged_cache_holds_nothing(tmp_path: Path) -> None:
    environment = load_folder(world(tmp_path / "deals", 1))
    tasks = list(environment.tasks.values())
    path = tmp_path / "kept.json"
    for content in ("", "[]", "{", '{"proofs": 3}', '{"proofs": {"T": {"key": "?"}}}', "[" * 100_000):
        path.write_text(content)
        assert Cache(path).get("T", keys(environment, tasks)["T"]) is None
    kept = Cache(path)
    prove(environment, tasks, kept)
    kept.write()
    facts = json.loads(path.read_text())
    del facts["proofs"]["T"]["proof"]["steady"], facts["proofs"]["T"]["proof"]["task_id"]
    path.write_text(json.dumps(facts))
    assert Cache(path).get("T", keys(environment, tasks)["T"]) is None


# -- the command --------------------------------------------------------------------------------------------


def test_the_command_says_what_holds_and_passes(tmp_path: Path) -> None:
    folder = world(tmp_path / "deals")
    done = silo("prove", "--env", folder, "--min-score", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 tasks hold; 36 of 36 mutants caught (100.0%)." in done.stdout
    assert "The bar of 100% is met." in done.stdout
    assert (tmp_path / ".silo" / "prove" / "deals.json").is_file()
    assert silo("prove", "--env", folder, "--min-score", "1", cwd=tmp_path).stdout == done.stdout


def test_a_survivor_is_shown_with_what_could_catch_it_and_misses_the_bar(tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    proof(folder, CHANGE.format(checks=state(WON)))
    done = silo("prove", "--env", folder, cwd=tmp_path)
    assert done.returncode == 0
    assert "survives (left-out)  Call 4, add_note, is left out." in done.stdout
    assert "A check 'changes' that names notes could catch it: what it does not name may not change." in done.stdout
    missed = silo("prove", "--env", folder, "--min-score", "0.95", cwd=tmp_path)
    assert missed.returncode == 1 and "The bar of 95% is not met." in missed.stdout


def test_a_task_that_is_free_exits_with_1_and_says_so_for_machines(tmp_path: Path) -> None:
    folder = tmp_path / "deals"
    proof(folder, CHANGE.format(checks=state("length(final.deals) == 6")))
    done = silo("prove", "--env", folder, "--json", cwd=tmp_path)
    assert done.returncode == 1
    facts = json.loads(done.stdout)
    (task,) = facts["tasks"]
    assert facts["ok"] is False
    assert (task["taskId"], task["solutionPasses"], task["idleFails"]) == ("T", True, False)
    assert task["mutants"]["tried"] == task["mutants"]["caught"] + len(task["survivors"])
    assert "idle" in [one["kind"] for one in task["free"]]


def test_nothing_to_prove_is_no_proof(tmp_path: Path) -> None:
    folder = world(tmp_path / "deals", 1)
    shutil.rmtree(folder / "tasks")
    done = silo("prove", "--env", folder, cwd=tmp_path)
    assert done.returncode == 1 and "There is no task." in done.stdout


def test_a_cache_that_cannot_be_written_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder = world(tmp_path / "deals", 1)
    (tmp_path / ".silo").write_text("in the way")
    done = silo("prove", "--env", folder, cwd=tmp_path)
    assert done.returncode == 0 and "could not be kept" in done.stderr
