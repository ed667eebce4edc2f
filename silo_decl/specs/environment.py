"""`environment.yaml` and the collection files it lists, as frozen facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from silo_decl.expressions.shapes import Shape
from silo_decl.specs.source import At

if TYPE_CHECKING:
    from silo_decl.specs.suite import SuiteSpec
    from silo_decl.specs.task import TaskSpec
    from silo_decl.specs.task_family import FamilySpec
    from silo_decl.specs.tool import ToolSpec


@dataclass(frozen=True, slots=True)
class ReferenceSpec:
    """What a field points to: one `collection`, or by the value of the field `by` one of `collections`."""

    collection: str = ""
    by: str = ""
    collections: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What data cannot show about a field. `path` may have dots. `type` is '' where the data decides."""

    at: At
    path: str
    type: str = ""
    of: FieldSpec | None = None
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    references: ReferenceSpec | None = None
    enum: tuple[Any, ...] = ()
    default: Any = None
    has_default: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class GatherSpec:
    """A computed field answered from other records: `from`, `match`, `where` and one measure.

    `match` maps a field path of the other collection to a value written over the own record.
    `measure` is one of sum, count, min, max, first, list; `of` is the field it measures ('' for count).
    """

    at: At
    collection: str
    match: Mapping[str, Any]
    where: str
    measure: str
    of: str
    sort: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComputedSpec:
    """A field that is never stored: an expression `value`, or `gather`."""

    at: At
    name: str
    value: Any = None
    gather: GatherSpec | None = None


@dataclass(frozen=True, slots=True)
class ViewFieldSpec:
    """One item of a view: a field path under its own last name, or a `name` with an expression `value`."""

    at: At
    name: str
    path: str = ""
    value: Any = None


@dataclass(frozen=True, slots=True)
class ViewSpec:
    at: At
    name: str
    fields: tuple[ViewFieldSpec, ...]


@dataclass(frozen=True, slots=True)
class CollectionSpec:
    """A named set of records. `ids` is a format with one counter, such as 'OPP-{:03}', or ''.

    `data_file` is the file of its facts relative to the folder, '' where there is none. `records` are these facts
    in file order, each with its key field, never to be changed; `data_at` is the place of the file's top value
    (a record's place is `data_at.child(index or key)`; `record_steps` gives that step for each record).
    `open` says that its settings or its data could not be read whole, so that it may have fields that are not
    known here.
    """

    at: At
    name: str
    singular: str
    key: str = "id"
    ids: str = ""
    description: str = ""
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    computed: Mapping[str, ComputedSpec] = field(default_factory=dict)
    views: Mapping[str, ViewSpec] = field(default_factory=dict)
    data_file: str = ""
    data_at: At | None = None
    records: tuple[dict[str, Any], ...] = ()
    record_steps: tuple[str | int, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A condition on a record of the collection `of`, with the error it gives when it does not hold."""

    at: At
    name: str
    of: str
    require: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ActorSpec:
    """A parameter that every write tool gets."""

    at: At
    parameter: str
    references: str
    rule: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class AuditSpec:
    """One record in `collection` for each successful change; `entry` maps fields to values."""

    at: At
    collection: str
    entry: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EnvironmentSpec:
    """A whole folder as its author wrote it. Mappings keep file order; `tools` holds registered tools only.

    `families` are by their ids. Their members are among `tasks`, and in the selections of suites, only once a world
    was there to make them from: in the `spec` of an `Environment`.
    """

    at: At
    root: Path
    name: str
    title: str
    description: str
    now: str
    collections: Mapping[str, CollectionSpec]
    rules: Mapping[str, RuleSpec]
    actor: ActorSpec | None
    audit: AuditSpec | None
    tools: Mapping[str, ToolSpec]
    tasks: Mapping[str, TaskSpec]
    suites: Mapping[str, SuiteSpec]
    policy: str = ""
    content_hash: str = ""
    families: Mapping[str, FamilySpec] = field(default_factory=dict)
    data_shapes: dict[str, Shape] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What `collection_shapes` found out, so that it looks through the data once."""
