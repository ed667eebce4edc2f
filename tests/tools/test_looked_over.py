"""Everything in a tool is looked over when it is built: each mistake is a problem at its place."""

import json
from pathlib import Path

import pytest

from .shop import DATA, ENVIRONMENT, check, problems, write

LIST = "  - name: t\n    description: T.\n    list:\n"
GET = "  - name: t\n    description: T.\n    get:\n"
SUM = "  - name: t\n    description: T.\n    summarize:\n"
QUERY = "  - name: t\n    description: T.\n    query:\n"
UPDATE = "  - name: t\n    description: T.\n    update:\n      record: orderId\n"
CREATE = "  - name: t\n    description: T.\n    create:\n"
DELETE = "  - name: t\n    description: T.\n    delete:\n"
SET = UPDATE + "      set:\n"
ALSO = UPDATE + "      change: [note]\n      also:\n"

CASES = {
    "sort of a list": (LIST + "      sort: [-totl.amount]\n", "6:14", "unknown-field"),
    "filter of an unknown field": (LIST + "      filters:\n        stats: X.\n", "7:16", "unknown-field"),
    "filter of a whole object": (
        LIST
        + "      filters:\n        big:\n          field: total\n          test: at_least\n          description: X.\n",
        "9:17",
        "wrong-comparison",
    ),
    "query of a filter": (
        LIST + "      filters:\n        w:\n          where: statu == 'new'\n          description: X.\n",
        "8:18",
        "unknown-field",
    ),
    "query of a list": (LIST + "      where: status == 'nwe'\n", "6:24", "wrong-comparison"),
    "fields of a search": (
        "  - name: t\n    description: T.\n    search:\n      in: [id, nme]\n",
        "6:16",
        "unknown-field",
    ),
    "fields of a get": (GET + "      by: [nte]\n", "6:12", "unknown-field"),
    "value shown by a get": (GET + "      show:\n        a: = statuss\n", "7:14", "unknown-name"),
    "match of an include": (
        GET + "      include:\n        l:\n          from: lines\n          match:\n            orderid: = id\n",
        "10:22",
        "unknown-field",
    ),
    "sum of a text": (SUM + "      measures:\n        a: {sum: note}\n", "7:18", "wrong-arguments"),
    "group by an unknown field": (
        SUM + "      groups:\n        g:\n          by: {s: stats}\n          measures: {n: count}\n",
        "8:19",
        "unknown-field",
    ),
    "order of rows": (
        SUM
        + "      groups:\n        g:\n          by: {s: status}\n          measures: {n: count}\n          sort: [m]\n",
        "10:18",
        "unknown-field",
    ),
    "query of a find": (QUERY + "      find:\n        a: ordes[]\n      returns: = a\n", "7:12", "unknown-name"),
    "find of a later name": (
        QUERY + "      find:\n        a: $b\n        b: orders[]\n      returns: = a\n",
        "7:12",
        "unknown-name",
    ),
    "find with a name that is taken": (
        QUERY + "      find:\n        input: orders[]\n      returns: x\n",
        "7:9",
        "duplicate-name",
    ),
    "item with a name that is taken": (
        ALSO + "        - for_each: lines[]\n          as: record\n          set: {note: x}\n",
        "10:11",
        "duplicate-name",
    ),
    "condition": (
        UPDATE
        + "      set: {note: x}\n      require:\n"
        + "        - that: recrd.status\n          code: x\n          message: X.\n",
        "9:17",
        "unknown-name",
    ),
    "field that is set": (SET + "        notee: x\n", "8:9", "unknown-field"),
    "part of a field that is set": (SET + "        total.amnt: 1\n", "8:9", "unknown-field"),
    "value that is set": (SET + "        note: = input.x\n", "8:23", "unknown-field"),
    "computed field that is set": (SET + "        large: true\n", "8:9", "computed-is-stored"),
    "id that is set": (SET + "        id: O-9\n", "8:9", "wrong-value"),
    "choice that is none": (SET + "        status: lost\n", "8:17", "wrong-value"),
    "number for a text": (SET + "        note: = 5 + 1\n", "8:15", "wrong-value"),
    "text for a number": (SET + "        total.amount: = record.note\n", "8:23", "wrong-value"),
    "number for an object": (SET + "        total: 5\n", "8:16", "wrong-value"),
    "number added to a text": (UPDATE + "      add:\n        note: 1\n", "8:15", "wrong-value"),
    "text added to a number": (UPDATE + "      add:\n        count: = record.note\n", "8:16", "wrong-value"),
    "append to a number": (UPDATE + "      append:\n        count: 1\n", "8:16", "wrong-value"),
    "unset of an unknown field": (UPDATE + "      unset: [nope]\n", "7:15", "unknown-field"),
    "id of another collection": (
        UPDATE
        + "      input:\n        lineOrder: {references: orders, description: X.}\n"
        + "      set:\n        personId: = input.lineOrder\n",
        "10:19",
        "wrong-value",
    ),
    "part of what a new record has not": (
        ALSO + "        - create: people\n          set: {address.city: x}\n",
        "10:17",
        "unknown-field",
    ),
    "query of an effect": (
        ALSO + "        - update: lines\n          where: orderid == $record.id\n          set: {quantity: 1}\n",
        "10:18",
        "unknown-field",
    ),
    "record before there is one": (CREATE + "      set:\n        note: = record.note\n", "7:17", "unknown-name"),
    "name of a record that is created later": (
        ALSO
        + "        - set: {note: = made.id}\n"
        + "        - create: lines\n          as: made\n          set: {quantity: 1}\n",
        "9:25",
        "unknown-name",
    ),
    "change of what is deleted": (DELETE + "      also:\n        - set: {note: x}\n", "7:11", "missing-key"),
    "sentence of the audit": (SET + "        note: x\n      log: Now {{ recrd.note }}.\n", "9:19", "unknown-name"),
    "answer": (SET + "        note: x\n      returns:\n        a: = recrd\n", "10:14", "unknown-name"),
}


