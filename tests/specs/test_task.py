"""`tasks/*.yaml`: checks, solutions, and what they refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.specs.task import (
    AnswerCheck,
    AnswerStep,
    AnyOfCheck,
    CallsCheck,
    ChangesCheck,
    PythonCheck,
    QueryCheck,
    TaskSpec,
    ThatCheck,
)
from tests.specs.folders import ENVIRONMENT, TOOLS, codes, loaded, sound

PAINT = (
    TOOLS
    + """\
  - name: paint_thing
    description: Paint.
    update:
      change:
        colour: {enum: [red, blue], description: The colour.}
      input:
        coats: {type: integer, minimum: 1, maximum: 3, default: 1}
        when: {type: date, required: false}
"""
)
HEAD = "id: one\ninstruction: Do it.\n"
SOLUTION = "solution:\n  - answer: Done.\n"


def task(tmp_path: Path, checks: str) -> TaskSpec:
    files = {"tasks/one.yaml": f"{HEAD}checks:\n{checks}{SOLUTION}", "hooks/a.py": "def b(x):\n    return True\n"}
    return sound(tmp_path, files).tasks["one"]


CHECKS = [
    ("  - that: 1 == 1\n", ThatCheck("1 == 1"), "1 == 1"),
    ("  - {for_each: $x, as: y, that: y, allow_empty: true}\n", ThatCheck("y", "$x", "y", True), "y"),
    (
        "  - query: final.things\n    expect: {empty: true}\n",
        QueryCheck("final.things", {"empty": True}),
        "final.things",
    ),
    ("  - changes: nothing\n", ChangesCheck(nothing=True), "Nothing changes"),
    (
        "  - answer: {number: 5, tolerance: 1}\n",
        AnswerCheck("number", {"number": 5, "tolerance": 1}),
        "The answer: number",
    ),
    ("  - calls: {never: list_things}\n", CallsCheck({"never": "list_things"}), "Calls: never"),
    ("  - python: a.b\n", PythonCheck("a.b"), "a.b"),
]


@pytest.mark.parametrize(("text", "body", "label"), CHECKS)
def test_check_of_each_form_is_read(tmp_path: Path, text: str, body: object, label: str) -> None:
    (check,) = task(tmp_path, text).checks
    assert (check.body, check.label, check.required, check.weight) == (body, label, True, 1.0)


def test_group_of_changes_may_stand_alone_or_in_a_list(tmp_path: Path) -> None:
    text = "  - changes:\n      things:\n        records: [TH-01]\n        to: {name: x}\n        may: [price]\n"
    alone = task(tmp_path / "a", text).checks[0].body
    listed = (
        task(
            tmp_path / "b",
            text.replace("        records", "        - records")
            .replace("        to", "          to")
            .replace("        may", "          may"),
        )
        .checks[0]
        .body
    )
    assert isinstance(alone, ChangesCheck) and isinstance(listed, ChangesCheck)
    for changes in (alone, listed):
        (group,) = changes.collections["things"]
        assert (group.records, group.to, group.may) == (["TH-01"], {"name": "x"}, ("price",))


def test_groups_of_any_of_hold_checks(tmp_path: Path) -> None:
    (check,) = task(
        tmp_path, "  - any_of:\n      - - that: 1 == 1\n      - - changes: nothing\n        - that: 2 == 2\n"
    ).checks
    assert isinstance(check.body, AnyOfCheck)
    assert [len(group) for group in check.body.groups] == [1, 2]


def test_instruction_may_stand_in_a_file(tmp_path: Path) -> None:
    files = {
        "tasks/one.yaml": f"id: one\ninstruction_file: texts/one.md\nchecks:\n  - changes: nothing\n{SOLUTION}",
        "tasks/texts/one.md": "Do it well.",
    }
    assert sound(tmp_path, files).tasks["one"].instruction == "Do it well."


def test_answer_of_a_solution_may_be_any_value(tmp_path: Path) -> None:
    files = {"tasks/one.yaml": f"{HEAD}checks:\n  - changes: nothing\nsolution:\n  - answer: {{n: = 1}}\n"}
    (step,) = sound(tmp_path, files).tasks["one"].solution
    assert isinstance(step, AnswerStep)
    assert step.value == {"n": "= 1"}


def calling(tmp_path: Path, given: str, more: str = "", environment: str = ENVIRONMENT) -> list[str]:
    text = f"{HEAD}{more}checks:\n  - changes: nothing\nsolution:\n  - call: paint_thing\n    input: {given}\n"
    files = {"environment.yaml": environment, "tools/things.yaml": PAINT, "tasks/one.yaml": text}
    return [problem.message for problem in loaded(tmp_path, files)[1]]


ARGUMENTS = [
    ("{thingId: TH-01, colour: red}", []),
    ("{thingId: = x, colour: = y, coats: = z}", []),
    ("{thingId: 'a {{ b }}'}", []),
    ("{}", ["The tool paint_thing needs 'thingId'."]),
    ("{thingId: TH-01, color: red}", ["The tool paint_thing has no parameter called 'color'. Did you mean 'colour'?"]),
    ("{thingId: TH-01, colour: green}", ["'green' is not known as 'colour'."]),
    ("{thingId: TH-01, coats: 4}", ["'coats' must be from 1 to 3, not 4."]),
    ("{thingId: TH-01, coats: two}", ["'coats' must be a whole number, not a text."]),
    ("{thingId: 5}", ["A text stands here, but 5 is read as a whole number."]),
    ("{thingId: TH-01, when: tomorrow}", ["'when' cannot be 'tomorrow'."]),
]


@pytest.mark.parametrize(("given", "said"), ARGUMENTS)
def test_solution_is_held_against_the_parameters_of_its_tools(tmp_path: Path, given: str, said: list[str]) -> None:
    assert calling(tmp_path, given) == said


ACTOR = ENVIRONMENT.replace("tools:\n", "actor: {parameter: actorId, references: things}\ntools:\n")


def test_acting_as_fills_the_actor_of_a_solution(tmp_path: Path) -> None:
    given = "{thingId: TH-01, colour: red}"
    assert calling(tmp_path / "a", given, "acting_as: TH-01\n", ACTOR) == []
    assert calling(tmp_path / "b", given, "", ACTOR) == ["The tool paint_thing needs 'actorId'."]


TASK_PROBLEMS = [
    (HEAD + "acting_as: TH-01\nchecks:\n  - changes: nothing\n" + SOLUTION, "no-actor"),
    (HEAD + "checks:\n  - changes: {nope: {created: 1}}\n" + SOLUTION, "unknown-collection"),
    (HEAD + "checks:\n  - changes: {things: {records: [TH-99]}}\n" + SOLUTION, "unknown-record"),
    (HEAD + "checks:\n  - changes: {things: {records: $x, created: 1}}\n" + SOLUTION, "several-kinds"),
    (HEAD + "checks:\n  - changes: everything\n" + SOLUTION, "not-one-of"),
    (HEAD + "checks:\n  - calls: {never: nope}\n" + SOLUTION, "unknown-tool"),
    (HEAD + "checks:\n  - calls: {before: [list_things, nope_*]}\n" + SOLUTION, "unknown-tool"),
    (HEAD + "checks:\n  - calls: {happened: {tool: nope}}\n" + SOLUTION, "unknown-tool"),
    (HEAD + "checks:\n  - calls: {at_most: {nope: 1}}\n" + SOLUTION, "unknown-tool"),
    (HEAD + "checks:\n  - python: a.b\n" + SOLUTION, "unknown-hook"),
    (HEAD + "checks:\n  - query: final.things\n" + SOLUTION, "missing-key"),
    (HEAD + "checks:\n  - query: final.things\n    expect: {}\n" + SOLUTION, "empty-value"),
    (HEAD + "checks:\n  - query: final.things\n    expect: {equal: 1}\n" + SOLUTION, "unknown-key"),
    (HEAD + "checks:\n  - answer: {number: 1, text: x}\n" + SOLUTION, "several-kinds"),
    (HEAD + "checks:\n  - answer: {nmber: 1}\n" + SOLUTION, "unknown-kind"),
    (HEAD + "checks:\n  - answer: {tolerance: 1}\n" + SOLUTION, "missing-kind"),
    (HEAD + "checks: []\n" + SOLUTION, "empty-value"),
    (HEAD + "checks:\n  - changes: nothing\n    weight: 0\n" + SOLUTION, "out-of-range"),
    (HEAD + "checks:\n  - changes: nothing\n", "no-solution"),
    (HEAD + "checks:\n  - changes: nothing\nsolution:\n  - call: nope\n", "unknown-tool"),
    (HEAD + "checks:\n  - changes: nothing\nsolution:\n  - {for_each: x, as: y, do: [{call: nope}]}\n", "unknown-tool"),
    ("id: one\ninstruction_file: nope.md\nchecks:\n  - changes: nothing\n" + SOLUTION, "missing-file"),
    ("id: one\nchecks:\n  - changes: nothing\n" + SOLUTION, "missing-key"),
]


@pytest.mark.parametrize(("text", "code"), TASK_PROBLEMS)
def test_mistake_in_a_task_is_found(tmp_path: Path, text: str, code: str) -> None:
    assert codes(tmp_path, {"tasks/one.yaml": text}) == [code]
