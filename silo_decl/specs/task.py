"""`tasks/*.yaml`: what an agent is asked, how it is graded and the calls that solve it, as frozen facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from silo_decl.specs.source import At

ANSWER_FORMS = ("number", "numbers", "date", "one_of", "mentions", "json", "text")
DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class GivenSpec:
    """A truth written once: `name` stands for the result of `query`."""

    at: At
    name: str
    query: str


@dataclass(frozen=True, slots=True)
class QueryCheck:
    """The result of `query` meets every test in `expect`.

    `expect` holds the test words, and tolerance, count, empty, same_items; the values may be expressions.
    """

    query: str
    expect: Mapping[str, Any]
    allow_empty: bool = False


@dataclass(frozen=True, slots=True)
class ThatCheck:
    """A condition that holds; with `for_each` and `as_`, for every item of a query (which must find something)."""

    that: str
    for_each: str = ""
    as_: str = ""
    allow_empty: bool = False


@dataclass(frozen=True, slots=True)
class ChangeGroupSpec:
    """Which records change and how: `records` (query or list of ids) or `created`/`deleted` (how many).

    `to` maps field paths to the values they must end with (for created: have); `may` lists fields that may change
    too. A `created` group may narrow with `where`.
    """

    at: At
    records: Any = None
    created: Any = None
    deleted: Any = None
    where: str = ""
    to: Mapping[str, Any] = field(default_factory=dict)
    may: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangesCheck:
    """What must, may and may not differ. `nothing` means that nothing may; `collections` maps to its groups."""

    nothing: bool = False
    collections: Mapping[str, tuple[ChangeGroupSpec, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """The final answer meets one form of ANSWER_FORMS; `settings` is the mapping as written, `form` among its keys."""

    form: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallsCheck:
    """How the tools were used: `settings` holds never, happened, at_most, before as written."""

    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnyOfCheck:
    """Passes when every check of at least one group passes."""

    groups: tuple[tuple[CheckSpec, ...], ...]


@dataclass(frozen=True, slots=True)
class PythonCheck:
    """`hook` is 'module.function' under hooks/."""

    hook: str


CheckBody = QueryCheck | ThatCheck | ChangesCheck | AnswerCheck | CallsCheck | AnyOfCheck | PythonCheck


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """One question about the end of a rollout. `label` is what the author wrote, or made from the form."""

    at: At
    label: str
    body: CheckBody
    required: bool = True
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CallStep:
    """Call a tool with `input` (values); its output is kept under `save`."""

    at: At
    call: str
    input: Mapping[str, Any]
    save: str = ""


@dataclass(frozen=True, slots=True)
class EachStep:
    """The steps `do` for every item of the value `for_each` (a condition-language expression over saved names)."""

    at: At
    for_each: str
    as_: str
    do: tuple[StepSpec, ...]


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """The final answer: a text or any value with expressions."""

    at: At
    value: Any


StepSpec = CallStep | EachStep | AnswerStep


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task. `family` is the id of the family it was made from, '' for a task that was written."""

    at: At
    id: str
    title: str
    instruction: str
    difficulty: str = ""
    tags: tuple[str, ...] = ()
    acting_as: str = ""
    given: tuple[GivenSpec, ...] = ()
    checks: tuple[CheckSpec, ...] = ()
    solution: tuple[StepSpec, ...] = ()
    file: str = ""
    family: str = ""
