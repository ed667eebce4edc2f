"""The sentences about structure: unknown and missing settings, wrong kinds of value, exactly one of several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from silo_decl.errors import choices, did_you_mean, nearest
from silo_decl.specs.texts import Step

Schema = Mapping[str, Any]
Said = tuple[str, str, str]

_KIND_WORDS = {"A tool": "kind", "A check": "form", "An answer": "form"}
_CUT = re.compile(r"[)\]}'\"(\[{<>=]|\s")

_TYPES = {
    "string": "a text",
    "boolean": "true or false",
    "number": "a number",
    "integer": "a whole number",
    "array": "a list",
    "object": "a mapping with keys",
    "null": "nothing",
}


def type_of(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, (list, tuple)) else "object"


def title(schema: Schema) -> str:
    return str(schema.get("title", "This"))


def name_of(path: Sequence[Step]) -> str:
    """What a value is called after its place: its key, or which item of a list it is."""
    if not path:
        return "This file"
    if isinstance(path[-1], str):
        return f"'{path[-1]}'"
    keys = [step for step in path if isinstance(step, str)]
    return f"Item {path[-1] + 1} of '{keys[-1]}'" if keys else f"Item {path[-1] + 1}"


def unknown_key(schema: Schema, key: str, value: Any, known: Iterable[str], noun: str, flow: bool) -> Said:
    """A key that no one knows; or what a comma cut off from an expression or a sentence in { }."""
    known = list(known)
    if flow and value is None and _CUT.search(key):
        return (
            "cut-by-comma",
            f"'{key}' is no {noun}: inside {{ }} the comma before it ended the text it belongs to.",
            "Write each setting on a line of its own, without braces, or put the text between quotes.",
        )
    fix = f"Use one of: {choices(known, 16)}." if known else ""
    return "unknown-key", f"{title(schema)} has no {noun} called '{key}'.{did_you_mean(key, known)}", fix


def unknown_kind(schema: Schema, unknown: Sequence[str], names: Sequence[str]) -> tuple[str, Said] | None:
    """An unknown key that stands where exactly one of several kinds is written."""
    word = _KIND_WORDS.get(title(schema))
    near = [key for key in unknown if nearest(key, names)]
    if word is None or not unknown or (not near and len(unknown) > 1):
        return None
    key = (near or list(unknown))[0]
    message = f"{title(schema)} has no {word} called '{key}'.{did_you_mean(key, names)}"
    return key, ("unknown-kind", message, f"Use exactly one of: {choices(names)}.")


def missing_kind(schema: Schema, names: Sequence[str]) -> Said:
    word = _KIND_WORDS.get(title(schema))
    if word:
        return "missing-kind", f"{title(schema)} needs a {word}.", f"Add exactly one of: {choices(names)}."
    return "missing-key", f"{title(schema)} needs one of: {choices(names)}.", "Add exactly one of them."


def several_kinds(schema: Schema, given: Sequence[str]) -> Said:
    word = _KIND_WORDS.get(title(schema), "of these")
    both = " and ".join(f"'{name}'" for name in given)
    return "several-kinds", f"{title(schema)} has exactly one {word}, but {both} are both written.", "Keep one of them."


def missing_key(schema: Schema, key: str) -> Said:
    means = schema.get("properties", {}).get(key, {}).get("description", "")
    return "missing-key", f"{title(schema)} needs '{key}'.", f"Add '{key}'" + (f": {means}" if means else ".")


def wrong_form(path: Sequence[Step], value: str, schema: Schema) -> Said:
    means = str(schema.get("patternErrorMessage") or schema.get("description", ""))
    return "wrong-form", f"{name_of(path)} cannot be '{value}'.", means


def wrong_name(key: str, names: Schema) -> Said:
    return "wrong-form", f"'{key}' cannot be a name here.", str(names.get("patternErrorMessage", ""))


def missing_beside(schema: Schema, key: str, other: str) -> Said:
    means = schema.get("properties", {}).get(other, {}).get("description", "")
    return "missing-key", f"'{key}' needs '{other}' beside it.", f"Add '{other}': {means}" if means else ""


def empty(path: Sequence[Step], what: str, schema: Schema, given: int = 0) -> Said:
    means = str(schema.get("description", ""))
    if what == "list" and given:
        return "empty-value", f"{name_of(path)} needs at least {schema['minItems']} items.", means
    return "empty-value", f"{name_of(path)} is empty.", means


def not_one_of(path: Sequence[Step], value: Any, allowed: Sequence[Any]) -> Said:
    listed = [str(one) for one in allowed]
    hint = did_you_mean(value, listed) if isinstance(value, str) else ""
    if len(listed) == 1:
        return "not-one-of", f"{name_of(path)} must be {listed[0]}, not {quoted(value)}.", f"Write {listed[0]}."
    message = f"{quoted(value)} is not known as {name_of(path)}.{hint}"
    return "not-one-of", message, f"Use one of: {choices(listed)}."


def out_of_range(path: Sequence[Step], value: float, schema: Schema) -> Said:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        allowed = f"from {low} to {high}"
    elif high is not None:
        allowed = f"at most {high}"
    elif low is not None:
        allowed = f"at least {low}"
    else:
        allowed = f"more than {schema['exclusiveMinimum']}"
    return "out-of-range", f"{name_of(path)} must be {allowed}, not {value}.", ""


def quoted(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}'" if isinstance(value, str) else str(value)


def wrong_type(path: Sequence[Step], value: Any, schemas: Sequence[Schema], written: str) -> Said:
    """A value of another kind than wanted, with what most likely happened."""
    wanted = _wanted(schemas)
    if value is None:
        return "empty-value", f"Nothing is written behind {name_of(path)}.", _what(schemas)
    if "string" in wanted:
        said = _not_a_text(value, written)
        if said is not None:
            return said
    elif isinstance(value, str):
        said = _only_a_text(path, value, wanted)
        if said is not None:
            return said
    kinds = " or ".join(dict.fromkeys(_TYPES[one] for one in wanted if one != "null"))
    return "wrong-type", f"{name_of(path)} must be {kinds}, not {_TYPES[type_of(value)]}.", _what(schemas)


def _wanted(schemas: Sequence[Schema]) -> list[str]:
    wanted: list[str] = []
    for schema in schemas:
        named = schema.get("type") or [type_of(one) for one in schema.get("enum", ())]
        wanted += [named] if isinstance(named, str) else named
    return list(dict.fromkeys(wanted))


def _what(schemas: Sequence[Schema]) -> str:
    return str(schemas[0].get("description", "")) if schemas else ""


def _not_a_text(value: Any, written: str) -> Said | None:
    """A text was wanted: an id that YAML takes for a number, a query that YAML takes for a list or a mapping."""
    line = written.split("\n", 1)[0].rstrip()
    if isinstance(value, (bool, int, float)):
        return (
            "needs-quotes",
            f"A text stands here, but {line or value} is read as {_TYPES[type_of(value)]}.",
            (f'Put it between quotes: "{line or value}"'),
        )
    if line.startswith(("[?", "{{", "[ ?")) or (isinstance(value, (list, dict)) and re.match(r"[\[{].*[\]}].", line)):
        return (
            "needs-quotes",
            f"A text that begins with '{line[0]}' needs quotes.",
            (f'Put it between quotes: "{line}"' if '"' not in line else "Put the whole text between quotes."),
        )
    return None


def _only_a_text(path: Sequence[Step], value: str, wanted: Sequence[str]) -> Said | None:
    """Something else than a text was wanted: quotes too many, yes and no, a lost colon, a list of one."""
    if "boolean" in wanted and value.casefold() in ("yes", "no", "on", "off", "true", "false", "y", "n"):
        meant = "true" if value.casefold() in ("yes", "on", "true", "y") else "false"
        return "wrong-type", f"{name_of(path)} must be true or false, not the text '{value}'.", f"Write {meant}."
    if {"number", "integer"} & set(wanted) and re.match(r"-?\d+(\.\d+)?$", value):
        return "wrong-type", f"{name_of(path)} must be a number, not the text '{value}'.", "Remove the quotes."
    if "object" in wanted:
        glued = re.match(r"([A-Za-z_][\w.-]*):\S", value)
        if glued:
            word = glued.group(1)
            return "wrong-type", f"A space is missing behind '{word}:'.", f"Write '{word}: …'."
        lost = re.match(r"([A-Za-z_][\w.-]*) \S", value)
        if lost and "array" not in wanted:
            word = lost.group(1)
            return (
                "wrong-type",
                f"{name_of(path)} must be a mapping with keys, not a text.",
                (f"If '{word}' is a key, write '{word}: …' with a colon and a space."),
            )
    if "array" in wanted and "object" not in wanted:
        return "wrong-type", f"{name_of(path)} must be a list, not a text.", f"Write it as a list: [{value}]"[:120]
    return None
