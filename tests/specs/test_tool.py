"""`tools/*.yaml`: every kind with its shorthands spelt out, and what it may refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.specs.load import load_environment
from silo_decl.specs.tool import (
    CreateTool,
    GetTool,
    ListTool,
    QueryTool,
    SummarizeTool,
    ToolSpec,
    UpdateTool,
)
from tests.specs.folders import EXAMPLES, TOOLS, codes, loaded, sound


def design() -> dict[str, ToolSpec]:
    spec, problems = load_environment(EXAMPLES / "good" / "design")
    assert spec is not None and not problems
    return dict(spec.tools)


def test_filter_that_is_only_a_text_is_equality_on_the_field_of_its_name() -> None:
    body = design()["list_opportunities"].body
    assert isinstance(body, ListTool)
    owner, _, least, stale = body.filters
    assert (owner.field, owner.test, owner.parameter.description) == (
        "ownerId",
        "equals",
        "Only opportunities owned by this user.",
    )
    assert (least.name, least.field, least.test) == ("minAmount", "amount.amount", "at_least")
    assert (stale.field, stale.where) == ("", "status == 'open' and daysInStage > 30")
    assert not any(one.parameter.required for one in body.filters)


def test_measures_groups_and_records_of_a_summary_are_spelt_out() -> None:
    body = design()["stale_opportunities"].body
    assert isinstance(body, SummarizeTool)
    assert [(one.name, one.function, one.of) for one in body.measures] == [
        ("count", "count", ""),
        ("totalAmount", "sum", "amount"),
    ]
    (group,) = body.groups
    assert dict(group.by) == {"userId": "ownerId", "name": "ownerName"}
    assert group.sort == ("-count", "userId")
    (records,) = body.records
    assert (records.name, records.view, records.sort) == ("opportunities", "summary", ("-daysInStage", "id"))


def test_record_of_a_write_is_the_singular_of_its_collection_unless_said() -> None:
    tools = design()
    update = tools["update_opportunity"].body
    assert isinstance(update, UpdateTool)
    assert (update.record.parameter, update.record.rules) == ("opportunityId", ("open_deal",))
    assert [(one.path, one.parameter.name) for one in update.change][:2] == [
        ("name", "name"),
        ("amount.amount", "amount"),
    ]
    assert update.clearable == ("primaryContactId",)
    get = tools["get_opportunity"].body
    assert isinstance(get, GetTool)
    assert get.parameter == "opportunityId"
    (include,) = get.include
    assert dict(include.match) == {"relatedTo.type": "opportunity", "relatedTo.id": "= id"}


def test_rows_of_a_find_have_inner_names() -> None:
    body = design()["exchange_items"].body
    assert isinstance(body, UpdateTool)
    swaps, difference = body.find
    assert (swaps.for_each, swaps.as_) == ("zip($input.itemIds, $input.newItemIds)", "pair")
    assert [one.name for one in swaps.find] == ["item", "variant"]
    assert difference.query.startswith("subtract(")
    own, users = body.also[1], body.also[0]
    assert (users.target, users.collection, users.record) == ("update", "users", "= record.userId")
    assert (own.target, own.append) == ("self", {"history": {"what": "exchange", "at": "= now"}})


def test_write_knows_that_it_writes() -> None:
    spec, _ = load_environment(EXAMPLES / "good" / "helpdesk")
    assert spec is not None
    writing = {name for name, tool in spec.tools.items() if tool.writes}
    assert "close_ticket" in writing and "add_credit" in writing
    assert not writing & {"busiest_agent", "ticket_summary", "list_tickets"}


def test_file_names_the_collection_and_a_tool_may_name_another() -> None:
    tools = design()
    assert tools["list_opportunities"].collection == "opportunities"
    assert tools["create_contact"].collection == "contacts"


def test_kind_with_nothing_to_say_may_be_empty(tmp_path: Path) -> None:
    tools = sound(tmp_path, {}).tools
    assert tools["list_things"].body == ListTool()


def test_effect_in_a_loop_names_the_item_and_else_the_created_record(tmp_path: Path) -> None:
    text = TOOLS + (
        "  - name: make\n    description: Make.\n    create:\n      also:\n"
        "        - create: things\n          as: other\n          set: {name: x}\n"
        "        - for_each: things\n          as: thing\n          create: things\n          set: {name: y}\n"
    )
    body = sound(tmp_path, {"tools/things.yaml": text}).tools["make"].body
    assert isinstance(body, CreateTool)
    assert [(one.as_name, one.as_) for one in body.also] == [("other", ""), ("", "thing")]


def test_parameters_nest(tmp_path: Path) -> None:
    text = TOOLS + (
        "  - name: ask\n    description: Ask.\n    query:\n      input:\n"
        "        items:\n          type: list\n          of:\n            id: The id.\n"
        "            count: {type: integer, default: 1}\n"
        "        where:\n          parameters:\n            city: {type: text, required: false}\n"
        "      returns: = 1\n"
    )
    body = sound(tmp_path, {"tools/things.yaml": text}).tools["ask"].body
    assert isinstance(body, QueryTool)
    items, where = body.input
    assert items.of is not None
    assert items.of.fields["count"].required is False
    assert (where.type, list(where.fields)) == ("object", ["city"])


HEAD = "  - name: do_it\n    description: Do it.\n"
TOOL_PROBLEMS = [
    ("    get:\n      view: nope\n", "unknown-view"),
    ("    get:\n      rule: nope\n", "unknown-rule"),
    ("    get:\n      include:\n        x: {from: nope}\n", "unknown-collection"),
    ("    search: {in: [name], view: nope}\n", "unknown-view"),
    (
        "    summarize:\n      measures: {count: count}\n      groups:\n        x: {each: no, measures: {n: count}}\n",
        "unknown-collection",
    ),
    ("    summarize:\n      where: price > 1\n", "missing-key"),
    ("    create:\n      input:\n        x: {references: nope}\n", "unknown-collection"),
    ("    update:\n      record: {rule: nope}\n      change: [name]\n", "unknown-rule"),
    ("    update:\n      input: {x: An x.}\n", "missing-key"),
    ("    update:\n      change: [name, other.name]\n", "duplicate-name"),
    ("    update:\n      change: [name]\n      clearable: [price]\n", "unknown-parameter"),
    (
        "    update:\n      change: [name]\n      also:\n        - {update: nope, where: x, set: {a: 1}}\n",
        "unknown-collection",
    ),
    ("    update:\n      change: [name]\n      also:\n        - {record: = input.x, set: {a: 1}}\n", "missing-key"),
    ("    update:\n      change: [name]\n      also:\n        - {update: things, where: x}\n", "missing-key"),
    (
        "    update:\n      change: [name]\n      also:\n        - {update: things, delete: things, set: {a: 1}}\n",
        "several-kinds",
    ),
    ("    delete:\n      also:\n        - delete: things\n", "missing-key"),
    ("    list:\n      filters:\n        limit: A limit.\n", "duplicate-name"),
    ("    list:\n      filters:\n        x: {where: price > 1, type: text}\n", "wrong-value"),
    ("    list:\n      filters:\n        x: {where: price > 1, field: price}\n", "several-kinds"),
    ("    action: {hook: a.b}\n", "unknown-hook"),
    ("    action: {hook: nothing}\n", "wrong-form"),
    ("    query:\n      returns: = 1\n      find:\n        x: {for_each: things}\n", "missing-key"),
    ("    create:\n      input:\n        x: {type: integer, default: much}\n", "wrong-value"),
    ("    create:\n      input:\n        x: {type: integer, maximum: 3, default: 5}\n", "out-of-range"),
    ("    create:\n      returns: {created: nope}\n", "unknown-view"),
]


@pytest.mark.parametrize(("body", "code"), TOOL_PROBLEMS)
def test_mistake_in_a_tool_is_found(tmp_path: Path, body: str, code: str) -> None:
    assert set(codes(tmp_path, {"tools/things.yaml": TOOLS + HEAD + body})) == {code}


HOOKS = {
    "def do(world, input):\n    return 1\n": [],
    "async def do(world, input, more=1):\n    return 1\n": [],
    "def do(*given):\n    return 1\n": [],
    "do = make()\n": [],
    "from elsewhere import do\n": [],
    "def do(world):\n    return 1\n": ["wrong-hook"],
    "def do(world, input, more):\n    return 1\n": ["wrong-hook"],
    "def do(world, input, *, more):\n    return 1\n": ["wrong-hook"],
    "def other(world, input):\n    return 1\n": ["unknown-hook"],
    "def do(world, input)\n": ["hook-syntax"],
    "raise SystemExit\n\ndef do(world, input):\n    return 1\n": [],
}


@pytest.mark.parametrize(("hook", "said"), HOOKS.items())
def test_hook_is_looked_at_without_running_it(tmp_path: Path, hook: str, said: list[str]) -> None:
    files = {"tools/things.yaml": TOOLS + HEAD + "    action: {hook: a.do}\n", "hooks/a.py": hook}
    assert codes(tmp_path, files) == said


def test_long_tool_is_remarked(tmp_path: Path) -> None:
    change = "".join(f"        field{n:02}:\n          type: text\n          description: Field.\n" for n in range(14))
    body = "    update:\n      change:\n" + change
    _, (problem,) = loaded(tmp_path, {"tools/things.yaml": TOOLS + HEAD + body})
    assert (problem.code, problem.level) == ("long-tool", "note")
