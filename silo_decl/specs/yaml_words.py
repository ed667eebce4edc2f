"""What YAML does behind an author's back, said in words: texts that need quotes, lost colons, swallowed comments.

Each function takes nodes or an error of libyaml and gives the trouble that the author reads.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from silo_decl.specs.texts import Trouble

QUOTES = "Put the whole text between quotes."
BLOCK = "Put the text in a block: write '>' behind the colon and the text indented on the next line."

_KEY = r"[ \t]*(?:- +)*(?:\"[^\"]*\"|'[^']*'|[^\s:#'\"\[\]{}][^:#\[\]{}]*?)"
_ENTRY = re.compile(rf"(?P<key>{_KEY}):[ \t]+(?P<value>\S.*)$")
_ITEM = re.compile(r"[ \t]*(?:- +)+(?P<value>[^\s-].*)$")
_FORGOTTEN = re.compile(r"[ \t]*(?:- +)*[A-Za-z_][\w.-]*(?P<after>:?)\S*( |$)")
_SPECIAL = "[{!@*&%`?|>,]}#"
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'")


def needs_quotes(index: int, written: str) -> Trouble:
    """A text whose first letter means something else in YAML."""
    if written.startswith("{{"):
        return unquoted_template(index)
    first = written[0]
    return Trouble(
        "needs-quotes",
        f"A text that begins with {_letter(first)} needs quotes.",
        f"Put it between quotes: {_in_quotes(written)}" if len(written) < 80 else QUOTES,
        index,
    )


def _letter(letter: str) -> str:
    return '"\'"' if letter == "'" else f"'{letter}'"


def _in_quotes(written: str) -> str:
    written = written.rstrip()
    if '"' not in written and "\\" not in written:
        return f'"{written}"'
    return "'" + written.replace("'", "''") + "'"


def unquoted_template(index: int) -> Trouble:
    return Trouble(
        "needs-quotes",
        "A text that begins with '{{' needs quotes, or else it opens a mapping.",
        'Write "{{ … }}" in quotes for a text, or = … without braces to keep the kind of value.',
        index,
    )


def tagged(body: str, node: Any) -> Trouble:
    """A word with '!' in front: a tag, or a condition that needs quotes."""
    index = node.start_mark.index
    line = _line_from(body, index)
    if not line.startswith("!!") and isinstance(node, yaml.ScalarNode):
        return needs_quotes(index, line)
    return Trouble(
        "yaml-tag",
        f"'{line.split()[0] if line.split() else node.tag}' is a tag, which this format does not have.",
        "Remove it; a text that looks like a number is written between quotes.",
        index,
    )


def no_number(node: Any) -> Trouble:
    return Trouble(
        "no-number",
        f"'{node.value}' is no number that JSON can hold.",
        "Write a number, or put it between quotes for a text.",
        node.start_mark.index,
    )


def too_deep(node: Any, deepest: int) -> Trouble:
    return Trouble(
        "too-deep", f"Lists and mappings are nested more than {deepest} deep here.", "", node.start_mark.index
    )


def bomb(node: Any, most: int) -> Trouble:
    return Trouble(
        "alias-bomb",
        f"With every alias ('*name') written out this file has more than {most:,} values.",
        "Write the values out, or use fewer aliases.",
        node.start_mark.index,
    )


def no_key(body: str, mapping: Any, key: Any) -> Trouble:
    """A key that is itself a list or a mapping: nearly always `{{ }}` without quotes."""
    index = mapping.start_mark.index
    if body.startswith("{{", index):
        return unquoted_template(index)
    if mapping.flow_style and body.startswith("{", index) and body.startswith("{", key.start_mark.index):
        return unquoted_template(key.start_mark.index)
    return Trouble("yaml-syntax", "A key must be a text.", QUOTES, key.start_mark.index)


def merge_key(key: Any) -> Trouble:
    return Trouble(
        "merge-key",
        "'<<' merges mappings in old YAML; this format does not have it.",
        "Write the settings out, or use an alias for the whole value: key: *name.",
        key.start_mark.index,
    )


def twice(body: str, key: Any, first: Any) -> Trouble:
    line = body.count("\n", 0, first.start_mark.index) + 1
    return Trouble(
        "duplicate-key",
        f"'{key.value}' is written twice in one mapping; the first one is in line {line}.",
        "Keep one of them.",
        key.start_mark.index,
    )


# Errors of syntax ------------------------------------------------------------------------------------------


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
    for look in (_tab, _by_first_letter, _colons, _lost_colon, _in_flow, _escape):
        found = look(body, start, index, said)
        if found is not None:
            return found
    return Trouble("yaml-syntax", _plain_reason(said), QUOTES if _colon_in(body, index) else "", index)


def _letter_not_allowed(body: str, wrong: Any) -> Trouble:
    found = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", body)
    index = found.start() if found else 0
    return Trouble("yaml-syntax", "A letter that cannot be printed stands here.", "Remove it.", index)


def _tab(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A line whose indent has a tab, at the error or right before it."""
    first = max(0, _line_start(body, min(start, index)))
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
    start = _line_start(body, index)
    line = body[start:].split("\n", 1)[0]
    for pattern in (_ENTRY, _ITEM):
        found = pattern.match(line)
        if found:
            return start + found.start("value"), found.group("value")
    return None


