"""Families: what members there are, what each says and expects, and that they are tasks like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.engine.environment import Environment, check, load_folder
from silo_decl.errors import UsageError
from silo_decl.grading.drawing import drawn, one_of, picked
from silo_decl.specs.codes import ADVICE_CODES
from tests.grading.desk import DATA, write

BODY = """\
checks:
  - label: Only {{ ticket.id }} is closed
    changes:
      tickets:
        - records: $ticket.id
          to:
            status: closed
solution:
  - call: set_status
    input:
      ticketId: = ticket.id
      status: closed
  - answer: Closed {{ ticket.id }}.
"""
OPEN = "for_each: tickets[?status == 'open']\nas: ticket\n"
ASKED = "instruction: Close {{ ticket.id }}.\n"


def desk(folder: Path, head: str, body: str = BODY) -> Environment:
    return load_folder(write(folder, head + body))


def codes(folder: Path, head: str, body: str = BODY) -> list[str]:
    return [one.code for one in check(write(folder, head + body)) if one.code not in ADVICE_CODES]


def test_a_family_has_a_member_for_each_thing_its_query_finds(tmp_path: Path) -> None:
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{ASKED}")
    assert list(env.tasks) == ["CLOSE-T-1", "CLOSE-T-2"]
    assert [task.instruction for task in env.tasks.values()] == ["Close T-1.", "Close T-2."]
    assert {task.spec.family for task in env.tasks.values()} == {"CLOSE"}
    assert [check.label for check in env.tasks["CLOSE-T-2"].spec.checks] == ["Only T-2 is closed"]


def test_every_member_is_graded_on_its_own_truth(tmp_path: Path) -> None:
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{ASKED}")
    assert all(env.run(name, agent="solution").passed for name in env.tasks)
    closes_the_other = env.run(
        "CLOSE-T-1", agent=lambda run: run.call_tool("set_status", {"ticketId": "T-2", "status": "closed"})
    )
    assert not closes_the_other.passed
    assert not env.run("CLOSE-T-1", agent="idle").passed


def test_truths_may_be_named_in_texts_and_are_worked_out_for_each_member(tmp_path: Path) -> None:
    head = f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}title: For {{{{ owner.name }}}}\n"
    given = "given:\n  owner: lookup('people', $ticket.ownerId)\n"
    env = desk(tmp_path, head + given + "instruction: Close {{ ticket.id }} of {{ owner.name }}.\n")
    assert env.tasks["CLOSE-T-1"].spec.title == "For Ann"
    assert env.tasks["CLOSE-T-1"].instruction == "Close T-1 of Ann."


def test_an_id_is_cleaned_to_the_letters_that_names_have(tmp_path: Path) -> None:
    env = desk(tmp_path, f'id: "CLOSÉ-#{{{{ ticket.id }}}} / {{{{ ticket.status }}}}!"\n{OPEN}{ASKED}')
    assert list(env.tasks) == ["CLOSE-T-1-open", "CLOSE-T-2-open"]
    assert list(env.spec.families) == ["CLOSE"]


def test_a_family_may_be_named_apart_from_its_ids(tmp_path: Path) -> None:
    env = desk(tmp_path, f'id: "{{{{ ticket.id }}}}"\nfamily: closing\n{OPEN}{ASKED}')
    assert [task.id for task in env.chosen(["family:closing"])] == ["T-1", "T-2"]


def test_a_parameter_with_each_of_makes_a_member_for_every_value(tmp_path: Path) -> None:
    head = f"id: CLOSE-{{{{ ticket.id }}}}-{{{{ word }}}}\n{OPEN}parameters:\n  word:\n    each_of: [now, soon]\n"
    env = desk(tmp_path, head + "instruction: Close {{ ticket.id }} {{ word }}.\n")
    assert list(env.tasks) == ["CLOSE-T-1-now", "CLOSE-T-1-soon", "CLOSE-T-2-now", "CLOSE-T-2-soon"]


def test_a_parameter_with_one_of_draws_by_its_seed_and_always_the_same(tmp_path: Path) -> None:
    def words(seed: int) -> list[str]:
        who = "parameters:\n  who:\n    one_of: people[].name\n"
        head = f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{who}"
        env = desk(tmp_path, f"{head}    seed: {seed}\ninstruction: Close {{{{ ticket.id }}}} for {{{{ who }}}}.\n")
        return [task.instruction for task in env.tasks.values()]

    assert words(1) == words(1)
    assert len({tuple(words(seed)) for seed in range(8)}) > 1


def test_a_thing_without_a_value_for_a_parameter_makes_no_member(tmp_path: Path) -> None:
    head = f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}parameters:\n  dear:\n    each_of: $ticket[?price.amount > 100]\n"
    query = head.replace("$ticket[?price.amount > 100]", "tickets[?id == $ticket.id and price.amount > 100]")
    assert list(desk(tmp_path, query + ASKED).tasks) == ["CLOSE-T-1"]


def test_when_leaves_members_out(tmp_path: Path) -> None:
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}when: ticket.big\n{ASKED}")
    assert list(env.tasks) == ["CLOSE-T-1"]


def test_distinct_keeps_the_first_of_each_value(tmp_path: Path) -> None:
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}distinct: = ticket.ownerId\n{ASKED}")
    assert list(env.tasks) == ["CLOSE-T-1"]


ANSWERED = """\
checks:
  - answer:
      mentions: = owner
solution:
  - answer: "{{ ticket.ownerName }}"
