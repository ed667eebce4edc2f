"""Playing a solution, and what an agent is told."""

from pathlib import Path

import pytest

from silo_decl.engine.environment import load_folder
from silo_decl.grading.solution import SolutionError

from .desk import ENVIRONMENT, desk, task, write

CHECK = "  - changes: nothing\n"


def _played(environment: object) -> tuple[object, list[tuple[str, dict]]]:
    calls: list[tuple[str, dict]] = []
    world = environment.new_world()  # type: ignore[attr-defined]

    def call(name: str, given: dict) -> dict:
        calls.append((name, given))
        result = environment.toolbox.call(world, name, given)  # type: ignore[attr-defined]
        return {"output": result.output, **({"is_error": True} if result.is_error else {})}

    return environment.tasks["T"].solution.play(call), calls  # type: ignore[attr-defined]


def test_saved_outputs_and_loops_give_the_calls(tmp_path: Path) -> None:
    solution = """\
solution:
  - call: list_tickets
    save: all
  - for_each: all.results
    as: one
    do:
      - call: set_status
        input: {ticketId: = one.id, note: "{{ one.ownerId }}"}
  - answer: Touched {{ all.total }}.
"""
    answer, calls = _played(desk(tmp_path, CHECK, solution))
    assert answer == "Touched 3."
    assert calls[1] == ("set_status", {"ticketId": "T-1", "note": "P-1"})
    assert len(calls) == 4


def test_answer_may_be_any_value(tmp_path: Path) -> None:
    answer, _ = _played(desk(tmp_path, CHECK, "solution:\n  - answer: {n: = 1 + 1}\n"))
    assert answer == {"n": 2}


def test_refused_call_stops_a_solution(tmp_path: Path) -> None:
    environment = desk(tmp_path, CHECK, "solution:\n  - call: set_status\n    input: {ticketId: T-9}\n")
    with pytest.raises(SolutionError, match='Ticket "T-9" was not found'):
        _played(environment)


def test_refusal_that_is_saved_is_part_of_the_solution(tmp_path: Path) -> None:
    call = "  - call: set_status\n    input: {ticketId: T-9}\n    save: no\n"
    solution = f"solution:\n{call}  - answer: '{{{{ no.code }}}}'\n"
    assert _played(desk(tmp_path, CHECK, solution))[0] == "not_found"


def test_actor_is_filled_in_where_the_solution_does_not_give_it(tmp_path: Path) -> None:
    calls = "  - call: set_status\n    input: {ticketId: T-1, note: a}\n"
    other = "  - call: set_status\n    input: {ticketId: T-1, note: b, actorUserId: P-2}\n"
    folder = write(tmp_path, task(CHECK, f"acting_as: P-1\nsolution:\n{calls}{other}  - call: list_tickets\n"))
    actor = "actor:\n  parameter: actorUserId\n  references: people\n"
    (folder / "environment.yaml").write_text(ENVIRONMENT.replace("tools:\n", f"{actor}tools:\n"))
    _, made = _played(load_folder(folder))
    assert [given.get("actorUserId") for _, given in made] == ["P-1", "P-2", None]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("for_each: all.result\n    as: one\n    do:\n      - answer: x", "'for_each' gives nothing, not a list"),
        ("answer: = all.total + all", "is an object"),
    ],
)
def test_step_that_cannot_be_worked_out_stops_a_solution(tmp_path: Path, step: str, said: str) -> None:
    environment = desk(tmp_path, CHECK, f"solution:\n  - call: list_tickets\n    save: all\n  - {step}\n")
    with pytest.raises(SolutionError, match=said):
        _played(environment)
