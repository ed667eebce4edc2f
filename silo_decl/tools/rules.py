"""Rules of an environment, compiled: conditions on a record, written once and used by many tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from silo_decl.errors import Problem, ToolError
from silo_decl.expressions.meaning import to_text, truth
from silo_decl.expressions.records import RecordLike
from silo_decl.specs import compiled
from silo_decl.specs.environment import RuleSpec
from silo_decl.tools.placing import Env, Run, placed

if TYPE_CHECKING:
    from silo_decl.world.seed import Base


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `check` raises its error for a record that does not meet it."""

    spec: RuleSpec
    holds: Run
    message: Run

    def check(self, record: RecordLike, env: Env) -> None:
        if not truth(self.holds(record, env)):
            raise ToolError(self.spec.code, to_text(self.message(record, env)))


def build_rules(base: Base, problems: list[Problem]) -> dict[str, Rule]:
    """Every rule whose collection is known."""
    return {
        name: _rule(base, spec, problems) for name, spec in base.spec.rules.items() if spec.of in base.spec.collections
    }


def _rule(base: Base, spec: RuleSpec, problems: list[Problem]) -> Rule:
    scope = base.scope(spec.of)
    require, message = spec.at.child("require"), spec.at.child("message")
    holds = compiled.condition(require, spec.require, scope, problems)
    said = compiled.text(message, spec.message, scope, problems)
    return Rule(spec, placed(require, holds.run), placed(message, said.run))
