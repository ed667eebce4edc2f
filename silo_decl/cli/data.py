"""`silo data …`: facts in and out of a world, shown as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from silo_decl.authoring.exporting import export
from silo_decl.authoring.importing import CannotImport, Imported, Plan, Request, plan_import
from silo_decl.authoring.infer import FieldColumn
from silo_decl.authoring.own_world import own_world
from silo_decl.authoring.records import add_record, collection_named, record_of, remove_record, update_record
from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import Screen, counted, out, print_json, table
from silo_decl.engine.environment import check
from silo_decl.errors import ProblemsFound
from silo_decl.specs.environment import EnvironmentSpec
from silo_decl.specs.find import find_environment
from silo_decl.specs.load import load_environment

_SHOWN = 60


@dataclass(frozen=True)
class Choices:
    """How an import is told and whether it is done."""

    dry_run: bool
    json: bool


def import_file(env: str, request: Request, choices: Choices) -> None:
    """Show what was found, write it, and say what the world makes of it."""
    spec = own_world(env)
    try:
        plan = plan_import(spec, request)
    except CannotImport as stopped:
        _tell_problems(stopped, choices.json)
        raise Failed from None
    if not choices.dry_run:
        plan.write()
    if choices.json:
        print_json(_facts(plan, choices.dry_run))
        return
    _tell(plan, choices.dry_run, out())
    if not choices.dry_run:
        print(f"\n{spec.root.name}: {counted([one for one in check(spec.root) if one.level != 'note'])}")
        print(f"Next: silo validate --env {env}")


def _tell_problems(stopped: CannotImport, as_json: bool) -> None:
    if as_json:
        problems = [
            {"sheet": one.sheet, "cell": one.cell, "message": one.message, "fix": one.fix} for one in stopped.problems
        ]
        print_json({"ok": False, "problems": problems})
        return
    for one in stopped.problems[:_SHOWN]:
        print(one)
    more = len(stopped.problems) - _SHOWN
    if more > 0:
        print(f"and {more} more")
    count = len(stopped.problems)
    print(f"{count} cell{'' if count == 1 else 's'} to mend. Nothing was written.")


def _tell(plan: Plan, dry_run: bool, screen: Screen) -> None:
    for one in plan.collections:
        incoming = one.incoming
        how = "ids were made" if incoming.made_ids else f"key: {incoming.key}"
        head = f"{incoming.sheet} → {incoming.name}: {len(incoming.key_values)} records, {how}"
        print(screen.styled(head, "bold"))
        rows = [_row(column) for column in incoming.fields]
        print(table(rows, ["field", "column", "type", "example", "empty"], screen, right=[4]))
        print(f"  {_outcome(one)}\n")
    for remark in plan.remarks:
        print(f"Remark: {remark}")
    verb = "Would write" if dry_run else "Wrote"
    for path in plan.contents:
        print(f"{verb} {path.relative_to(plan.root).as_posix()}")
    if not plan.contents:
        print("Everything is as it was.")


def _row(column: FieldColumn) -> list[str]:
    kind = f"id of {column.references}" if column.references else column.kind
    if column.choices:
        kind = f"one of: {', '.join(column.choices)}"
    where = f"{column.letter} {column.header}".strip()
    return [column.name, where, kind, _shown(column.example), str(column.empty or "")]


def _outcome(one: Imported) -> str:
    words = [f"{len(one.added)} added"]
    if not one.new:
        words += [f"{len(one.changed)} changed", f"{len(one.missing)} missing"]
    said = ", ".join(words)
    if one.missing:
        named = ", ".join(one.missing[:5]) + ("…" if len(one.missing) > 5 else "")
        said += f" ({named}): {'removed' if one.removed else 'kept; --remove-missing takes them out'}"
    return said + "."


def _facts(plan: Plan, dry_run: bool) -> dict[str, Any]:
    return {
        "ok": True,
        "written": [] if dry_run else [path.relative_to(plan.root).as_posix() for path in plan.contents],
        "remarks": plan.remarks,
        "collections": [_collection_facts(one) for one in plan.collections],
    }


def _collection_facts(one: Imported) -> dict[str, Any]:
    incoming = one.incoming
    fields = [
        {
            "name": column.name,
            "column": column.header,
            "type": column.kind,
            "example": column.example,
            "empty": column.empty,
            "references": column.references or None,
            "choices": column.choices,
        }
        for column in incoming.fields
    ]
    return {
        "name": incoming.name,
        "sheet": incoming.sheet,
        "key": incoming.key,
        "madeIds": incoming.made_ids,
        "ids": incoming.ids,
        "fields": fields,
        "records": len(incoming.key_values),
        "added": one.added,
        "changed": [{"id": record_id, "fields": names} for record_id, names in one.changed],
        "missing": one.missing,
        "removed": one.removed,
    }


def list_collections(env: str, as_json: bool) -> None:
    """Every collection with how many records it has and where they are."""
    spec = _any_world(env)
    facts = [
        {"name": one.name, "records": len(one.records), "key": one.key, "ids": one.ids, "file": one.data_file}
        for one in spec.collections.values()
    ]
    if as_json:
        print_json(facts)
        return
    rows = [[str(fact[key]) for key in ("name", "records", "key", "ids", "file")] for fact in facts]
    print(table(rows, ["collection", "records", "key", "ids", "file"], out(), right=[1]))


def show(env: str, name: str, record_id: str, limit: int, offset: int, as_json: bool) -> None:
    """One record, or a page of a collection."""
    collection = collection_named(_any_world(env), name)
    if record_id:
        record = record_of(collection, record_id)
        if as_json:
            print_json(record)
        else:
            print(table([[field, _shown(value, 200)] for field, value in record.items()], ["field", "value"], out()))
        return
    page = list(collection.records[offset : offset + limit])
    if as_json:
        print_json({"total": len(collection.records), "offset": offset, "records": page})
        return
    headers = list(dict.fromkeys(field for record in page for field in record))
    print(table([[_shown(record.get(field)) for field in headers] for record in page], headers, out()))
    print(f"{len(page)} of {len(collection.records)} records.")


def add(env: str, name: str, given: Sequence[str], as_json: bool) -> None:
    spec = own_world(env)
    made = add_record(spec, collection_named(spec, name), given)
    _done(spec, {"added": made, "collection": name}, f"Added {made} to {name}.", as_json)


def update(env: str, name: str, record_id: str, given: Sequence[str], as_json: bool) -> None:
    spec = own_world(env)
    record = update_record(spec, collection_named(spec, name), record_id, given)
    _done(spec, {"changed": record_id, "record": record}, f"Changed {record_id}.", as_json)


def remove(env: str, name: str, record_id: str, force: bool, as_json: bool) -> None:
    spec = own_world(env)
    uses = remove_record(spec, collection_named(spec, name), record_id, force)
    said = f"Removed {record_id} from {name}." + (f" Still referred to: {', '.join(uses[:5])}." if uses else "")
    _done(spec, {"removed": record_id, "stillReferredTo": uses}, said, as_json)


def export_file(env: str, names: Sequence[str], target: Path, overwrite: bool, as_json: bool) -> None:
    spec = _any_world(env)
    chosen = [collection_named(spec, name) for name in names] or list(spec.collections.values())
    count = export(chosen, target, overwrite)
    if as_json:
        print_json({"written": target.as_posix(), "records": count, "collections": [one.name for one in chosen]})
    else:
        print(f"Wrote {count} records of {', '.join(one.name for one in chosen)} to {target}.")


def _any_world(env: str) -> EnvironmentSpec:
    spec, problems = load_environment(find_environment(env))
    if spec is None:
        raise ProblemsFound([problem for problem in problems if problem.level == "error"])
    return spec


def _done(spec: EnvironmentSpec, facts: dict[str, Any], said: str, as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    print(said)
    problems = [one for one in check(spec.root) if one.level == "error"]
    if problems:
        print(f"The world has {counted(problems)} now: silo validate --env {spec.root.name}")


def _shown(value: Any, most: int = 40) -> str:
    if value is None:
        return ""
    if isinstance(value, dict) and set(value) == {"amount", "currency"}:
        value = f"{value['amount']} {value['currency'] or ''}".strip()
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
