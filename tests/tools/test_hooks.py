"""Hooks: how their modules are loaded, what they may give back, and whose fault their failures are."""

from pathlib import Path
from typing import Any

import pytest

from silo_decl.engine.environment import load_folder
from silo_decl.world.store import World

from .shop import attempt, call, problems, shop, stored, write

TOOL = """\
  - name: act
    description: Run a hook.
    action:
      hook: mine.act
      record: = input.orderId
      log: Did it to {{ record_id }}, was {{ before.note }}, is {{ record.note }}, gave {{ output.n }}.
      input:
        orderId: {references: orders, description: Which.}
        extra: {type: object, required: false, description: Anything.}
"""
READ = """\
  - name: look
    description: Look with a hook.
    action:
      hook: mine.look
      reads: true
"""


def hooked(folder: Path, body: str, tool: str = TOOL, head: str = "", function: str = "act") -> World:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    hooks = f"from silo_decl import ToolError\n{head}\n\ndef {function}(world, input):\n{lines}\n"
    return shop(folder, tool, hooks).new_world()


def test_audit_names_the_record_and_sees_what_the_hook_gave(tmp_path: Path) -> None:
    world = hooked(tmp_path, "world['orders'][input['orderId']]['note'] = 'done'\nreturn {'n': 3}")
    assert call(world, "act", orderId="O-001") == {"n": 3}
    assert stored(world, "audit", "A-1")["detail"] == "Did it to O-001, was first, is done, gave 3."
    assert stored(world, "audit", "A-1")["kind"] == "order"


def test_hook_may_change_its_input_without_changing_what_was_given(tmp_path: Path) -> None:
    world = hooked(tmp_path, "input['extra']['deep'].append(1)\nreturn input['extra']")
    given: dict[str, Any] = {"deep": []}
    assert call(world, "act", orderId="O-001", extra=given) == {"deep": [1]}
    assert given == {"deep": []}


