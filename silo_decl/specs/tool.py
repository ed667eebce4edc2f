"""`tools/*.yaml`: the tools of one area of the business, as frozen facts.

Texts that are expressions are kept as written; `specs.compiled` turns them into something that runs, with the
place (`at.child(key)`) where each stands. Shorthands are already spelt out here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from silo_decl.specs.source import At

READ_KINDS = ("list", "get", "search", "summarize", "query")
WRITE_KINDS = ("create", "update", "delete")
TOOL_KINDS = (*READ_KINDS, *WRITE_KINDS, "action")
TESTS = (
    "equals",
    "not_equals",
    "at_least",
    "at_most",
    "above",
    "below",
    "contains",
    "one_of",
    "matches",
)


@dataclass(frozen=True, slots=True)
class ParameterSpec:
    """One parameter of a tool. `type` is '' only where the collection's field decides (see `specs.parameters`).

    `of` is the element of a list (a parameter without a name); `fields` are the parameters of an object.
    `references` is a collection whose ids are allowed; `rule` a rule its record must meet.
    """

    at: At
    name: str
    type: str = ""
    description: str = ""
    required: bool = True
    default: Any = None
    has_default: bool = False
    enum: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    references: str = ""
    rule: str = ""
    of: ParameterSpec | None = None
    fields: Mapping[str, ParameterSpec] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FilterSpec:
    """A filter of a read: `test` on `field`, or the query `where` that holds when the (boolean) argument is true.

    `parameter` is the agent's side of it; never required unless the author says so.
    """

    at: At
    name: str
    parameter: ParameterSpec
    field: str = ""
    test: str = "equals"
    where: str = ""


@dataclass(frozen=True, slots=True)
class FindSpec:
    """A name for what the rest needs: a `query`; or with `for_each` and `as_`, a list of rows of inner names."""

    at: At
    name: str
    query: str = ""
    for_each: str = ""
    as_: str = ""
    find: tuple[FindSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class RequireSpec:
    """A condition `that` must hold (`when` it applies, for every item of `for_each`), else error `code`, `message`."""

    at: At
    that: str
    code: str
    message: str
    when: str = ""
    for_each: str = ""
    as_: str = ""


@dataclass(frozen=True, slots=True)
class RecordSpec:
    """The record that a write is about: the parameter that names it, and the rules it must meet."""

    at: At
    parameter: str
    rules: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSpec:
    """A field that `update` may change by an optional parameter of its own."""

    at: At
    path: str
    parameter: ParameterSpec


@dataclass(frozen=True, slots=True)
class EffectSpec:
    """What else changes. `target` is self, update, create or delete; `collection` is '' for self.

    `record` is a value that gives an id, `where` a query over the collection's records; one of them for update
    and delete. `as_name` names a created record for what follows. `set`, `add`, `append` map field paths to values;
    `unset` lists field paths.
    """

    at: At
    target: str
    collection: str = ""
    record: Any = None
    where: str = ""
    as_name: str = ""
    when: str = ""
    for_each: str = ""
    as_: str = ""
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, Any] = field(default_factory=dict)
    append: Mapping[str, Any] = field(default_factory=dict)
    unset: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IncludeSpec:
    """Records of another collection that a get shows with its own."""

    at: At
    name: str
    collection: str
    match: Mapping[str, Any]
    where: str = ""
    sort: tuple[str, ...] = ()
    view: str = ""
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class MeasureSpec:
    """`function` is count, sum, min, max or avg; `of` is the field path it measures ('' for count)."""

    at: At
    name: str
    function: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """Rows of a summary: one for each value of the fields `by` (name to field path), or one for `each` record.

    With `each`, `where`, `sort` choose and order the records of that collection, and `match` says which matched
    records belong to one (field path of the summarized collection to a value over the record of `each`).
    """

    at: At
    name: str
    measures: tuple[MeasureSpec, ...]
    by: Mapping[str, str] = field(default_factory=dict)
    each: str = ""
    where: str = ""
    match: Mapping[str, Any] = field(default_factory=dict)
    show: Mapping[str, Any] = field(default_factory=dict)
    sort: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordsSpec:
    at: At
    name: str
    view: str = ""
    sort: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class ListTool:
    filters: tuple[FilterSpec, ...] = ()
    where: str = ""
    sort: tuple[str, ...] = ()
    view: str = ""


@dataclass(frozen=True, slots=True)
class SearchTool:
    in_: tuple[str, ...]
    filters: tuple[FilterSpec, ...] = ()
    where: str = ""
    sort: tuple[str, ...] = ()
    view: str = ""


@dataclass(frozen=True, slots=True)
class GetTool:
    """By id (`parameter`), or by the fields `by`, each a parameter of its last name."""

    parameter: str = ""
    description: str = ""
    by: tuple[str, ...] = ()
    ignore_case: bool = False
    rules: tuple[str, ...] = ()
    view: str = ""
    show: Mapping[str, Any] = field(default_factory=dict)
    include: tuple[IncludeSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class SummarizeTool:
    input: tuple[ParameterSpec, ...] = ()
    filters: tuple[FilterSpec, ...] = ()
    where: str = ""
    show: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[MeasureSpec, ...] = ()
    groups: tuple[GroupSpec, ...] = ()
    records: tuple[RecordsSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class QueryTool:
    input: tuple[ParameterSpec, ...] = ()
    find: tuple[FindSpec, ...] = ()
    require: tuple[RequireSpec, ...] = ()
    returns: Any = None


@dataclass(frozen=True, slots=True)
class CreateTool:
    """`returns` None means the common answer; a mapping's values may be a view's name or an expression."""

    input: tuple[ParameterSpec, ...] = ()
    find: tuple[FindSpec, ...] = ()
    require: tuple[RequireSpec, ...] = ()
    set: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[EffectSpec, ...] = ()
    log: str = ""
    returns: Any = None


@dataclass(frozen=True, slots=True)
class UpdateTool:
    record: RecordSpec
    input: tuple[ParameterSpec, ...] = ()
    change: tuple[ChangeSpec, ...] = ()
    clearable: tuple[str, ...] = ()
    find: tuple[FindSpec, ...] = ()
    require: tuple[RequireSpec, ...] = ()
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, Any] = field(default_factory=dict)
    append: Mapping[str, Any] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    also: tuple[EffectSpec, ...] = ()
    log: str = ""
    returns: Any = None


@dataclass(frozen=True, slots=True)
class DeleteTool:
    record: RecordSpec
    input: tuple[ParameterSpec, ...] = ()
    find: tuple[FindSpec, ...] = ()
    require: tuple[RequireSpec, ...] = ()
    also: tuple[EffectSpec, ...] = ()
    log: str = ""
    returns: Any = None


@dataclass(frozen=True, slots=True)
class ActionTool:
    """`hook` is 'module.function' under hooks/; `reads` says that it changes nothing.

    `record` is a value that gives the id for the audit; `log` its sentence.
    """

    hook: str
    input: tuple[ParameterSpec, ...] = ()
    reads: bool = False
    record: Any = None
    log: str = ""


ToolBody = (
    ListTool | SearchTool | GetTool | SummarizeTool | QueryTool | CreateTool | UpdateTool | DeleteTool | ActionTool
)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool. `at` is its place; `body_at` the place of what stands under its kind.

    `collection` is '' where the kind needs none (query, action). A `stub` is not written yet: every call fails.
    """

    at: At
    body_at: At
    name: str
    description: str
    kind: str
    body: ToolBody
    collection: str = ""
    stub: bool = False

    @property
    def writes(self) -> bool:
        """Whether a call may change the world."""
        return self.kind in WRITE_KINDS or (isinstance(self.body, ActionTool) and not self.body.reads)
