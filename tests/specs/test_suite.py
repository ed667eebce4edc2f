"""`suites/*.yaml`: what a selection stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.specs.folders import codes, sound

TASKS = {
    f"tasks/{name}.yaml": f"id: {name}\ninstruction: Look.\ndifficulty: {difficulty}\ntags: [{tag}]\n"
    "checks:\n  - changes: nothing\nsolution:\n  - answer: Done.\n"
    for name, difficulty, tag in [
        ("T-1", "easy", "look"),
        ("T-2", "hard", "look"),
        ("T-3", "easy", "touch"),
        ("X.1", "easy", "x"),
    ]
}
SELECTIONS = [
    ("[T-2, T-1]", ("T-2", "T-1")),
    ("['tag:look']", ("T-1", "T-2")),
    ("[X.1, 'difficulty:easy']", ("X.1", "T-1", "T-3")),
    ("['T-*']", ("T-1", "T-2", "T-3")),
    ("['*']", ("T-1", "T-2", "T-3", "X.1")),
]


@pytest.mark.parametrize(("tasks", "selected"), SELECTIONS)
def test_selection_stands_for_tasks_each_once(tmp_path: Path, tasks: str, selected: tuple[str, ...]) -> None:
    suite = sound(tmp_path, {**TASKS, "suites/one.yaml": f"name: one\ntasks: {tasks}\n"}).suites["one"]
    assert suite.selected == selected


@pytest.mark.parametrize(
    "tasks", ["[T-9]", "['tag:nope']", "['difficulty:medium']", "['Z-*']", "['level:easy']", "['T-1', t-2]"]
)
def test_selection_of_nothing_is_a_problem(tmp_path: Path, tasks: str) -> None:
    assert codes(tmp_path, {**TASKS, "suites/one.yaml": f"name: one\ntasks: {tasks}\n"}) == ["empty-selection"]


def test_selection_is_not_said_to_be_empty_when_a_task_could_not_be_read(tmp_path: Path) -> None:
    files = {
        **TASKS,
        "tasks/T-9.yaml": "id: T-9\ninstruction: Look: here.\n",
        "suites/one.yaml": "name: one\ntasks: [T-9]\n",
    }
    assert codes(tmp_path, files) == ["yaml-syntax"]


def test_settings_of_a_suite_are_read(tmp_path: Path) -> None:
    limits = "limits: {max_tool_calls: 50, timeout_ms: 60000}\npass_bar: {pass_rate: 0.9}\n"
    text = f"name: one\ntitle: One\ntasks: [T-1]\nruns: 5\n{limits}"
    suite = sound(tmp_path, {**TASKS, "suites/one.yaml": text}).suites["one"]
    assert (suite.runs, suite.max_tool_calls, suite.timeout_ms, suite.pass_rate) == (5, 50, 60000, 0.9)
    assert suite.file == "suites/one.yaml"


@pytest.mark.parametrize(
    "line",
    ["runs: 0", "runs: 1.5", "limits: {timeout_ms: 0}", "pass_bar: {pass_rate: 90}", "pass_bar: {}", "tasks: []"],
)
def test_number_that_makes_no_sense_is_a_problem(tmp_path: Path, line: str) -> None:
    head = "name: one\n" + ("" if line.startswith("tasks") else "tasks: [T-1]\n")
    assert len(codes(tmp_path, {**TASKS, "suites/one.yaml": f"{head}{line}\n"})) == 1
