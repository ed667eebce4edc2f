"""`silo data export`: collections as CSV or XLSX, in a form that importing again takes back unchanged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from silo_decl.authoring.files import write_bytes
from silo_decl.errors import UsageError
from silo_decl.specs.environment import CollectionSpec

_NAME_LENGTH = 31


def export(collections: Sequence[CollectionSpec], target: Path, overwrite: bool) -> int:
    """Write the collections to a file, by its ending; gives how many records. Raises UsageError."""
    if target.exists() and not overwrite:
        raise UsageError(
            f"'{target}' is there already; nothing was written.", "Choose another name, or add --overwrite."
        )
    ending = target.suffix.lower()
    if ending in (".csv", ".tsv"):
        if len(collections) != 1:
            raise UsageError(f"A {ending} file holds one collection.", "Name one, or export to .xlsx.")
        write_bytes(target, _csv(collections[0], "\t" if ending == ".tsv" else ","))
    elif ending == ".xlsx":
        write_bytes(target, _xlsx(collections))
    else:
        raise UsageError(f"'{target.name}' is of a kind that cannot be written.", "Use .csv, .tsv or .xlsx.")
    return sum(len(one.records) for one in collections)


def _headers(collection: CollectionSpec) -> list[str]:
    names = dict.fromkeys([collection.key, *(name for record in collection.records for name in record)])
    return [*names, *(name for name in collection.fields if "." not in name and name not in names)]


def _csv(collection: CollectionSpec, delimiter: str) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    headers = _headers(collection)
    writer.writerow(headers)
    for record in collection.records:
        writer.writerow([_text(record.get(name)) for name in headers])
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict) and set(value) == {"amount", "currency"} and value["amount"] is not None:
        return f"{_text(value['amount'])} {value['currency'] or ''}".strip()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


def _xlsx(collections: Sequence[CollectionSpec]) -> bytes:
    try:
        from openpyxl import Workbook
        from openpyxl.styles import Font
    except ImportError:
        raise UsageError("Writing .xlsx needs one more library.", "Run: pip install 'silo-decl[xlsx]'") from None
    book = Workbook()
    book.remove(book.active)
    for collection in collections:
        sheet = book.create_sheet(collection.name[:_NAME_LENGTH])
        headers = _headers(collection)
        sheet.append(headers)
        for cell in sheet[1]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for record in collection.records:
            sheet.append([_cell(record.get(name)) for name in headers])
        for row in sheet.iter_rows(min_row=2):
            for cell in row:
                if isinstance(cell.value, str):
                    cell.data_type = "s"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _cell(value: Any) -> Any:
    """Numbers and yes or no as they are; everything else as text, so that nothing is read as a formula or a date."""
    if isinstance(value, bool) or (isinstance(value, (int, float)) and abs(value) < 10**15):
        return value
    return _text(value) or None
