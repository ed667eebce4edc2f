"""Comparisons and truths looked over before there are values: what can never hold is said at load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from silo_decl.errors import ExpressionError, choices, nearest
from silo_decl.expressions import meaning
from silo_decl.expressions.findings_fields import quoted
from silo_decl.expressions.shapes import BOOLEAN, NOTHING, NUMBER, TEXT, Finding, Shape, list_of, words

EQUALITY = ("==", "!=")
_FAMILIES = {
    "text": "text",
    "date": "text",
    "datetime": "text",
    "number": "number",
    "boolean": "boolean",
    "list": "list",
    "collection": "list",
    "object": "object",
    "map": "object",
    "record": "object",
}
_EXAMPLES = {"date": "'2026-04-01'", "datetime": "'2026-04-01T09:30:00'"}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its shape, how it is written, where, and its value where it is a literal.

    `named` is how a sentence speaks of it where it is not written as such.
    """

    shape: Shape
    written: str
    offset: int = 0
    literal: bool = False
    value: Any = None
    named: str = ""

    @property
    def subject(self) -> str:
        """How a sentence speaks of it."""
        return self.named or (self.written if self.literal else quoted(self.written))


def literal_shape(value: Any) -> Shape:
    """The shape of a value that stands in an expression."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, (int, float)):
        return NUMBER
    if isinstance(value, str):
        return TEXT
    if isinstance(value, list):
        inner = [literal_shape(element) for element in value]
        return list_of(inner[0] if inner and all(one == inner[0] for one in inner) else Shape())
    return Shape("object", fields={key: literal_shape(inner) for key, inner in value.items()})


def comparison_finding(operator: str, left: Side, right: Side) -> Finding | None:
    """What is wrong with `left operator right`, where operator is one of == != < <= > >=."""
    one, other = _FAMILIES.get(left.shape.kind), _FAMILIES.get(right.shape.kind)
    if one is None or other is None:
        return None
    if one != other:
        return _different_kinds(operator, left, right)
    if operator not in EQUALITY and one in ("boolean", "list", "object"):
        return Finding(
            "wrong-comparison",
            f"{left.subject} is {words(left.shape)}, which has no order, so '{operator}' cannot compare it.",
            "Compare a number, a text or a date in it.",
            left.offset,
        )
    if one == "text":
        return _texts(operator, left, right) or _texts(operator, right, left)
    return None


def _different_kinds(operator: str, left: Side, right: Side) -> Finding:
    listed, single = (left, right) if _is_list(left) else (right, left)
    if _is_list(listed):
        return Finding(
            "list-against-text",
            f"{listed.subject} is {words(listed.shape)} and {single.written} is {words(single.shape)}, "
            "so they are never equal.",
            f"Write contains({listed.written}, {single.written}), or take one element: {listed.written} | [0].",
            listed.offset,
        )
    field, literal = (right, left) if left.literal else (left, right)
    outcome = "are never equal" if operator in EQUALITY else "have no order"
    return Finding(
        "wrong-comparison",
        f"{field.subject} is {words(field.shape)} and {literal.written} is {words(literal.shape)}, so they {outcome}.",
        _same_kind(field, literal),
        literal.offset,
    )


def _is_list(side: Side) -> bool:
    return _FAMILIES.get(side.shape.kind) == "list"


def _same_kind(field: Side, literal: Side) -> str:
    if not literal.literal:
        return "Compare values of the same kind."
    if field.shape.kind == "number" and isinstance(literal.value, str) and _spells_number(literal.value):
        return f"Write the number without quotes: {literal.value.strip()}."
    if field.shape.kind == "boolean":
        return f"Compare it with true or false, or write {field.written} alone."
    if field.shape.textual and not isinstance(literal.value, (list, dict)):
        return f"Write a text between single quotes: '{meaning.to_text(literal.value)}'."
    if field.shape.kind in ("object", "record"):
        return _field_in(field, literal)
    return f"Compare it with {words(field.shape)}."


def _field_in(field: Side, literal: Side) -> str:
    """The field of an object that has the kind of the literal."""
    family = _FAMILIES.get(literal.shape.kind)
    fits = [name for name, shape in field.shape.fields.items() if _FAMILIES.get(shape.kind) == family]
    return f"Compare a field of it, such as {field.written}.{fits[0]}." if fits else "Compare a field of it."


def _spells_number(text: str) -> bool:
    return text.strip().lstrip("-").replace(".", "", 1).isdigit()


def _texts(operator: str, field: Side, other: Side) -> Finding | None:
    if not other.literal:
        return _date_with_moment(operator, field, other)
    if field.literal:
        return None
    value = str(other.value)
    if field.shape.choices and operator in EQUALITY and value not in field.shape.choices:
        return not_a_choice(field, other)
    fits = {"date": meaning.DATE, "datetime": meaning.DATETIME}.get(field.shape.kind)
    if fits is None or _is_real(value, field.shape.kind):
        return None
    if field.shape.kind == "datetime" and _is_real(value, "date"):
        fix = f"Compare its day, date_of({field.written}), or write a moment such as {_EXAMPLES['datetime']}."
    else:
        fix = f"Write {words(field.shape)} such as {_EXAMPLES[field.shape.kind]}."
    return Finding(
        "wrong-comparison",
        f"{field.subject} is {words(field.shape)} and {other.written} is not.",
        fix,
        other.offset,
    )


def _is_real(text: str, kind: str) -> bool:
    try:
        if kind == "date":
            return bool(meaning.DATE.match(text)) and meaning.as_date(text, "") is not None
        return bool(meaning.DATETIME.match(text)) and meaning.as_moment(text, "") is not None
    except ExpressionError:
        return False


def _date_with_moment(operator: str, one: Side, other: Side) -> Finding | None:
    if (one.shape.kind, other.shape.kind) != ("datetime", "date"):
        return None
    return Finding(
        "wrong-comparison",
        f"{one.subject} is a moment in time and {other.written} is a date.",
        f"Compare the days: date_of({one.written}) {operator} {other.written}.",
        one.offset,
    )


def not_a_choice(field: Side, literal: Side) -> Finding:
    """A literal that is none of the values which the field can have."""
    hit = nearest(str(literal.value), field.shape.choices)
    meant = f" Did you mean '{hit}'?" if hit is not None else ""
    listed = choices(f"'{choice}'" for choice in field.shape.choices)
    return Finding(
        "wrong-comparison",
        f"{field.subject} is never '{literal.value}'.{meant}",
        f"Use one of: {listed}.",
        literal.offset,
    )


def membership_finding(item: Side, container: Side) -> Finding | None:
    """What is wrong with `item in container`."""
    kind = container.shape.kind
    if kind in ("number", "boolean"):
        return Finding(
            "wrong-comparison",
            f"{container.subject} is {words(container.shape)}, so nothing can be in it.",
            "Write a list behind 'in', such as ['open', 'won'].",
            container.offset,
        )
    if kind in ("text", "date", "datetime", "object", "map", "record", "collection"):
        return _in_text_or_keys(item, container)
    if kind == "list":
        return _in_list(item, container)
    return None


def _in_list(item: Side, container: Side) -> Finding | None:
    element = Side(container.shape.element, container.written, named=f"An element of {container.written}")
    found = comparison_finding("==", item, element)
    if found is None or _FAMILIES[item.shape.kind] == _FAMILIES[element.shape.kind]:
        return found
    return Finding(
        "wrong-comparison",
        f"{item.subject} is {words(item.shape)}, and each element of {container.subject} is {words(element.shape)}.",
        f"Look for {words(element.shape)}.",
        item.offset,
    )


def _in_text_or_keys(item: Side, container: Side) -> Finding | None:
    family = _FAMILIES.get(item.shape.kind, "text")
    if family == "text":
        return None
    asked = "part of a text" if container.shape.textual else "id" if container.shape.kind == "collection" else "key"
    return Finding(
        "wrong-comparison",
        f"{item.subject} is {words(item.shape)}; what is looked for in {container.written} is a text, "
        f"{'an' if asked == 'id' else 'a'} {asked}.",
        "Look for a text.",
        item.offset,
    )


def truth_finding(side: Side, instead: str = "") -> Finding | None:
    """A number where true or false is asked for; `instead` is one thing more that may have been meant."""
    if side.shape.kind != "number":
        return None
    fix = f"Write {side.written} > 0 or {side.written} != null."
    return Finding(
        "number-as-truth",
        f"{side.subject} is a number and stands where true or false is asked for; even 0 counts as something.",
        f"{fix} {instead}".strip(),
        side.offset,
    )
