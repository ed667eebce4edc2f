"""Messy workbooks and CSV files become what a person would make of them, value by value."""

import json
from pathlib import Path

import pytest

from silo_decl.authoring.importing import Request, plan_import
from silo_decl.authoring.own_world import own_world
from silo_decl.engine.environment import check
from silo_decl.errors import UsageError

SHEETS = Path(__file__).parent.parent / "examples" / "sheets"
FILES = sorted(path for path in SHEETS.iterdir() if path.suffix != ".json")
EMPTY = 'silo: 1\nname: w\nnow: "2026-04-01"\ncollections: {}\n\n# the tools\ntools: []\n'


def empty_world(root: Path) -> Path:
    """A world without a collection."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "environment.yaml").write_text(EMPTY, "utf-8")
    return root


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_file_is_imported_as_a_person_would_expect(tmp_path: Path, file: Path) -> None:
    world = empty_world(tmp_path / "w")
    expected = json.loads((SHEETS / f"{file.stem}.expected.json").read_text("utf-8"))
    plan_import(own_world(str(world)), Request(file, tools=True)).write()
    spec = own_world(str(world))
    assert set(spec.collections) == set(expected)
    for name, wanted in expected.items():
        found = spec.collections[name]
        assert found.key == wanted["key"]
        assert [dict(record) for record in found.records] == wanted["records"]
        assert {one.path: list(one.enum) for one in found.fields.values() if one.enum} == wanted["choices"]
        references = {one.path: one.references.collection for one in found.fields.values() if one.references}
        assert references == wanted["references"]
    assert [str(one) for one in check(world) if one.level == "error"] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_importing_again_changes_nothing(tmp_path: Path, file: Path) -> None:
    world = empty_world(tmp_path / "w")
    first = plan_import(own_world(str(world)), Request(file, tools=True))
    first.write()
    if any(one.incoming.made_ids for one in first.collections):
        with pytest.raises(UsageError, match="does not say which records"):
            plan_import(own_world(str(world)), Request(file))
        return
    again = plan_import(own_world(str(world)), Request(file, tools=True))
    assert again.contents == {}
    assert all(not (one.added or one.changed or one.missing) for one in again.collections)
