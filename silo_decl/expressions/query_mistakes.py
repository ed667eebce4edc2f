"""What is wrong with a query that cannot be read, in words for its author."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from silo_decl.expressions.shapes import Finding

_NAME_RUN = re.compile(r"[^\W\d]\w*([-/][^\W\d]\w*)+")
_DATE_RUN = re.compile(r"\d{4}-\d{2}-\d{2}([T ][0-9:.]+(Z|[+-]\d{2}:?\d{2})?)?")
_WORD = re.compile(r"\w+")
_SUMS = {"+": "add", "-": "subtract", "/": "divide", "%": "", "*": "multiply"}
_SHOUTED = {"AND": "and", "OR": "or", "NOT": "not", "IN": "in"}
_CLOSERS = {"rbracket": "]", "rparen": ")", "rbrace": "}"}
_ASKS_FOR_MORE = frozenset(
    (
        *("and", "or", "not", "word_not", "in", "not_in", "eq", "ne", "lt", "lte", "gt", "gte"),
        *("pipe", "comma", "colon", "expref"),
    )
)
_SIGNS = {
    **_CLOSERS,
    "lbracket": "[",
    "flatten": "[]",
    "filter": "[?",
    "lparen": "(",
    "lbrace": "{",
    "comma": ",",
    "colon": ":",
    "dot": ".",
}


class QueryMistake(Exception):
    """A query cannot be read: what is wrong, what to write instead and where (a count of characters)."""

    def __init__(self, message: str, fix: str, offset: int, code: str = "expression-syntax"):
        self.message = message[0].upper() + message[1:]
        self.fix = fix
        self.offset = offset
        self.code = code
        super().__init__(message)

    @property
    def finding(self) -> Finding:
        return Finding(self.code, self.message, self.fix, self.offset)


def misplaced_text(text: str) -> QueryMistake | None:
    """What shows before anything is read: that this is no query but something else."""
    start = len(text) - len(text.lstrip())
    if not text.strip():
        return QueryMistake("Here stands no query.", "Write a query, such as accounts[?tier == 'smb'].", 0)
    if text[start] == "=" and not text.startswith("==", start):
        return QueryMistake(
            "A query does not begin with '='; that is how a value begins.",
            "Leave the '=' out.",
            start,
            "equals-sign-in-query",
        )
    for sign in ("{{", "{%"):
        if (at := text.find(sign)) >= 0:
            return QueryMistake(
                f"A query is not a template, so '{sign}' cannot stand in it.",
                "Write a value from outside with a dollar sign, such as $input.ownerId, without braces and quotes.",
                at,
                "template-in-query",
            )
    return None


def unreadable_character(text: str, at: int) -> QueryMistake:
    """A character that begins nothing in a query."""
    sign = text[at]
    if sign == "=":
        return _single_equals(text, at)
    for date in _DATE_RUN.finditer(text):
        if date.start() <= at < date.end():
            return QueryMistake(
                f"The date {date.group()} stands without quotes.",
                f"Put it between single quotes: '{date.group()}'.",
                date.start(),
            )
    for name in _NAME_RUN.finditer(text):
        if name.start() <= at < name.end():
            return _name_with_sign(name.group(), sign, name.start())
    if sign in _SUMS:
        return no_sums(sign, at)
    return _strange_sign(text, sign, at)


def _single_equals(text: str, at: int) -> QueryMistake:
    after = text[at + 1 : at + 2]
    if after in ("<", ">"):
        return QueryMistake(f"'={after}' compares nothing.", f"Write '{after}='.", at)
    return QueryMistake("A single '=' compares nothing.", "Write '=='.", at)


def _name_with_sign(name: str, sign: str, at: int) -> QueryMistake:
    fix = f'Put the name between double quotes: "{name}".'
    if name.count(sign) == 1 and _SUMS.get(sign):
        one, other = name.split(sign)
        fix += f" For a sum write {_SUMS[sign]}({one}, {other})."
    return QueryMistake(f"'{name}' cannot be read, because a plain name has no '{sign}' in it.", fix, at)


def no_sums(sign: str, at: int) -> QueryMistake:
    """Arithmetic between two operands."""
    if function := _SUMS[sign]:
        fix = f"In a query write {function}(..., ...)."
    else:
        fix = "Work the remainder out in a value that begins with '='."
    return QueryMistake(f"A query does not calculate with '{sign}'; sums stand in values, behind '='.", fix, at)


def _strange_sign(text: str, sign: str, at: int) -> QueryMistake:
    if sign == "$":
        return QueryMistake(
            "Behind '$' no name follows.", "Write the name of a value from outside, such as $input or $today.", at
        )
    if sign in "‘’“”„`´":
        return QueryMistake(f"The quote {sign} is not a plain one.", "Write a text between single quotes: 'open'.", at)
    if sign == "~":
        return QueryMistake("A query does not join texts with '~'.", "Write concat(..., ...).", at)
    if sign.isalpha() and (word := _WORD.match(text, at)):
        start = at
        while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        name = text[start : word.end()]
        return QueryMistake(
            f"'{name}' cannot be read, because a plain name has only the letters a to z, digits and '_' in it.",
            f'Put the name between double quotes: "{name}".',
            start,
        )
    return QueryMistake(f"'{sign}' means nothing in a query.", "Leave it out, or put a text between quotes.", at)


def unreadable_quote(text: str, at: int) -> QueryMistake:
    """A quote that is not closed, or a name between double quotes that is not one."""
    sign = text[at] if at < len(text) else "'"
    named = {"'": "text", '"': "name", "`": "JSON value"}.get(sign, "part")
    if text.count(sign) > 1 and sign == '"' and '"' in text[at + 1 :]:
        return QueryMistake("The name between double quotes cannot be read.", 'Write it as in JSON: "first name".', at)
    return QueryMistake(
        f"The {named} that begins with {sign} has no {sign} at its end.", f"Add the missing {sign} behind it.", at
    )


Token = Mapping[str, Any]


def unexpected(text: str, tokens: Sequence[Token], place: int, wanted: str = "") -> QueryMistake:
    """The token at `place` does not fit; `wanted` is the kind of token that was needed, where one was."""
    token = tokens[place]
    before = tokens[place - 1] if place else None
    if token["type"] == "eof":
        return _ends_too_early(tokens, wanted, len(text))
    if token["type"] == "star" and before is not None and before["type"] != "dot":
        return no_sums("*", token["start"])
    if token["type"] in ("gt", "eq") and before is not None and before["type"] in ("lt", "not"):
        return QueryMistake("This sign compares nothing.", "Write '!=' for: is not equal to.", before["start"])
    if token["type"] == "outside" and before is not None and before["type"] in ("dot", "lbracket"):
        return QueryMistake(
            f"A key from outside, ${token['value']}, cannot stand here.",
            f"Write at(..., ${token['value']}), or lookup('...', ${token['value']}) for a record of a collection.",
            token["start"],
        )
    if _is_word(token) and before is not None:
        return _word_behind(text, before, token)
    return _unfitting(text, token, before, wanted)


def _is_word(token: Token) -> bool:
    return token["type"] in ("unquoted_identifier", "quoted_identifier", "literal", "number", "outside", "word_not")


def _word_behind(text: str, before: Token, token: Token) -> QueryMistake:
    word = str(token["value"])
    if token["type"] == "unquoted_identifier":
        if word in _SHOUTED:
            return QueryMistake(
                f"'{word}' is read as a name.", f"Write it in small letters: {_SHOUTED[word]}.", token["start"]
            )
        if word in ("if", "else", "is", "for", "like"):
            return _foreign_word(word, token["start"])
        if before["type"] == "lbracket":
            return QueryMistake(
                f"A name cannot stand between the brackets of [{word}].",
                f"For the key '{word}' write ['{word}'], for the value of the field at(..., {word}), "
                f"for a filter [?{word}].",
                before["start"],
            )
        if before["type"] == "unquoted_identifier" and before["value"] not in ("and", "or", "not", "in"):
            return _two_words(text, before, token)
    if before["type"] == "dot" and isinstance(token["value"], str):
        fix = f"Write .{word} without quotes, or ['{word}'] without the dot."
        return QueryMistake("Behind a dot stands the name of a field, not a text.", fix, token["start"])
    if before["type"] == "lbracket" and isinstance(token["value"], float):
        return QueryMistake("A place in a list is a whole number.", "Write one, counted from 0.", token["start"])
    return QueryMistake(
        f"{_written(text, token)} stands right behind {_written(text, before)}, with nothing between them.",
        "Write what joins them, such as ==, and, or; or a comma in a list.",
        token["start"],
    )


def _two_words(text: str, before: Token, token: Token) -> QueryMistake:
    name = f"{before['value']} {token['value']}"
    return QueryMistake(
        f"'{token['value']}' stands right behind '{before['value']}', with nothing between them.",
        f'Put the name between double quotes: "{name}". If they are two, write what joins them: ==, and, or.',
        before["start"],
    )


def _foreign_word(word: str, at: int) -> QueryMistake:
    fixes = {
        "is": "Write == null, or == and a value.",
        "like": "Write contains(field, 'part') or matches(field, 'pattern').",
        "for": "A query goes through a list with [*] or [?...].",
    }
    fix = fixes.get(word, "A choice with if and else stands in a value that begins with '='.")
    return QueryMistake(f"A query has no word '{word}'.", fix, at)


def _ends_too_early(tokens: Sequence[Token], wanted: str, end: int) -> QueryMistake:
    opened = _still_open(tokens)
    last = tokens[-2] if len(tokens) > 1 else None
    if last is not None and (last["type"] in _ASKS_FOR_MORE or last["type"] == "dot"):
        return _nothing_behind(last)
    if opened is not None and (wanted in _CLOSERS or wanted in ("", "comma")):
        sign = _SIGNS[opened["type"]]
        closer = {"(": ")", "{": "}"}.get(sign, "]")
        return QueryMistake(
            f"The query ends before the '{sign}' is closed.", f"Add the missing '{closer}'.", opened["start"]
        )
    return QueryMistake("The query ends too early.", "Write what is missing at its end.", end)


def _nothing_behind(before: Token) -> QueryMistake:
    sign = _SIGNS.get(before["type"], before["value"])
    named = "the dot" if sign == "." else f"'{sign}'"
    return QueryMistake(f"Behind {named} something is missing.", f"Write it, or remove {named}.", before["start"])


def _still_open(tokens: Sequence[Token]) -> Token | None:
    stack: list[Token] = []
    for token in tokens:
        if token["type"] in ("lbracket", "filter", "lparen", "lbrace"):
            stack.append(token)
        elif token["type"] in _CLOSERS and stack:
            stack.pop()
    return stack[-1] if stack else None


def _unfitting(text: str, token: Token, before: Token | None, wanted: str) -> QueryMistake:
    written, place = _written(text, token), token["start"]
    if wanted in _SIGNS:
        return QueryMistake(f"Before {written} a '{_SIGNS[wanted]}' is missing.", f"Add '{_SIGNS[wanted]}'.", place)
    if token["type"] in _CLOSERS and _still_open_before(text, token) is None:
        return QueryMistake(f"{written} closes nothing.", "Remove it, or add what opens it.", place)
    if before is None:
        return QueryMistake(f"A query cannot begin with {written}.", "Begin with a name.", place)
    if before["type"] == "lbrace" and token["type"] == "rbrace":
        fix = "Write `{}` for an empty object; to ask whether an object is empty write not and its name."
        return QueryMistake("{} has no field in it.", fix, before["start"])
    if before["type"] in _ASKS_FOR_MORE:
        return _nothing_behind(before)
    if before["type"] == "dot":
        return QueryMistake(f"Behind the dot a name is missing, before {written}.", "Write the name.", place)
    if token["type"] == "comma":
        return QueryMistake("A comma stands only between brackets.", "Remove it, or write what it belongs to.", place)
    if token["type"] == "not":
        return QueryMistake("'!' cannot stand between two values.", "Write != for: is not equal to.", place)
    return QueryMistake(f"{written} cannot stand behind {_written(text, before)}.", "Remove one of them.", place)


def _still_open_before(text: str, token: Token) -> str | None:
    before = text[: token["start"]]
    opener = {"rbracket": "[", "rparen": "(", "rbrace": "{"}[token["type"]]
    return opener if before.count(opener) > before.count(_CLOSERS[token["type"]]) else None


def _written(text: str, token: Token) -> str:
    sign = _SIGNS.get(token["type"])
    if sign:
        return f"'{sign}'"
    if token["type"] == "outside":
        return f"${token['value']}"
    if token["type"] == "literal" and isinstance(token["value"], str):
        return f"the text '{token['value']}'"
    return f"'{token['value']}'"
