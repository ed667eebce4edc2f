"""The arguments of a call: tested against the tool's parameters, made whole, and their references looked up."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any

import jsonschema_rs
import orjson

from silo_decl.errors import ToolError
from silo_decl.specs.tool import ParameterSpec
from silo_decl.tools.mistakes import mistakes
from silo_decl.tools.placing import Env
from silo_decl.tools.rules import Rule
from silo_decl.world.store import World

Given = dict[str, Any]
Fix = Callable[[Any], Any]
Check = Callable[[World, Given, Env], None]

_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS


def argument_reader(
    tool: str, parameters: tuple[ParameterSpec, ...], schema: Mapping[str, Any]
) -> Callable[[Any], Given]:
    """What turns the arguments of a call into those the tool works with, defaults filled in.

    The result may be the object that was given: it must not be changed. It raises ToolError `invalid_input`
    with every mistake.
    """
    fits = jsonschema_rs.validator_for(dict(schema), validate_formats=True).is_valid
    complete = _completer(parameters)
    loose = any(map(_is_loose, parameters))

    def read(given: Any) -> Given:
        if loose or not _passes(fits, given):
            given = _looked_over(tool, parameters, fits, given)
        found: Given = complete(given) if complete is not None else given
        return found

    return read


def _passes(fits: Callable[[Any], bool], given: Any) -> bool:
    """Whether the arguments fit and JSON can hold them."""
    if type(given) is not dict:
        return False
    try:
        if not fits(given):
            return False
        orjson.dumps(given, option=_PLAIN)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _looked_over(tool: str, parameters: tuple[ParameterSpec, ...], fits: Callable[[Any], bool], given: Any) -> Given:
    found = mistakes(parameters, given)
    if found:
        raise _refusal(tool, parameters, found)
    plain: Given = orjson.loads(orjson.dumps(given))
    if not _passes(fits, plain):
        raise _refusal(tool, parameters, ["they do not fit the parameters"])
    return plain


def _refusal(tool: str, parameters: tuple[ParameterSpec, ...], found: list[str]) -> ToolError:
    names = ", ".join(parameter.name for parameter in parameters)
    rest = f"expected one of: {names}" if names else "it takes no arguments"
    message = f'Invalid arguments for "{tool}": {"; ".join([*found, rest])}.'
    return ToolError("invalid_input", message, {"problems": found})


def _is_loose(parameter: ParameterSpec) -> bool:
    """Whether the fast test lets pass what must not: days that no calendar has, and what JSON cannot hold."""
    if parameter.type in ("date", "datetime"):
        return True
    if parameter.type == "list":
        return parameter.of is None or _is_loose(parameter.of)
    if parameter.type == "object":
        return not parameter.fields or any(map(_is_loose, parameter.fields.values()))
    return not parameter.type and not parameter.enum


# -- made whole ---------------------------------------------------------------------------------------------


def _completer(parameters: Iterable[ParameterSpec]) -> Fix | None:
    defaults = {one.name: one.default for one in parameters if one.has_default}
    fixes = [(one.name, fix) for one in parameters if (fix := _fix(one)) is not None]
    if not defaults and not fixes:
        return None

    def complete(given: Given) -> Given:
        whole = {**defaults, **given}
        for name, fix in fixes:
            if name in whole:
                whole[name] = fix(whole[name])
        return whole

    return complete


def _fix(parameter: ParameterSpec) -> Fix | None:
    """What a value of the parameter still needs: whole numbers as such, defaults inside."""
    if parameter.type == "integer":
        return _whole_number
    if parameter.fields:
        return _completer(parameter.fields.values())
    if parameter.of is not None and (inner := _fix(parameter.of)) is not None:
        fix = inner
        return lambda values: [fix(value) for value in values]
    return None


def _whole_number(value: Any) -> Any:
    return int(value) if type(value) is float else value


# -- references ---------------------------------------------------------------------------------------------


def reference_checks(
    parameters: Iterable[ParameterSpec], collections: Container[str], rules: Mapping[str, Rule]
) -> tuple[list[Check], list[Check]]:
    """The checks that every referenced record exists, and those of the rules it must meet."""
    exist: list[Check] = []
    meet: list[Check] = []
    for parameter in parameters:
        for holder, find_ids in _references(parameter):
            if holder.references not in collections:
                continue
            exist.append(_existence(holder.references, find_ids))
            rule = rules.get(holder.rule)
            if rule is not None and rule.spec.of == holder.references:
                meet.append(_meeting(rule, holder.references, find_ids))
    return exist, meet


Ids = Callable[[Given], Iterable[Any]]


def _references(parameter: ParameterSpec) -> Iterator[tuple[ParameterSpec, Ids]]:
    """Each part of the parameter that refers to records, with what collects its ids from the arguments."""
    name = parameter.name
    for holder, collect in _inner_references(parameter):
        yield holder, _of_argument(name, collect)


def _of_argument(name: str, collect: Callable[[Any], Iterable[Any]]) -> Ids:
    return lambda given: collect(given[name]) if name in given else ()


def _of_each(collect: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Iterable[Any]]:
    return lambda values: [one for value in values for one in collect(value)]


def _inner_references(parameter: ParameterSpec) -> Iterator[tuple[ParameterSpec, Callable[[Any], Iterable[Any]]]]:
    if parameter.references and parameter.type != "list":
        yield parameter, lambda value: (value,)
    elif parameter.references:
        yield parameter, lambda values: values
    if parameter.of is not None:
        for holder, collect in _inner_references(parameter.of):
            yield holder, _of_each(collect)
    for inner in parameter.fields.values():
        yield from _references(inner)


def _existence(collection: str, ids: Ids) -> Check:
    def check(world: World, given: Given, env: Env) -> None:
        for one in ids(given):
            world.existing(collection, one)

    return check


def _meeting(rule: Rule, collection: str, ids: Ids) -> Check:
    def check(world: World, given: Given, env: Env) -> None:
        for one in ids(given):
            rule.check(world.existing(collection, one), env)

    return check
