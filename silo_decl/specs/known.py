"""Names that an environment's files mention, also where the thing itself has problems and is left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from silo_decl.specs.source import At


@dataclass
class Known:
    """What may be referred to. `…_lost` says that there may be more, in files that could not be read."""

    collections: set[str] = field(default_factory=set)
    collections_lost: bool = False
    data_lost: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    tools: dict[str, At] = field(default_factory=dict)
    tools_lost: bool = False
    tasks: dict[str, At] = field(default_factory=dict)
    tasks_lost: bool = False
