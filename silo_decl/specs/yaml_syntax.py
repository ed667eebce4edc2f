"""Errors of YAML's grammar in an author's words: the likely cause, looked for in the lines around the error."""

from __future__ import annotations

import re
from typing import Any

import yaml

from silo_decl.specs import yaml_words as words
from silo_decl.specs.texts import Trouble

_KEY = r"[ \t]*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s:#'\"\[\]{}][^:#\[\]{}]*?)"
_ENTRY = re.compile(rf"(?P<key>{_KEY}):[ \t]+(?P<value>\S.*)$")
_ITEM = re.compile(r"[ \t]*(?:- +)+(?P<value>[^\s-].*)$")
_FORGOTTEN = re.compile(r"[ \t]*([A-Za-z_][\w.-]*)(?: |$)")
_GLUED = re.compile(r"[ \t]*(?:- +)*([A-Za-z_][\w.-]*):\S")
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")


def syntax(body: str, wrong: yaml.YAMLError) -> Trouble:
    """The most likely cause of an error of libyaml, looked for in the lines around it."""
    said = str(getattr(wrong, "problem", "") or "")
    mark = getattr(wrong, "problem_mark", None)
    context = getattr(wrong, "context_mark", None)
    if isinstance(wrong, yaml.reader.ReaderError):
        return _letter_not_allowed(body, wrong)
    index = min(mark.index, len(body)) if mark is not None else 0
    start = min(context.index, len(body)) if context is not None else index
    if "expected a single document" in said or "but found another document" in said:
        return Trouble("several-documents", "A second document begins here.", "Keep one document in a file.", index)
    for look in (_tab, _open_quote, _by_first_letter, _colons, _lost_colon, _in_flow, _escape):
        found = look(body, start, index, said)
        if found is not None:
            return found
    return Trouble("yaml-syntax", _plain_reason(said), words.QUOTES if _colon_in(body, index) else "", index)


def _letter_not_allowed(body: str, wrong: Any) -> Trouble:
    found = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", body)
    index = found.start() if found else 0
    return Trouble("yaml-syntax", "A letter that cannot be printed stands here.", "Remove it.", index)


