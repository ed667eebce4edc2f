"""A sheet as people lay it out becomes a table: where its header is, which rows are records, what fields are called."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from silo_decl.authoring.sheets import Sheet, Value, cell_name, letters

_TOTALS = re.compile(r"(grand )?(total|sum|subtotal|summe|gesamt|insgesamt)s?\b.*", re.IGNORECASE)
_UNITS = re.compile(r"\(([^)]*)\)|\bin ([€$£]|[A-Z]{3})\s*$")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_SPECIAL = {"e-mail": "email", "e-mails": "emails", "%": "percent", "#": "number", "no.": "number", "nr.": "number"}
CURRENCIES = {
    "€": "EUR",
    "$": "USD",
    "£": "GBP",
    "¥": "JPY",
    "CHF": "CHF",
    "US$": "USD",
    "EUR": "EUR",
    "USD": "USD",
    "GBP": "GBP",
    "JPY": "JPY",
    "CAD": "CAD",
    "AUD": "AUD",
    "SEK": "SEK",
    "NOK": "NOK",
    "DKK": "DKK",
    "PLN": "PLN",
    "CZK": "CZK",
    "INR": "INR",
    "BRL": "BRL",
    "MXN": "MXN",
    "ZAR": "ZAR",
    "CNY": "CNY",
}


@dataclass
class Column:
    """One column below its header. `cells` pairs a cell's name with its value, for every record in order."""

    header: str
    name: str
    letter: str
    currency: str = ""
    cells: list[tuple[str, Value]] = field(default_factory=list)


@dataclass
class Table:
    """What a sheet holds. `sheet` is its name for messages; `remarks` say what was left out or decided."""

    sheet: Sheet
    columns: list[Column]
    remarks: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.columns[0].cells) if self.columns else 0


def table_of(sheet: Sheet) -> Table | None:
    """The table in a sheet; None where it holds nothing, or no row that could be a header."""
    rows = sheet.rows
    top = _header(rows)
    if top is None:
        return None
    remarks = _above(sheet, top)
    width = max(len(row) for row in rows[top:])
    header = rows[top] + [None] * (width - len(rows[top]))
    kept = [number for number in range(top + 1, len(rows)) if any(cell is not None for cell in rows[number])]
    kept = _without_repeats(rows, kept, header, sheet.name, remarks)
    kept = _without_totals(rows, kept, header, sheet.name, remarks)
    columns = []
    used: set[str] = set()
    for place in range(width):
        cells = [(cell_name(n, place), rows[n][place] if place < len(rows[n]) else None) for n in kept]
        filled = any(value is not None or name in sheet.faults for name, value in cells)
        if header[place] is None and not filled:
            continue
        title = str(header[place]) if header[place] is not None else f"column {letters(place)}"
        if header[place] is None:
            remarks.append(
                f"{sheet.name}!{cell_name(top, place)}: this column has no header; it is called '{field_name(title)}'."
            )
        columns.append(_column(title, letters(place), cells, used, sheet.name, remarks))
    return Table(sheet, columns, remarks)


def _column(
    title: str, letter: str, cells: list[tuple[str, Value]], used: set[str], sheet: str, remarks: list[str]
) -> Column:
    currency = _currency(title)
    plain = _UNITS.sub(" ", title) if currency else title
    name = field_name(plain)
    base, number = name, 2
    while name.casefold() in used:
        name, number = f"{base}{number}", number + 1
    if name != base:
        remarks.append(f"{sheet}: two columns are called '{title}'; the one in {letter} becomes '{name}'.")
    used.add(name.casefold())
    return Column(title, name, letter, currency, cells)


def _currency(title: str) -> str:
    hit = _UNITS.search(title)
    return CURRENCIES.get((hit[1] or hit[2] or "").strip(), "") if hit else ""


def field_name(title: str) -> str:
    """What a field is called by its header: 'Account Name' is accountName, 'OWNER_ID' ownerId, 'E-Mail' email."""
    text = " ".join(_SPECIAL.get(word.casefold(), word) for word in title.translate(_GERMAN).split())
    text = (
        re.sub(r"(?i)e-mail", "email", text)
        .replace("%", " percent ")
        .replace("#", " number ")
        .replace("'", "")
        .replace("’", "")
    )
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    spread = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", plain)
    words = re.findall(r"[A-Za-z0-9]+", spread)
    if not words:
        return "field"
    name = words[0].lower() + "".join(word[0].upper() + word[1:].lower() for word in words[1:])
    return name if not name[0].isdigit() else f"n{name}"


def _header(rows: list[list[Value]]) -> int | None:
    """The first row that reads like one: texts over most of the width."""
    if not rows:
        return None
    filled = [sum(cell is not None for cell in row) for row in rows]
    widest = max(filled)
    if widest == 0:
        return None
    for number, row in enumerate(rows[:50]):
        cells = [cell for cell in row if cell is not None]
        texts = [cell for cell in cells if isinstance(cell, str) and not re.fullmatch(r"[-+\d.,%\s€$£]+", cell)]
        enough = len(cells) >= max(2, 0.6 * widest) if widest > 1 else len(cells) == 1
        if enough and len(texts) == len(cells) and len(set(texts)) >= 0.8 * len(texts):
            return number
    return None


def _above(sheet: Sheet, top: int) -> list[str]:
    said = [str(cell) for row in sheet.rows[:top] for cell in row if cell is not None]
    if not said:
        return []
    shown = said[0] if len(said[0]) <= 40 else said[0][:39] + "…"
    return [f"{sheet.name}: what stands above the header in row {top + 1} ('{shown}') was left out."]


def _without_repeats(
    rows: list[list[Value]], kept: list[int], header: list[Value], sheet: str, remarks: list[str]
) -> list[int]:
    again = [number for number in kept if [*rows[number], *[None] * (len(header) - len(rows[number]))] == header]
    if again:
        remarks.append(f"{sheet}: the header stands again in {_rows(again)}, which was left out.")
    return [number for number in kept if number not in again]


def _without_totals(
    rows: list[list[Value]], kept: list[int], header: list[Value], sheet: str, remarks: list[str]
) -> list[int]:
    """Rows at the end that add up what is above them."""
    while kept:
        cells = [cell for cell in rows[kept[-1]] if cell is not None]
        first = cells[0]
        short = len(cells) <= max(1, sum(one is not None for one in header) // 2)
        if not (short and isinstance(first, str) and _TOTALS.fullmatch(first.rstrip(":"))):
            return kept
        remarks.append(f"{sheet}: row {kept[-1] + 1} ('{first}') adds up others and was left out.")
        kept = kept[:-1]
    return kept


def _rows(numbers: list[int]) -> str:
    shown = ", ".join(str(number + 1) for number in numbers[:5])
    return f"row {shown}" if len(numbers) == 1 else f"rows {shown}"
