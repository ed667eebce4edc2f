"""A folder becomes one `EnvironmentSpec`, with every problem of every file that can be seen without an expression."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from silo_decl.errors import Problem, nearest
from silo_decl.specs import environment_parts as parts
from silo_decl.specs.data import read_data
from silo_decl.specs.environment import ActorSpec, AuditSpec, CollectionSpec, EnvironmentSpec, RuleSpec
from silo_decl.specs.folder import Folder
from silo_decl.specs.hooks import Hooks
from silo_decl.specs.known import Known
from silo_decl.specs.lint import Names, look_over
from silo_decl.specs.lint_tasks import look_over_task
from silo_decl.specs.lint_tools import look_over_tool
from silo_decl.specs.selections import select
from silo_decl.specs.solutions import Solutions
from silo_decl.specs.sound import Sound
from silo_decl.specs.source import At, Reading, SourceFile, read
from silo_decl.specs.structure import check_file
from silo_decl.specs.suite import SuiteSpec
from silo_decl.specs.task import TaskSpec
from silo_decl.specs.task_family import FamilySpec, family_id, only_in_families, parse_family
from silo_decl.specs.task_parts import parse_suite, parse_task
from silo_decl.specs.texts import Hole
from silo_decl.specs.tool import ToolSpec
from silo_decl.specs.tool_parts import parse_tool

LONG = 40

_FILE = "environment.yaml"


def load_environment(root: Path) -> tuple[EnvironmentSpec | None, list[Problem]]:
    """What the files of a folder say, and every problem; None where `environment.yaml` says nothing usable.

    With problems the facts hold only what is sound, and nothing is said about what depends on an unsound part.
    """
    with _no_collecting():
        loading = _Loading(Folder(root))
        spec = loading.environment()
    return spec, loading.problems


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Reading makes many objects and no garbage; looking for it would take most of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass
class _Loading:
    """One reading of a folder: gathers problems and the names that are known, sound or not."""

    folder: Folder
    problems: list[Problem] = field(default_factory=list)
    known: Known = field(default_factory=Known)

    def environment(self) -> EnvironmentSpec | None:
        if not self.folder.path(_FILE).is_file():
            where = self.folder.root.name or "this folder"
            self.problems.append(Problem("missing-file", f"There is no {_FILE} in {where}.", _FILE))
            return None
        for link in self.folder.links_out:
            self.problems.append(Problem("path-outside", "This folder is a link that leads out; it is not read.", link))
        for name in self.folder.misnamed:
            self.problems.append(Problem("missing-file", "This is a folder, and its name is that of a file.", name))
        reading, sound = self._read(_FILE, "environment")
        raw = reading.data
        if not isinstance(raw, dict):
            self._rest_without_environment()
            return None
        at = reading.at
        collections = self._collections(at, raw, sound)
        rules = self._rules(at, raw, sound)
        actor, audit = _actor(at, raw, sound), _audit(at, raw, sound)
        tools = self._tools(at, raw, collections)
        tasks, families = self._tasks()
        suites = self._suites(tasks, bool(families))
        spec = EnvironmentSpec(
            at,
            self.folder.root,
            _word(raw, "name", self.folder.root.name),
            _word(raw, "title", _word(raw, "name", self.folder.root.name)),
            _word(raw, "description", ""),
            _word(raw, "now", "2000-01-01") if sound(("now",)) else "2000-01-01",
            collections,
            rules,
            actor,
            audit,
            tools,
            tasks,
            suites,
            self._policy(),
            self.folder.content_hash(),
            families,
        )
        self._look_over(spec)
        return None if self.known.collections_lost else spec

    def _look_over(self, spec: EnvironmentSpec) -> None:
        names = Names(spec, self.known, Hooks(self.folder, self.problems), self.problems)
        look_over(spec, names)
        for tool in spec.tools.values():
            look_over_tool(tool, names)
        solutions = Solutions(spec, self.known, self.problems)
        for task in (*spec.tasks.values(), *(family.task for family in spec.families.values())):
            look_over_task(task, solutions, names)

    def _read(self, name: str, kind: str) -> tuple[Reading, Sound]:
        """A YAML file held against its schema, with what is sound in it."""
        if self.folder.leaves(name):
            self.problems.append(Problem("path-outside", "This file is a link that leads out of the folder.", name))
            return Reading(Hole(), At(SourceFile(self.folder.path(name), name, "other"))), Sound([()])
        reading = read(self.folder.path(name), name, "yaml")
        self.problems += reading.problems
        if not reading.usable:
            return reading, Sound([()])
        return reading, Sound(check_file(kind, reading, self.problems))

    def _rest_without_environment(self) -> None:
        """Mistakes of the other files are said too when environment.yaml cannot be read."""
        for folder, kind in (("collections", "collections"), ("tools", "tool"), ("tasks", "task"), ("suites", "suite")):
            for name in self.folder.yaml_files(folder):
                self._read(name, kind)

    # Collections

    def _collections(self, at: At, raw: Mapping[str, Any], sound: Sound) -> dict[str, CollectionSpec]:
        written = raw.get("collections", {})
        declared: dict[str, CollectionSpec] = {}
        if isinstance(written, dict):
            self._declared(at.child("collections"), written, sound.under(("collections",)), declared)
        elif isinstance(written, list):
            for place, file in enumerate(written):
                self._collection_file(at.child("collections", place), file, declared)
        else:
            self.known.collections_lost = True
        self._unlisted(written if isinstance(written, list) else [])
        self.known.collections |= set(declared)
        return read_data(self.folder, declared, self.known, self.problems)

    def _unlisted(self, listed: list[Any]) -> None:
        """Files of collections that environment.yaml does not list."""
        names = {str(PurePosixPath(one)) for one in listed if isinstance(one, str)}
        for name in self.folder.yaml_files("collections"):
            if name not in names and not self.known.collections_lost:
                reading, _ = self._read(name, "collections")
                self.problems.append(
                    reading.at.problem(
                        "unlisted-collections",
                        f"The collections of this file are not there, because {_FILE} does not list it.",
                        f"List it under 'collections:' in {_FILE}: - {name}",
                        level="warning",
                    )
                )

    def _collection_file(self, at: At, written: Any, declared: dict[str, CollectionSpec]) -> None:
        name = self.folder.named(at, written, self.problems) if isinstance(written, str) else None
        if name is None:
            self.known.collections_lost = True
            return
        reading, sound = self._read(name, "collections")
        raw = reading.data.get("collections") if isinstance(reading.data, dict) else None
        if not isinstance(raw, dict):
            self.known.collections_lost = True
            return
        self._declared(reading.at.child("collections"), raw, sound.under(("collections",)), declared)

    def _declared(self, at: At, raw: Mapping[str, Any], sound: Sound, declared: dict[str, CollectionSpec]) -> None:
        for name, settings in raw.items():
            if name in declared:
                first = declared[name].at.file.name
                self._twice(at.child(name), f"The collection '{name}'", f"it is in {first} too")
                continue
            declared[name] = parts.parse_collection(at.child(name), name, settings, sound.under((name,)))

    def _twice(self, at: At, what: str, where: str, key: bool = True) -> None:
        self.problems.append(
            at.problem("duplicate-name", f"{what} is written twice: {where}.", "Keep one, or rename it.", key=key)
        )

    def _rules(self, at: At, raw: Mapping[str, Any], sound: Sound) -> dict[str, RuleSpec]:
        written = raw.get("rules", {})
        written = written if isinstance(written, dict) else {}
        self.known.rules |= set(written)
        return {
            name: parts.parse_rule(at.child("rules", name), name, rule)
            for name, rule in written.items()
            if sound(("rules", name))
        }

    # Tools

    def _tools(self, at: At, raw: Mapping[str, Any], collections: Mapping[str, CollectionSpec]) -> dict[str, ToolSpec]:
        tools: dict[str, ToolSpec] = {}
        registered: dict[str, int] = {}
        missing: list[str] = []
        written = raw.get("tools", [])
        for place, file in enumerate(written if isinstance(written, list) else ()):
            file_at = at.child("tools", place)
            name = self.folder.named(file_at, file, self.problems) if isinstance(file, str) else None
            if name is None:
                self.known.tools_lost = True
                missing.append(str(file))
            elif name in registered:
                self._twice(file_at, f"'{file}'", f"it is item {registered[name] + 1} too", key=False)
            else:
                registered[name] = place
                self._tool_file(name, collections, tools)
        self._unregistered(set(registered), missing)
        return tools

    def _tool_file(self, name: str, collections: Mapping[str, CollectionSpec], tools: dict[str, ToolSpec]) -> None:
        reading, sound = self._read(name, "tool")
        raw = reading.data if isinstance(reading.data, dict) else {}
        items = raw.get("tools")
        if not isinstance(items, list):
            self.known.tools_lost = True
            return
        common = _word(raw, "collection", "")
        for place, item in enumerate(items):
            item_at = reading.at.child("tools", place)
            tool_name = item.get("name") if isinstance(item, dict) else None
            if not isinstance(tool_name, str):
                self.known.tools_lost = True
            elif tool_name in self.known.tools:
                self._twice(item_at.child("name"), f"The tool '{tool_name}'", self._tool_place(tool_name), key=False)
            else:
                self.known.tools[tool_name] = item_at
                if sound(("tools", place)):
                    self._long(item_at, item, tool_name)
                    tools[tool_name] = parse_tool(item_at, item, common, lambda one: _singular(one, collections))

    def _long(self, at: At, item: Any, name: str) -> None:
        """Where a tool passes about 40 lines, a hook reads better; lines are counted only where they may be many."""
        if "action" in item or _about_lines(item) < LONG // 2:
            return
        described = at.child("description").written().rstrip().count("\n")
        lines = at.written().rstrip().count("\n") + 1 - described
        if lines > LONG:
            self.problems.append(
                at.problem(
                    "long-tool",
                    f"The tool {name} takes {lines} lines; a hook would read better.",
                    "Write it as an 'action' with a hook, if it does more than choose and fill in fields.",
                    level="note",
                )
            )

    def _tool_place(self, name: str) -> str:
        return f"it is in {self.known.tools[name].file.name} too"

    def _unregistered(self, registered: set[str], missing: list[str]) -> None:
        """Tool files that no one lists; one that a misspelt line most likely means has been said already."""
        for name in self.folder.yaml_files("tools"):
            if name in registered or any(nearest(one, [name]) for one in missing):
                continue
            reading, _ = self._read(name, "tool")
            self.problems.append(
                reading.at.problem(
                    "unregistered-tools",
                    f"No agent can call the tools of this file, because {_FILE} does not list it.",
                    f"Add '- {name}' under 'tools:' in {_FILE}, or remove the file.",
                    level="warning",
                )
            )

    # Tasks and suites

    def _tasks(self) -> tuple[dict[str, TaskSpec], dict[str, FamilySpec]]:
        """The tasks that are written, and the families from which more are made."""
        tasks: dict[str, TaskSpec] = {}
        families: dict[str, FamilySpec] = {}
        for name in self.folder.yaml_files("tasks"):
            reading, sound = self._read(name, "task")
            raw = reading.data if isinstance(reading.data, dict) else {}
            if not isinstance(raw.get("id"), str):
                self.known.tasks_lost = True
                continue
            is_family = "for_each" in raw
            task_id = self._task_id(reading.at, raw, is_family)
            if task_id is None:
                continue
            self.known.tasks[task_id] = reading.at
            instruction = self._instruction(reading.at, raw)
            if not sound(()) or instruction is None:
                continue
            if is_family:
                task = parse_task(reading.at, raw, instruction, name)
                families[task_id] = parse_family(task, self._text_at(reading.at, raw), raw)
            else:
                only_in_families(reading.at, raw, self.problems)
                tasks[task_id] = parse_task(reading.at, raw, instruction, name)
        return tasks, families

    def _task_id(self, at: At, raw: Mapping[str, Any], is_family: bool) -> str | None:
        """The id of a task or of a family; None where another has it, or a family has none, which has been said."""
        task_id = family_id(raw) if is_family else raw["id"]
        if not task_id:
            said = "The members of this family have ids that begin differently, so the family has no name."
            self.problems.append(at.child("id").problem("missing-key", said, "Add 'family:' with its name."))
            self.known.tasks_lost = True
            return None
        if task_id in self.known.tasks:
            key = "family" if is_family and "family" in raw else "id"
            where = f"{self.known.tasks[task_id].file.name} has it too"
            self._twice(at.child(key), f"The task id '{task_id}'", where, key=False)
            return None
        return str(task_id)

    def _text_at(self, at: At, raw: Mapping[str, Any]) -> At:
        """Where the text of the instruction stands."""
        if "instruction_file" not in raw:
            return at.child("instruction")
        name = self.folder.named(at.child("instruction_file"), raw["instruction_file"], [])
        return At(SourceFile(self.folder.path(name or ""), name or "", "other"))

    def _instruction(self, at: At, raw: Mapping[str, Any]) -> str | None:
        written = raw.get("instruction_file")
        if not isinstance(written, str):
            return _word(raw, "instruction", "")
        name = self.folder.named(at.child("instruction_file"), written, self.problems)
        return None if name is None else self._text_file(at.child("instruction_file"), name)

    def _text_file(self, at: At, name: str) -> str | None:
        try:
            return self.folder.path(name).read_text("utf-8-sig")
        except UnicodeDecodeError:
            fix = "Save it again with the encoding UTF-8."
            self.problems.append(at.problem("not-utf8", f"'{name}' is not written in UTF-8.", fix))
            return None

    def _policy(self) -> str:
        path = self.folder.path("policy.md")
        if not path.is_file() or self.folder.leaves("policy.md"):
            return ""
        try:
            return path.read_text("utf-8-sig")
        except UnicodeDecodeError:
            self.problems.append(Problem("not-utf8", "This file is not written in UTF-8.", "policy.md"))
            return ""

    def _suites(self, tasks: Mapping[str, TaskSpec], has_families: bool) -> dict[str, SuiteSpec]:
        """The suites; where there are families, what they select is known, and looked over, once these are made."""
        suites: dict[str, SuiteSpec] = {}
        problems = [] if has_families else self.problems
        for file in self.folder.yaml_files("suites"):
            reading, sound = self._read(file, "suite")
            if not isinstance(reading.data, dict) or not sound(()):
                continue
            name = reading.data["name"]
            if name in suites:
                self._twice(
                    reading.at.child("name"), f"The suite '{name}'", f"{suites[name].file} has it too", key=False
                )
                continue
            selected = select(reading.at.child("tasks"), reading.data["tasks"], tasks, self.known, problems)
            suites[name] = parse_suite(reading.at, reading.data, selected, file)
        return suites


def _about_lines(raw: Any) -> int:
    """How many keys, items and lines of text there are."""
    if isinstance(raw, dict):
        return sum(1 + _about_lines(value) for value in raw.values())
    if isinstance(raw, list):
        return sum(1 + _about_lines(value) for value in raw)
    return len(raw) // 100 if isinstance(raw, str) else 0


def _word(raw: Mapping[str, Any], key: str, otherwise: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else otherwise


def _singular(name: str, collections: Mapping[str, CollectionSpec]) -> str:
    return collections[name].singular if name in collections else parts.singular_of(name)


def _actor(at: At, raw: Mapping[str, Any], sound: Sound) -> ActorSpec | None:
    usable = "actor" in raw and sound(("actor",))
    return parts.parse_actor(at.child("actor"), raw["actor"]) if usable else None


def _audit(at: At, raw: Mapping[str, Any], sound: Sound) -> AuditSpec | None:
    usable = "audit" in raw and sound(("audit",))
    return parts.parse_audit(at.child("audit"), raw["audit"]) if usable else None
