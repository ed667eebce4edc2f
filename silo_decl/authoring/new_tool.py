"""`silo new tool`: a stub of the wanted kind that already fits its collection, registered in environment.yaml."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from silo_decl.authoring.naming import TOOL
from silo_decl.authoring.registration import add_files, schema_line
from silo_decl.authoring.rendering import rendered
from silo_decl.errors import UsageError, choices, did_you_mean
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec
from silo_decl.specs.shapes import collection_shapes
from silo_decl.specs.tool import TOOL_KINDS

MOST_FILTERS = 4
MOST_FIELDS = 6


def new_tool(spec: EnvironmentSpec, name: str, kind: str, collection: str = "") -> list[Path]:
    """Write `tools/NAME.yaml` (and a hook, for an action) and list it; gives the new files.

    The collection is read off the name where it is not given. Raises UsageError for an unknown kind or
    collection, and for a name that is unsafe or taken.
    """
    if kind not in TOOL_KINDS:
        raise UsageError(f"There is no kind of tool '{kind}'.{did_you_mean(kind, TOOL_KINDS)}", choices(TOOL_KINDS))
    files = [path.stem for path in (spec.root / "tools").glob("*.yaml")]
    TOOL.check(name, [*spec.tools, *files])
    values = _values(spec, name, kind, _collection(spec, name, collection))
    with tempfile.TemporaryDirectory(prefix="silo-new-") as scratch:
        made = rendered(f"tool-{kind}", values, Path(scratch))
    return add_files(spec.root, made, (f"tools/{name}.yaml",))


def _collection(spec: EnvironmentSpec, name: str, wanted: str) -> CollectionSpec:
    known = spec.collections
    if wanted:
        if wanted not in known:
            raise UsageError(
                f"There is no collection '{wanted}'.{did_you_mean(wanted, known)}", f"Known: {choices(known)}."
            )
        return known[wanted]
    squeezed = _squeezed(name)
    hits = [one for one in known.values() if _squeezed(one.name) in squeezed or _squeezed(one.singular) in squeezed]
    if hits:
        return max(hits, key=lambda one: len(one.singular))
    if len(known) == 1:
        return next(iter(known.values()))
    if not known:
        raise UsageError("There is no collection yet.", "Import one with 'silo data import', or write its data file.")
    raise UsageError(f"The name '{name}' does not tell its collection.", f"Add --collection: {choices(known)}.")


def _squeezed(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _values(spec: EnvironmentSpec, name: str, kind: str, collection: CollectionSpec) -> Mapping[str, str]:
    fields = collection_shapes(spec)[collection.name].element.fields
    plain = _safe_word(name)
    return {
        "name": name,
        "collection": collection.name,
        "singular": _safe_word(collection.singular),
        "singular_words": _words(collection.singular),
        "key": collection.key,
        "description": _description(kind, collection),
        "schema_line": schema_line(spec.root, "tools", "tool"),
        "filters": _block("filters", _filters(collection, fields)),
        "search_in": ", ".join(_searched(collection, fields)),
        "groups": _groups(_chosen(collection, fields)),
        "inputs": _inputs(collection, fields),
        "changes": _changes(collection, fields),
        "module": plain,
        "function": plain,
    }


def _safe_word(name: str) -> str:
    return name.replace("-", "_").replace(".", "_")


def _words(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().replace("_", " ")


def _description(kind: str, collection: CollectionSpec) -> str:
    many, one = _words(collection.name), _words(collection.singular)
    a = "an" if one[:1] in "aeio" else "a"
    return {
        "list": f"List {many}. Use this to browse them, or to find the ids that other tools ask for.",
        "get": f"Get one {one} by its id. Use this once the id is known.",
        "search": f"Find {many} by words in them. Use this when the id is not known.",
        "summarize": f"Count {many} in groups. Use this for numbers over many of them.",
        "query": f"Look up what is known about one {one}. Use this when the plain get is not enough.",
        "create": f"Create a new {one}. Use this only when there is none for the purpose yet.",
        "update": f"Change {a} {one}. Use this once its id is known and the change was asked for.",
        "delete": f"Remove {a} {one}. Use this only when it was asked for; it cannot be undone.",
        "action": f"Say what this does to {a} {one}, when to use it, and what must be true first.",
    }[kind]


def _stored(collection: CollectionSpec, fields: Mapping[str, Shape]) -> Iterator[tuple[str, Shape]]:
    for path, shape in fields.items():
        if path != collection.key and path not in collection.computed and _plain_name(path):
            yield path, shape


def _plain_name(path: str) -> bool:
    return path.isidentifier()


def _reference(collection: CollectionSpec, path: str) -> str:
    spec = collection.fields.get(path)
    return spec.references.collection if spec is not None and spec.references is not None else ""


def _chosen(collection: CollectionSpec, fields: Mapping[str, Shape]) -> list[str]:
    """Fields that hold one of a few values, or an id of another collection."""
    return [
        path
        for path, shape in _stored(collection, fields)
        if _reference(collection, path) or shape.choices or shape.kind == "boolean"
    ]


def _filters(collection: CollectionSpec, fields: Mapping[str, Shape]) -> list[str]:
    chosen = _chosen(collection, fields)[:MOST_FILTERS]
    return [f"{path}: Only {_words(collection.name)} with this {_words(path)}." for path in chosen]


def _searched(collection: CollectionSpec, fields: Mapping[str, Shape]) -> list[str]:
    texts = [
        path
        for path, shape in _stored(collection, fields)
        if shape.kind == "text" and not shape.choices and not _reference(collection, path)
    ]
    return [collection.key, *texts[: MOST_FIELDS - 1]]


def _groups(chosen: list[str]) -> str:
    if not chosen:
        return ""
    path = chosen[0]
    name = f"by{path[0].upper()}{path[1:]}"
    lines = ["groups:", f"  {name}:", f"    by: {{{path}: {path}}}", "    measures:", "      count: count"]
    return _indented(lines, 6)


def _inputs(collection: CollectionSpec, fields: Mapping[str, Shape]) -> str:
    lines: list[str] = []
    for path, shape in list(_stored(collection, fields))[:MOST_FIELDS]:
        kind = _parameter_type(shape, _reference(collection, path))
        if kind:
            lines += [f"{path}:", *(f"  {one}" for one in kind), f"  description: The {_words(path)}."]
    if not lines:
        lines = ["name:", "  type: text", "  description: What it is called."]
    return _indented(lines, 8)


def _parameter_type(shape: Shape, reference: str) -> list[str]:
    if reference:
        return [f"references: {reference}", *(["required: false"] if shape.nullable else [])]
    if shape.kind not in ("text", "number", "boolean", "date", "datetime"):
        return []
    return [f"type: {shape.kind}", *(["required: false"] if shape.nullable else [])]


def _changes(collection: CollectionSpec, fields: Mapping[str, Shape]) -> str:
    simple = ("text", "number", "boolean", "date", "datetime")
    paths = [path for path, shape in _stored(collection, fields) if shape.kind in simple][:MOST_FIELDS]
    return _indented(["change:", *(f"  - {path}" for path in paths)], 6) if paths else ""


def _block(name: str, lines: list[str]) -> str:
    return _indented([f"{name}:", *(f"  {line}" for line in lines)], 6) if lines else ""


def _indented(lines: Iterable[str], column: int) -> str:
    return "".join(f"{' ' * column}{line}\n" for line in lines)
