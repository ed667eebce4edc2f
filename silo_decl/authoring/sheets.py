"""Reading what people keep in files: CSV, TSV, XLSX, JSON and JSON Lines become sheets of cells with their places."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from silo_decl.authoring.sheet_faults import faults_of
from silo_decl.errors import SiloError, UsageError

Value = Any
"""A text, a number, true or false, a date, a moment, or None for an empty cell."""

MOST_BYTES = 200 * 2**20
_DELIMITERS = ",;\t|"
_SAMPLE = 200


class CannotRead(SiloError):
    """A file that is no table, said with what to do."""


@dataclass
class Sheet:
    """Rows of cells as they stand in one sheet; the first row is row 1.

    `faults` maps a cell such as C7 to what is wrong with it; `remarks` are sentences for the author.
    `records` holds what is there already as records (JSON), and then `rows` is empty. `day_first` says how a date such
    as 3/4/2026 is meant, where the file itself tells; `decimal_comma` the same for 1,234.
    """

    name: str
    rows: list[list[Value]] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    records: list[dict[str, Any]] | None = None
    day_first: bool | None = None
    decimal_comma: bool | None = None


def read_sheets(path: Path) -> list[Sheet]:
    """Every sheet of a file, by its ending. Raises CannotRead and UsageError."""
    if not path.is_file():
        raise UsageError(f"There is no file '{path}'.", "Name a .csv, .tsv, .xlsx, .json or .jsonl file.")
    if path.stat().st_size > MOST_BYTES:
        raise CannotRead(f"{path} has more than {MOST_BYTES // 2**20} MB. Split it, or import a part of it.")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UsageError(
            f"'{path.name}' is of a kind that cannot be imported.", f"Save it as one of: {', '.join(_READERS)}."
        )
    return reader(path)


def cell_name(row: int, column: int) -> str:
    """What a spreadsheet calls the cell at these places, counted from 0: (6, 2) is C7."""
    return f"{letters(column)}{row + 1}"


def letters(column: int) -> str:
    """The letters above a column, counted from 0."""
    word = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        word = chr(65 + rest) + word
    return word


# Texts with a delimiter


def _csv(path: Path) -> list[Sheet]:
    text, encoding = _decoded(path.read_bytes(), path)
    remarks = [f"{path.name} is not UTF-8; it was read as Windows-1252."] if encoding == "cp1252" else []
    first, _, rest = text.partition("\n")
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ""
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:
        delimiter, text = first.strip()[4], rest
    delimiter = delimiter or _delimiter(text)
    rows = [[_text(cell) for cell in row] for row in _parsed(text, delimiter, path)]
    comma = True if delimiter == ";" else None
    return [Sheet(path.stem, rows, remarks=remarks, day_first=comma, decimal_comma=comma)]


def _decoded(content: bytes, path: Path) -> tuple[str, str]:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(mark):
            return content.decode(encoding, "replace"), encoding
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), "cp1252"
    if "\0" in text:
        raise CannotRead(f"{path} is not a text. Save it again as CSV, or give the spreadsheet itself.")
    return text, "utf-8"


def _text(cell: str) -> Value:
    kept = cell.strip()
    return kept or None


def _parsed(text: str, delimiter: str, path: Path) -> list[list[str]]:
    csv.field_size_limit(MOST_BYTES)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as wrong:
        raise CannotRead(f"{path} cannot be read as a table: {wrong}.") from None


def _delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the same number of cells most often."""
    sample = "\n".join(text.splitlines()[:_SAMPLE])

    def quality(delimiter: str) -> tuple[float, int]:
        try:
            counts = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if any(row)]
        except csv.Error:
            return 0.0, 0
        wide = [count for count in counts if count > 1]
        if not wide:
            return 0.0, 0
        usual = max(set(wide), key=wide.count)
        return wide.count(usual) / len(counts), usual

    return max(_DELIMITERS, key=quality)


# Spreadsheets


def _xlsx(path: Path) -> list[Sheet]:
    try:
        book = CalamineWorkbook.from_path(str(path))
        faults = faults_of(path) if path.suffix.lower() in (".xlsx", ".xlsm") else {}
        found = []
        for about in book.sheets_metadata:
            if about.typ != SheetTypeEnum.WorkSheet:
                continue
            rows = book.get_sheet_by_name(about.name).to_python(skip_empty_area=False)
            sheet = Sheet(about.name, [[_cell(value) for value in row] for row in rows], faults.get(about.name, {}))
            if about.visible != SheetVisibleEnum.Visible:
                sheet.remarks.append(f"{about.name} is a hidden sheet.")
            found.append(sheet)
        return found
    except (CalamineError, OSError, ValueError) as wrong:
        raise CannotRead(f"{path} cannot be read as a spreadsheet: {wrong}. Open it and save it again.") from None


def _cell(value: Any) -> Value:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, time):
        return value.strftime("%H:%M") if not value.second else value.strftime("%H:%M:%S")
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, datetime) and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return value.date()
    return value


# JSON


def _json(path: Path) -> list[Sheet]:
    text, _ = _decoded(path.read_bytes(), path)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise CannotRead(f"{path} is no JSON: {wrong}") from None
    if isinstance(data, list):
        return [Sheet(path.stem, records=_records(data, path))]
    if isinstance(data, dict) and data and all(isinstance(one, list) for one in data.values()):
        return [Sheet(name, records=_records(rows, path)) for name, rows in data.items()]
    if isinstance(data, dict) and data and all(isinstance(one, dict) for one in data.values()):
        return [Sheet(path.stem, records=[{"id": key, **one} for key, one in data.items()])]
    raise CannotRead(f"{path} holds no list of records. Write [{{…}}, {{…}}], or an object of such lists.")


def _jsonl(path: Path) -> list[Sheet]:
    text, _ = _decoded(path.read_bytes(), path)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError) as wrong:
                raise CannotRead(f"{path}, line {number}, is no JSON: {wrong}") from None
    return [Sheet(path.stem, records=_records(found, path))]


def _records(rows: Sequence[Any], path: Path) -> list[dict[str, Any]]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise CannotRead(f"{path}: item {number} is no record, that is, no {{…}}.")
    return list(rows)


_READERS = {
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _csv,
    ".xlsx": _xlsx,
    ".xlsm": _xlsx,
    ".xls": _xlsx,
    ".ods": _xlsx,
    ".json": _json,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
}
