"""What is said of a query at load: each mistake, its place and its fix; and silence on queries that are right."""

from __future__ import annotations

import pytest

from silo_decl.expressions.findings import FINDING_CODES
from silo_decl.expressions.queries import compile_query
from silo_decl.expressions.shapes import (
    ANY,
    BOOLEAN,
    DATE,
    DATETIME,
    MONEY,
    NOTHING,
    NUMBER,
    TEXT,
    Scope,
    Shape,
    list_of,
)
from tests.expressions.shapes_of_data import world_scope

DEAL = Shape(
    "record",
    name="deals",
    fields={
        "id": TEXT,
        "name": TEXT,
        "status": Shape("text", choices=("open", "won", "lost")),
        "reason": Shape("text", choices=("price", "timing"), nullable=True),
        "n": NUMBER,
        "active": BOOLEAN,
        "amount": MONEY.maybe(),
        "due": DATE.maybe(),
        "at": DATETIME,
        "tags": list_of(TEXT),
        "items": list_of(Shape("object", fields={"price": NUMBER, "name": TEXT})),
        "customer": Shape("object", fields={"name": TEXT}),
        "variants": Shape("map", of=Shape("object", fields={"price": NUMBER})),
        "never": NOTHING,
        "anything": ANY,
        "free": Shape("object", open=True),
    },
)
COLLECTIONS = {
    "deals": Shape("collection", of=DEAL, name="deals"),
    "users": Shape("collection", of=Shape("record", name="users", fields={"id": TEXT, "name": TEXT}), name="users"),
}
SCOPE = Scope(
    names={"input": Shape("object", fields={"ownerId": TEXT, "days": NUMBER.maybe()})},
    element=Shape("object", name="world", fields=COLLECTIONS),
    collections=COLLECTIONS,
)


