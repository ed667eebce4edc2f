"""Which column names a record, and which columns hold ids of other sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from silo_decl.authoring.infer import CellProblem, FieldColumn, text_of
from silo_decl.errors import UsageError, did_you_mean

_LIKE_A_KEY = re.compile(r"(id|code|sku|key|no|nr|number|ref)$", re.IGNORECASE)
_PLAIN_ID = re.compile(r"(.*?)(\d+)")
_MOST = 0.6


@dataclass
class Incoming:
    """One sheet on its way to be a collection. `key` is '' where ids are made."""

    sheet: str
    name: str
    singular: str
    fields: list[FieldColumn]
    key: str = ""
    ids: str = ""
    made_ids: bool = False

    @property
    def key_values(self) -> list[str]:
        return next(one.values for one in self.fields if one.name == self.key)


def choose_key(one: Incoming, wanted: str, problems: list[CellProblem]) -> None:
    """Find the column that names a record, or make ids; what stands in its way goes to `problems`."""
    column = _wanted(one, wanted) if wanted else _best(one)
    if column is None:
        _make_ids(one)
        return
    column.kind, column.choices = "text", []
    column.values = [None if value is None else text_of(value) for value in column.values]
    if _squeezed(column.name) in (_squeezed(f"{one.singular}id"), _squeezed(f"{one.name}id"), "id"):
        column.name = "id"
    one.key = column.name
    _complain(one, column, problems)
    one.ids = form_of_ids([value for value in column.values if value])


def _wanted(one: Incoming, wanted: str) -> FieldColumn:
    for column in one.fields:
        if _squeezed(wanted) in (_squeezed(column.name), _squeezed(column.header)):
            return column
    names = [column.name for column in one.fields]
    raise UsageError(
        f"{one.sheet} has no column '{wanted}'.{did_you_mean(wanted, names)}", f"It has: {', '.join(names)}."
    )


def _best(one: Incoming) -> FieldColumn | None:
    """The column called like a key: id, accountId in accounts, and else one such as sku that is whole and unique."""
    own = {"id", _squeezed(f"{one.singular}id"), _squeezed(f"{one.name}id")}
    named = [column for column in one.fields if _squeezed(column.name) in own]
    if named:
        return named[0]
    for column in one.fields:
        whole = all(value is not None for value in column.values)
        unique = len(set(map(str, column.values))) == len(column.values)
        if column.kind in ("text", "number") and whole and unique and column.values and _LIKE_A_KEY.search(column.name):
            return column
    return None


def _complain(one: Incoming, column: FieldColumn, problems: list[CellProblem]) -> None:
    seen: dict[str, str] = {}
    for cell, value in zip(column.cells, column.values):
        if value is None:
            message = f"This record has no {column.header}, which is what names it."
            problems.append(CellProblem(one.sheet, cell, message, "Write one, or empty the whole row."))
        elif value.casefold() in seen:
            first = seen[value.casefold()]
            message = f"'{value}' names the record in {first} already."
            fix = "Give one of them another, or name another column with --key."
            problems.append(CellProblem(one.sheet, cell, message, fix))
        else:
            seen[value.casefold()] = cell


def _make_ids(one: Incoming) -> None:
    count = len(one.fields[0].values) if one.fields else 0
    letters = re.sub(r"[^A-Z]", "", one.singular.upper())[:3] or "REC"
    width = max(3, len(str(count)))
    one.ids = f"{letters}-{{:0{width}}}"
    values = [one.ids.format(number) for number in range(1, count + 1)]
    cells = one.fields[0].cells if one.fields else []
    taken = any(column.name == "id" for column in one.fields)
    one.key, one.made_ids = "recordId" if taken else "id", True
    one.fields.insert(0, FieldColumn(one.key, "(made)", "", "text", list(values), list(cells)))


def form_of_ids(values: list[str]) -> str:
    """The form that new ids take, such as ACC-{:03}; '' where the ids have none in common."""
    hits = [_PLAIN_ID.fullmatch(value) for value in values]
    if not hits or any(hit is None for hit in hits):
        return ""
    parts = [(hit[1], hit[2]) for hit in hits if hit is not None]
    starts = {start for start, _ in parts}
    if len(starts) != 1 or "{" in parts[0][0] or "}" in parts[0][0]:
        return ""
    widths = {len(digits) for _, digits in parts}
    padded = any(digits[0] == "0" for _, digits in parts) or len(widths) == 1
    form = f"{{:0{min(widths)}}}" if padded and min(widths) > 1 else "{}"
    return f"{parts[0][0]}{form}"


def link(all_incoming: list[Incoming], existing: Mapping[str, set[str]], problems: list[CellProblem]) -> None:
    """Find columns that hold ids of a collection; ids that no record has go to `problems`.

    `existing` maps the collections that the world has already to their ids.
    """
    ids = {**existing}
    for one in all_incoming:
        ids[one.name] = ids.get(one.name, set()) | {value for value in one.key_values if value}
    singulars = {name: _singular(name) for name in ids} | {one.name: one.singular for one in all_incoming}
    for one in all_incoming:
        for column in one.fields:
            if column.name != one.key and column.kind in ("text", "number"):
                _link(one, column, ids, singulars, problems)


def _link(
    one: Incoming,
    column: FieldColumn,
    ids: Mapping[str, set[str]],
    singulars: Mapping[str, str],
    problems: list[CellProblem],
) -> None:
    values = [text_of(value) for value in column.values if value is not None]
    if not values:
        return
    name = _squeezed(column.name)
    for target in sorted(ids, key=lambda other: not _alike(name, other, singulars[other])):
        known = ids[target]
        hits = sum(value in known for value in values)
        alike = _alike(name, target, singulars[target])
        telling = any(not value.isdecimal() for value in values)
        if hits == len(values) and (alike or (telling and name.endswith(("id", "ref", "code", "by", "owner", "no")))):
            _refer(column, target)
            return
        if alike and name.endswith("id") and hits >= _MOST * len(values):
            _refer(column, target)
            for cell, value in zip(column.cells, column.values):
                if value is not None and value not in known:
                    message = f"'{value}' in '{column.header}' is no {singulars[target]}: {target} has no such id."
                    fix = f"Correct it, or empty the cell; --text {column.name} takes the column as plain text."
                    problems.append(CellProblem(one.sheet, cell, message, fix))
            return


def _refer(column: FieldColumn, target: str) -> None:
    column.kind, column.references, column.choices = "text", target, []
    column.values = [None if value is None else text_of(value) for value in column.values]


def _alike(name: str, target: str, singular: str) -> bool:
    """Whether a field is called after a collection: accountId, parentAccount, account after accounts."""
    bare = re.sub(r"(id|ref|number|no|nr|code|sku|key)$", "", name)
    return bool(bare) and (bare.endswith(_squeezed(singular)) or bare == _squeezed(target))


def _squeezed(word: str) -> str:
    return re.sub(r"[^a-z0-9]", "", word.casefold())


def _singular(name: str) -> str:
    return singular_of(name)[0]


def singular_of(name: str) -> tuple[str, bool]:
    """What one record is called, and whether that is more than the final s dropped."""
    irregular = {
        "people": "person",
        "children": "child",
        "staff": "staffMember",
        "data": "dataItem",
        "series": "series",
    }
    for many, one in irregular.items():
        if name.casefold().endswith(many):
            head = name[: len(name) - len(many)]
            return head + (one if not head else one[0].upper() + one[1:]), True
    if re.search(r"[^aeiou]ies$", name):
        return f"{name[:-3]}y", True
    if re.search(r"(ss|x|ch|sh|z)es$", name):
        return name[:-2], True
    if name.endswith("s") and not name.endswith("ss"):
        return name[:-1], False
    return name, False
