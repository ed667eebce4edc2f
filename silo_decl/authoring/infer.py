"""What a column holds, decided by all of its cells together, and its values in that form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from silo_decl.authoring.cell_values import (
    amount_of,
    is_code,
    is_empty,
    is_grouped,
    moment_of,
    numeric_date_parts,
    truth_of,
)
from silo_decl.authoring.sheet_tables import Column, Table

KINDS = ("text", "number", "money", "boolean", "date", "datetime")
_MOST = 0.8
_FEWEST = 4
_MOST_CHOICES = 8


@dataclass
class CellProblem:
    """Something wrong in one cell, for its author."""

    sheet: str
    cell: str
    message: str
    fix: str

    @property
    def place(self) -> str:
        return f"{self.sheet}!{self.cell}" if self.cell else self.sheet

    def __str__(self) -> str:
        return f"{self.place}: {self.message}\n  Fix: {self.fix}"


@dataclass
class FieldColumn:
    """A column with everything known about it. `values` are as JSON holds them, one for each record."""

    name: str
    header: str
    letter: str
    kind: str
    values: list[Any]
    cells: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    references: str = ""

    @property
    def empty(self) -> int:
        return sum(value is None for value in self.values)

    @property
    def example(self) -> Any:
        return next((value for value in self.values if value is not None), None)


@dataclass(frozen=True)
class Wishes:
    """What the author decided: fields that stay text, words that mean nothing, how 3/4/2026 is meant."""

    text: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()
    day_first: bool | None = None


def infer(table: Table, wishes: Wishes, problems: list[CellProblem]) -> list[FieldColumn]:
    """Every column of a table. Cells that do not fit theirs go to `problems`."""
    found = []
    for column in table.columns:
        for cell, said in table.sheet.faults.items():
            if cell in {name for name, _ in column.cells}:
                problems.append(
                    CellProblem(table.sheet.name, cell, f"This cell {said}.", "Mend the formula, or empty the cell.")
                )
        found.append(_Inferring(table, column, wishes, problems).field())
    return found


class _Inferring:
    def __init__(self, table: Table, column: Column, wishes: Wishes, problems: list[CellProblem]):
        self.table = table
        self.sheet = table.sheet
        self.column = column
        self.wishes = wishes
        self.problems = problems
        self.cells = [(cell, None if self._nothing(value) else value) for cell, value in column.cells]
        self.given = [(cell, value) for cell, value in self.cells if value is not None]

    def _nothing(self, value: Any) -> bool:
        return is_empty(value) or (isinstance(value, str) and value.strip().casefold() in self.wishes.empty)

    def field(self) -> FieldColumn:
        kind, values = self._decided()
        made = FieldColumn(
            self.column.name, self.column.header, self.column.letter, kind, values, [cell for cell, _ in self.cells]
        )
        if kind == "text":
            made.choices = _choices([value for value in values if value is not None])
            self._spellings(made)
        return made

    def _decided(self) -> tuple[str, list[Any]]:
        if self.column.name in self.wishes.text or not self.given:
            return "text", self._texts()
        if all(truth_of(value) is not None for _, value in self.given):
            return self._truths()
        if any(is_code(value) for _, value in self.given):
            return "text", self._texts()
        for reader in (self._numbers, self._dates):
            made = reader()
            if made is not None:
                return made
        return "text", self._texts()

    def _texts(self) -> list[Any]:
        return [None if value is None else text_of(value) for _, value in self.cells]

    def _truths(self) -> tuple[str, list[Any]]:
        """Where only yes is ever written, as with a cross, an empty cell means no."""
        values = [None if value is None else truth_of(value) for _, value in self.cells]
        if set(values) == {True, None} and all(str(value).casefold() in ("x", "✓", "✔") for _, value in self.given):
            values = [value is True for value in values]
        return "boolean", values

    # Numbers and money

    def _numbers(self) -> tuple[str, list[Any]] | None:
        comma = self._decimal_comma()
        found = {cell: amount_of(value, comma) for cell, value in self.given}
        if not self._mostly("a number", lambda cell: found[cell] is not None):
            return None
        amounts = [one for one in found.values() if one is not None]
        currencies = Counter(one.currency for one in amounts if one.currency)
        if not currencies and not self.column.currency:
            return "number", [None if value is None else _number(found[cell]) for cell, value in self.cells]
        usual = self.column.currency or currencies.most_common(1)[0][0]
        bare = sum(not one.currency for one in amounts)
        if bare and currencies and not self.column.currency:
            self._remark(f"{bare} amounts without a currency are taken as {usual}")
        values = []
        for cell, value in self.cells:
            one = found.get(cell)
            values.append(
                {"amount": one.number, "currency": one.currency or usual} if value is not None and one else None
            )
        return "money", values

    def _decimal_comma(self) -> bool:
        texts = [value for _, value in self.given if isinstance(value, str)]
        numeric = [
            value for value in texts if amount_of(value, True) is not None or amount_of(value, False) is not None
        ]
        for value in numeric:
            plain = "".join(letter for letter in value if letter.isdigit() or letter in ",.")
            if is_grouped(plain) or ("," not in plain and "." not in plain):
                continue
            return plain.rfind(",") > plain.rfind(".")
        decided = bool(self.sheet.decimal_comma)
        grouped = [
            value for value in numeric if is_grouped("".join(one for one in value if one.isdigit() or one in ",."))
        ]
        single = [value for value in grouped if value.count(",") + value.count(".") == 1]
        if single and len(single) == len(grouped):
            thousands = "." if decided else ","
            if all(thousands in value for value in single):
                self._remark(f"numbers such as {single[0]} are read with '{thousands}' between thousands")
            else:
                self._remark(f"numbers such as {single[0]} are read as decimals")
        return decided

    # Dates

    def _dates(self) -> tuple[str, list[Any]] | None:
        day_first = self._day_first()
        found = {cell: moment_of(value, day_first) for cell, value in self.given}
        if not self._mostly("a date", lambda cell: found[cell] is not None):
            return None
        moments = [one for one in found.values() if one is not None]
        kind = "datetime" if any(isinstance(one, datetime) for one in moments) else "date"
        return kind, [_iso(found.get(cell), kind) if value is not None else None for cell, value in self.cells]

    def _day_first(self) -> bool:
        """Told by a day above 12, else by points, else by the file, else by the author."""
        parts = [one for one in (numeric_date_parts(value) for _, value in self.given) if one is not None]
        if any(first > 12 for first, _, _ in parts):
            return True
        if any(second > 12 for _, second, _ in parts):
            return False
        if any(mark == "." for _, _, mark in parts):
            return True
        decided = self.wishes.day_first if self.wishes.day_first is not None else bool(self.sheet.day_first)
        if parts and self.wishes.day_first is None:
            order, other = ("day", "month-first") if decided else ("month", "day-first")
            sample = next(value for _, value in self.given if numeric_date_parts(value))
            self._remark(
                f"dates such as {sample} are read with the {order} first; --dates {other} reads them the other way"
            )
        return decided

    # What all of them share

    def _mostly(self, what: str, fits: Callable[[str], bool]) -> bool:
        """Whether the column is of this sort; the few cells of another sort are told."""
        odd = [(cell, value) for cell, value in self.given if not fits(cell)]
        right = len(self.given) - len(odd)
        if not odd:
            return True
        if right < _FEWEST or right < _MOST * len(self.given):
            return False
        for cell, value in odd:
            message = f"'{text_of(value)}' is not {what}, as the other cells of '{self.column.header}' are."
            fix = f"Correct the cell or empty it; --text {self.column.name} keeps the whole column as text"
            fix += f", --empty '{text_of(value)}' takes the word as nothing."
            self.problems.append(CellProblem(self.sheet.name, cell, message, fix))
        return True

    def _spellings(self, made: FieldColumn) -> None:
        if not made.choices:
            return
        folded: dict[str, list[str]] = {}
        for choice in made.choices:
            folded.setdefault(choice.casefold(), []).append(choice)
        for spelt in folded.values():
            if len(spelt) > 1:
                shown = " and ".join(f"'{one}'" for one in spelt)
                self._remark(f"{shown} differ only in large and small letters")

    def _remark(self, text: str) -> None:
        self.table.remarks.append(f"{self.sheet.name}, column {self.column.letter} ({self.column.header}): {text}.")


def _number(amount: Any) -> Any:
    return None if amount is None else amount.number


def _iso(moment: date | datetime | None, kind: str) -> str | None:
    if moment is None:
        return None
    if kind == "date":
        return moment.isoformat()[:10]
    whole = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day)
    return whole.isoformat(timespec="seconds")


def text_of(value: Any) -> str:
    """A cell's value as the text that people see."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return format(value, ".15g")
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return str(value)


def _choices(values: list[str]) -> list[str]:
    """The few words that a column repeats, in order of first use; nothing where it holds free texts."""
    distinct = list(dict.fromkeys(values))
    few = 1 < len(distinct) <= _MOST_CHOICES and len(values) >= max(6, 2 * len(distinct))
    return distinct if few and all(len(one) <= 30 and len(one.split()) <= 3 for one in distinct) else []