@pytest.mark.parametrize(
    ("text", "code", "message", "fix"),
    [
        (
            "deals[?stauts == 'open']",
            "unknown-field",
            "No record of deals has a field 'stauts'. Did you mean 'status'?",
            "Use one of: id, name, status, reason, n, active, amount, due, at, tags, items, customer and 4 more.",
        ),
        (
            "deals[0].amount.amuont",
            "unknown-field",
            "This object has no field 'amuont'. Did you mean 'amount'?",
            "Use one of: amount, currency.",
        ),
        ("dales", "unknown-name", "There is no collection 'dales'. Did you mean 'deals'?", "Use one of: deals, users."),
        (
            "deals[?id == $inptu.x]",
            "unknown-name",
            "There is no value '$inptu' here. Did you mean '$input'?",
            "Use one of: $input, $now, $today.",
        ),
        (
            "deals[?id == input.ownerId]",
            "unknown-field",
            "'input' is no field here but a value from outside.",
            "Write $input.",
        ),
        (
            "deals[?id == $id]",
            "unknown-name",
            "'id' is a field, and '$' stands before values from outside.",
            "Write id without the dollar sign.",
        ),
        (
            "deals[?users[0].id == id]",
            "unknown-field",
            "'users' is a collection; a plain name here is a field of a record of deals.",
            "Write lookup('users', id) for one of its records.",
        ),
        ("deals[?active == True]", "unknown-field", "No record of deals has a field 'True'.", "Write true."),
        (
            "lenght(deals)",
            "unknown-function",
            "There is no function 'lenght'. Did you mean 'length'?",
            "The reference of functions lists them all.",
        ),
        ("len(deals)", "unknown-function", "There is no function 'len'.", "Write length(...)."),
        (
            "deals[?round(n, 2, 3) > 1]",
            "wrong-arguments",
            "The function 'round' takes 1 or 2 values, not 3.",
            "Write round(number, digits?), for example round(2.675, 2).",
        ),
        (
            "deals[?starts_with(n, '1')]",
            "wrong-arguments",
            "The function 'starts_with' takes a text here, and 'n' is a number.",
            "Write text(n) for its text.",
        ),
        (
            "sort_by(deals, &nn)",
            "unknown-field",
            "No record of deals has a field 'nn'. Did you mean 'n'?",
            None,
        ),
        ("sort_by(deals, 'nn')", "unknown-field", "No record of deals has a field 'nn'. Did you mean 'n'?", None),
        (
            "deals[?status == 'opne']",
            "wrong-comparison",
            "'status' is never 'opne'. Did you mean 'open'?",
            "Use one of: 'open', 'won', 'lost'.",
        ),
        (
            "deals[?status in ['open', 'one']]",
            "wrong-comparison",
            "'status' is never 'one'. Did you mean 'won'?",
            "Use one of: 'open', 'won', 'lost'.",
        ),
        (
            "deals[?due < '1 April']",
            "wrong-comparison",
            "'due' is a date and '1 April' is not.",
            "Write a date such as '2026-04-01'.",
        ),
        (
            "deals[?at >= '2026-04-01']",
            "wrong-comparison",
            "'at' is a moment in time and '2026-04-01' is not.",
            "Compare its day, date_of(at), or write a moment such as '2026-04-01T09:30:00'.",
        ),
        (
            "deals[?at >= due]",
            "wrong-comparison",
            "'at' is a moment in time and due is a date.",
            "Compare the days: date_of(at) >= due.",
        ),
        (
            "deals[?amount > 1000]",
            "wrong-comparison",
            "'amount' is an object and 1000 is a number, so they have no order.",
            "Compare a field of it, such as amount.amount.",
        ),
        (
            "deals[?active == 'true']",
            "wrong-comparison",
            "'active' is true or false and 'true' is a text, so they are never equal.",
            "Compare it with true or false, or write active alone.",
        ),
        (
            "deals[?3 in tags]",
            "wrong-comparison",
            "3 is a number, and each element of 'tags' is a text.",
            "Look for a text.",
        ),
        (
            "deals[?tags == 'a']",
            "list-against-text",
            "'tags' is a list and 'a' is a text, so they are never equal.",
            "Write contains(tags, 'a'), or take one element: tags | [0].",
        ),
        (
            "deals.name",
            "field-of-list",
            "'deals' is a list of records, which has no field 'name'.",
            "Read it from each element, in a query deals[].name, or from one, deals[0].name.",
        ),
        (
            "deals.length",
            "field-of-list",
            "'deals' is a list of records, which has no field 'length'.",
            "Write length(deals).",
        ),
        (
            "deals[?name.first == 'x']",
            "field-of-text",
            "'name' is a text, so it has no field 'first'.",
            "Remove '.first', or read it from the record that has it.",
        ),
        (
            "deals[?n]",
            "number-as-truth",
            "'n' is a number and stands where true or false is asked for; even 0 counts as something.",
            "Write n > 0 or n != null.",
        ),
        (
            "deals[].{n: n or 7}",
            "number-as-truth",
            "'n' is a number and stands where true or false is asked for; even 0 counts as something.",
            "Write n > 0 or n != null. For the first that is there write coalesce(n, 7).",
        ),
        ("deals[?1 < n < 9]", "chained-comparison", "Comparisons cannot stand in a row.", "Write 1 < n and n < 9."),
        (
            "deals[?tags | length > 1]",
            "pipe-into-function",
            "Behind '|' stands 'length' as the name of a field; the function is called with its value in parentheses.",
            "Write length(tags).",
        ),
        (
            "deals[?n | round(2) > 1]",
            "pipe-into-function",
            "What stands before '|' is not used by round(2) > 1.",
            "Write round(n, 2), or @ where the value before '|' is meant.",
        ),
        (
            "deals[0].n | round(2)",
            "pipe-into-function",
            "What stands before '|' is not used by round(2).",
            "Write round(deals[0].n, 2), or @ where the value before '|' is meant.",
        ),
        (
            "deals[?active][0]",
            "index-of-no-list",
            "[0] right behind deals[?active] looks into each element, and there is no list.",
            "Write deals[?active] | [0].",
        ),
        (
            "deals[0].customer[]",
            "not-a-list",
            "'deals[0].customer' is an object, not a list, so [] finds nothing in it.",
            "Remove [], or write it behind a list.",
        ),
        (
            "deals[].customer[?name == 'x']",
            "not-a-list",
            "'customer' is an object, not a list, so [?name == 'x'] finds nothing in it.",
            "Write deals[].customer | [?name == 'x'].",
        ),
        (
            "deals.*",
            "not-a-list",
            "'deals' is a list, and '.*' goes through the values of an object.",
            "Write deals[*].",
        ),
        (
            "deals[?matches(name, '(?=x)')]",
            "wrong-arguments",
            "The pattern '(?=x)' cannot be read: invalid perl operator: (?=.",
            "Write a pattern of RE2, which has no look-around and no back references.",
        ),
        (
            "deals[?&n]",
            "wrong-arguments",
            "'&' stands only before an argument of a function such as sort_by.",
            "Remove the '&'; for and write 'and'.",
        ),
        (
            "map(deals, &n)",
            "wrong-arguments",
            "The function 'map' takes the name of a field here, not the collection deals.",
            "Write map(&field, list), with & before the field in a query, or the field as a text: 'field'.",
        ),
    ],
)
def test_a_mistake_is_told_with_what_to_write(text: str, code: str, message: str | None, fix: str | None) -> None:
    finding = compile_query(text, SCOPE).findings[0]
    assert finding.code == code
    assert message is None or finding.message == message
    assert fix is None or finding.fix == fix


