"""What stands in the way of an import names sheet and cell, comes all at once, and changes no file."""

import json
import os
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silo_decl.authoring.cell_values import amount_of, moment_of
from silo_decl.authoring.exporting import export
from silo_decl.authoring.importing import CannotImport, Request, plan_import
from silo_decl.authoring.infer import Wishes
from silo_decl.authoring.linking import form_of_ids
from silo_decl.authoring.own_world import own_world
from silo_decl.authoring.sheet_tables import field_name
from silo_decl.errors import UsageError
from tests.authoring.test_import_examples import empty_world
from tests.cli.commands import answer, silo


def _book(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def _problems(tmp_path: Path, file: Path, **more: object) -> list[str]:
    world = empty_world(tmp_path / "w")
    before = {path: path.read_bytes() for path in world.rglob("*") if path.is_file()}
    with pytest.raises(CannotImport) as stopped:
        plan_import(own_world(str(world)), Request(file, **more))  # type: ignore[arg-type]
    assert {path: path.read_bytes() for path in world.rglob("*") if path.is_file()} == before
    return [f"{one.place}: {one.message}" for one in stopped.value.problems]


def test_every_cell_that_does_not_fit_is_told_at_once(tmp_path: Path) -> None:
    rows = [
        ["id", "Amount", "Due"],
        *([f"D{n}", n * 10, f"2026-01-{n:02}"] for n in range(1, 8)),
        ["D8", "TBD", "soon"],
    ]
    assert _problems(tmp_path, _book(tmp_path / "x.xlsx", {"Deals": rows})) == [
        "Deals!B9: 'TBD' is not a number, as the other cells of 'Amount' are.",
        "Deals!C9: 'soon' is not a date, as the other cells of 'Due' are.",
    ]


def test_words_for_nothing_and_columns_of_text_are_the_authors_choice(tmp_path: Path) -> None:
    rows = [["id", "Amount"], *([f"D{n}", n * 10] for n in range(1, 8)), ["D8", "TBD"]]
    file = _book(tmp_path / "x.xlsx", {"Deals": rows})
    world = own_world(str(empty_world(tmp_path / "w")))
    emptied = plan_import(world, Request(file, wishes=Wishes(empty=frozenset({"tbd"}))))
    assert emptied.collections[0].records[-1] == {"id": "D8", "amount": None}
    as_text = plan_import(world, Request(file, wishes=Wishes(text=frozenset({"amount"}))))
    assert [one["amount"] for one in as_text.collections[0].records][-2:] == ["70", "TBD"]


def test_a_key_that_is_missing_or_there_twice_is_told(tmp_path: Path) -> None:
    file = _book(tmp_path / "x.xlsx", {"Deals": [["Deal ID", "Name"], ["D1", "a"], ["D1", "b"], [None, "c"]]})
    assert _problems(tmp_path, file) == [
        "Deals!A3: 'D1' names the record in A2 already.",
        "Deals!A4: This record has no Deal ID, which is what names it.",
    ]


def test_an_id_that_no_record_has_is_told(tmp_path: Path) -> None:
    accounts = [["id", "Name"], ["A1", "x"], ["A2", "y"]]
    deals = [["id", "Account ID"], ["D1", "A1"], ["D2", "A2"], ["D3", "A9"]]
    file = _book(tmp_path / "x.xlsx", {"Accounts": accounts, "Deals": deals})
    assert _problems(tmp_path, file) == ["Deals!B4: 'A9' in 'Account ID' is no account: accounts has no such id."]


def test_cells_with_errors_and_formulas_without_values_are_told(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Deals"
    for row in [["id", "Amount"], ["D1", 1], ["D2", "=A1+B2"], ["D3", "#REF!"]]:
        sheet.append(row)
    sheet["B4"].data_type = "e"
    book.save(tmp_path / "x.xlsx")
    assert _problems(tmp_path, tmp_path / "x.xlsx") == [
        "Deals!B3: This cell holds a formula whose value was never worked out; "
        "open the file in a spreadsheet program and save it.",
        "Deals!B4: This cell holds the error #REF!.",
    ]


def test_a_sheet_without_a_header_is_told(tmp_path: Path) -> None:
    said = _problems(tmp_path, _book(tmp_path / "x.xlsx", {"Numbers": [[1, 2], [3, 4]]}))
    assert said == [
        "Numbers: No row of this sheet reads like a header, that is, a row of different words above the records."
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.pdf", b"%PDF", "of a kind that cannot be imported"),
        ("x.xlsx", b"no spreadsheet", "cannot be read as a spreadsheet"),
        ("x.csv", b"", "holds no table"),
        ("x.json", b"{]", "is no JSON"),
        ("x.json", b"[1, 2]", "item 1 is no record"),
        ("x.jsonl", b'{"id": "a"}\n{oops\n', "line 2, is no JSON"),
        ("x.json", b"3", "holds no list of records"),
        ("x.csv", b"a\0b,c\n1,2\n", "is not a text"),
    ],
)
def test_files_that_are_no_table_are_refused_in_words(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    empty_world(tmp_path / "environments" / "w")
    (tmp_path / name).write_bytes(content)
    refused = silo("data", "import", name, "--env", "w", cwd=tmp_path)
    assert refused.returncode in (1, 2)
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_ambiguous_dates_and_numbers_are_told_and_can_be_turned(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text('id,When,Size\nA,3/4/2026,"1,234"\nB,5/6/2026,"2,345"\n', "utf-8")
    world = own_world(str(empty_world(tmp_path / "w")))
    plan = plan_import(world, Request(file))
    assert plan.collections[0].records[0] == {"id": "A", "when": "2026-03-04", "size": 1234}
    assert any("month first" in remark and "--dates day-first" in remark for remark in plan.remarks)
    assert any("',' between thousands" in remark for remark in plan.remarks)
    turned = plan_import(world, Request(file, wishes=Wishes(day_first=True)))
    assert turned.collections[0].records[0]["when"] == "2026-04-03"


def test_importing_again_updates_by_key_and_reports(tmp_path: Path) -> None:
    empty_world(tmp_path / "environments" / "w")
    file = tmp_path / "deals.csv"
    file.write_text("id,name,amount\nD1,One,10\nD2,Two,20\nD3,Three,30\n", "utf-8")
    silo("data", "import", "deals.csv", "--env", "w", "--tools", cwd=tmp_path)
    data = tmp_path / "environments/w/data/deals.json"
    records = json.loads(data.read_text("utf-8"))
    records[0]["history"] = ["kept"]
    data.write_text(json.dumps(records, indent=4), "utf-8")
    settings_before = (tmp_path / "environments/w/environment.yaml").read_bytes()
    file.write_text("id,name,amount,owner\nD1,One,11,\nD3,Three,30,Ana\nD4,Four,40,\n", "utf-8")
    said = answer("data", "import", "deals.csv", "--env", "w", cwd=tmp_path)
    (deals,) = said["collections"]
    assert deals["added"] == ["D4"]
    assert deals["changed"] == [{"id": "D1", "fields": ["amount"]}, {"id": "D3", "fields": ["owner"]}]
    assert (deals["missing"], deals["removed"]) == (["D2"], False)
    after = {one["id"]: one for one in json.loads(data.read_text("utf-8"))}
    assert after["D1"] == {"id": "D1", "name": "One", "amount": 11, "history": ["kept"]}
    assert data.read_text("utf-8").startswith('[\n    {\n        "id"')
    assert (tmp_path / "environments/w/environment.yaml").read_bytes() == settings_before
    answer("data", "import", "deals.csv", "--env", "w", "--remove-missing", cwd=tmp_path)
    assert [one["id"] for one in json.loads(data.read_text("utf-8"))] == ["D1", "D3", "D4"]


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    world = empty_world(tmp_path / "environments" / "w")
    (tmp_path / "deals.csv").write_text("id,name\nD1,One\n", "utf-8")
    shown = silo("data", "import", "deals.csv", "--env", "w", "--dry-run", cwd=tmp_path)
    assert "Would write data/deals.json" in shown.stdout
    assert sorted(path.name for path in world.rglob("*")) == ["environment.yaml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_an_import_that_cannot_finish_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    world = empty_world(tmp_path / "w")
    (world / "tools").mkdir()
    (tmp_path / "deals.csv").write_text("id,name\nD1,One\n", "utf-8")
    plan = plan_import(own_world(str(world)), Request(tmp_path / "deals.csv", tools=True))
    (world / "tools").chmod(0o500)
    with pytest.raises(OSError):
        plan.write()
    assert sorted(path.name for path in world.rglob("*")) == ["environment.yaml", "tools"]


def test_records_are_added_changed_and_removed_by_hand(tmp_path: Path) -> None:
    empty_world(tmp_path / "environments" / "w")
    (tmp_path / "x.json").write_text(
        json.dumps(
            {"accounts": [{"id": "A-1", "name": "One"}], "deals": [{"id": "D-1", "accountId": "A-1", "size": 3}]}
        ),
        "utf-8",
    )
    silo("data", "import", "x.json", "--env", "w", cwd=tmp_path)
    assert answer("data", "add", "deals", "accountId=A-1", "size=4", "--env", "w", cwd=tmp_path)["added"] == "D-2"
    assert answer("data", "update", "deals", "D-2", "size=5", "--env", "w", cwd=tmp_path)["record"]["size"] == 5
    for words, message in [
        (("add", "deals", "accountId=A-9"), "accounts has no record 'A-9'"),
        (("add", "deals", "sise=4"), "Did you mean 'size'?"),
        (("add", "deals", "size=big"), "'big' is not a number"),
        (("add", "deal", "size=4"), "Did you mean 'deals'?"),
        (("update", "deals", "D-9", "size=4"), "deals has no record 'D-9'"),
        (("remove", "accounts", "A-1"), "A-1 is still referred to: deals D-1 (accountId), deals D-2 (accountId)."),
        (("add", "deals", "size"), "does not say which field"),
    ]:
        refused = silo("data", *words, "--env", "w", cwd=tmp_path)
        assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
    assert silo("data", "remove", "deals", "D-1", "--env", "w", cwd=tmp_path).returncode == 0
    assert answer("data", "list", "--env", "w", cwd=tmp_path)[1]["records"] == 1
    assert answer("data", "show", "deals", "D-2", "--env", "w", cwd=tmp_path)["size"] == 5


_texts = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029"), max_size=12)
_records = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.none() | _texts,
            "size": st.none()
            | st.integers(-(10**9), 10**9)
            | st.floats(-1e6, 1e6, allow_nan=False).map(lambda one: round(one, 4)),
            "open": st.none() | st.booleans(),
            "due": st.none() | st.dates().map(str),
            "price": st.none() | st.integers(0, 10**6).map(lambda n: {"amount": n / 100, "currency": "EUR"}),
            "tags": st.none() | st.lists(_texts, max_size=3),
        }
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40, deadline=None)
@given(_records, st.sampled_from([".csv", ".xlsx"]))
def test_what_was_exported_comes_back_unchanged(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, object]], ending: str
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    world = empty_world(folder / "w")
    numbered = [{"id": f"R-{number:03}", **record} for number, record in enumerate(records, 1)]
    (folder / "things.json").write_text(json.dumps(numbered), "utf-8")
    plan_import(own_world(str(world)), Request(folder / "things.json")).write()
    spec = own_world(str(world))
    export(list(spec.collections.values()), folder / f"things{ending}", False)
    again = plan_import(own_world(str(world)), Request(folder / f"things{ending}"))
    assert again.collections[0].changed == []
    assert again.contents == {}


@pytest.mark.parametrize(
    ("text", "comma", "number", "currency"),
    [
        ("$1,234.50", False, 1234.5, "USD"),
        ("1.234,50 €", False, 1234.5, "EUR"),
        ("1 234,50", False, 1234.5, ""),
        ("(1,200)", False, -1200, ""),
        ("-3.5", False, -3.5, ""),
        ("CHF 12'000.00", False, 12000, "CHF"),
        ("1,234", True, 1.234, ""),
        ("1,234", False, 1234, ""),
        ("12a", False, None, ""),
        ("1.2.3", False, None, ""),
        ("", False, None, ""),
        ("$5 €", False, None, ""),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, comma: bool, number: float | None, currency: str) -> None:
    found = amount_of(text, comma)
    assert (None if found is None else found.number) == number
    assert found is None or found.currency == currency


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-31", "2026-01-31"),
        ("31.01.2026", "2026-01-31"),
        ("Jan 31, 2026", "2026-01-31"),
        ("Saturday, January 31st, 2026", "2026-01-31"),
        ("31 Jan 26", "2026-01-31"),
        ("31-Jan-2026", "2026-01-31"),
        ("31.1.2026 14:05", "2026-01-31T14:05:00"),
        ("2026-01-31T02:05:09Z", "2026-01-31T02:05:09"),
        ("31/01/2026 2:05 PM", "2026-01-31T14:05:00"),
        ("31.02.2026", None),
        ("soon", None),
    ],
)
def test_dates_are_read_as_people_write_them(text: str, expected: str | None) -> None:
    found = moment_of(text, True)
    assert (None if found is None else found.isoformat()) == expected


