"""What can be seen of a change before anything runs: that its fields are there and its values may be in them."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from silo_decl.expressions.paths import field_path
from silo_decl.expressions.shapes import ANY, Shape, words
from silo_decl.specs.environment import FieldSpec
from silo_decl.specs.source import At
from silo_decl.tools.draft import Draft, Made
from silo_decl.tools.write.writing import inner_values, wrong_value
from silo_decl.world.measures import is_money_shape


def split_path(path: str) -> list[str]:
    """The steps of a path as written; a dot between `{{` and `}}` parts nothing."""
    steps, depth, begin = [], 0, 0
    for place, letter in enumerate(path):
        if path.startswith("{{", place):
            depth += 1
        elif path.startswith("}}", place):
            depth -= 1
        elif letter == "." and depth == 0:
            steps.append(path[begin:place])
            begin = place + 1
    return [*steps, path[begin:]]


class Look:
    """Looks over the changes of a record of one collection; what is wrong goes to the draft's problems.

    `new` are the fields that a record has been given so far where it is about to be created, else None.
    """

    def __init__(self, draft: Draft, collection: str, new: Container[str] | None = None):
        self.draft = draft
        self.collection = collection
        self.spec = draft.base.spec.collections.get(collection)
        self.shape = draft.record_shape(collection)
        self.new = new
        self.set_so_far: set[str] = set()

    def at_change(self, at: At, key: str, path: str, raw: Any, made: Made) -> None:
        """An entry of `set`, `add` or `append` (`key`): its path, and its value as it is written."""
        field = self.at_path(at, path)
        declared = self.declared(path)
        if key == "add":
            self._addable(at, path, field, made.shape)
        elif key == "append":
            self._appendable(at, path, field)
        elif made.constant and declared is not None:
            self._constant(at, declared, raw)
        else:
            self.at_value(at, path, field, made.shape)
        self.set_so_far.add(path)

    # -- paths ----------------------------------------------------------------------------------------------

    def at_path(self, at: At, path: str) -> Shape:
        """The shape of what a path leads to; a path that nothing has is a problem."""
        if self.spec is None:
            return ANY
        first, *rest = split_path(path)
        if first in self.spec.computed:
            said = f"'{first}' of {self.collection} is computed and never stored."
            self._say(at, "computed-is-stored", said, "Change the fields it is worked out from.", key=True)
            return ANY
        if path == self.spec.key and self.new is None:
            said = f"'{path}' tells the records of {self.collection} apart and cannot be changed."
            self._say(at, "wrong-value", said, "Create a new record instead.", key=True)
            return ANY
        told = len(self.draft.problems)
        found = self._looked_up(at, path)
        if rest and self.new is not None and told == len(self.draft.problems):
            self._outer_is_there(at, path, first)
        return found

    def _outer_is_there(self, at: At, path: str, first: str) -> None:
        """A new record has no objects but those it is given and those whose parts are declared."""
        known = self.spec.fields if self.spec is not None else {}
        if first in self.set_so_far or (self.new is not None and first in self.new):
            return
        if not any(one.partition(".")[0] == first and "." in one for one in known):
            said = f"A new record has no '{first}' yet, so '{path}' cannot be set."
            self._say(at, "wrong-value", said, f"Set '{first}' as a whole.", key=True)

    def _looked_up(self, at: At, path: str) -> Shape:
        """A step with `{{ }}` is a key of a map, or else anything."""
        shape, steps = self.shape, list[str]()
        for step in split_path(path):
            if "{{" not in step:
                steps.append(step)
                continue
            found = self._told(at, ".".join(steps), shape) if steps else shape
            shape, steps = (found.element.maybe() if found.kind == "map" else ANY), []
        return self._told(at, ".".join(steps), shape) if steps else shape

    def _told(self, at: At, path: str, shape: Shape) -> Shape:
        _, found, findings = field_path(path, shape)
        for one in findings:
            self.draft.problems.append(at.problem(one.code, one.message, one.fix, key=True, level=one.level))
        return found

    def is_key_of_map(self, path: str) -> bool:
        """Whether the path ends in a key of an object keyed by ids, and not in a field."""
        outer = ".".join(split_path(path)[:-1])
        quiet = Look(self.draft.quietly(), self.collection)
        return bool(outer) and quiet._looked_up(self.draft.spec.at, outer).kind in ("map", "any")

    def declared(self, path: str) -> FieldSpec | None:
        """What the collection's `fields` says about a path, also about a part of a declared object."""
        if self.spec is None:
            return None
        if path in self.spec.fields:
            return self.spec.fields[path]
        outer, _, inner = path.rpartition(".")
        found = self.declared(outer) if outer else None
        return found.fields.get(inner) if found is not None else None

    # -- values ---------------------------------------------------------------------------------------------

    def at_value(self, at: At, path: str, field: Shape, value: Shape) -> None:
        """A value of this shape for the field at the path."""
        wanted, given = _sort(field), _sort(value)
        if wanted and given and wanted != given:
            said = f"'{path}' of {self.collection} is {words(field)}, and this is {words(value)}."
            self._say(at, "wrong-value", said, "Write a value of that kind.")
        elif field.textual and field.name and value.name and field.name != value.name:
            said = f"'{path}' of {self.collection} refers to {field.name}, and this is the id of one of {value.name}."
            self._say(at, "wrong-value", said, f"Write the id of a record of {field.name}.")

    def _constant(self, at: At, spec: FieldSpec, value: Any) -> None:
        wrong = wrong_value(spec, value) if value is not None else ""
        if wrong:
            self._say(at, "wrong-value", f"The field '{spec.path}' of {self.collection} {wrong}.", "")
            return
        for inner, part in inner_values(spec, value):
            self._constant(at, inner, part)

    def _addable(self, at: At, path: str, field: Shape, value: Shape) -> None:
        for shape, subject in ((field, f"'{path}' of {self.collection}"), (value, "This")):
            if _sort(shape) not in ("", "a number") and not is_money_shape(shape):
                said = f"{subject} is {words(shape)}; only numbers are added."
                self._say(at, "wrong-value", said, "Use 'set' for other values, 'append' for lists.")
                return

    def _appendable(self, at: At, path: str, field: Shape) -> None:
        if _sort(field) not in ("", "a list"):
            said = f"'{path}' of {self.collection} is {words(field)}; only a list is appended to."
            self._say(at, "wrong-value", said, "Use 'set', or 'add' for numbers.")

    def _say(self, at: At, code: str, message: str, fix: str, key: bool = False) -> None:
        self.draft.problems.append(at.problem(code, message, fix, key=key))


def _sort(shape: Shape) -> str:
    """The sort of values that may stand for one another; '' where anything may come."""
    if shape.textual:
        return "a text"
    if shape.kind in ("object", "map", "record"):
        return "an object"
    return {"number": "a number", "boolean": "a truth", "list": "a list"}.get(shape.kind, "")
