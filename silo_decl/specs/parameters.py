"""The parameters of a tool with everything worked out, and the JSON Schema that a model and the engine see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from silo_decl.expressions.shapes import ANY, Shape
from silo_decl.specs.environment import EnvironmentSpec, FieldSpec
from silo_decl.specs.shapes import collection_shapes
from silo_decl.specs.source import At
from silo_decl.specs.tool import (
    ActionTool,
    CreateTool,
    DeleteTool,
    FilterSpec,
    GetTool,
    ListTool,
    ParameterSpec,
    QueryTool,
    SearchTool,
    SummarizeTool,
    ToolSpec,
    UpdateTool,
)

PAGE = 50
MOST = 500
DATE_PATTERN = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"
DATETIME_PATTERN = (
    r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$"
)

_ORDERED = ("at_least", "at_most", "above", "below")


def parameters_of(
    spec: EnvironmentSpec, tool: ToolSpec, shapes: Mapping[str, Shape] | None = None, open_types: bool = False
) -> tuple[ParameterSpec, ...]:
    """Every parameter of a tool, in the order an agent sees them, fully resolved.

    Types, enums, references and descriptions that the author left out come from the collection's field. `shapes`
    are the collections' shapes where they are known better than from the data alone (with computed fields).
    A type that nothing tells is text, or with `open_types` stays ''.
    """
    found = _Resolving(spec, tool, shapes).all()
    return tuple(found if open_types else map(_text_at_last, found))


class _Resolving:
    def __init__(self, spec: EnvironmentSpec, tool: ToolSpec, shapes: Mapping[str, Shape] | None):
        self.spec = spec
        self.tool = tool
        self.at = tool.body_at
        self.collection = spec.collections.get(tool.collection)
        self._shapes = shapes

    def all(self) -> list[ParameterSpec]:
        """Record or id, inputs, changes, filters, paging, actor."""
        found = {one.name: one for one in self._own()}
        actor = self.spec.actor
        if self.tool.writes and actor is not None and actor.parameter not in found:
            said = actor.description or f"Id of the {self._singular(actor.references)} who does this."
            found[actor.parameter] = ParameterSpec(
                actor.at, actor.parameter, "text", said, references=actor.references, rule=actor.rule
            )
        return list(found.values())

    def _own(self) -> list[ParameterSpec]:
        body = self.tool.body
        if isinstance(body, ListTool):
            return [*self._filters(body.filters), *_paging(self.at)]
        if isinstance(body, SearchTool):
            query = ParameterSpec(
                self.at, "query", "text", f"What to look for in {_row(body.in_)}; case does not matter."
            )
            return [query, *self._filters(body.filters), *_paging(self.at)]
        if isinstance(body, GetTool):
            return self._get(body)
        if isinstance(body, SummarizeTool):
            return [*self._inputs(body.input), *self._filters(body.filters)]
        if isinstance(body, UpdateTool):
            return [self._record(body), *self._inputs(body.input), *self._changes(body)]
        if isinstance(body, DeleteTool):
            return [self._record(body), *self._inputs(body.input)]
        if isinstance(body, CreateTool):
            return [self._like_field(one, one.name) for one in body.input]
        assert isinstance(body, (QueryTool, ActionTool))
        return self._inputs(body.input)

    def _inputs(self, given: Iterable[ParameterSpec]) -> list[ParameterSpec]:
        return [_text_at_last(_finished(one)) for one in given]

    def _get(self, body: GetTool) -> list[ParameterSpec]:
        if body.by:
            named = (ParameterSpec(self.at.child("by"), path.rpartition(".")[2]) for path in body.by)
            return [self._like_field(one, path, quiet=True) for one, path in zip(named, body.by)]
        return [self._id(self.at, body.parameter, body.description)]

    def _record(self, body: UpdateTool | DeleteTool) -> ParameterSpec:
        return self._id(body.record.at, body.record.parameter, body.record.description)

    def _id(self, at: At, name: str, description: str) -> ParameterSpec:
        said = description or f"Id of the {spaced(self._singular(self.tool.collection))}."
        return ParameterSpec(at, name, "text", said, references=self.tool.collection)

    def _singular(self, collection: str) -> str:
        found = self.spec.collections.get(collection)
        return found.singular if found is not None else collection

    def _filters(self, filters: Iterable[FilterSpec]) -> list[ParameterSpec]:
        found = []
        for one in filters:
            if one.where:
                found.append(_finished(replace(one.parameter, type=one.parameter.type or "boolean")))
            else:
                found.append(self._filter(one))
        return found

    def _filter(self, one: FilterSpec) -> ParameterSpec:
        parameter = one.parameter
        if one.test == "matches" or (one.test == "contains" and not parameter.type):
            shape = self._shape(one.field)
            if shape.kind != "list":
                return _finished(replace(parameter, type=parameter.type or "text"))
            element = ParameterSpec(parameter.at, parameter.name)
            return replace(
                _of_shape(element, shape.element), description=parameter.description, required=parameter.required
            )
        if not parameter.type and one.test in _ORDERED and self._shape(one.field).kind == "any":
            parameter = replace(parameter, type="number")
        if one.test == "one_of" and parameter.of is None:
            element = self._like_field(ParameterSpec(parameter.at, ""), one.field, quiet=True)
            return _finished(replace(parameter, type="list", of=replace(element, description="")))
        return self._like_field(parameter, one.field)

    def _changes(self, body: UpdateTool) -> list[ParameterSpec]:
        found = [self._like_field(one.parameter, one.path) for one in body.change]
        if body.clearable:
            names = {one.path: one.parameter.name for one in body.change}
            allowed = tuple(names.get(path, path.rpartition(".")[2]) for path in body.clearable)
            element = ParameterSpec(self.at.child("clearable"), "", "text", enum=allowed)
            found.append(
                ParameterSpec(
                    self.at.child("clearable"), "clear", "list", "Fields to set to nothing.", required=False, of=element
                )
            )
        return found

    def _like_field(self, parameter: ParameterSpec, path: str, quiet: bool = False) -> ParameterSpec:
        """The parameter, with what it leaves open taken from a field of the collection."""
        field = self._field(path)
        shape = self._shape(path)
        said = parameter.description or ("" if field is None else field.description)
        resolved = replace(parameter, description=said)
        if not resolved.type and not resolved.enum and not resolved.references:
            if field is not None:
                resolved = _of_field(resolved, field)
            if not resolved.type:
                resolved = _of_shape(resolved, shape)
        if field is not None and not resolved.enum and field.enum and resolved.type in ("text", ""):
            resolved = replace(resolved, enum=field.enum)
        if not resolved.description:
            resolved = replace(resolved, description=_sentence(path))
        return _finished(resolved)

    def _field(self, path: str) -> FieldSpec | None:
        if self.collection is None:
            return None
        found = self.collection.fields.get(path)
        if found is not None:
            return found
        first, _, rest = path.partition(".")
        inner = self.collection.fields.get(first)
        return inner.fields.get(rest) if inner is not None and rest else None

    def _shape(self, path: str) -> Shape:
        if self._shapes is None:
            self._shapes = collection_shapes(self.spec)
        shape = self._shapes[self.tool.collection].element if self.tool.collection in self._shapes else ANY
        for step in path.split("."):
            shape = shape.fields.get(step, ANY)
        return shape


def _of_field(parameter: ParameterSpec, field: FieldSpec) -> ParameterSpec:
    references = field.references.collection if field.references else ""
    of = None
    if field.of is not None:
        of = _of_field(ParameterSpec(field.of.at, ""), field.of)
    fields = {
        name: replace(_of_field(ParameterSpec(one.at, name, description=one.description), one), required=False)
        for name, one in field.fields.items()
    }
    implied = "text" if field.references or field.enum else ""
    return replace(
        parameter,
        type=field.type or implied,
        enum=parameter.enum or tuple(field.enum),
        references=references,
        of=of,
        fields=fields,
    )


def _of_shape(parameter: ParameterSpec, shape: Shape) -> ParameterSpec:
    """The parameter with the type that the data shows; '' where it shows none."""
    if shape.kind in ("object", "record") and set(shape.fields) == {"amount", "currency"}:
        return replace(parameter, type="money")
    if shape.kind in ("text", "number", "boolean", "date", "datetime"):
        return replace(parameter, type=shape.kind, references=parameter.references or shape.name)
    if shape.kind == "list":
        return replace(parameter, type="list", of=_finished(_of_shape(ParameterSpec(parameter.at, ""), shape.element)))
    if shape.kind in ("object", "map") and shape.fields:
        fields = {
            name: _finished(replace(_of_shape(ParameterSpec(parameter.at, name), one), required=not one.nullable))
            for name, one in shape.fields.items()
        }
        return replace(parameter, type="object", fields=fields)
    return parameter


def _finished(parameter: ParameterSpec) -> ParameterSpec:
    """With the type that an enum implies, and the elements of a list."""
    of = _finished(parameter.of) if parameter.of is not None else None
    fields = {name: _finished(one) for name, one in parameter.fields.items()}
    kind = parameter.type or _type_of_choices(parameter.enum)
    if kind == "list" and of is None:
        of = ParameterSpec(parameter.at, "", "text")
    return replace(parameter, type=kind, of=of, fields=fields)


def _text_at_last(parameter: ParameterSpec) -> ParameterSpec:
    """Where nothing tells a type, a text is given."""
    of = _text_at_last(parameter.of) if parameter.of is not None else None
    fields = {name: _text_at_last(one) for name, one in parameter.fields.items()}
    return replace(parameter, type=parameter.type or "text", of=of, fields=fields)


def _type_of_choices(choices: tuple[Any, ...]) -> str:
    if not choices:
        return ""
    if any(isinstance(one, str) for one in choices):
        return "text"
    if all(isinstance(one, bool) for one in choices):
        return "boolean"
    return "integer" if all(isinstance(one, int) for one in choices) else "number"


def _paging(at: At) -> list[ParameterSpec]:
    return [
        ParameterSpec(at, "limit", "integer", "How many results at most.", False, PAGE, True, minimum=1, maximum=MOST),
        ParameterSpec(at, "offset", "integer", "How many results to skip.", False, 0, True, minimum=0),
    ]


def spaced(name: str) -> str:
    """A camelCase name as words: 'quoteLine' is 'quote line'."""
    return "".join(f" {letter.lower()}" if letter.isupper() and place else letter for place, letter in enumerate(name))


def _sentence(path: str) -> str:
    words = spaced(path.replace(".", " ").replace("_", " ")).strip()
    return f"{words[:1].upper()}{words[1:]}."


def _row(paths: Iterable[str]) -> str:
    listed = [spaced(path.replace(".", " ").replace("_", " ")) for path in paths]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


# The schema ------------------------------------------------------------------------------------------------

_JSON_TYPES = {
    "text": "string",
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
    "date": "string",
    "datetime": "string",
    "money": "object",
    "list": "array",
    "object": "object",
}


def input_schema(parameters: Iterable[ParameterSpec]) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the arguments, in the subset that every large provider accepts."""
    listed = list(parameters)
    schema: dict[str, Any] = {"type": "object", "properties": {one.name: parameter_schema(one) for one in listed}}
    required = [one.name for one in listed if one.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def parameter_schema(parameter: ParameterSpec) -> dict[str, Any]:
    """The schema of one parameter."""
    schema: dict[str, Any] = {"type": _JSON_TYPES[parameter.type]} if parameter.type else {}
    description = _described(parameter)
    if description:
        schema["description"] = description
    if parameter.enum:
        schema["enum"] = list(parameter.enum)
    for key, bound in (("minimum", parameter.minimum), ("maximum", parameter.maximum)):
        if bound is not None:
            schema[key] = bound
    if parameter.type == "date":
        schema["pattern"] = DATE_PATTERN
    elif parameter.type == "datetime":
        schema["pattern"] = DATETIME_PATTERN
    elif parameter.type == "money":
        amount, currency = {"type": "number"}, {"type": "string"}
        schema |= {"properties": {"amount": amount, "currency": currency}, "required": ["amount", "currency"]}
        schema["additionalProperties"] = False
    elif parameter.type == "list" and parameter.of is not None:
        schema["items"] = parameter_schema(parameter.of)
    elif parameter.type == "object":
        schema |= _object_schema(parameter)
    return schema


def _object_schema(parameter: ParameterSpec) -> dict[str, Any]:
    if not parameter.fields:
        return {}
    inner = input_schema(parameter.fields.values())
    del inner["type"]
    return inner


def _described(parameter: ParameterSpec) -> str:
    """The description, with the form of a date and the default, which not every provider takes as keys."""
    parts = [parameter.description.strip()] if parameter.description.strip() else []
    if parameter.type == "date" and "YYYY" not in parameter.description:
        parts.append("Written YYYY-MM-DD.")
    if parameter.type == "datetime" and "YYYY" not in parameter.description:
        parts.append("Written YYYY-MM-DDTHH:MM.")
    if parameter.has_default and parameter.default is not None and "efault" not in parameter.description:
        parts.append(f"Default: {_plain(parameter.default)}.")
    return " ".join(parts)


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
