"""Rules that need several files: collections, views, rules, hooks and tools that are named somewhere must exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from silo_decl.errors import Problem, choices, did_you_mean
from silo_decl.specs.data_checks import check_data, fits, type_words
from silo_decl.specs.environment import CollectionSpec, ComputedSpec, EnvironmentSpec, FieldSpec
from silo_decl.specs.environment_parts import is_expression
from silo_decl.specs.hooks import Hooks
from silo_decl.specs.known import Known
from silo_decl.specs.source import At


@dataclass
class Names:
    """Looks up what is referred to, and says what does not exist; quiet about what could not be read."""

    spec: EnvironmentSpec
    known: Known
    hooks: Hooks
    problems: list[Problem] = field(default_factory=list)

    def collection(self, at: At, name: str, key: bool = False) -> CollectionSpec | None:
        """The collection of this name, or None, which has been said."""
        if name not in self.known.collections and not self.known.collections_lost:
            known = sorted(self.known.collections)
            self.problems.append(
                at.problem(
                    "unknown-collection",
                    f"There is no collection '{name}'.{did_you_mean(name, known)}",
                    f"Known: {choices(known)}." if known else "",
                    key=key,
                )
            )
        return self.spec.collections.get(name)

    def view(self, at: At, name: str, collection: CollectionSpec | None) -> None:
        if not name or collection is None or name in collection.views or collection.open:
            return
        views = list(collection.views)
        fix = f"Its views: {choices(views)}." if views else f"Write one under 'views:' of {collection.name}."
        message = f"{collection.name} has no view '{name}'.{did_you_mean(name, views)}"
        self.problems.append(at.problem("unknown-view", message, fix))

    def rule(self, at: At, name: str, collection: str) -> None:
        """A rule must exist and be about records of `collection`."""
        if not name:
            return
        rule = self.spec.rules.get(name)
        if rule is None:
            if name not in self.known.rules:
                known = list(self.spec.rules)
                fix = f"Known: {choices(known)}." if known else "Write it under 'rules:' in environment.yaml."
                self.problems.append(
                    at.problem("unknown-rule", f"There is no rule '{name}'.{did_you_mean(name, known)}", fix)
                )
        elif not collection:
            self.problems.append(
                at.problem(
                    "wrong-rule",
                    f"The rule '{name}' needs a record, but nothing says which collection this is the id of.",
                    f"Add 'references: {rule.of}'.",
                )
            )
        elif rule.of != collection:
            fitting = [one.name for one in self.spec.rules.values() if one.of == collection]
            fix = f"Rules about {collection}: {choices(fitting)}." if fitting else ""
            message = f"The rule '{name}' is about {rule.of}, and this is a record of {collection}."
            self.problems.append(at.problem("wrong-rule", message, fix))

    def say(self, at: At, code: str, message: str, fix: str = "", key: bool = False) -> None:
        self.problems.append(at.problem(code, message, fix, key=key))


def look_over(spec: EnvironmentSpec, names: Names) -> None:
    """The collections, rules, actor and audit of `environment.yaml`, and the data."""
    for collection in spec.collections.values():
        _collection(collection, names)
    for rule in spec.rules.values():
        names.collection(rule.at.child("of"), rule.of)
    if spec.actor is not None:
        names.collection(spec.actor.at.child("references"), spec.actor.references)
        names.rule(spec.actor.at.child("rule"), spec.actor.rule, spec.actor.references)
    if spec.audit is not None:
        target = names.collection(spec.audit.at.child("collection"), spec.audit.collection)
        new_ids(spec.audit.at.child("collection"), target, spec.audit.entry, names)
    check_data(spec, names.known, names.problems)


def new_ids(at: At, target: CollectionSpec | None, given: Iterable[str], names: Names, key: bool = False) -> None:
    """Something makes records in `target`: they need ids, from a form or from a given field."""
    if target is None or target.ids or target.key in given or target.open:
        return
    names.say(
        at,
        "no-ids",
        f"New records of {target.name} would have no {target.key}.",
        f'Write the form of its ids for the collection, such as ids: "{target.singular[:3].upper()}-{{:03}}".',
        key=key,
    )


def _collection(collection: CollectionSpec, names: Names) -> None:
    for one in collection.fields.values():
        _field(one, names)
    for computed in collection.computed.values():
        _computed(computed, names)


def _field(one: FieldSpec, names: Names) -> None:
    if one.references is not None:
        at = one.at.child("references")
        if one.references.collection:
            names.collection(at, one.references.collection)
        for kind, name in one.references.collections.items():
            names.collection(at.child(kind), name)
        if one.type not in ("", "text"):
            names.say(one.at.child("type"), "wrong-value", "A field that holds an id is a text.", "Write type: text.")
    for place, choice in enumerate(one.enum):
        if one.type and not fits(one.type, choice):
            message = f"'{choice}' is not {type_words(one.type)}, which is what the field holds."
            names.say(one.at.child("enum", place), "wrong-value", message)
    if one.has_default and one.default is not None:
        _default(one, names)
    for inner in (*one.fields.values(), *((one.of,) if one.of else ())):
        _field(inner, names)


def _default(one: FieldSpec, names: Names) -> None:
    at = one.at.child("default")
    if is_expression(one.default):
        return
    if one.enum and one.default not in one.enum:
        fix = f"Use one of: {choices(map(str, one.enum))}."
        names.say(at, "wrong-value", f"'{one.default}' is not among the values of the field.", fix)
    elif not fits(one.type, one.default):
        names.say(at, "wrong-value", f"'{one.default}' is not {type_words(one.type)}, which is what the field holds.")


def _computed(computed: ComputedSpec, names: Names) -> None:
    if computed.gather is not None:
        names.collection(computed.gather.at.child("from"), computed.gather.collection)
    elif isinstance(computed.value, str) and not is_expression(computed.value):
        message = f"'{computed.name}' is always the text '{computed.value}', because it does not begin with '='."
        names.say(computed.at, "not-computed", message, f"Write: {computed.name}: = {computed.value}")
