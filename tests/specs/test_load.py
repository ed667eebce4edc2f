"""A folder becomes facts: files, registration, names across files, and silence about what could not be read."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

import pytest

from silo_decl.errors import UsageError
from silo_decl.specs.find import find_environment
from silo_decl.specs.load import load_environment
from silo_decl.specs.task import CallStep, EachStep
from silo_decl.specs.tool import TOOL_KINDS
from tests.specs.folders import ENVIRONMENT, EXAMPLES, TOOLS, codes, loaded, sound, written

GOOD = sorted(path for path in (EXAMPLES / "good").iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", GOOD, ids=lambda folder: folder.name)
def test_good_example_loads_without_a_problem(folder: Path) -> None:
    spec, problems = load_environment(folder)
    assert [str(problem) for problem in problems] == []
    assert spec is not None
    assert list(spec.tasks)


def test_helpdesk_example_has_every_kind_of_tool() -> None:
    spec, _ = load_environment(EXAMPLES / "good" / "helpdesk")
    assert spec is not None
    assert {tool.kind for tool in spec.tools.values()} == set(TOOL_KINDS)


def test_examples_of_the_design_page_are_read_as_they_are_meant() -> None:
    spec, _ = load_environment(EXAMPLES / "good" / "design")
    assert spec is not None
    task = spec.tasks["TASK-002"]
    first, loop, _ = task.solution
    assert isinstance(first, CallStep) and first.save == "open"
    assert isinstance(loop, EachStep) and loop.as_ == "deal"
    assert spec.suites["core"].selected == ("TASK-001", "TASK-004", "TASK-002")
    assert spec.rules["open_deal"].of == "opportunities"
    assert spec.collections["opportunities"].singular == "opportunity"
    assert spec.collections["products"].records[0]["id"] == "P-1"


def test_folder_without_environment_yaml_is_one_problem(tmp_path: Path) -> None:
    spec, problems = load_environment(tmp_path)
    assert spec is None
    assert [problem.code for problem in problems] == ["missing-file"]


def test_mistakes_of_every_file_are_said_at_once(tmp_path: Path) -> None:
    _, problems = loaded(
        tmp_path,
        {
            "environment.yaml": ENVIRONMENT.replace("name: shop", "nmae: shop"),
            "tools/things.yaml": TOOLS.replace("list:", "lst:"),
            "data/things.json": "[1,]",
            "tasks/one.yaml": "id: one\n",
            "suites/one.yaml": "name: one\ntasks: [\n",
        },
    )
    assert {problem.file for problem in problems} == {
        "environment.yaml",
        "tools/things.yaml",
        "data/things.json",
        "tasks/one.yaml",
        "suites/one.yaml",
    }


def test_other_files_are_looked_over_when_environment_yaml_cannot_be_read(tmp_path: Path) -> None:
    spec, problems = loaded(
        tmp_path, {"environment.yaml": "a: b: c", "tools/things.yaml": TOOLS.replace("list:", "lst:")}
    )
    assert spec is None
    assert [(problem.file, problem.code) for problem in problems] == [
        ("environment.yaml", "yaml-syntax"),
        ("tools/things.yaml", "unknown-kind"),
    ]


TASK = """\
id: look
instruction: Look.
checks:
  - changes: nothing
solution:
  - call: {tool}
