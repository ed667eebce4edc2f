"""Strict JSON: fast where the text is right, in own words with a place where it is not."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

import orjson

from silo_decl.errors import nearest
from silo_decl.specs.texts import Hole, Step, Trouble

_DIGITS = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord(" ") for byte in range(256))
_LONG_NUMBER = b"0" * 19
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_LONGEST_NUMBER = 1000
_HUGE = re.compile(rb"\d[eE]\+?\d{3}")


def read_plainly(content: bytes) -> Any:
    """The data of a text that is plainly right, else a `Hole`: then `read` says what is wrong, or reads it slowly.

    Repeated keys are seen by the quotes that are gone when the data is written again; whole numbers of 19 digits
    and more are left to `read`, which keeps them exactly.
    """
    if content.startswith(b"\xef\xbb\xbf"):
        content = content[3:]
    try:
        data = orjson.loads(content)
    except orjson.JSONDecodeError:
        return Hole()
    if _HUGE.search(content) is not None:
        return Hole()
    if _LONG_NUMBER in content.translate(_DIGITS) or b"\\u0022" in content:
        return Hole()
    if content.count(b'"') != orjson.dumps(data).count(b'"'):
        return Hole()
    return data


def read(body: str) -> tuple[Any, list[Trouble]]:
    """The data of a text and everything wrong with it; a `Hole` where nothing can be known."""
    if not body.strip():
        return Hole(), [Trouble("empty-file", "This file is empty.", "Write [] for no records.", 0)]
    repeated: list[str] = []
    try:
        data = json.loads(
            body,
            object_pairs_hook=_noting(repeated),
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_fraction,
        )
    except RecursionError:
        return Hole(), [Trouble("too-deep", "Lists and objects are nested too deeply here.", "", 0)]
    except json.JSONDecodeError as wrong:
        return Hole(), [_syntax(body, wrong)]
    except _NoNumber as wrong:
        return Hole(), [_no_number(body, str(wrong))]
    return data, _repeated(body) if repeated else _unpaired(body)


class _NoNumber(Exception):
    """NaN or Infinity."""


def _no_constant(word: str) -> Any:
    raise _NoNumber(word)


def _whole(word: str) -> int:
    if len(word) > _LONGEST_NUMBER:
        raise _NoNumber(word)
    return int(word)


def _fraction(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise _NoNumber(word)
    return value


def _noting(repeated: list[str]) -> Any:
    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            repeated.append("")
            result = {}
            for key, value in pairs:
                result.setdefault(key, value)
        return result

    return build


def _no_number(body: str, word: str) -> Trouble:
    bare = re.compile(r'"(?:[^"\\]|\\.)*"|(' + re.escape(word) + ")", re.DOTALL)
    index = next((found.start() for found in bare.finditer(body) if found.group(1)), 0)
    return Trouble(
        "json-syntax",
        f"{word if len(word) <= 20 else word[:20] + '…'} is no number that JSON can hold.",
        "Write a number, or null for none.",
        index,
    )


def _unpaired(body: str) -> list[Trouble]:
    """Half of a letter written as \\ud83d and the like, which no file and no agent could be given."""
    try:
        body.encode("utf-8")
        found = next((one for one in re.finditer(r"\\u[dD][89a-fA-F]", body) if _broken_pair(body, one.start())), None)
    except UnicodeEncodeError as wrong:
        return [Trouble("json-syntax", "Half a letter stands here.", "Remove it.", wrong.start)]
    if found is None:
        return []
    return [Trouble("json-syntax", f"'{body[found.start() : found.start() + 6]}' is half a letter.", "", found.start())]


def _broken_pair(body: str, index: int) -> bool:
    if (len(body[:index]) - len(body[:index].rstrip("\\"))) % 2:
        return False
    first = body[index + 2 : index + 4].lower() < "dc"
    if first:
        return not re.match(r"\\u[dD][c-fC-F]", body[index + 6 : index + 10])
    return not re.match(r"\\u[dD][89abAB]", body[max(0, index - 6) : index])


def _syntax(body: str, wrong: json.JSONDecodeError) -> Trouble:
    after = wrong.pos + 1 if "trailing comma" in wrong.msg else wrong.pos
    index = wrong.pos if "control" in wrong.msg else _skip(body, after)
    message, fix = _reason(body, index, wrong.msg)
    before = len(body[:index].rstrip())
    if message.startswith("A comma"):
        index = before - 1
    return Trouble("json-syntax", message, fix, index)


def _reason(body: str, index: int, said: str) -> tuple[str, str]:
    here, before = body[index : index + 1], body[:index].rstrip()[-1:]
    word = re.match(r"[^\s{}\[\]:,\"]*", body[index:]).group()  # type: ignore[union-attr]
    if here == "":
        return "The file ends before everything that was opened is closed.", "Close it with ']' or '}'."
    if said.startswith("Extra data"):
        return "Something follows after the end of the data.", "Keep one list or one object in a file."
    if here in "]}" and before == ",":
        return f"A comma stands before '{here}', where nothing follows.", "Remove the comma."
    if here == "'" or (word and word[0] == "'"):
        return "Texts in JSON stand between double quotes, not single ones.", 'Write "…" instead.'
    if here in "/#":
        return "JSON has no comments.", "Remove it; remarks about data belong into README.md."
    if said.startswith("Invalid control character"):
        return "A text runs over the end of the line, or holds a tab.", "Write a line end as \\n and a tab as \\t."
    if said.startswith("Unterminated string"):
        return "A text that begins here is not closed.", 'Put a " at its end.'
    if "escape" in said:
        return f"'{body[index : index + 2]}' is no escape that JSON knows.", "Write a backslash as \\\\."
    if before == "0" and here.isdigit() and body[index - 1] == "0":
        return "A number in JSON does not begin with 0.", "Remove the 0, or put it between quotes for a text."
    if said.startswith("Expecting ',' delimiter"):
        return "A comma is missing behind this.", "Put a comma here."
    if said.startswith("Expecting ':' delimiter"):
        return "A colon is missing between a key and its value.", 'Write "key": value.'
    if said.startswith("Expecting property name"):
        return f"A key stands between double quotes, and '{word or here}' does not.", f'Write "{word or "key"}".'
    return _no_value(word, here)


def _no_value(word: str, here: str) -> tuple[str, str]:
    meant = {"true": "true", "false": "false", "none": "null", "null": "null", "undefined": "null"}.get(word.lower())
    if meant:
        return f"JSON writes '{word}' as {meant}.", f"Write {meant}."
    if re.match(r"[-+.]?\d", word):
        return f"'{word}' is no number as JSON writes it.", "Write it like 0.5, 12 or -3, or as a text in quotes."
    if word and nearest(word, ["true", "false", "null"]):
        return f"'{word}' is no value.", f'Write {nearest(word, ["true", "false", "null"])}, or "{word}" for a text.'
    return f"A value is missing before '{here}'." if not word else f"'{word}' is no value.", (
        f'Write "{word}" for a text.' if word else "Write the value, or null."
    )


def _repeated(body: str) -> list[Trouble]:
    return [
        Trouble(
            "duplicate-key",
            f"The key {key} is written twice in one object.",
            "Keep one of them.",
            index,
        )
        for key, index in _repeated_keys(body)
    ]


def _repeated_keys(body: str) -> Iterator[tuple[str, int]]:
    """Keys with the place of their second mention in one object."""
    stack: list[set[str] | None] = []
    last, last_index = "", 0
    for token in _TOKEN.finditer(body):
        first = body[token.start()]
        if first == '"':
            last, last_index = token.group(), token.start()
        elif first == ":" and stack and stack[-1] is not None:
            key = scanstring(last, 1)[0]
            if key in stack[-1]:
                yield last, last_index
            stack[-1].add(key)
        elif first in "{[":
            stack.append(set() if first == "{" else None)
        elif first in "}]" and stack:
            stack.pop()


def place(body: str, path: tuple[Step, ...], key: bool) -> int:
    """How many characters stand before the value at `path` (or before its key); the nearest one around it."""
    index = _skip(body, 0)
    key_index = None
    for step in path:
        found = _find(body, index, step)
        if found is None:
            return index
        key_index, index = found
    return key_index if key and key_index is not None else index


def _skip(body: str, index: int) -> int:
    return _SPACE.match(body, index).end()  # type: ignore[union-attr]


def _find(body: str, index: int, step: Step) -> tuple[int | None, int] | None:
    try:
        if body[index] == "[" and isinstance(step, int):
            return _find_item(body, _skip(body, index + 1), step)
        if body[index] == "{":
            return _find_key(body, _skip(body, index + 1), step)
    except (ValueError, IndexError, RecursionError):
        pass
    return None


def _find_item(body: str, index: int, place_wanted: int) -> tuple[None, int] | None:
    for place_here in range(place_wanted + 1):
        if body[index] == "]":
            return None
        if place_here == place_wanted:
            return None, index
        index = _skip(body, _DECODER.raw_decode(body, index)[1])
        if body[index] != ",":
            return None
        index = _skip(body, index + 1)
    return None


def _find_key(body: str, index: int, wanted: Step) -> tuple[int, int] | None:
    while body[index] == '"':
        key, end = scanstring(body, index + 1)
        value = _skip(body, _skip(body, end) + 1)
        if key == wanted:
            return index, value
        index = _skip(body, _DECODER.raw_decode(body, value)[1])
        if body[index] != ",":
            return None
        index = _skip(body, index + 1)
    return None
