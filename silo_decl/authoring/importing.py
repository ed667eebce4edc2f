"""`silo data import`: sheets become collections, in three steps that are apart: read, plan, write.

A plan holds everything that would be written, so that it can be shown without writing; writing is all or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from silo_decl.authoring.cell_values import is_empty
from silo_decl.authoring.files import write_all
from silo_decl.authoring.infer import CellProblem, FieldColumn, Wishes, infer
from silo_decl.authoring.linking import Incoming, choose_key, form_of_ids, link, singular_of
from silo_decl.authoring.new_tools import tool_file
from silo_decl.authoring.record_files import ChangedMeanwhile, data_path, must_be_whole, with_records
from silo_decl.authoring.registration import FILE, schema_line
from silo_decl.authoring.sheet_tables import field_name, table_of
from silo_decl.authoring.sheets import Sheet, read_sheets
from silo_decl.authoring.yaml_edit import YamlText
from silo_decl.errors import SiloError, UsageError, choices, did_you_mean
from silo_decl.expressions.shapes import MONEY, Shape
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec
from silo_decl.specs.shapes import collection_shapes

Record = dict[str, Any]


class CannotImport(SiloError):
    """Cells that must be mended first; `problems` holds every one of them."""

    def __init__(self, problems: Sequence[CellProblem]):
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in problems))


@dataclass(frozen=True)
class Request:
    """What the author asks for. `wishes` hold what they decided about columns."""

    file: Path
    collection: str = ""
    sheets: tuple[str, ...] = ()
    key: str = ""
    tools: bool = False
    remove_missing: bool = False
    wishes: Wishes = field(default_factory=Wishes)


@dataclass
class Imported:
    """What happens to one collection. `records` is all of it afterwards."""

    incoming: Incoming
    new: bool
    records: list[Record]
    added: list[str] = field(default_factory=list)
    changed: list[tuple[str, list[str]]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    removed: bool = False


@dataclass
class Plan:
    """Everything that an import would write, and what there is to say about it. `before` is what was there."""

    root: Path
    collections: list[Imported]
    contents: dict[Path, bytes]
    remarks: list[str]
    before: dict[Path, bytes | None] = field(default_factory=dict)

    def write(self) -> None:
        """Write every file, or leave all as they are. Raises ChangedMeanwhile where one of them is not as it was."""
        for path, content in self.before.items():
            if _content(path) != content:
                raise ChangedMeanwhile(path)
        write_all(self.contents)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def plan_import(spec: EnvironmentSpec, request: Request) -> Plan:
    """Read the file and work out what importing it means. Raises CannotImport with every cell to be mended."""
    problems: list[CellProblem] = []
    remarks: list[str] = []
    incoming = [_incoming(spec, sheet, request, problems, remarks) for sheet in _sheets(request, remarks)]
    found = [one for one in incoming if one is not None]
    if not found and not problems:
        raise UsageError(f"'{request.file.name}' holds no table.", "A table has a row of headers and rows below it.")
    _distinct(found)
    for one in found:
        choose_key(one, request.key or _known_key(spec, one), problems)
        _no_second_key(spec, one, request)
    link(found, {name: set(_ids(other)) for name, other in spec.collections.items()}, problems)
    if problems:
        raise CannotImport(problems)
    done = [_merged(spec, one, request) for one in found]
    contents = _contents(spec, done, request, remarks)
    return Plan(spec.root, done, contents, remarks, {path: _content(path) for path in contents})


def _sheets(request: Request, remarks: list[str]) -> list[Sheet]:
    sheets = read_sheets(request.file)
    names = [sheet.name for sheet in sheets]
    for wanted in request.sheets:
        if wanted not in names:
            raise UsageError(
                f"There is no sheet '{wanted}'.{did_you_mean(wanted, names)}", f"There are: {choices(names)}."
            )
    chosen = [sheet for sheet in sheets if not request.sheets or sheet.name in request.sheets]
    filled = [sheet for sheet in chosen if sheet.records or any(any(c is not None for c in row) for row in sheet.rows)]
    for sheet in filled:
        remarks += sheet.remarks
    if request.collection and len(filled) > 1:
        listed = choices(sheet.name for sheet in filled)
        raise UsageError(
            f"'{request.file.name}' has {len(filled)} sheets, which cannot all be '{request.collection}'.",
            f"Choose one with --sheet: {listed}. Or leave --collection out.",
        )
    return filled


def _incoming(
    spec: EnvironmentSpec, sheet: Sheet, request: Request, problems: list[CellProblem], remarks: list[str]
) -> Incoming | None:
    name = request.collection or _collection_name(spec, sheet.name)
    known = spec.collections.get(name)
    singular = known.singular if known is not None else singular_of(name)[0]
    if sheet.records is not None:
        return Incoming(sheet.name, name, singular, _columns(sheet.records))
    table = table_of(sheet)
    if table is None:
        message = "No row of this sheet reads like a header, that is, a row of different words above the records."
        problems.append(CellProblem(sheet.name, "", message, "Write the names of the columns above them."))
        return None
    wishes = Wishes(request.wishes.text | _texts_of(spec, known), request.wishes.empty, request.wishes.day_first)
    fields = infer(table, wishes, problems)
    remarks += table.remarks
    if not table.size:
        remarks.append(f"{sheet.name}: there is a header, but no record below it.")
    return Incoming(sheet.name, name, singular, fields)


def _collection_name(spec: EnvironmentSpec, sheet: str) -> str:
    name = field_name(sheet)
    folded = {known.casefold(): known for known in spec.collections}
    return folded.get(name.casefold(), name)


def _columns(records: list[Record]) -> list[FieldColumn]:
    """Records that are JSON already keep their names and values."""
    names = dict.fromkeys(name for record in records for name in record)
    places = [f"record {number}" for number in range(1, len(records) + 1)]
    return [
        FieldColumn(name, name, "", _kind(records, name), [record.get(name) for record in records], list(places))
        for name in names
    ]


def _kind(records: list[Record], name: str) -> str:
    kinds = {type(record[name]) for record in records if record.get(name) is not None}
    if kinds <= {str}:
        return "text"
    if kinds <= {bool}:
        return "boolean"
    return "number" if kinds <= {int, float} else "other"


def _distinct(found: list[Incoming]) -> None:
    seen: dict[str, str] = {}
    for one in found:
        if one.name.casefold() in seen:
            first = seen[one.name.casefold()]
            raise UsageError(
                f"The sheets '{first}' and '{one.sheet}' would be one collection, {one.name}.", "Rename one."
            )
        seen[one.name.casefold()] = one.sheet


def _texts_of(spec: EnvironmentSpec, known: CollectionSpec | None) -> frozenset[str]:
    """Fields that hold texts so far go on holding them."""
    if known is None:
        return frozenset()
    fields = collection_shapes(spec)[known.name].element.fields
    return frozenset(name for name, shape in fields.items() if shape.kind == "text")


def _known_key(spec: EnvironmentSpec, one: Incoming) -> str:
    known = spec.collections.get(one.name)
    names = {column.name for column in one.fields}
    return known.key if known is not None and known.key in names else ""


def _no_second_key(spec: EnvironmentSpec, one: Incoming, request: Request) -> None:
    known = spec.collections.get(one.name)
    if known is None or not known.records:
        return
    if one.made_ids:
        fix = f"Name the column that holds their ids with --key, or give it the header '{known.key}'."
        raise UsageError(f"{one.sheet} does not say which records of {one.name} it means.", fix)
    if one.key != known.key:
        column = next(column for column in one.fields if column.name == one.key)
        column.name = one.key = known.key


def _ids(collection: CollectionSpec) -> list[str]:
    return [record[collection.key] for record in collection.records]


# Merging


def _merged(spec: EnvironmentSpec, one: Incoming, request: Request) -> Imported:
    known = spec.collections.get(one.name)
    before = {record[known.key]: dict(record) for record in known.records} if known is not None else {}
    shapes = collection_shapes(spec)[one.name].element.fields if known is not None else {}
    computed = set(known.computed) if known is not None else set()
    result = Imported(one, known is None, [])
    columns = [column for column in one.fields if column.name not in computed]
    after = dict(before)
    for place, record_id in enumerate(one.key_values):
        given = {column.name: column.values[place] for column in columns}
        if record_id not in before:
            after[record_id] = given
            result.added.append(record_id)
            continue
        changes = _changes(before[record_id], given, shapes)
        if changes:
            after[record_id] = {**before[record_id], **changes}
            result.changed.append((record_id, sorted(changes)))
    coming = set(one.key_values)
    result.missing = [record_id for record_id in before if record_id not in coming]
    if request.remove_missing and result.missing:
        result.removed = True
        after = {record_id: record for record_id, record in after.items() if record_id in coming}
    result.records = [
        record if one.key in record else {one.key: record_id, **record} for record_id, record in after.items()
    ]
    return result


def _changes(before: Record, given: Record, shapes: Mapping[str, Shape]) -> Record:
    return {
        name: value
        for name, value in ((name, _in_form(value, shapes.get(name))) for name, value in given.items())
        if not _same(before.get(name), value, name in before)
    }


def _in_form(value: Any, shape: Shape | None) -> Any:
    """Lists and objects, which a sheet can only hold as the text of their JSON."""
    if shape is None or not isinstance(value, str) or shape.kind not in ("list", "object", "map") or shape == MONEY:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _same(old: Any, new: Any, there: bool) -> bool:
    """Whether a cell says what the record holds; an empty cell says nothing of a field that is not there."""
    if new is None:
        return old is None or (isinstance(old, str) and is_empty(old)) or not there
    if isinstance(old, str) and isinstance(new, str):
        return old.strip() == new
    return bool(old == new) and isinstance(old, bool) == isinstance(new, bool)


# What is written


def _contents(spec: EnvironmentSpec, done: list[Imported], request: Request, remarks: list[str]) -> dict[Path, bytes]:
    contents: dict[Path, bytes] = {}
    text = YamlText(spec.root / FILE)
    lists_files = isinstance(text.data.get("collections"), list)
    taken = set(spec.tools)
    for one in done:
        known = spec.collections.get(one.incoming.name)
        path = data_path(spec.root, one.incoming.name, known)
        if known is not None:
            must_be_whole(spec.root, known)
        if one.added or one.changed or one.removed or not path.is_file():
            contents[path] = with_records(path, known, one.records, one.incoming.key)
        if known is None:
            _declare(spec, one.incoming, text, lists_files, contents)
        if request.tools:
            _add_tools(spec, one.incoming, text, contents, taken, remarks)
    if text.encoded() != text.before.encode():
        contents[spec.root / FILE] = text.encoded()
    return contents


def _declare(
    spec: EnvironmentSpec, one: Incoming, text: YamlText, lists_files: bool, contents: dict[Path, bytes]
) -> None:
    block = _settings(one)
    if not lists_files:
        text.add(("collections",), one.name, block)
        return
    name = f"collections/{one.name}.yaml"
    if (spec.root / name).exists():
        raise UsageError(
            f"'{name}' is there already; nothing was written.", "List it in environment.yaml, or rename it."
        )
    lines = "".join(f"    {line}\n" for line in block.splitlines())
    head = schema_line(spec.root, "collections", "collections")
    contents[spec.root / name] = f"{head}collections:\n  {one.name}:\n{lines}".encode()
    text.append(("collections",), name)


def _settings(one: Incoming) -> str:
    """What data alone cannot show: the key, the form of ids, references, choices, and fields that are empty so far."""
    singular, said = singular_of(one.name)
    lines = [f"singular: {singular}"] if said else []
    if one.key != "id":
        lines.append(f"key: {one.key}")
    ids = one.ids or form_of_ids([value for value in one.key_values if value])
    if ids:
        lines.append(f"ids: {json.dumps(ids, ensure_ascii=False)}")
    fields = []
    for column in one.fields:
        if column.name == one.key:
            continue
        if column.references:
            fields.append(f"  {column.name}: {{references: {column.references}}}")
        elif column.choices:
            listed = ", ".join(_word(choice) for choice in column.choices)
            fields.append(f"  {column.name}: {{enum: [{listed}]}}")
        elif column.example is None and column.kind in ("text", "number", "money", "boolean", "date", "datetime"):
            fields.append(f"  {column.name}: {{type: {column.kind}}}")
    return "\n".join([*lines, *(["fields:", *fields] if fields else [])])


def _word(choice: str) -> str:
    """A choice as YAML takes it: between quotes wherever it could be anything but a plain word."""
    plain = choice.replace(" ", "").replace("_", "").replace("-", "")
    safe = plain.isalpha() and choice[0].isalpha() and choice.casefold() not in ("true", "false", "null")
    return choice if safe else json.dumps(choice, ensure_ascii=False)


def _add_tools(
    spec: EnvironmentSpec,
    one: Incoming,
    text: YamlText,
    contents: dict[Path, bytes],
    taken: set[str],
    remarks: list[str],
) -> None:
    name = f"tools/{one.name}.yaml"
    if (spec.root / name).exists():
        remarks.append(f"{name} is there already, so no tools were written for {one.name}.")
        return
    made = tool_file(one, taken)
    if made is None:
        remarks.append(f"The tools for {one.name} have names that are taken, so none were written.")
        return
    contents[spec.root / name] = (schema_line(spec.root, "tools", "tool") + made).encode()
    text.append(("tools",), name)
