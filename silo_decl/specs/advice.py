"""What is not wrong but could teach: names that nothing uses, descriptions that do not help an agent, tools that a
model's provider would refuse. Only `silo validate` asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from silo_decl.errors import Level, Problem, choices
from silo_decl.specs.advice_words import about, nearly_the_same, only_repeats, says_when
from silo_decl.specs.environment import CollectionSpec, EnvironmentSpec
from silo_decl.specs.source import At
from silo_decl.specs.task import CallStep, EachStep, StepSpec
from silo_decl.specs.tool import WRITE_KINDS, GroupSpec, IncludeSpec, ParameterSpec, ToolSpec

Parameters = Mapping[str, tuple[ParameterSpec, ...]]

# What the tool forms of large providers take at most: https://platform.openai.com/docs/api-reference (functions),
# https://docs.anthropic.com (input_schema property keys), https://ai.google.dev/api (enum of texts).
MOST_TOOLS = 128
LONGEST_DESCRIPTION = 1024
MOST_CHOICES = 500
DEEPEST = 5
_PARAMETER_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def advise(spec: EnvironmentSpec, parameters: Parameters) -> list[Problem]:
    """Warnings and notes about a world that has no errors. `parameters` are those of every tool."""
    return _Advice(spec, parameters).all()


@dataclass
class _Advice:
    spec: EnvironmentSpec
    parameters: Parameters

    def all(self) -> list[Problem]:
        found: list[Problem] = []
        for part in (self._names, self._descriptions, self._parameters, self._filters, self._whole):
            found += part()
        return found

    # Names that nothing uses

    @cached_property
    def _hook_text(self) -> str:
        files = sorted((self.spec.root / "hooks").rglob("*.py"))
        return "\n".join(path.read_text("utf-8", errors="replace") for path in files)

    def _in_hooks(self, name: str) -> bool:
        return f'"{name}"' in self._hook_text or f"'{name}'" in self._hook_text

    def _names(self) -> Iterator[Problem]:
        used_views, used_rules = _used(self.spec, self.parameters)
        for collection in self.spec.collections.values():
            for view in collection.views.values():
                if (collection.name, view.name) not in used_views and not self._in_hooks(view.name):
                    message = f"No tool shows {collection.name} in the view '{view.name}'."
                    yield _say(
                        view.at, "unused-view", message, "Name it in a tool with 'view:', or remove it.", key=True
                    )
        for rule in self.spec.rules.values():
            if rule.name not in used_rules and not self._in_hooks(rule.name):
                message = f"No tool uses the rule '{rule.name}', so it forbids nothing."
                fix = "Name it in a tool with 'rule:', or remove it."
                yield _say(rule.at, "unused-rule", message, fix, key=True)
        yield from self._hidden()

    def _hidden(self) -> Iterator[Problem]:
        shown = {name for tool in self.spec.tools.values() for name in _collections_of(tool)}
        audited = self.spec.audit.collection if self.spec.audit else ""
        texts = " ".join(text for tool in self.spec.tools.values() for text in _texts(tool.body))
        for collection in self.spec.collections.values():
            name = collection.name
            if name in shown or name == audited or re.search(rf"\b{re.escape(name)}\b", texts) or self._in_hooks(name):
                continue
            message = f"No tool shows or changes {name}, so an agent cannot know that they exist."
            fix = f"Write a list, get or search of {name}, or leave it if it only serves other fields."
            yield _say(collection.at, "hidden-collection", message, fix, "note", key=True)

    # Descriptions

    def _descriptions(self) -> Iterator[Problem]:
        for tool in self.spec.tools.values():
            at = tool.at.child("description")
            if tool.stub:
                message = f"{tool.name} is a stub: every call fails with invalid_state."
                yield _say(
                    tool.at.child("stub"), "stub", message, "Write the tool, then remove this line.", "note", True
                )
            elif only_repeats(tool.description, tool.name):
                message = f"The description of {tool.name} only repeats its name."
                yield _say(
                    at, "repeats-name", message, "Say what it gives, when to use it, and what must be true first."
                )
        yield from self._silent()
        yield from self._alike()

    def _silent(self) -> Iterator[Problem]:
        """Tools whose descriptions do not say when; one note for a file."""
        files: dict[str, list[ToolSpec]] = {}
        for tool in self.spec.tools.values():
            if not (tool.stub or says_when(tool.description) or only_repeats(tool.description, tool.name)):
                files.setdefault(tool.at.file.name, []).append(tool)
        for tools in files.values():
            names = choices(tool.name for tool in tools)
            one = len(tools) == 1
            message = f"The description{'' if one else 's'} of {names} {'does' if one else 'do'} not say when to use "
            message += "it." if one else "them."
            fix = "Add a sentence such as: Use this when …"
            yield _say(tools[0].at.child("description"), "says-not-when", message, fix, "note")

    def _alike(self) -> Iterator[Problem]:
        seen: list[tuple[ToolSpec, frozenset[str]]] = []
        for tool in self.spec.tools.values():
            if tool.stub:
                continue
            words = about(tool.description)
            twin = next((other for other, theirs in seen if nearly_the_same(words, theirs)), None)
            if twin is not None:
                message = f"The descriptions of {twin.name} and {tool.name} say nearly the same."
                fix = "Say in each what the other does not do."
                yield _say(tool.at.child("description"), "near-duplicate", message, fix)
            seen.append((tool, words))

    # Parameters

    def _parameters(self) -> Iterator[Problem]:
        for name, given in self.parameters.items():
            tool = self.spec.tools[name]
            if len(tool.description) > LONGEST_DESCRIPTION:
                size = f"{len(tool.description):,} letters"
                message = f"The description of {name} has {size}; some model providers take {LONGEST_DESCRIPTION:,}."
                yield _say(tool.at.child("description"), "provider-limits", message, "Shorten it.")
            for one in given:
                yield from self._parameter(name, one, 1)

    def _parameter(self, tool: str, one: ParameterSpec, depth: int) -> Iterator[Problem]:
        if one.name and not _PARAMETER_NAME.fullmatch(one.name):
            message = f"Model providers refuse a parameter called '{one.name}'."
            fix = "Use at most 64 letters from a to z, digits, '_', '-' and '.'; 'parameter:' gives it another name."
            yield _say(one.at, "provider-limits", message, fix, key=True)
        if one.name and not one.description.strip():
            message = f"The parameter '{one.name}' of {tool} has no description, so an agent has to guess."
            yield _say(one.at, "undescribed-parameter", message, "Add 'description:' with what to give.")
        yield from _choices(one)
        if depth > DEEPEST:
            message = f"'{one.name}' lies {depth} levels deep; some model providers take {DEEPEST}."
            yield _say(one.at, "provider-limits", message, "Take fewer levels, or several parameters.")
            return
        for inner in (*one.fields.values(), *((one.of,) if one.of else ())):
            yield from self._parameter(tool, inner, depth + 1)

    # Filters

    def _filters(self) -> Iterator[Problem]:
        written = {path for tool in self.spec.tools.values() for path in _written(tool)}
        for tool in self.spec.tools.values():
            collection = self.spec.collections.get(tool.collection)
            for one in getattr(tool.body, "filters", ()):
                path = one.field
                if (
                    collection is None
                    or not path
                    or not collection.records
                    or path.split(".")[0] in collection.computed
                ):
                    continue
                if (tool.collection, path) not in written and _always_nothing(collection, path):
                    message = f"'{path}' is empty in every record of {collection.name}, and no tool writes it."
                    yield _say(one.at, "always-null", message, "Fill it in the data, or remove the filter.", key=True)

    # The world as a whole

    def _whole(self) -> Iterator[Problem]:
        at = self.spec.at.child("tools")
        if len(self.spec.tools) > MOST_TOOLS:
            message = f"There are {len(self.spec.tools)} tools; some model providers take {MOST_TOOLS} at once."
            yield _say(at, "provider-limits", message, "Expect agents to need a choice among them.", "note", True)
        solved = [task for task in self.spec.tasks.values() if task.solution]
        called = {name for task in solved for name in _called(task.solution)}
        unneeded = [tool.name for tool in self.spec.tools.values() if tool.name not in called and not tool.stub]
        if solved and unneeded:
            count = f"{len(unneeded)} of {len(self.spec.tools)} tools"
            message = f"No solution calls {count}: {choices(unneeded, 8)}."
            yield _say(
                at, "unneeded-tools", message, "Write tasks that need them; a few spare tools do no harm.", "note", True
            )


def _say(at: At, code: str, message: str, fix: str, level: Level = "warning", key: bool = False) -> Problem:
    return at.problem(code, message, fix, level=level, key=key)


def _choices(one: ParameterSpec) -> Iterator[Problem]:
    at = one.at.child("enum")
    if len(one.enum) > MOST_CHOICES:
        message = f"'{one.name}' has {len(one.enum)} choices; some model providers take {MOST_CHOICES}."
        yield _say(at, "provider-limits", message, "Make it a text, and refuse what does not fit with 'require'.")
    if any(choice == "" for choice in one.enum):
        yield _say(at, "provider-limits", "Some model providers refuse an empty text as a choice.", "Give it a word.")
    if any(not isinstance(choice, str) for choice in one.enum):
        message = f"'{one.name}' has choices that are no texts; some model providers refuse them."
        yield _say(at, "provider-limits", message, "Put each choice between quotes.")


def _always_nothing(collection: CollectionSpec, path: str) -> bool:
    steps = path.split(".")
    return all(_at(record, steps) is None for record in collection.records)


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _written(tool: ToolSpec) -> Iterator[tuple[str, str]]:
    """Collection and field path of what a tool may write."""
    if tool.kind not in WRITE_KINDS:
        return
    for one in getattr(tool.body, "change", ()):
        yield tool.collection, one.path
    for one in getattr(tool.body, "input", ()) if tool.kind == "create" else ():
        yield tool.collection, one.name
    for place in ("set", "add", "append"):
        for path in getattr(tool.body, place, ()):
            yield tool.collection, path
        for effect in getattr(tool.body, "also", ()):
            for path in getattr(effect, place):
                yield effect.collection or tool.collection, path


def _called(steps: Iterable[StepSpec]) -> Iterator[str]:
    for step in steps:
        if isinstance(step, CallStep):
            yield step.call
        elif isinstance(step, EachStep):
            yield from _called(step.do)


def _collections_of(tool: ToolSpec) -> Iterator[str]:
    yield tool.collection
    for part in _parts(tool.body):
        if isinstance(part, IncludeSpec):
            yield part.collection
        elif isinstance(part, GroupSpec) and part.each:
            yield part.each


def _used(spec: EnvironmentSpec, parameters: Parameters) -> tuple[set[tuple[str, str]], set[str]]:
    """Views, with their collection, and rules that something names."""
    views: set[tuple[str, str]] = set()
    rules = {spec.actor.rule} if spec.actor else set()
    for tool in spec.tools.values():
        returns = getattr(tool.body, "returns", None)
        views |= {(tool.collection, word) for word in _plain_words(returns)}
        shown = [(getattr(one, "collection", "") or tool.collection, one.view) for one in _viewed(tool)]
        if tool.kind in WRITE_KINDS and returns is None:
            shown.append((tool.collection, ""))
        views |= {(collection, view or _first_view(spec, collection)) for collection, view in shown}
        for part in _parts(tool.body):
            rules |= set(getattr(part, "rules", ())) | {getattr(part, "rule", "")}
    for one in (one for given in parameters.values() for one in given):
        rules.add(one.rule)
    return views, rules


def _viewed(tool: ToolSpec) -> Iterator[Any]:
    return (part for part in _parts(tool.body) if hasattr(part, "view"))


def _first_view(spec: EnvironmentSpec, collection: str) -> str:
    """The view in which a record is shown where none is named."""
    return next(iter(spec.collections[collection].views), "") if collection in spec.collections else ""


def _plain_words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _plain_words(inner)


def _parts(value: Any) -> Iterator[Any]:
    """A part of a tool and every part within it."""
    if isinstance(value, At):
        return
    if is_dataclass(value):
        yield value
        for one in fields(value):
            yield from _parts(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _parts(inner)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _parts(inner)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in _parts(value):
        for one in fields(part):
            inner = getattr(part, one.name)
            if isinstance(inner, str):
                yield inner
            elif isinstance(inner, Mapping):
                yield from _plain_words(inner)
