"""Jinja2's grammar without its runtime: texts and expressions as trees whose line numbers are places in the text.

Jinja2's lexer cuts the text into tokens; each is handed to its parser with the place where it begins, from 0, instead
of its line. Every node then knows its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from silo_decl.expressions.shapes import Finding

_NEVER = "\x00\x01"
_SPACE = re.compile(r"\s+")
_ENDED = re.compile(r"(got|unexpected) '?end of ")


class _Grammar(Environment):
    """Only `{{ }}` means anything; blocks and comments are texts."""

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        placed = self._placed(source, state)
        return TokenStream(self.lexer.wrap(placed, name, filename), name, filename)

    def _placed(self, source: str, state: str | None) -> Iterator[tuple[int, str, str]]:
        place = 0
        try:
            for _, kind, text in self.lexer.tokeniter(source, None, None, state):
                if kind == "variable_begin":
                    place = source.index("{{", place)
                yield place, kind, text
                found = _SPACE.match(source, place) if kind == "whitespace" else None
                place = found.end() if found else place + len(text)
        except TemplateSyntaxError as wrong:
            raise TemplateSyntaxError(wrong.message or "", place) from None


class _Parser(Parser):
    """As Jinja2's, with each field placed where its name is and not at the dot in front of it."""

    def parse_primary(self, *more: Any, **named: Any) -> nodes.Expr:
        """Jinja2 joins texts that stand side by side; mostly a comma was forgotten."""
        follower = self.stream.look()
        if self.stream.current.type == "string" and follower.type == "string":
            said = "Two texts stand side by side."
            fix = "Put a comma between them, or join them with '~'."
            raise TemplateMistake(Finding("expression-syntax", said, fix, follower.lineno))
        return super().parse_primary(*more, **named)

    def parse_subscript(self, node: nodes.Expr) -> nodes.Getattr | nodes.Getitem:
        place = self.stream.look().lineno
        found = super().parse_subscript(node)
        if isinstance(found, nodes.Getattr):
            found.lineno = place
        return found


_GRAMMAR = _Grammar(
    block_start_string=_NEVER + "b",
    block_end_string=_NEVER + "e",
    comment_start_string=_NEVER + "c",
    comment_end_string=_NEVER + "d",
    keep_trailing_newline=True,
    autoescape=False,
    cache_size=0,
)


class TemplateMistake(Exception):
    """A text that cannot be read; `finding` says what is wrong with it."""

    def __init__(self, finding: Finding):
        self.finding = finding
        super().__init__(finding.message)


def parse_expression(text: str) -> nodes.Expr:
    """The tree of one expression. Raises TemplateMistake."""
    try:
        parser = _Parser(_GRAMMAR, text, state="variable")
        tree = parser.parse_expression()
        if not parser.stream.eos:
            token = parser.stream.current
            raise TemplateMistake(_left_over(text, token.lineno))
    except TemplateSyntaxError as wrong:
        raise TemplateMistake(_unreadable(text, text, 0, wrong)) from None
    except ValueError:
        raise TemplateMistake(_too_large(text)) from None
    return tree


def braces_in(text: str) -> int:
    """Where an expression has `{{` outside of its texts, or -1."""
    return _TEXTS.sub(lambda found: "_" * len(found.group()), text).find("{{")


def parse_text(text: str) -> list[nodes.Node]:
    """The pieces of a text: TemplateData for what stands as it is, expressions for the rest. Raises TemplateMistake."""
    block = text.find("{%")
    if block >= 0:
        said = "'{% %}' is not part of the format; a text is filled in with '{{ }}' only."
        fix = "Write {{ a if condition else b }}, or join a list with {{ join(list, ', ') }}."
        raise TemplateMistake(Finding("block-tags", said, fix, block))
    try:
        tree = _Parser(_GRAMMAR, text).parse()
    except TemplateSyntaxError as wrong:
        raise TemplateMistake(_unreadable(text, *_expression_at(text, wrong.lineno), wrong)) from None
    except ValueError:
        raise TemplateMistake(_too_large(text)) from None
    pieces: list[nodes.Node] = []
    for output in tree.body:
        if isinstance(output, nodes.Output):
            pieces.extend(output.nodes)
        else:
            pieces.append(output)
    return pieces