def test_a_condition_with_brackets_on_one_record_is_told() -> None:
    (finding,) = compile_query("[?status == 'open']", SCOPE.inside(DEAL)).findings
    assert finding.fix == "Write it without the brackets: status == 'open'."


def test_every_mistake_of_a_query_is_told_at_once_in_order_of_place() -> None:
    text = "deals[?stauts == 'x' and n == '5' and $a > 1]"
    findings = compile_query(text, SCOPE).findings
    assert [finding.code for finding in findings] == ["unknown-field", "wrong-comparison", "unknown-name"]
    assert [finding.offset for finding in findings] == [text.index(part) for part in ("stauts", "'5'", "$a")]


@pytest.mark.parametrize(
    "text",
    [
        "deals[?status == 'open' and reason == null]",
        "deals[?reason != 'price']",
        "deals[?reason in ['price', 'timing'] or not reason]",
        "deals[?amount.amount > 3 and amount.currency == 'EUR']",
        "deals[?amount == null or amount]",
        "deals[?due < $today or due == null]",
        "deals[?date_of(at) == $today]",
        "deals[?never == 'x' or never.y == 3 or never > 5 or never]",
        "deals[?anything == 'x' or anything.y == 3 or anything[0] or anything[?z] or anything | [0]]",
        "deals[?free.whatever == 1]",
        "deals[?items[0].price > 3]",
        "deals[*].items[?price > 3].name",
        "deals[].items[].price",
        "deals[].items | [0]",
        "deals[].[id, name][0]",
        "deals[].{id: id, first: items[0].name} | [0].first",
        "deals[?length(items[?price > 3]) > 1]",
        "deals[?items[?price > 3]]",
        "deals[?tags]",
        "deals[?'a' in tags and contains(tags, 'b') and contains(name, 'x')]",
        "values(deals[0].variants)[?price > 3]",
        "deals[].values(variants)[] | [?price > 3] | [0]",
        "deals[0].variants.v1.price",
        "deals[0].variants['price']",
        "at(deals[0].variants, $input.ownerId).price",
        "sum(deals[?status == 'won'].amount)",
        "sum(deals[].amount.amount)",
        "sum(deals, &amount.amount)",
        "sum(deals, 'amount.amount')",
        "max(deals[].due)",
        "min_by(deals, &due).name",
        "sort_by(deals, &due)[-1].name",
        "group_by(deals, &status).open[].n",
        "deals[] | sort_by(@, &n) | [0:3].name",
        "length(deals[?n > 3]) > 0",
        "deals[?days_between(due, $today) > 30]",
        "deals[?n > coalesce($input.days, 30)]",
        "lookup('users', $input.ownerId).name",
        "deals[?lookup('users', id).name == 'x'].id",
        "deals['D1'].name",
        "join(', ', deals[].name)",
        "unique(deals[].status)",
        "zip(deals[].id, deals[].n)[*].{id: [0], n: [1]}",
        "keys(deals[0].customer)",
        "deals[0].*",
        "merge(deals[0].customer, {age: 3}).age",
        "range(3)[?@ > 1]",
        "deals[?(n > 3) == active]",
        "deals[?status == name]",
        "not_null(deals[0].reason, 'none')",
        "deals[?starts_with(text(n), '1')]",
        "{now: $now, today: $today, ids: deals[].id}",
        "deals[?due]",
        "deals[::-1].id",
        "deals[].tags[]",
        "flatten(deals[].tags)",
        "reverse(sort(deals[].n))",
        "to_array(deals[0].name)[0]",
        "type(deals[0].n) == 'number'",
        "weekday($today) in ['Saturday', 'Sunday']",
        "split(deals[0].name, ' ')[0]",
    ],
)
def test_a_query_that_is_right_is_not_spoken_of(text: str) -> None:
    assert compile_query(text, SCOPE).findings == []


