"""Functions over texts. Nothing stays nothing, and a question about nothing is answered with false."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any

import re2

from silo_decl.errors import ExpressionError
from silo_decl.expressions import meaning
from silo_decl.expressions.functions_signature import Function, Parameter
from silo_decl.expressions.functions_values import listed, text_of
from silo_decl.expressions.records import plain
from silo_decl.expressions.shapes import BOOLEAN, TEXT, list_of

_LONGEST = 1_000_000


def lower(value: Any) -> Any:
    return None if value is None else text_of(value, "lower").lower()


def upper(value: Any) -> Any:
    return None if value is None else text_of(value, "upper").upper()


def title(value: Any) -> Any:
    """Each word with a capital first; what stands behind an apostrophe is not a word of its own."""
    if value is None:
        return None
    return re.sub(
        r"[^\W\d_][^\W_]*(['’][^\W_]+)*",
        lambda word: word.group()[0].upper() + word.group()[1:].lower(),
        text_of(value, "title"),
    )


def trim(value: Any) -> Any:
    return None if value is None else text_of(value, "trim").strip()


def fold(value: Any) -> Any:
    """The text as it is compared where case and the way accents are stored do not count."""
    if value is None:
        return None
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text_of(value, "fold")).casefold())


def to_string(value: Any) -> str:
    """The text itself, or anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(plain(value), separators=(",", ":"))


def concat(*values: Any) -> str:
    return "".join(map(meaning.to_text, values))


def join(separator: Any, values: Any) -> str:
    """Accepts the list first too, as `list | join(', ')` reads in values."""
    if not isinstance(separator, str) and (isinstance(values, str) or values is None):
        separator, values = values if values is not None else "", separator
    present = (meaning.to_text(value) for value in listed(values, "join") if value is not None)
    return text_of(separator, "join").join(present)


def split(value: Any, separator: Any = None) -> list[str]:
    """Parts between the separators; without one, words."""
    if value is None:
        return []
    if separator == "":
        raise ExpressionError("split(...) needs a separator that is not empty.")
    return text_of(value, "split").split(None if separator is None else text_of(separator, "split"))


def replace(value: Any, old: Any, new: Any) -> Any:
    if value is None:
        return None
    text, part, by = text_of(value, "replace"), text_of(old, "replace"), meaning.to_text(new)
    if part and len(text) + text.count(part) * len(by) > _LONGEST:
        raise ExpressionError("replace(...) would give a text that is too long.")
    return text.replace(part, by) if part else text


def starts_with(value: Any, start: Any) -> bool:
    if value is None or start is None:
        return False
    return text_of(value, "starts_with").startswith(text_of(start, "starts_with"))


def ends_with(value: Any, end: Any) -> bool:
    if value is None or end is None:
        return False
    return text_of(value, "ends_with").endswith(text_of(end, "ends_with"))


def matches(value: Any, pattern: Any) -> bool:
    """Whether the pattern is found somewhere in the text, in time linear in its length."""
    if value is None or pattern is None:
        return False
    return pattern_of(text_of(pattern, "matches")).search(text_of(value, "matches")) is not None


@lru_cache(maxsize=256)
def pattern_of(text: str) -> Any:
    """A pattern of RE2, compiled once. Raises ExpressionError where it cannot be read."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        reason = said.decode() if isinstance(said, bytes) else str(said)
        raise ExpressionError(f"The pattern {meaning.shown(text)} cannot be read: {reason}.") from None


_T = Parameter("text", ("text",))

TEXT_FUNCTIONS = (
    Function("lower", (_T,), TEXT.maybe(), lower, "A text in small letters.", "lower('Acme')", "acme", filter=True),
    Function("upper", (_T,), TEXT.maybe(), upper, "A text in capitals.", "upper('eur')", "EUR", filter=True),
    Function(
        "title",
        (_T,),
        TEXT.maybe(),
        title,
        "A text with a capital for each word.",
        "title('ann o\\'neil')",
        "Ann O'neil",
        template='title("ann o\'neil")',
        filter=True,
    ),
    Function(
        "trim",
        (_T,),
        TEXT.maybe(),
        trim,
        "A text without blanks at its ends.",
        "trim('  Acme ')",
        "Acme",
        filter=True,
    ),
    Function(
        "fold",
        (_T,),
        TEXT.maybe(),
        fold,
        "A text for comparing where capitals do not count.",
        "fold('STRASSE') == fold('straße')",
        True,
    ),
    Function(
        "text",
        (Parameter("value"),),
        TEXT,
        meaning.to_text,
        "A value as it prints in a text: nothing as nothing, 25.0 as 25.",
        "text(25.0)",
        "25",
    ),
    Function(
        "to_string",
        (Parameter("value"),),
        TEXT,
        to_string,
        "A text as it is, anything else as JSON.",
        "to_string([1, true])",
        "[1,true]",
    ),
    Function(
        "concat",
        (Parameter("value", many=True),),
        TEXT,
        concat,
        "Values joined to one text.",
        "concat('Deal ', 7, ' is ', 'open')",
        "Deal 7 is open",
    ),
    Function(
        "join",
        (Parameter("separator", ("text", "list")), Parameter("list", ("list", "text"))),
        TEXT,
        join,
        "The elements of a list in one text with the separator between them; nothing is left out.",
        "join(', ', ['a', null, 'b'])",
        "a, b",
        filter=True,
    ),
    Function(
        "split",
        (_T, Parameter("separator", ("text",), optional=True)),
        list_of(TEXT),
        split,
        "The parts of a text between separators, or its words.",
        "split('a, b', ', ')",
        ["a", "b"],
    ),
    Function(
        "replace",
        (_T, Parameter("old", ("text",)), Parameter("new")),
        TEXT.maybe(),
        replace,
        "A text with every `old` in it replaced by `new`.",
        "replace('a-b-c', '-', ' ')",
        "a b c",
        filter=True,
    ),
    Function(
        "starts_with",
        (_T, Parameter("start", ("text",))),
        BOOLEAN,
        starts_with,
        "Whether a text begins so; nothing does not.",
        "starts_with('OPP-001', 'OPP')",
        True,
    ),
    Function(
        "ends_with",
        (_T, Parameter("end", ("text",))),
        BOOLEAN,
        ends_with,
        "Whether a text ends so; nothing does not.",
        "ends_with('ann@acme.com', '@acme.com')",
        True,
    ),
    Function(
        "matches",
        (_T, Parameter("pattern", ("text",))),
        BOOLEAN,
        matches,
        "Whether a pattern (RE2) is found in a text; use ^ and $ for the whole text.",
        "matches('OPP-001', '^OPP-[0-9]+$')",
        True,
    ),
)
