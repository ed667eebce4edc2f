"""Queries as trees: jmespath's parser with the dialect's words, `$name` and `map['key']`.

A node is a dict as jmespath builds it (`type`, `children`, `value`), with `start`, the place in the text where it
begins, `grouped` where the author put it between parentheses, and for comparisons `sign`, the place of the operator.
"""

from __future__ import annotations

from typing import Any, ClassVar

from jmespath import parser
from jmespath.exceptions import JMESPathError

from silo_decl.expressions.query_lexer import QueryLexer, Token
from silo_decl.expressions.query_mistakes import QueryMistake, misplaced_text, unexpected

Node = dict[str, Any]


class QueryParser(parser.Parser):
    """One query to one tree. Raises QueryMistake for what cannot be read."""

    BINDING_POWER: ClassVar[dict[str, int]] = {
        **parser.Parser.BINDING_POWER,
        "outside": 0,
        "word_not": 0,
        "in": 5,
        "not_in": 5,
    }
    _CACHE: ClassVar[dict[str, Any]] = {}

    _text: str
    _tokens: list[Token]
    _index: int

    def _parse(self, expression: str) -> parser.ParsedResult:
        if mistake := misplaced_text(expression):
            raise mistake
        self._text = expression
        self._tokens = list(QueryLexer().tokenize(expression))
        self._index = 0
        parsed = self._expression()
        if self._tokens[self._index]["type"] != "eof":
            raise self._unexpected(self._tokens[self._index])
        return parser.ParsedResult(expression, parsed)  # type: ignore[arg-type]

    def _expression(self, binding_power: int = 0) -> Node:
        token = self._take()
        read: Any = getattr(self, f"_token_nud_{token['type']}", self._error_nud_token)
        node: Node = read(token)
        node.setdefault("start", token["start"])
        while binding_power < self.BINDING_POWER[self._tokens[self._index]["type"]]:
            sign = self._tokens[self._index]
            extend: Any = getattr(self, f"_token_led_{sign['type']}", None)
            if extend is None:
                raise self._unexpected(sign)
            self._index += 1
            node = extend(node)
            node.setdefault("start", token["start"])
            node.setdefault("sign", sign["start"])
        return node

    def _take(self) -> Token:
        token = self._tokens[self._index]
        self._index += 1
        return token

    # -- what the dialect adds ------------------------------------------------------------------------------

    def _token_nud_outside(self, token: Token) -> Node:
        return _node("outside", [], token["value"])

    def _token_nud_number(self, token: Token) -> Node:
        return _node("literal", [], token["value"])

    def _token_nud_word_not(self, token: Token) -> Node:
        return _node("not_expression", [self._expression(self.BINDING_POWER["and"])])

    def _token_nud_not(self, token: Token) -> Node:
        return _node("not_expression", [self._expression(self.BINDING_POWER["not"])], "!")

    def _token_nud_quoted_identifier(self, token: Token) -> Node:
        if self._tokens[self._index]["type"] == "lparen":
            said = "The name of a function stands without quotes."
            raise QueryMistake(said, f"Write {token['value']}(...).", token["start"])
        return _node("field", [], token["value"])

    def _token_nud_lparen(self, token: Token) -> Node:
        node = self._expression()
        self._match("rparen")
        return {**node, "grouped": True}

    def _token_nud_lbracket(self, token: Token) -> Node:
        kinds = [self._tokens[place]["type"] for place in (self._index, min(self._index + 1, len(self._tokens) - 1))]
        if kinds == ["number", "comma"]:
            return self._list()
        node: Node = super()._token_nud_lbracket(token)  # type: ignore[misc]
        return node

    def _list(self) -> Node:
        node: Node = self._parse_multi_select_list()  # type: ignore[attr-defined]
        return node

    def _token_led_lbracket(self, left: Node) -> Node:
        """A key between single quotes, or what the library reads."""
        token = self._tokens[self._index]
        after = self._tokens[self._index + 1]["type"] if token["type"] != "eof" else "eof"
        if token["type"] == "literal" and isinstance(token["value"], str) and after == "rbracket":
            self._index += 2
            return {**_node("key", [left], token["value"]), "at": token["start"]}
        if token["type"] == "literal" and isinstance(token["value"], str):
            raise self._unexpected(self._tokens[self._index + 1], "rbracket")
        if token["type"] not in ("number", "colon", "star"):
            raise self._unexpected(token)
        node: Node = super()._token_led_lbracket(left)  # type: ignore[misc]
        return node

    def _token_led_in(self, left: Node) -> Node:
        return self._membership(left, negated=False)

    def _token_led_not_in(self, left: Node) -> Node:
        return self._membership(left, negated=True)

    def _membership(self, left: Node, negated: bool) -> Node:
        start = self._tokens[self._index]["start"]
        kinds = [token["type"] for token in self._tokens[self._index : self._index + 3]]
        if kinds == ["lbracket", "number", "rbracket"]:
            self._index += 1
            right = self._list()
        else:
            right = self._expression(self.BINDING_POWER["in"])
        right.setdefault("start", start)
        return _node("in", [left, right], "not in" if negated else "in")

    # -- where the library is lenient or has no place for a node -------------------------------------------

    def _token_led_dot(self, left: Node) -> Node:
        """What stands between parentheses stays one part, so that it can be written out again."""
        whole = _node("grouped", [left]) if left.get("grouped") else left
        node: Node = super()._token_led_dot(whole)  # type: ignore[misc]
        node["children"] = [left if child is whole else child for child in node["children"]]
        return node

    def _token_led_lparen(self, left: Node) -> Node:
        if left["type"] != "field" or left.get("grouped"):
            raise self._unexpected(self._tokens[self._index - 1])
        arguments: list[Node] = []
        while self._tokens[self._index]["type"] != "rparen":
            if arguments:
                self._match("comma")
            arguments.append(self._expression())
        self._index += 1
        return {**_node("function_expression", arguments, left["value"]), "start": left["start"]}

    def _parse_multi_select_hash(self) -> Node:
        pairs: list[Node] = []
        while not pairs or self._tokens[self._index]["type"] != "rbrace":
            if pairs:
                self._match("comma")
            key = self._take()
            if key["type"] not in ("quoted_identifier", "unquoted_identifier"):
                raise self._unexpected(key)
            self._match("colon")
            pairs.append(_node("key_val_pair", [self._expression()], key["value"]))
        self._index += 1
        return _node("multi_select_dict", pairs)

    def _match(self, token_type: str) -> None:
        if self._tokens[self._index]["type"] != token_type:
            raise self._unexpected(self._tokens[self._index], token_type)
        self._index += 1

    # -- mistakes -------------------------------------------------------------------------------------------

    def _unexpected(self, token: Token, wanted: str = "") -> QueryMistake:
        place = next(place for place, one in enumerate(self._tokens) if one is token)
        return unexpected(self._text, self._tokens, place, wanted)

    def _error_nud_token(self, token: Token) -> Node:
        raise self._unexpected(token)

    def _raise_parse_error_for_token(self, token: Token, reason: str) -> None:
        raise self._unexpected(token)


def _node(kind: str, children: list[Node], value: Any = None) -> Node:
    return {"type": kind, "children": children, "value": value}


def parse_query(text: str) -> Node:
    """The tree of a query. Raises QueryMistake; trees are shared, so they must not be changed."""
    try:
        node: Node = QueryParser().parse(text).parsed  # type: ignore[assignment]
        return node
    except JMESPathError:
        raise QueryMistake("The query cannot be read.", "Compare it with the examples of queries.", 0) from None
    except RecursionError:
        raise QueryMistake("The query is nested too deeply to be read.", "Split it into several steps.", 0) from None
