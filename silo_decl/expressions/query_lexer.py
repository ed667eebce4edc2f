"""Queries cut into tokens: jmespath's lexer with `$name`, numbers with decimals and the words and, or, not, in.

Whether a word is an operator depends on where it stands: `and` between two operands is one, and a field elsewhere,
as JMESPath has it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

from jmespath import lexer
from jmespath.exceptions import LexerError

from silo_decl.expressions.query_mistakes import QueryMistake, unreadable_character, unreadable_quote

Token = dict[str, Any]

_OPERANDS = ("unquoted_identifier", "quoted_identifier", "literal", "number", "current", "outside", "star")
ENDS_OPERAND = frozenset((*_OPERANDS, "rbracket", "rparen", "rbrace", "flatten"))
_STARTS_OPERAND = frozenset((*_OPERANDS, "not", "word_not", "lparen", "lbrace"))
_CONSTANTS: dict[str, Any] = {"true": True, "false": False, "null": None}
OPERATOR_WORDS = frozenset(("and", "or", "not", "in"))
RESERVED = OPERATOR_WORDS | frozenset(_CONSTANTS)

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_OUTSIDE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


class QueryLexer(lexer.Lexer):
    """Tokens of one query. Raises QueryMistake, with words for its author, for what cannot be read."""

    _ready = False
    _expression: str
    _position: int
    _current: str | None

    if TYPE_CHECKING:  # what the library's lexer has, and its stubs do not show

        def _next(self) -> str | None: ...
        def _consume_until(self, delimiter: str) -> str: ...

    def tokenize(self, expression: str) -> Iterator[Token]:  # type: ignore[override]
        self._initialize_for_expression(expression)
        tokens: list[Token] = []
        rest: Iterator[Any] = super().tokenize(expression)
        while True:
            try:
                token: Token = self._own_token(tokens) or next(rest)
            except LexerError as error:
                raise unreadable_quote(expression, error.lex_position or 0) from None
            tokens.append(token)
            if token["type"] == "eof":
                return iter(_with_words(tokens))

    def _initialize_for_expression(self, expression: str) -> None:
        """Once only: the library's tokenizer starts again where this one stands."""
        if not self._ready:
            super()._initialize_for_expression(expression)  # type: ignore[misc]
            self._ready = True

    def _own_token(self, tokens: list[Token]) -> Token | None:
        """The next token where the dialect or its author's mistakes need one; None where the library's will do."""
        while self._current in self.WHITESPACE:
            self._next()
        letter, start = self._current, self._position
        if letter is None or letter in "'`\"":
            return None
        if letter in self.SIMPLE_TOKENS:
            return self._taken(self.SIMPLE_TOKENS[letter], letter, start + 1)
        if self._expression.startswith("==", start):
            return self._taken("eq", "==", start + 2)
        if letter == "$" and (name := _OUTSIDE.match(self._expression, start)):
            return self._taken("outside", name.group(1), name.end())
        if number := _NUMBER.match(self._expression, start):
            return self._number(number, tokens)
        if letter not in self.START_IDENTIFIER and letter not in "[|&<>!":
            raise unreadable_character(self._expression, start)
        return None

    def _number(self, number: re.Match[str], tokens: list[Token]) -> Token:
        spelt = number.group()
        if spelt[0] == "-" and tokens and _ends_operand(tokens[-1]):
            raise unreadable_character(self._expression, number.start())
        if len(spelt) > _MOST_DIGITS:
            raise QueryMistake("This number is too large.", "Write a smaller one.", number.start())
        if number.group(1) or number.group(2):
            if not math.isfinite(float(spelt)):
                raise QueryMistake(f"The number {spelt} is too large.", "Write a smaller one.", number.start())
            return self._taken("literal", float(spelt), number.end())
        return self._taken("number", int(spelt), number.end())

    def _taken(self, kind: str, value: Any, end: int) -> Token:
        start = self._position
        for _ in range(end - start):
            self._next()
        return {"type": kind, "value": value, "start": start, "end": end}

    def _consume_literal(self) -> Token:
        """As the library reads it, a text that is not JSON too, but numbers that JSON cannot hold."""
        start = self._position
        written = self._consume_until("`").replace("\\`", "`")
        try:
            value = json.loads(written, parse_constant=_refuse, parse_float=_finite)
        except _TooLarge as number:
            raise QueryMistake(f"JSON cannot hold the number {number}.", "Write another one.", start) from None
        except ValueError:
            try:
                value = json.loads(f'"{written.lstrip()}"')
            except ValueError:
                raise QueryMistake(
                    f"`{written}` holds no JSON.",
                    "Write a text between single quotes, a number as it is.",
                    start,
                ) from None
        return {"type": "literal", "value": value, "start": start, "end": self._position}


def _ends_operand(token: Token) -> bool:
    is_word = token["type"] == "unquoted_identifier" and token["value"] in OPERATOR_WORDS
    return token["type"] in ENDS_OPERAND and not is_word


_MOST_DIGITS = 3000


class _TooLarge(Exception):
    """A number that no JSON can hold."""


def _refuse(name: str) -> NoReturn:
    raise _TooLarge(name)


def _finite(spelt: str) -> float:
    value = float(spelt)
    return value if math.isfinite(value) else _refuse(spelt)


def _with_words(tokens: list[Token]) -> list[Token]:
    """The tokens with the words of the dialect marked as what they are where they stand."""
    result: list[Token] = []
    for place, token in enumerate(tokens):
        if token["type"] == "unquoted_identifier" and token["value"] in RESERVED:
            before = result[-1]["type"] if result else ""
            token = _word(token, before, tokens[place + 1])
        if token["type"] == "in" and result and result[-1]["type"] == "not_in":
            continue
        result.append(token)
    return result


def _word(token: Token, before: str, after: Token) -> Token:
    word = token["value"]
    if before == "dot" or (after["type"] == "colon" and before in ("lbrace", "comma")):
        return token
    if before == "not_in":
        return {**token, "type": "in"}
    if before in ENDS_OPERAND:
        if word == "not":
            is_in = after["type"] == "unquoted_identifier" and after["value"] == "in"
            return {**token, "type": "not_in"} if is_in else token
        return {**token, "type": word} if word in OPERATOR_WORDS else token
    if word in _CONSTANTS:
        return token if after["type"] == "lparen" else {**token, "type": "literal", "value": _CONSTANTS[word]}
    if word == "not" and after["type"] in _STARTS_OPERAND and not _is_field_not(after):
        return {**token, "type": "word_not"}
    return token


def _is_field_not(after: Token) -> bool:
    """`not in x` and `not and x` speak of a field called not."""
    return after["type"] == "unquoted_identifier" and after["value"] in ("in", "and", "or")