@pytest.mark.parametrize("name", CASES)
def test_mistake_is_told_at_its_place(tmp_path: Path, name: str) -> None:
    tool, place, code = CASES[name]
    found = [(f"{one.line}:{one.column}", one.code) for one in problems(tmp_path, tool)]
    assert found == [(place, code)]


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    tool = LIST + "      sort: [a, b]\n      where: c\n"
    assert len(problems(tmp_path, tool)) == 3


def test_bare_names_in_a_change_are_fields_of_the_record_that_changes(tmp_path: Path) -> None:
    tool = (
        ALSO
        + "        - update: lines\n          where: orderId == $record.id\n          set: {quantity: = quantity + 1}\n"
    )
    assert problems(tmp_path, tool) == []


def test_rule_is_looked_over_once_however_often_it_is_used(tmp_path: Path) -> None:
    tool = UPDATE.replace("record: orderId", "record: {parameter: orderId, rule: unsent}") + "      set: {note: x}\n"
    folder = write(tmp_path, tool + tool.replace("name: t", "name: u"))
    text = ENVIRONMENT.replace("require: status != 'sent'", "require: stat != 'sent'")
    (folder / "environment.yaml").write_text(text, encoding="utf-8")
    assert [(one.code, one.file) for one in check(folder)] == [("unknown-name", "environment.yaml")]


def test_part_of_an_object_that_a_new_record_has_not_yet_is_told(tmp_path: Path) -> None:
    body = "    collection: people\n    create:\n      set:\n"
    tools = "".join(
        f"  - name: t{number}\n    description: T.\n{body}{lines}"
        for number, lines in enumerate(
            ("        home.city: x\n", "        home: {street: y}\n        home.city: x\n"), 1
        )
    )
    folder = write(tmp_path, tools)
    people = [{**one, "home": {"city": "Oslo", "street": "A"}} for one in DATA["people"]]
    (folder / "data" / "people.json").write_text(json.dumps(people), encoding="utf-8")
    (found,) = check(folder)
    assert (found.line, found.column, found.code) == (8, 9, "wrong-value")
    assert found.message == "A new record has no 'home' yet, so 'home.city' cannot be set."
