"""Every tool of an environment, built and ready before the first agent starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from silo_decl.errors import Problem, ToolError
from silo_decl.expressions.shapes import Shape
from silo_decl.specs.parameters import input_schema, parameters_of
from silo_decl.specs.tool import ParameterSpec, ToolSpec
from silo_decl.tools.arguments import Check, argument_reader, reference_checks
from silo_decl.tools.built import Built, Work
from silo_decl.tools.call import ToolResult, call
from silo_decl.tools.draft import Draft
from silo_decl.tools.hooks import Hooks
from silo_decl.tools.input_shapes import input_shape
from silo_decl.tools.kinds import COLLECTION_KINDS, KINDS
from silo_decl.tools.rules import Rule, build_rules
from silo_decl.tools.write.audit import Note, build_audit
from silo_decl.tools.write.writing import Soundness
from silo_decl.world.seed import Base
from silo_decl.world.store import World


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `read` turns the arguments of a call into complete ones, `run` does the work on those.

    `canonical` is the query that a generated read is, None for other tools.
    """

    spec: ToolSpec
    parameters: tuple[ParameterSpec, ...]
    input_schema: Mapping[str, Any]
    canonical: str | None
    read: Callable[[Any], dict[str, Any]]
    run: Work

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def guarded(self) -> bool:
        """Whether a call must be undone when it fails: hooks that only read are held to it that way."""
        return self.spec.writes or self.spec.kind == "action"


@dataclass(frozen=True)
class Toolbox:
    """The tools by name, in the order they are registered, and the hooks that checks may call too."""

    tools: dict[str, Tool]
    hooks: Hooks

    def call(self, world: World, name: str, given: Any) -> ToolResult:
        """One call, from arguments to result."""
        return call(self, world, name, given)


def build_toolbox(base: Base, problems: list[Problem]) -> Toolbox:
    """Build every registered tool; what is wrong with their expressions goes to `problems`."""
    return _Building(base, problems).toolbox()


class _Building:
    def __init__(self, base: Base, problems: list[Problem]):
        self.base = base
        self.problems = problems
        self.rules: dict[str, Rule] = build_rules(base, problems)
        self.audit: Note | None = build_audit(base, problems)
        self.hooks = Hooks(base.spec.root)
        self.soundness = Soundness(base.spec)

    def toolbox(self) -> Toolbox:
        tools = {}
        for name, spec in self.base.spec.tools.items():
            if spec.kind not in COLLECTION_KINDS or spec.collection in self.base.spec.collections:
                tools[name] = self._tool(spec)
        return Toolbox(tools, self.hooks)

    def _tool(self, spec: ToolSpec) -> Tool:
        parameters = parameters_of(self.base.spec, spec, self.base.shapes)
        schema = input_schema(parameters)
        names: dict[str, Shape] = {"input": input_shape(parameters)}
        draft = Draft(
            self.base, spec, parameters, self.problems, self.rules, self.audit, self.hooks, self.soundness, names
        )
        built = KINDS[spec.kind](draft, spec.body)
        run = _not_written(spec.name) if spec.stub else self._with_references(parameters, built)
        return Tool(spec, parameters, schema, built.canonical, argument_reader(spec.name, parameters, schema), run)

    def _with_references(self, parameters: Iterable[ParameterSpec], built: Built) -> Work:
        others = [one for one in parameters if one.name != built.own]
        exist, meet = reference_checks(others, self.base.spec.collections, self.rules)
        checks: list[Check] = [*exist, *meet]
        if not checks:
            return built.work
        work = built.work

        def run(world: World, given: dict[str, Any]) -> Any:
            env = {"": world, "input": given}
            for check in checks:
                check(world, given, env)
            return work(world, given)

        return run


def _not_written(name: str) -> Work:
    """What a stub does: it never looks like a tool that found nothing."""

    def run(world: World, given: dict[str, Any]) -> Any:
        raise ToolError("invalid_state", f'The tool "{name}" is not implemented yet.')

    return run
