"""An addition to a YAML file leaves every other letter of it as it was."""

import difflib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silo_decl.authoring.yaml_edit import CannotEdit, YamlText

LISTS = {
    "block": ("a: 1\ntools:\n  # first\n  - x.yaml  # why\n  - y.yaml\n\n# end\nb: 2\n", "  - new.yaml"),
    "flush": ("tools:\n- x.yaml\n", "- new.yaml"),
    "nothing under it": ("tools:   # the tools\nb: 1\n", "  - new.yaml"),
    "comment behind": ("tools:\n  - x\n  # - old.yaml\n", "  - new.yaml"),
    "no end of line": ("tools:\n  - x", "  - new.yaml"),
}


@pytest.mark.parametrize("name", LISTS)
def test_appending_adds_one_line_and_no_other(tmp_path: Path, name: str) -> None:
    before, line = LISTS[name]
    file = tmp_path / "environment.yaml"
    file.write_text(before, "utf-8")
    text = YamlText(file)
    text.append(("tools",), "new.yaml")
    text.save()
    changes = [one for one in difflib.ndiff(before.splitlines(), file.read_text("utf-8").splitlines()) if one[0] != " "]
    assert changes == [f"+ {line}"]


def test_a_missing_list_is_made_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text("name: x  # kept\n", "utf-8")
    text = YamlText(file)
    text.append(("tools",), "new.yaml")
    text.save()
    assert file.read_text("utf-8") == "name: x  # kept\n\ntools:\n  - new.yaml\n"


def test_lists_in_brackets_grow_in_their_brackets(tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text("tools: [x, y]  # two\nother: []\n", "utf-8")
    text = YamlText(file)
    text.append(("tools",), "z")
    text.append(("other",), "z")
    text.save()
    assert file.read_text("utf-8") == "tools: [x, y, z]  # two\nother:\n  - z\n"


def test_line_ends_of_another_system_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_bytes(b"tools:\r\n  - x\r\n")
    text = YamlText(file)
    text.append(("tools",), "z")
    text.save()
    assert file.read_bytes() == b"tools:\r\n  - x\r\n  - z\r\n"


def test_a_collection_is_added_behind_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text("collections:\n  a:\n    description: >\n      long\n      text\n\n\n# rules\nrules:\n", "utf-8")
    text = YamlText(file)
    text.add(("collections",), "b", 'ids: "B-{:03}"\nfields:\n  x: {type: text}')
    text.save()
    assert file.read_text("utf-8") == (
        "collections:\n  a:\n    description: >\n      long\n      text\n"
        '  b:\n    ids: "B-{:03}"\n    fields:\n      x: {type: text}\n\n\n# rules\nrules:\n'
    )


def test_a_key_is_replaced_and_what_stands_around_it_stays(tmp_path: Path) -> None:
    file = tmp_path / "task.yaml"
    file.write_text("id: T  # one\nsolution:\n  - call: a\n\n# two\ntitle: Text\n", "utf-8")
    text = YamlText(file)
    text.replace("solution", "- call: b\n  input:\n    x: 1\n- answer: done")
    text.save()
    assert file.read_text("utf-8") == (
        "id: T  # one\nsolution:\n  - call: b\n    input:\n      x: 1\n  - answer: done\n\n# two\ntitle: Text\n"
    )


@pytest.mark.parametrize("before", ["tools: some text\n", "tools: {a: 1}\n", "- a\n- b\n", "just text\n"])
def test_a_file_that_cannot_be_added_to_stays_as_it_is(tmp_path: Path, before: str) -> None:
    file = tmp_path / "environment.yaml"
    file.write_text(before, "utf-8")
    with pytest.raises(CannotEdit, match="by hand: - z"):
        YamlText(file).append(("tools",), "z")
    assert file.read_text("utf-8") == before


_words = st.text("abcdefghij", min_size=1, max_size=6)
_comments = st.sampled_from(["", "  # why", " # a: b", "   #"])
_gaps = st.sampled_from(["", "\n", "# note\n", "\n\n  # deep note\n"])


@st.composite
def _files(draw: st.DrawFn) -> str:
    indent = draw(st.sampled_from(["", "  ", "    "]))
    items = draw(st.lists(_words, max_size=4))
    lines = [f"{draw(_gaps)}{indent}- {item}{draw(_comments)}\n" for item in items]
    before = draw(st.sampled_from(["", "silo: 1\n", "# top\n\nsilo: 1 # one\n"]))
    after = draw(st.sampled_from(["", "\nrules:\n  a: {of: b}\n", "text: |\n  one\n\n  two\n", "\n\n# end\n"]))
    return f"{before}tools:{draw(_comments)}\n{''.join(lines)}{after}"


@given(_files(), _words)
def test_any_list_grows_by_one_item_and_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, before: str, item: str
) -> None:
    file = tmp_path_factory.mktemp("edit") / "environment.yaml"
    file.write_text(before, "utf-8")
    text = YamlText(file)
    listed = text.data["tools"] or []
    text.append(("tools",), item)
    assert text.data["tools"] == [*listed, item]
    after, kept = iter(text.text.splitlines()), [line for line in before.splitlines() if line]
    assert all(line in after for line in kept), "every line is there, in its order"
    assert len([line for line in text.text.splitlines() if line]) == len(kept) + 1