def _tab(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A line whose indent has a tab, at the error or right before it."""
    first = max(0, words.line_start(body, min(start, index)))
    last = body.find("\n", index)
    region = body[first : len(body) if last < 0 else last]
    found = re.search(r"^ *(\t+)[ \t]*\S", region, re.MULTILINE)
    if found is None:
        return None
    return Trouble(
        "yaml-syntax",
        "This line is indented with a tab; YAML is indented with spaces only.",
        "Replace the tab by spaces.",
        first + found.start(1),
    )


def _value_on(body: str, index: int) -> tuple[int, str] | None:
    """The value on the line of `index`, behind its key or dash, with its place."""
    start = words.line_start(body, index)
    line = body[start:].split("\n", 1)[0]
    for pattern in (_ENTRY, _ITEM):
        found = pattern.match(line)
        if found:
            return start + found.start("value"), found.group("value")
    return None


def _by_first_letter(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A value that begins with a letter that means something in YAML, or with a quote that closes too early."""
    for place in dict.fromkeys((index, start, max(0, words.line_start(body, index) - 1))):
        value = _value_on(body, place)
        if value is None:
            continue
        at, written = value
        if written.startswith("{{"):
            return words.unquoted_template(at)
        if written[0] in "\"'":
            closed = _QUOTED.match(written)
            rest = written[closed.end() :].strip() if closed else ""
            if rest and not rest.startswith(("#", ":")):
                return words.needs_quotes(at, written)
        elif _opens_something(written, said):
            return words.needs_quotes(at, written)
    return None


def _opens_something(written: str, said: str) -> bool:
    if written[0] in "@`%" or written.startswith("[?") or (written[0] == "*" and "alias" in said):
        return True
    return written[0] in "*&!?" and not re.match(r"[*&!?][\w-]*\s*$", written)


def _colons(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A second ':' behind a value on one line."""
    if "mapping values are not allowed" not in said:
        return None
    line_at = words.line_start(body, index)
    line = body[line_at:].split("\n", 1)[0].rstrip()
    found = _ENTRY.match(line)
    second = line.find(": ", found.start("value")) if found else -1
    if found and second < 0 and line.endswith(":"):
        second = len(line) - 1
    if found is None or second < 0:
        return _line_above(body, line_at) or _misplaced(index)
    key = re.sub(r"^[ \t]*(?:- +)*", "", found.group("key"))
    expression = re.search(r"[\[{?(=]", line[found.start("value") : second + 1])
    return Trouble(
        "yaml-syntax",
        f"The text after '{key}:' has a second ':' in it, so it cannot be read.",
        words.BLOCK if expression else words.QUOTES,
        line_at + second,
    )


def _misplaced(index: int) -> Trouble:
    return Trouble(
        "yaml-syntax",
        "This line is indented more than the one it belongs to, or the line above it is not finished.",
        "Give keys of one mapping the same indent.",
        index,
    )


def _line_above(body: str, line_at: int) -> Trouble | None:
    if not line_at:
        return None
    above_at = words.line_start(body, line_at - 1)
    return _no_colon(above_at, body[above_at : line_at - 1])


def _lost_colon(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A line without ': ' where keys stand: at the error, where it began, or right above it."""
    if "could not find expected ':'" not in said and "did not find expected key" not in said:
        return None
    for place in dict.fromkeys((start, index)):
        line_at = words.line_start(body, place)
        trouble = _no_colon(line_at, body[line_at:].split("\n", 1)[0])
        if trouble is not None:
            return trouble
    return _line_above(body, words.line_start(body, index))


def _no_colon(line_at: int, line: str) -> Trouble | None:
    """What a line lacks that should begin with a key: `title Sales`, `title:Sales`."""
    plain = line.split(" #")[0].rstrip()
    if ": " in plain or plain.endswith(":"):
        return None
    glued = _GLUED.match(plain)
    if glued:
        word = glued.group(1)
        message, fix = f"A space is missing behind '{word}:'.", f"Write '{word}: …'."
        return Trouble("yaml-syntax", message, fix, line_at + glued.end() - 1)
    lost = _FORGOTTEN.match(plain)
    if lost is None:
        return None
    word = lost.group(1)
    fix = f"Write '{word}: …', with a space behind the colon."
    return Trouble("yaml-syntax", f"A ':' is missing behind '{word}'.", fix, line_at + lost.start(1))


def _in_flow(body: str, start: int, index: int, said: str) -> Trouble | None:
    """Something inside { } or [ ] that only block style can hold."""
    if "flow" not in said and "',' or" not in said and "expected node content" not in said:
        return None
    hash_at = _hash_before(body, index)
    if hash_at is not None:
        return words.lost_behind_hash(hash_at, body, False)
    opened = body[start : start + 1]
    if opened not in ("{", "["):
        return None
    if _not_closed(body, start, index):
        closing = "}" if opened == "{" else "]"
        return Trouble("yaml-syntax", f"'{opened}' opens here and is not closed.", f"Close it with '{closing}'.", start)
    return Trouble(
        "yaml-syntax",
        f"What stands behind '{opened}' cannot be read from here on: a bracket or a quote in it ends a text too early.",
        "Write each setting on a line of its own, without braces, or put the text between quotes.",
        index,
    )


def _not_closed(body: str, start: int, index: int) -> bool:
    """Whether what was opened at `start` runs on into lines that look like keys and items of their own."""
    line = body[words.line_start(body, index) :].split("\n", 1)[0]
    if "\n" not in body[start:index]:
        return not line.strip()
    return bool(re.match(r"[ \t]*(- +)?[\w.-]+:( |$)|[ \t]*- ", line)) or index >= len(body.rstrip())


def _hash_before(body: str, index: int) -> int | None:
    """A '#' without a space behind it, on the line of the error or one of the three before."""
    first = index
    for _ in range(4):
        first = words.line_start(body, max(0, first - 1))
    found = re.search(r"(?<=[\s,\[{])#[^\s#]", body[first : body.find("\n", index) if "\n" in body[index:] else None])
    return first + found.start() if found else None


def _escape(body: str, start: int, index: int, said: str) -> Trouble | None:
    if "escape" not in said:
        return None
    at = body.rfind("\\", 0, index + 1)
    at = index if at < 0 else at
    return Trouble(
        "yaml-syntax",
        f"'{body[at : at + 2]}' has no meaning in a text between double quotes.",
        words.BLOCK,
        at,
    )


_REASONS = {
    "did not find expected key": "This line does not fit: a key with the indent of the lines above belongs here.",
    "found undefined alias": "This alias ('*name') stands for nothing in this file.",
    "did not find expected '-' indicator": "An item of a list is expected here: a line that begins with '-'.",
    "exceeded maximum nesting depth": "Lists and mappings are nested too deeply.",
    "block sequence entries are not allowed": "A list begins on this line; put it on the next one.",
}


def _plain_reason(said: str) -> str:
    return next((reason for part, reason in _REASONS.items() if part in said), "This line cannot be read as YAML.")


def _open_quote(body: str, start: int, index: int, said: str) -> Trouble | None:
    if "unexpected end of stream" not in said and "document indicator" not in said:
        return None
    return Trouble("yaml-syntax", "A text between quotes begins here and is not closed.", "Close the quotes.", start)


def _colon_in(body: str, index: int) -> bool:
    return ":" in body[words.line_start(body, index) : index]