HOTEL = {
    "bookings": [
        {
            "id": "B1",
            "guest": {"name": "A", "vip": True},
            "nights": [{"date": "2026-01-01", "rate": 90.5}],
            "rooms": ["1"],
        },
        {
            "id": "B2",
            "guest": None,
            "nights": [],
            "note": "late",
            "rooms": [],
            "paid": {"amount": 3, "currency": "EUR"},
        },
        {"id": "B3", "guest": {"name": "C"}, "nights": [{"rate": None}], "rooms": None, "extra": 5},
        {"id": "B4", "guest": {"name": "D"}, "nights": [{"rate": 1}], "rooms": ["2"], "extra": "breakfast"},
    ],
    "events": [
        {"id": "E1", "type": "stay", "payload": {"room": "1"}},
        {"id": "E2", "type": "bill", "payload": {"total": 3}},
        {"id": "E3", "type": "note", "payload": "late"},
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        "bookings[?guest.vip].id",
        "bookings[?not guest.vip and guest.name == 'C']",
        "bookings[?nights[?rate > 90]].id",
        "sum(bookings[].nights[].rate)",
        "bookings[?note == 'late' or paid.amount > 2]",
        "bookings[?extra == 5 or extra == 'breakfast']",
        "bookings[?'1' in rooms].id",
        "bookings[?length(rooms) == 0]",
        "bookings[].nights[] | [?date == '2026-01-01']",
        "events[?payload.total > 2].id",
        "events[?payload == 'late'].id",
        "events[?type == 'stay' and payload.room == '1']",
        "sum(bookings[].paid).amount",
        "max_by(bookings[].nights[], &rate).rate",
    ],
)
def test_fields_that_are_missing_null_or_of_several_kinds_are_no_mistakes(text: str) -> None:
    query = compile_query(text, world_scope(HOTEL))
    assert query.findings == []


def test_every_finding_has_a_code_that_is_explained() -> None:
    texts = ["a = 1", "= a", "{{ a }}", "deals[?x]", "deals.name", "zip(deals)[].[0]", "deals[0].name.x", "nope(1)"]
    for text in texts:
        for finding in compile_query(text, SCOPE).findings:
            assert finding.code in FINDING_CODES