@pytest.mark.parametrize(
    ("title", "name"),
    [("Account Name", "accountName"), ("OWNER_ID", "ownerId"), ("E-Mail", "email"), ("% done", "percentDone"),
     ("Größe (cm)", "groesseCm"), ("ownerId", "ownerId"), ("2nd call", "n2ndCall"), ("Won?", "won"), ("***", "field")],
)  # fmt: skip
def test_headers_become_names_of_fields(title: str, name: str) -> None:
    assert field_name(title) == name


@pytest.mark.parametrize(
    ("ids", "form"),
    [
        (["A-001", "A-002"], "A-{:03}"),
        (["7", "12"], "{}"),
        (["0007", "0012"], "{:04}"),
        (["x", "A-1"], ""),
        (["A-1", "B-1"], ""),
    ],
)
def test_the_form_of_ids_is_read_off_them(ids: list[str], form: str) -> None:
    assert form_of_ids(ids) == form


def test_two_sheets_cannot_be_one_collection(tmp_path: Path) -> None:
    file = _book(tmp_path / "x.xlsx", {"A": [["id", "n"], ["1", "x"]], "B": [["id", "n"], ["1", "x"]]})
    with pytest.raises(UsageError, match="2 sheets, which cannot all be 'things'"):
        plan_import(own_world(str(empty_world(tmp_path / "w"))), Request(file, collection="things"))