@pytest.mark.parametrize(
    ("returned", "output"),
    [
        ("None", None),
        ("(1, 2.5, 'x', True)", [1, 2.5, "x", True]),
        ("world['lines']['L-1']", {"id": "L-1", "orderId": "O-001", "quantity": 2}),
        ("{'all': [one for one in world['people'].values() if one['active']]}", None),
        ("2 ** 80", 2**80),
        ("world.query('orders[].id')", ["O-001", "O-002"]),
        ("world.query('people[?name == $name].id', name='Ann')", ["P-1"]),
        ("world.now", "2026-04-01T10:00:00"),
    ],
)
def test_hook_gives_anything_that_json_can_hold(tmp_path: Path, returned: str, output: Any) -> None:
    world = hooked(tmp_path, f"return {returned}", READ, function="look")
    found = call(world, "look", acting=False)
    assert found == output or output is None


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("{1, 2}", "It returned a set, which JSON cannot hold."),
        ("float('nan')", "It returned the number nan, which JSON cannot hold."),
        ("{1: 2}", "It returned an object with the key 1; keys are texts."),
        ("b'x'", "It returned a bytes, which JSON cannot hold."),
        ("'\\ud800'", "It returned a text with half of a character pair, which JSON cannot hold."),
        ("(x for x in [])", "It returned a generator, which JSON cannot hold."),
        ("[endless := [], endless.append(endless)][0]", "What it returned is nested too deeply, or contains itself."),
    ],
)
def test_what_json_cannot_hold_is_the_worlds_fault(tmp_path: Path, returned: str, said: str) -> None:
    result = attempt(hooked(tmp_path, f"return {returned}", READ, function="look"), "look", acting=False)
    assert (result.output["code"], result.fault.boundary, result.fault.message) == (
        "tool_failed",
        "hook mine.look",
        said,
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no')", "ValueError: no"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("return world['nope']", "There is no collection 'nope'."),
        (
            "world['orders']['O-001']['note'] = {1}\nreturn 1",
            "'note' of orders O-001 is a set, which JSON cannot hold.",
        ),
        ("def f(): f()\nf()", "RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_failing_hook_is_told_to_its_author_and_changes_nothing(tmp_path: Path, body: str, said: str) -> None:
    world = hooked(tmp_path, "world['lines'].create(quantity=1)\n" + body)
    result = attempt(world, "act", orderId="O-001")
    assert result.fault.boundary == "hook mine.act" and result.fault.message.startswith(said)
    assert world.diff() == {"collections": {}, "scalars": {}}
    assert said not in result.output["message"]


def test_trace_begins_in_the_hook(tmp_path: Path) -> None:
    result = attempt(hooked(tmp_path, "return [][0]"), "act", orderId="O-001")
    assert "mine.py" in result.fault.traceback and "silo_decl" not in result.fault.traceback
    assert result.fault.traceback.rstrip().endswith("IndexError: list index out of range")


def test_refusal_keeps_its_code_and_details(tmp_path: Path) -> None:
    world = hooked(tmp_path, "raise ToolError('too_late', 'Closed.', {'since': world.today})")
    assert attempt(world, "act", orderId="O-001").output == {
        "code": "too_late",
        "message": "Closed.",
        "details": {"since": "2026-04-01"},
    }


def test_refusal_that_json_cannot_hold_is_the_worlds_fault(tmp_path: Path) -> None:
    result = attempt(hooked(tmp_path, "raise ToolError('x', 'y', {1})"), "act", orderId="O-001")
    assert result.output["code"] == "tool_failed" and result.fault is not None


def test_hook_that_reads_may_look_at_everything(tmp_path: Path) -> None:
    body = "return [order['large'] for order in world['orders'].values()]"
    assert call(hooked(tmp_path, body, READ, function="look"), "look", acting=False) == [True, False]


@pytest.mark.parametrize(
    "change",
    ["world['lines'].create(quantity=1)", "world['lines'].delete('L-1')", "world['orders']['O-001']['note'] = 'x'"],
)
def test_hook_that_reads_may_change_nothing(tmp_path: Path, change: str) -> None:
    world = hooked(tmp_path, f"{change}\nreturn 1", READ, function="look")
    result = attempt(world, "look", acting=False)
    assert result.fault.boundary == "hook mine.look"
    assert world.diff() == {"collections": {}, "scalars": {}}


def test_hook_may_call_other_tools_and_all_of_it_is_one_transaction(tmp_path: Path) -> None:
    other = """\
  - name: note
    description: Note.
    update:
      record: orderId
      change: [note]
"""
    body = (
        "found = world.call('note', {'orderId': input['orderId'], 'note': 'by tool', 'actorId': 'P-1'})\n"
        "assert world['orders'][input['orderId']]['note'] == 'by tool'\n"
        "raise ToolError('conflict', found.output['updated']['id'])"
    )
    world = hooked(tmp_path, body, TOOL + other)
    assert attempt(world, "act", orderId="O-001").output["message"] == "O-001"
    assert world.diff() == {"collections": {}, "scalars": {}}


# -- modules ------------------------------------------------------------------------------------------------


IMPORTS = """\
import two
import hooks.three
import sub.deep
from . import one
from hooks.three import c
from sub import deep
from sub.deep import d


def look(world, input):
    from late import e

    return [one.a, two.b, c, d, e, sub.deep.d, deep.d, hooks.three.c]
"""


def test_hooks_import_one_another_by_name_and_by_dot(tmp_path: Path) -> None:
    folder = write(tmp_path, READ, IMPORTS)
    (folder / "hooks" / "sub").mkdir()
    for name, text in (
        ("one", "a = 1"),
        ("two", "from one import a\nb = a + 1"),
        ("three", "import json\nc = json.loads('3')"),
        ("sub/deep", "from ..two import b\nd = b + 2"),
        ("late", "e = 5"),
    ):
        (folder / "hooks" / f"{name}.py").write_text(text, encoding="utf-8")
    assert call(load_folder(folder).new_world(), "look", acting=False) == [1, 2, 3, 4, 5, 4, 4, 3]


def test_environments_do_not_share_modules_of_one_name(tmp_path: Path) -> None:
    worlds = []
    for name in ("first", "second"):
        folder = write(tmp_path / name, READ, "import shared\ndef look(world, input):\n    return shared.name\n")
        (folder / "hooks" / "shared.py").write_text(f"name = '{name}'", encoding="utf-8")
        worlds.append(load_folder(folder).new_world())
    assert [call(world, "look", acting=False) for world in worlds] == ["first", "second"]


def test_loading_writes_nothing_beside_the_authors_files(tmp_path: Path) -> None:
    hooked(tmp_path, "return 1", READ, function="look")
    assert not list(tmp_path.rglob("__pycache__"))


def test_prints_of_a_hook_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(hooked(tmp_path, "print('hello')\nreturn 1", READ, function="look"), "look", acting=False)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")


@pytest.mark.parametrize(
    ("hooks", "line", "said"),
    [
        ("import nothing_of_this_name\ndef look(world, input):\n    return 1\n", 1, "ModuleNotFoundError"),
        ("def look(world, input):\n    return 1\n1 / 0\n", 3, "ZeroDivisionError"),
    ],
)
def test_module_that_cannot_be_loaded_is_a_problem_at_its_line(
    tmp_path: Path, hooks: str, line: int, said: str
) -> None:
    (found,) = problems(tmp_path, READ, hooks)
    assert (found.code, found.file, found.line) == ("hook-syntax", "hooks/mine.py", line)
    assert said in found.message


def test_async_hook_is_a_problem(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, READ, "async def look(world, input):\n    return 1\n")
    assert (found.code, found.line) == ("wrong-hook", 6)