def _expression_at(text: str, place: int) -> tuple[str, int]:
    """The expression between {{ and }} that the place is in, and where it begins."""
    start = text.rfind("{{", 0, max(place, 2)) + 2
    end = text.find("}}", start)
    return text[start : end if end >= 0 else len(text)], start


# -- in the author's words ----------------------------------------------------------------------------------

_FOREIGN = (
    (re.compile(r"&&"), "Write 'and' instead of '&&'."),
    (re.compile(r"\|\|"), "Write 'or' instead of '||'."),
    (re.compile(r"!(?!=)"), "Write 'not' instead of '!'."),
    (re.compile(r"\$\w"), "Write the name without '$'; the sign is for queries."),
    (re.compile(r"\[\?"), "Filters belong in queries: name the result under 'find' and use the name here."),
    (re.compile(r"`"), "Write the value as it is, without backticks."),
    (re.compile(r"@"), "Write the name of the field; '@' is for queries."),
    (re.compile(r"\?"), "Write a if condition else b."),
    (re.compile(r"(?<![=!<>])=(?!=)"), "Write '==' to compare."),
)
_TEXTS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def _too_large(text: str) -> Finding:
    """Python turns no text of more than 4,300 digits into a number."""
    found = re.search(r"[\d_]{4300,}", text)
    return Finding(
        "expression-syntax", "This number is too large.", "Write a smaller one.", found.start() if found else 0
    )


def _unreadable(text: str, expression: str, start: int, wrong: TemplateSyntaxError) -> Finding:
    bare = _TEXTS.sub(lambda found: "_" * len(found.group()), expression)
    if not expression.strip():
        return Finding("expression-syntax", "There is nothing to work out here.", "Write an expression.", start)
    if bare.count("'") + bare.count('"') > 0:
        at = start + min(place for place in (bare.find("'"), bare.find('"')) if place >= 0)
        return Finding("expression-syntax", "A text begins here and never ends.", "Close the quote.", at)
    for pattern, fix in _FOREIGN:
        found = pattern.search(bare)
        if found:
            said = f"'{found.group().strip()}' cannot be read here."
            return Finding("expression-syntax", said, fix, start + found.start())
    return _unbalanced(bare, start) or _unclosed(text, start) or _unexpected(text, bare, start, wrong)


def _unbalanced(bare: str, start: int) -> Finding | None:
    pairs = {")": "(", "]": "[", "}": "{"}
    open_ones: list[tuple[str, int]] = []
    for place, letter in enumerate(bare):
        if letter in "([{":
            open_ones.append((letter, place))
        elif letter in pairs and (not open_ones or open_ones.pop()[0] != pairs[letter]):
            said = f"This '{letter}' closes nothing that was opened."
            return Finding("expression-syntax", said, "Remove it, or open it before.", start + place)
    if open_ones:
        letter, place = open_ones[-1]
        return Finding("expression-syntax", f"This '{letter}' is never closed.", "Close it.", start + place)
    return None


def _unclosed(text: str, start: int) -> Finding | None:
    if start >= 2 and text[start - 2 : start] == "{{" and "}}" not in text[start:]:
        return Finding("expression-syntax", "This '{{' is never closed.", "Close it with '}}'.", start - 2)
    return None


def _unexpected(text: str, bare: str, start: int, wrong: TemplateSyntaxError) -> Finding:
    ended = _ENDED.search(wrong.message or "")
    place = wrong.lineno if 0 <= wrong.lineno < len(text) and not ended else start + len(bare.rstrip())
    rest = re.match(r"\w+|\S", text[place:])
    if rest is None or rest.group() == "}":
        said = "Something is missing at the end of this expression."
        return Finding("expression-syntax", said, "Finish it.", max(start, start + len(bare.rstrip()) - 1))
    return _left_over(text, place)


def _left_over(text: str, place: int) -> Finding:
    found = re.match(r"\w+|\S", text[place:])
    word = found.group() if found else ""
    fixes = {"=": "Write '==' to compare.", "if": "Write a if condition else b."}
    fix = fixes.get(word, "A name with a sign in it is read as record['name']; a text needs quotes.")
    return Finding("expression-syntax", f"'{word}' is not expected here.", fix, place)
