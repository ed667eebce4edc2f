"""The line that a person types on a terminal: history, and completion of tools, arguments and known values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from silo_decl.authoring.play import PlaySession

_MOST = 200


class Prompt:
    """Asks for lines until ctrl-D; ctrl-C drops the line that is being typed."""

    def __init__(self, session: PlaySession, commands: Mapping[str, str]):
        self._main: PromptSession[str] = PromptSession(completer=Words(session, commands), complete_while_typing=False)
        self._plain: PromptSession[str] = PromptSession()

    def lines(self) -> Iterator[str]:
        while True:
            try:
                yield self._main.prompt("> ")
            except KeyboardInterrupt:
                continue
            except EOFError:
                return

    def ask(self, question: str) -> str:
        """One value of a form; ctrl-D leaves it empty."""
        try:
            return self._plain.prompt(question)
        except EOFError:
            return ""


class Words(Completer):
    """Completes what can be known: the first word, names of arguments, and values with choices or ids."""

    def __init__(self, session: PlaySession, commands: Mapping[str, str]):
        self.session = session
        self.commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        word = re.split(r"\s+", text)[-1]
        for found, about in self._candidates(text, word):
            if found.casefold().startswith(word.casefold()):
                yield Completion(found, start_position=-len(word), display_meta=about)

    def _candidates(self, text: str, word: str) -> Iterator[tuple[str, str]]:
        first, blank, _ = text.lstrip().partition(" ")
        if not blank:
            yield from self.commands.items()
            for name, tool in self.session.env.toolbox.tools.items():
                yield name, " ".join(tool.spec.description.split())[:60]
            return
        if first == "help":
            yield from ((name, "") for name in self.session.env.toolbox.tools)
            return
        tool_here = self.session.tool(first)
        if tool_here is None:
            return
        name, equals, _ = word.partition("=")
        for one in tool_here.parameters:
            if not equals:
                if f" {one.name}=" not in text:
                    yield f"{one.name}=", one.description
            elif one.name == name:
                values = list(map(str, one.enum)) or self._ids(one.references)
                values = values or (["true", "false"] if one.type == "boolean" else [])
                yield from ((f"{name}={value}", "") for value in values)

    def _ids(self, collection: str) -> list[str]:
        if collection not in self.session.env.spec.collections:
            return []
        return self.session.world.ids(collection)[:_MOST]
