"""Comments that were likely meant as text: YAML cuts a text at ' #' without a word."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from silo_decl.errors import Level
from silo_decl.specs.texts import Step, Trouble
from silo_decl.specs.yaml_words import line_start, lost_behind_hash

Path = tuple[Step, ...]


def swallowed(body: str, scalars: list[tuple[Any, Path | None]]) -> list[Trouble]:
    """Comments that look like a part of the plain text before them, or like a text that was never read.

    `scalars` are the scalar nodes of the text with their paths (None for keys). Nothing is said behind a text in
    quotes or a closed bracket: there nothing can have been cut off.
    """
    ordered = sorted(scalars, key=lambda one: (one[0].start_mark.index, one[0].end_mark.index))
    starts = [node.start_mark.index for node, _ in ordered]
    troubles: list[Trouble] = []
    last_line = -1
    for found in re.finditer(r"(?<=[ \t])#", body):
        at = found.start()
        place = bisect_right(starts, at) - 1
        node, path = ordered[place] if place >= 0 else (None, None)
        line = line_start(body, at)
        if line == last_line or node is None or at < node.end_mark.index:
            continue
        last_line = line
        end = body.find("\n", at)
        trouble = _judged(body, at, body[at : len(body) if end < 0 else end], node)
        if trouble is not None:
            lost = path if trouble.level == "error" else None
            troubles.append(Trouble(trouble.code, trouble.message, trouble.fix, at, trouble.level, lost))
    return troubles


def _judged(body: str, at: int, comment: str, node: Any) -> Trouble | None:
    """What a comment says about the scalar before it."""
    before = body[line_start(body, at) : at].rstrip()
    glued = len(comment) > 1 and comment[1] not in " \t#!"
    if before.endswith((":", "-")):
        return lost_behind_hash(at, body, False) if glued else None
    if node.tag != "plain" or node.end_mark.index != line_start(body, at) + len(before):
        return None
    if glued:
        return lost_behind_hash(at, body, True)
    if "{{" in comment or not _balanced(node.value):
        return _cut(at, "error")
    return _cut(at, "warning") if any(sign in comment for sign in "'])") else None


def _cut(at: int, level: Level) -> Trouble:
    return Trouble(
        "swallowed-text",
        "Everything behind ' #' is a comment, and this one looks like a part of the text before it.",
        "Put the whole text between quotes; if it is a comment, put it on a line of its own.",
        at,
        level,
    )


def _balanced(text: str) -> bool:
    """Whether every bracket and quote of a text is closed in it."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "", text)
    if any(bare.count(one) != bare.count(other) for one, other in (("(", ")"), ("[", "]"), ("{", "}"))):
        return False
    return not re.search(r"(?:^|[\s(\[=])['\"`]", bare)