"""


def test_members_that_ask_and_expect_the_same_are_one(tmp_path: Path) -> None:
    head = f"id: OWNER-{{{{ ticket.id }}}}\n{OPEN}given:\n  owner: lookup('people', $ticket.ownerId).name\n"
    env = desk(tmp_path, head + "instruction: Who has open tickets?\n", ANSWERED)
    assert list(env.tasks) == ["OWNER-T-1"]


def test_members_that_ask_the_same_and_expect_different_things_are_a_problem(tmp_path: Path) -> None:
    every = OPEN.replace("[?status == 'open']", "")
    head = f"id: OWNER-{{{{ ticket.id }}}}\n{every}given:\n  owner: lookup('people', $ticket.ownerId).name\n"
    assert codes(tmp_path, head + "instruction: Who has open tickets?\n", ANSWERED) == ["same-question"]


def test_difficulty_may_be_worked_out(tmp_path: Path) -> None:
    rule = "difficulty: \"= 'hard' if ticket.big else 'easy'\"\n"
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{rule}{ASKED}")
    assert [task.spec.difficulty for task in env.tasks.values()] == ["hard", "easy"]


def test_pick_draws_some_and_limit_keeps_the_first(tmp_path: Path) -> None:
    head = f"id: CLOSE-{{{{ ticket.id }}}}-{{{{ number }}}}\n{OPEN}parameters:\n  number:\n    each_of: range(50)\n"
    asked = "instruction: Close {{ ticket.id }}, number {{ number }}.\n"
    env = desk(tmp_path, f"{head}pick:\n  count: 10\n  seed: 4\n{asked}")
    drawn_ids = list(env.tasks)
    assert len(drawn_ids) == 10
    assert drawn_ids == sorted(drawn_ids, key=lambda one: (one[:9], int(one.rpartition("-")[2])))
    assert list(desk(tmp_path, f"{head}pick:\n  count: 10\n  seed: 5\n{asked}").tasks) != drawn_ids
    limited = list(desk(tmp_path, f"{head}pick:\n  count: 10\n  seed: 4\nlimit: 3\n{asked}").tasks)
    assert limited == drawn_ids[:3]


def test_a_draw_changes_little_when_there_is_one_more_to_draw_from() -> None:
    before = picked(range(100), 20, 1, str)
    after = picked(range(101), 20, 1, str)
    assert len(set(before) & set(after)) >= 19
    assert one_of(["a", "b", "c"], 1, "x") == one_of(["c", "a", "b"], 1, "x")
    assert 0 <= drawn(1, "x") < 1


def test_suites_and_the_command_line_select_members(tmp_path: Path) -> None:
    root = write(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}tags: [closing]\n{ASKED}{BODY}")
    (root / "suites").mkdir()
    (root / "suites" / "s.yaml").write_text('name: s\ntasks: ["family:CLOSE"]\n')
    (root / "suites" / "t.yaml").write_text('name: t\ntasks: [CLOSE-T-2, "tag:closing", "CLOSE-*"]\n')
    env = load_folder(root)
    assert env.suites["s"].selected == ("CLOSE-T-1", "CLOSE-T-2")
    assert env.suites["t"].selected == ("CLOSE-T-2", "CLOSE-T-1")
    assert [task.id for task in env.chosen(["CLOSE-T-2"])] == ["CLOSE-T-2"]
    with pytest.raises(UsageError, match="family of tasks"):
        env.task("CLOSE")
    with pytest.raises(UsageError, match="no family"):
        env.chosen(["family:CLSE"])


def test_a_member_may_not_have_the_id_of_another_task(tmp_path: Path) -> None:
    root = write(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{ASKED}{BODY}")
    (root / "tasks" / "z.yaml").write_text(
        "id: CLOSE-T-1\ninstruction: Look.\nchecks:\n  - changes: nothing\nsolution:\n  - answer: Done.\n"
    )
    assert "duplicate-name" in [one.code for one in check(root)]


def test_a_member_acts_as_someone_who_exists(tmp_path: Path) -> None:
    root = write(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}acting_as: = ticket.status\n{ASKED}{BODY}")
    text = (root / "environment.yaml").read_text()
    (root / "environment.yaml").write_text(
        text.replace("audit:\n  coll", "actor:\n  parameter: who\n  references: people\naudit:\n  coll")
    )
    assert "unknown-record" in [one.code for one in check(root)]
    task = root / "tasks" / "t.yaml"
    task.write_text(task.read_text().replace("= ticket.status", "= ticket.ownerId"))
    env = load_folder(root)
    assert "You are acting as Ann (P-1)" in env.tasks["CLOSE-T-1"].instruction
    assert env.run("CLOSE-T-1", agent="solution").passed


def test_a_family_too_large_to_be_meant_is_a_problem(tmp_path: Path) -> None:
    head = f"id: CLOSE-{{{{ ticket.id }}}}-{{{{ number }}}}\n{OPEN}parameters:\n  number:\n    each_of: range(6000)\n"
    assert codes(tmp_path, head + "instruction: Close {{ ticket.id }}, number {{ number }}.\n") == ["out-of-range"]


def test_instruction_of_a_family_may_stand_in_a_file(tmp_path: Path) -> None:
    root = write(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}instruction_file: close.md\n{BODY}")
    (root / "tasks" / "close.md").write_text("Please close {{ ticket.id }}.\n")
    assert load_folder(root).tasks["CLOSE-T-2"].instruction == "Please close T-2."
    (root / "tasks" / "close.md").write_text("Please close {{ tikcet.id }}.\n")
    (problem,) = [one for one in check(root) if one.level == "error"]
    assert (problem.code, problem.file) == ("unknown-name", "tasks/close.md")


def test_the_data_decides_how_many_members_there_are(tmp_path: Path) -> None:
    env = desk(tmp_path, f"id: CLOSE-{{{{ ticket.id }}}}\n{OPEN}{ASKED}")
    assert len(env.tasks) == sum(ticket["status"] == "open" for ticket in DATA["tickets"])