"""


def test_nothing_is_said_about_what_depends_on_an_unreadable_file(tmp_path: Path) -> None:
    files = {"tools/things.yaml": "collection: things: x\n", "tasks/look.yaml": TASK.format(tool="list_things")}
    assert codes(tmp_path, files) == ["yaml-syntax"]


def test_nothing_is_said_about_calls_of_a_tool_that_has_problems(tmp_path: Path) -> None:
    files = {"tools/things.yaml": TOOLS.replace("list:", "lst:"), "tasks/look.yaml": TASK.format(tool="list_things")}
    assert codes(tmp_path, files) == ["unknown-kind"]


def test_sound_tools_of_a_file_are_kept_beside_one_that_has_problems(tmp_path: Path) -> None:
    more = TOOLS + "  - name: other\n    description: Other.\n    lst:\n"
    spec, _ = loaded(tmp_path, {"tools/things.yaml": more})
    assert spec is not None
    assert list(spec.tools) == ["list_things"]


def test_references_to_a_collection_whose_data_is_broken_are_not_said_to_be_broken(tmp_path: Path) -> None:
    files = {
        "environment.yaml": ENVIRONMENT.replace(
            '{ids: "TH-{:02}"}', "\n    fields:\n      ownerId: {references: people}\n  people:"
        ),
        "data/things.json": '[{"id": "TH-01", "ownerId": "P-1"}]',
        "data/people.json": "[{'id': 'P-1'}]",
    }
    assert codes(tmp_path, files) == ["json-syntax"]


def test_tool_is_callable_only_when_its_file_is_listed(tmp_path: Path) -> None:
    spec, problems = loaded(tmp_path, {"tools/more.yaml": TOOLS.replace("list_things", "list_more")})
    assert spec is not None
    assert list(spec.tools) == ["list_things"]
    assert [(problem.code, problem.level, problem.file) for problem in problems] == [
        ("unregistered-tools", "warning", "tools/more.yaml")
    ]


def test_unlisted_tool_file_is_looked_over_too(tmp_path: Path) -> None:
    found = codes(tmp_path, {"tools/more.yaml": TOOLS.replace("list:", "lst:")})
    assert sorted(found) == ["unknown-kind", "unregistered-tools"]


def test_collections_may_stand_in_files_of_their_own(tmp_path: Path) -> None:
    files = {
        "environment.yaml": ENVIRONMENT.replace(
            '  things: {ids: "TH-{:02}"}', "  - collections/all.yaml\n  - more.yaml"
        ),
        "collections/all.yaml": "collections:\n  things:\n",
        "more.yaml": "collections:\n  people: {}\n",
    }
    spec = sound(tmp_path, files)
    assert list(spec.collections) == ["things", "people"]


def test_collection_in_two_files_is_a_problem(tmp_path: Path) -> None:
    files = {
        "environment.yaml": ENVIRONMENT.replace('  things: {ids: "TH-{:02}"}', "  - a.yaml\n  - b.yaml"),
        "a.yaml": "collections:\n  things:\n",
        "b.yaml": "collections:\n  things:\n",
    }
    assert codes(tmp_path, files) == ["duplicate-name"]


def test_unreadable_collections_make_the_whole_unusable_and_nothing_more_is_said(tmp_path: Path) -> None:
    files = {
        "environment.yaml": ENVIRONMENT.replace('  things: {ids: "TH-{:02}"}', "  - collections/all.yaml"),
        "collections/all.yaml": "collections: things: x\n",
    }
    spec, problems = loaded(tmp_path, files)
    assert spec is None
    assert [problem.code for problem in problems] == ["yaml-syntax"]


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../outside.yaml", "tools/../../outside.yaml", "~/x.yaml", "..\\x.yaml"]
)
def test_path_that_leaves_the_folder_is_a_problem(tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.yaml").write_text(TOOLS)
    files = {"environment.yaml": ENVIRONMENT.replace("tools/things.yaml", f"'{path}'")}
    found = codes(tmp_path / "shop", files)
    assert "path-outside" in found


def test_link_that_leaves_the_folder_is_a_problem(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text(TOOLS)
    root = written(tmp_path / "shop", {"environment.yaml": ENVIRONMENT.replace("things.yaml", "linked.yaml")})
    (root / "tools" / "linked.yaml").symlink_to(outside)
    assert "path-outside" in [problem.code for problem in load_environment(root)[1]]


def test_folder_that_is_a_link_out_is_a_problem_and_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.yaml").write_text("a: b: c")
    root = written(tmp_path / "shop", {})
    (root / "tasks").symlink_to(tmp_path / "outside")
    problems = load_environment(root)[1]
    assert [(problem.code, problem.file) for problem in problems] == [("path-outside", "tasks")]


@pytest.mark.parametrize("here", [".", "shop", "./shop/../shop"])
def test_folder_is_read_from_wherever_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: str) -> None:
    root = written(tmp_path / "shop", {})
    monkeypatch.chdir(root if here == "." else tmp_path)
    spec, problems = load_environment(Path(here))
    assert problems == []
    assert spec is not None and list(spec.tools) and spec.collections["things"].records
    assert spec.content_hash == load_environment(root)[0].content_hash  # type: ignore[union-attr]


def test_folder_that_is_itself_a_link_loads(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(written(tmp_path / "shop", {}))
    spec, problems = load_environment(tmp_path / "link")
    assert spec is not None
    assert problems == []


def test_hash_changes_with_any_file_and_only_then(tmp_path: Path) -> None:
    first = sound(tmp_path / "a", {})
    same = sound(tmp_path / "b", {".silo/runs/x": "anything"})
    other = sound(tmp_path / "c", {"README.md": "hello"})
    assert first.content_hash == same.content_hash
    assert first.content_hash != other.content_hash


def test_policy_is_read(tmp_path: Path) -> None:
    assert sound(tmp_path, {"policy.md": "Be kind.\n"}).policy == "Be kind.\n"


def test_loading_leaves_the_collector_as_it_was(tmp_path: Path) -> None:
    assert gc.isenabled()
    sound(tmp_path, {})
    assert gc.isenabled()


def _copy_of_helpdesk(tmp_path: Path) -> Path:
    good = Path(__file__).parent.parent / "examples" / "good" / "helpdesk"
    return Path(shutil.copytree(good, tmp_path / "helpdesk"))


@pytest.mark.parametrize("name", ["tools/tickets.yaml", "data/tickets.json", "tasks/T1.yaml", "hooks/tickets.py"])
@pytest.mark.parametrize("kind", ["folder", "loop", "dangling", "pipe"])
def test_what_is_no_file_is_told_and_never_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    root = _copy_of_helpdesk(tmp_path)
    path = root / name
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "dangling":
        path.symlink_to("nothing.here")
    else:
        os.mkfifo(path)
    _, problems = load_environment(root)
    assert [one for one in problems if one.level == "error"]


def test_environment_file_that_is_a_folder_is_told(tmp_path: Path) -> None:
    root = _copy_of_helpdesk(tmp_path)
    (root / "environment.yaml").unlink()
    (root / "environment.yaml").mkdir()
    with pytest.raises(UsageError, match="is not a file"):
        find_environment(str(root))
