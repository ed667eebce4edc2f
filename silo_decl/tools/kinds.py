"""The kinds of tool, each with what builds it: one table, listed by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silo_decl.tools.built import Built
from silo_decl.tools.draft import Draft
from silo_decl.tools.read.getting import build_get
from silo_decl.tools.read.listing import build_list
from silo_decl.tools.read.querying import build_query
from silo_decl.tools.read.searching import build_search
from silo_decl.tools.read.summarizing import build_summary
from silo_decl.tools.write.acting import build_action
from silo_decl.tools.write.creating import build_create
from silo_decl.tools.write.deleting import build_delete
from silo_decl.tools.write.updating import build_update

KINDS: dict[str, Callable[[Draft, Any], Built]] = {
    "list": build_list,
    "get": build_get,
    "search": build_search,
    "summarize": build_summary,
    "query": build_query,
    "create": build_create,
    "update": build_update,
    "delete": build_delete,
    "action": build_action,
}

COLLECTION_KINDS = ("list", "get", "search", "summarize", "create", "update", "delete")
"""The kinds that cannot be built where their collection is not known."""
