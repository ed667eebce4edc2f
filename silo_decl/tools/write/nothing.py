"""A remark for changes that might hit too much: `where: accountId == $record.accountId` where both may be nothing.

Nothing equals nothing, so a record without an account would change every record that has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from silo_decl.expressions.paths import field_path
from silo_decl.expressions.query_logic import operands
from silo_decl.expressions.query_mistakes import QueryMistake
from silo_decl.expressions.query_parser import QueryParser
from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs.tool import EffectSpec
from silo_decl.tools.draft import Draft

Node = dict[str, Any]


def remark_nothing(draft: Draft, spec: EffectSpec) -> None:
    """Tell the author of an effect whose `where` may compare nothing with nothing and that no `when` guards."""
    if spec.when:
        return
    conditions = _conditions(spec.where)
    for field, outside in _equalities(conditions):
        if not _guarded(conditions, outside) and _may_be_nothing(draft, spec.collection, field, outside):
            said = f"Where {outside} is nothing, this means every record of {spec.collection} without {field}."
            fix = f"Add 'when: {outside.removeprefix('$')} != null' if that is not meant."
            draft.problems.append(spec.at.child("where").problem("equals-nothing", said, fix, level="note"))


def _conditions(where: str) -> list[Node]:
    """What has to hold at once."""
    try:
        tree: Any = QueryParser().parse(where).parsed
    except QueryMistake:
        return []
    return operands(tree) if tree["type"] == "and_expression" else [tree]


def _equalities(conditions: list[Node]) -> Iterator[tuple[str, str]]:
    """Each field that must equal a value from outside, as they are written."""
    for one in conditions:
        if one["type"] == "comparator" and one["value"] == "eq":
            paths = [_path(side) for side in one["children"]]
            inner = [path for path in paths if path and not path.startswith("$")]
            outer = [path for path in paths if path.startswith("$")]
            if inner and outer:
                yield inner[0], outer[0]


def _path(node: Node) -> str:
    """A field path, with '$' in front where it begins with a value from outside; '' for anything else."""
    if node["type"] == "field":
        return str(node["value"])
    if node["type"] == "outside":
        return f"${node['value']}"
    if node["type"] == "subexpression":
        steps = [_path(one) for one in node["children"]]
        return ".".join(steps) if all(steps) else ""
    return ""


def _guarded(conditions: list[Node], path: str) -> bool:
    """Whether another of the conditions says that the value is something."""
    for one in conditions:
        if _path(one) == path:
            return True
        if one["type"] == "comparator" and one["value"] == "ne" and path in map(_path, one["children"]):
            return True
    return False


def _may_be_nothing(draft: Draft, collection: str, field: str, outside: str) -> bool:
    name, _, rest = outside.removeprefix("$").partition(".")
    value = _at(draft.names.get(name, ANY), rest)
    return _at(draft.record_shape(collection), field).nullable and value.nullable


def _at(shape: Shape, path: str) -> Shape:
    return field_path(path, shape)[1] if path else shape
