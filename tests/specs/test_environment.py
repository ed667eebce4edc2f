"""`environment.yaml`: collections, computed fields, views, rules, actor and audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from silo_decl.specs.environment_parts import singular_of
from tests.specs.folders import ENVIRONMENT, codes, sound

SINGULARS = {
    "users": "user",
    "opportunities": "opportunity",
    "entities": "entity",
    "auditLog": "auditLog",
    "quoteLines": "quoteLine",
    "addresses": "addresse",
    "glass": "glass",
    "s": "s",
    "lies": "lie",
}


@pytest.mark.parametrize(("collection", "singular"), SINGULARS.items())
def test_singular_drops_the_final_s(collection: str, singular: str) -> None:
    assert singular_of(collection) == singular


COLLECTION = """\
  things:
    singular: thingy
    ids: "TH-{:02}"
    fields:
      ownerId: {references: things}
      about.id: {references: {by: about.kind, thing: things}}
      tags: {list_of: text}
      lines:
        list_of:
          type: object
          fields:
            count: {type: integer, default: 1}
      size: {enum: [small, large], default: small, description: How big.}
    computed:
      owner: = things[ownerId].name
      parts:
        from: things
        match:
          ownerId: = id
        count: true
      worth:
        from: things
        where: price > 1
        sum: price
    views:
      short: [id, about.id, {title: name}, {shout: = upper(name)}]
"""


def test_collection_says_what_its_author_wrote(tmp_path: Path) -> None:
    text = ENVIRONMENT.replace('  things: {ids: "TH-{:02}"}\n', COLLECTION)
    things = sound(tmp_path, {"environment.yaml": text}).collections["things"]
    assert things.singular == "thingy"
    assert things.fields["ownerId"].references is not None
    assert things.fields["ownerId"].references.collection == "things"
    by_kind = things.fields["about.id"].references
    assert by_kind is not None
    assert (by_kind.by, dict(by_kind.collections)) == ("about.kind", {"thing": "things"})
    tags, lines = things.fields["tags"], things.fields["lines"]
    assert (tags.type, tags.of and tags.of.type) == ("list", "text")
    assert lines.of is not None
    assert lines.of.fields["count"].default == 1
    assert things.fields["size"].has_default
    parts, worth = things.computed["parts"].gather, things.computed["worth"].gather
    assert parts is not None and worth is not None
    assert (parts.measure, parts.of, dict(parts.match)) == ("count", "", {"ownerId": "= id"})
    assert (worth.measure, worth.of, worth.where) == ("sum", "price", "price > 1")
    shown = things.views["short"].fields
    assert [(one.name, one.path, one.value) for one in shown] == [
        ("id", "id", None),
        ("id", "about.id", None),
        ("title", "name", None),
        ("shout", "", "= upper(name)"),
    ]


def test_places_of_collections_lead_to_their_lines(tmp_path: Path) -> None:
    text = ENVIRONMENT.replace('  things: {ids: "TH-{:02}"}\n', COLLECTION)
    things = sound(tmp_path, {"environment.yaml": text}).collections["things"]
    problem = things.computed["owner"].at.problem("x", "Here.", offset=2)
    assert (problem.line, problem.excerpt[problem.column - 1 :]) == (19, "things[ownerId].name")
    assert things.views["short"].fields[3].at.problem("x", "Here.", key=True).excerpt[44:50] == "shout:"


ENVIRONMENT_PROBLEMS = {
    "not-computed": ("{ids: ", "{computed: {owner: name}, ids: "),
    "unknown-collection": ("{ids: ", "{fields: {ownerId: {references: thngs}}, ids: "),
    "wrong-value": ("{ids: ", "{fields: {name: {enum: [Desk]}}, ids: "),
    "no-ids": ("tools:\n", "audit: {collection: log, entry: {at: = now}}\ntools:\n"),
}


@pytest.mark.parametrize("code", ENVIRONMENT_PROBLEMS)
def test_problem_of_environment_yaml_is_found(tmp_path: Path, code: str) -> None:
    old, new = ENVIRONMENT_PROBLEMS[code]
    text = ENVIRONMENT.replace(old, new).replace(
        "collections:\n", "collections:\n  log:\n" if code == "no-ids" else "collections:\n"
    )
    assert codes(tmp_path, {"environment.yaml": text}) == [code]


def test_name_on_its_own_makes_a_title(tmp_path: Path) -> None:
    spec = sound(tmp_path, {})
    assert (spec.name, spec.title, spec.now) == ("shop", "shop", "2026-04-01")


@pytest.mark.parametrize("now", ["2026-04-01T09:30", "2026-04-01 09:30:15", "2026-04-01T09:30:00Z"])
def test_clock_may_be_a_moment(tmp_path: Path, now: str) -> None:
    assert sound(tmp_path, {"environment.yaml": ENVIRONMENT.replace("2026-04-01", now)}).now == now