def _by_first_letter(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A value that begins with a letter that means something in YAML, or with a quote that closes too early."""
    for place in dict.fromkeys((index, start, max(0, _line_start(body, index) - 1))):
        value = _value_on(body, place)
        if value is None:
            continue
        at, written = value
        if written.startswith("{{"):
            return unquoted_template(at)
        if written[0] in "\"'":
            closed = _QUOTED.match(written)
            rest = written[closed.end() :].strip() if closed else ""
            if rest and not rest.startswith(("#", ":")):
                return needs_quotes(at, written)
        elif written[0] in "@`%" or (written[0] in "*&!?" and not re.match(r"[*&!?][\w-]*\s*$", written)):
            return needs_quotes(at, written)
        elif written.startswith("[?"):
            return needs_quotes(at, written)
        elif written.startswith("*") and "alias" in said:
            return needs_quotes(at, written)
    return None


def _colons(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A second ':' behind a value on one line."""
    if "mapping values are not allowed" not in said:
        return None
    line_start = _line_start(body, index)
    line = body[line_start:].split("\n", 1)[0]
    found = _ENTRY.match(line)
    second = line.find(": ", found.start("value")) if found else -1
    if found and second < 0 and line.rstrip().endswith(":"):
        second = len(line.rstrip()) - 1
    if found is None or second < 0:
        return _lost_colon_above(body, line_start) or Trouble(
            "yaml-syntax",
            "This line is indented more than the one it belongs to, or the line above it is not finished.",
            "Give keys of one mapping the same indent.",
            index,
        )
    key = re.sub(r"^[ \t]*(?:- +)*", "", found.group("key"))
    value = found.group("value")
    expression = bool(re.search(r"[\[{?(=]", value[: second - found.start("value") + 1]))
    return Trouble(
        "yaml-syntax",
        f"The text after '{key}:' has a second ':' in it, so it cannot be read.",
        BLOCK if expression else QUOTES,
        line_start + second,
    )


def _lost_colon_above(body: str, line_start: int) -> Trouble | None:
    """The line above is a text that should have been a key: `title Sales`."""
    above_start = _line_start(body, max(0, line_start - 1))
    above = body[above_start : max(0, line_start - 1)]
    if line_start == 0 or ":" in above or not _FORGOTTEN.match(above):
        return None
    return _colon_forgotten(above_start, above)


def _colon_forgotten(start: int, line: str) -> Trouble:
    indent = re.match(r"[ \t]*(?:- +)*", line).end()  # type: ignore[union-attr]
    word = re.match(r"[^\s:]*", line[indent:]).group()  # type: ignore[union-attr]
    return Trouble(
        "yaml-syntax",
        f"A ':' is missing behind '{word}'.",
        f"Write '{word}: …', with a space behind the colon.",
        start + indent,
    )


def _lost_colon(body: str, start: int, index: int, said: str) -> Trouble | None:
    """A line without ': ' where keys stand."""
    if "could not find expected ':'" not in said and "did not find expected key" not in said:
        return None
    for place in dict.fromkeys((start, index, max(0, _line_start(body, index) - 1))):
        line_start = _line_start(body, place)
        line = body[line_start:].split("\n", 1)[0]
        plain = line.split(" #")[0].rstrip()
        glued = re.match(r"[ \t]*(?:- +)*([A-Za-z_][\w.-]*):\S", plain)
        if glued and ": " not in plain and not plain.endswith(":"):
            word = glued.group(1)
            return Trouble(
                "yaml-syntax",
                f"A space is missing behind '{word}:'.",
                f"Write '{word}: …'.",
                line_start + glued.end() - 1,
            )
        if _FORGOTTEN.match(plain) and ": " not in plain and not plain.endswith(":"):
            return _colon_forgotten(line_start, line)
    return None


def _in_flow(body: str, start: int, index: int, said: str) -> Trouble | None:
    """Something inside { } or [ ] that only block style can hold."""
    if "flow" not in said and "',' or" not in said and "expected node content" not in said:
        return None
    hash_at = _hash_before(body, index)
    if hash_at is not None:
        return _hash(hash_at, body)
    opened = body[start : start + 1]
    if opened == "{" or opened == "[":
        at, kind = (start, "{ }" if opened == "{" else "[ ]")
        return Trouble(
            "yaml-syntax",
            f"What stands between {kind} here cannot be read: a bracket, a comma or a quote inside it ends it too early, "
            "or it is not closed.",
            "Write each setting on a line of its own, without braces, or put the text between quotes.",
            index if index < len(body.rstrip()) else at,
        )
    return None


def _hash_before(body: str, index: int) -> int | None:
    """A '#' without a space behind it, on the line of the error or one of the three before."""
    first = index
    for _ in range(4):
        first = _line_start(body, max(0, first - 1))
    found = re.search(r"(?<=[\s,\[{])#[^\s#]", body[first : body.find("\n", index) if "\n" in body[index:] else None])
    return first + found.start() if found else None


def _hash(index: int, body: str) -> Trouble:
    written = re.match(r"#[^\s,\]}]*", body[index:]).group()  # type: ignore[union-attr]
    return Trouble(
        "needs-quotes",
        "Everything behind this '#' is a comment, so it is lost.",
        f'Put the text between quotes: "{written}"' if "{{" not in written else QUOTES,
        index,
    )


def _escape(body: str, start: int, index: int, said: str) -> Trouble | None:
    if "escape" not in said:
        return None
    at = body.rfind("\\", 0, index + 1)
    at = index if at < 0 else at
    return Trouble(
        "yaml-syntax",
        f"'{body[at : at + 2]}' has no meaning in a text between double quotes.",
        BLOCK,
        at,
    )


def _plain_reason(said: str) -> str:
    known = {
        "did not find expected key": "This line does not fit: a key with the indent of the lines above is expected here.",
        "found unexpected end of stream": "A text between quotes is not closed.",
        "found undefined alias": "This alias ('*name') stands for nothing in this file.",
        "did not find expected '-' indicator": "An item of a list is expected here: a line that begins with '-'.",
        "exceeded maximum nesting depth": "Lists and mappings are nested too deeply.",
        "block sequence entries are not allowed": "A list begins on this line; put it on the next one.",
    }
    for words, reason in known.items():
        if words in said:
            return reason
    return "This line cannot be read as YAML."


def _colon_in(body: str, index: int) -> bool:
    return ":" in body[_line_start(body, index) : index]


def _line_start(body: str, index: int) -> int:
    return body.rfind("\n", 0, index) + 1


def _line_from(body: str, index: int) -> str:
    return body[index:].split("\n", 1)[0].split(" #")[0].rstrip()


# Comments --------------------------------------------------------------------------------------------------


def swallowed(body: str, scalars: list[Any]) -> list[Trouble]:
    """Comments that were likely meant as text: behind a plain value, with the signs of text in them."""
    troubles = []
    ends: dict[int, Any] | None = None
    spans: list[tuple[int, int]] = []
    for found in re.finditer(r"(?<=[ \t])#[^\n]*", body):
        if ends is None:
            ends = {node.end_mark.index: node for node in scalars if node.end_mark.index > node.start_mark.index}
            spans = sorted((node.start_mark.index, node.end_mark.index) for node in scalars)
        comment_at = _comment_on(body, found.start(), found.end(), spans)
        if comment_at is None:
            continue
        trouble = _judged(body, comment_at, body[comment_at : found.end()], ends)
        if trouble is not None:
            troubles.append(trouble)
    return troubles


def _comment_on(body: str, first: int, end: int, spans: list[tuple[int, int]]) -> int | None:
    """Where the comment of a line begins, when the first candidate is at `first`; a '#' in a text is none."""
    for candidate in re.finditer(r"(?<=[ \t])#", body[:end][first - 1 :] if first else body[:end]):
        at = max(first - 1, 0) + candidate.start()
        if not any(start <= at < stop for start, stop in spans if start <= at):
            return at
    return None


def _judged(body: str, at: int, comment: str, ends: dict[int, Any]) -> Trouble | None:
    before = body[_line_start(body, at) : at].rstrip()
    node = ends.get(_line_start(body, at) + len(before))
    if node is None:
        empty = before.endswith((":", "-")) and not comment.startswith(("# ", "##")) and len(comment) > 1
        return _hash(at, body) if empty else None
    if node.tag != "plain":
        return None
    if comment[1:2].strip() and comment[1] not in "#!":
        return _hash(at, body)
    if "{{" in comment or not _balanced(node.value):
        return _cut(at, "error")
    return _cut(at, "warning") if any(sign in comment for sign in "'])") else None


def _cut(at: int, level: Any) -> Trouble:
    return Trouble(
        "swallowed-text",
        "Everything behind ' #' is a comment, and this one looks like a part of the text before it.",
        "Put the whole text between quotes; if it is a comment, put it on a line of its own.",
        at,
        level,
    )


def _balanced(text: str) -> bool:
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", text)
    if any(bare.count(one) != bare.count(other) for one, other in ("()", "[]", "{}")):
        return False
    return not re.search(r"(?:^|[\s(\[=])['\"`]", bare)


# Places in a text ------------------------------------------------------------------------------------------


def inside(body: str, node: Any, offset: int) -> int:
    """Where the character `offset` of a text stands in the file, across quotes, escapes and folded lines."""
    at, end = node.start_mark.index, node.end_mark.index
    if node.style in ("|", ">"):
        at = body.find("\n", at, end) + 1 or at
    elif node.style in ('"', "'"):
        at, end = at + 1, end - 1
    last = at
    for letter in node.value[: offset + 1]:
        if letter.isspace():
            continue
        while at < end and _skipped(body, at, node.style):
            at += 2 if body[at] == "\\" else 1
        last = at
        at += _width(body, at, node.style)
    if offset < len(node.value) and node.value[offset].isspace() and offset:
        return min(last + 1, end)
    return min(at if offset >= len(node.value) else last, end)


def _skipped(body: str, at: int, style: str | None) -> bool:
    if style == '"' and body[at] == "\\":
        return body[at + 1 : at + 2] in ("n", "t", "r", " ", "\n", "\t", "_")
    return body[at].isspace()


def _width(body: str, at: int, style: str | None) -> int:
    if style == "'" and body.startswith("''", at):
        return 2
    if style == '"' and body.startswith("\\", at):
        return {"x": 4, "u": 6, "U": 10}.get(body[at + 1 : at + 2], 2)
    return 1
