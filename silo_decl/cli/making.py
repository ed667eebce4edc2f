"""`silo new …` and `silo init`: what is made, said in words or as JSON, with the next step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from silo_decl.authoring.naming import ENVIRONMENT, TASK, TOOL
from silo_decl.authoring.new_agent import STYLES, new_agent
from silo_decl.authoring.new_environment import environment_templates, new_environment
from silo_decl.authoring.new_task import new_suite, new_task
from silo_decl.authoring.new_tool import new_tool
from silo_decl.authoring.own_world import own_world
from silo_decl.cli.render import print_json
from silo_decl.errors import UsageError
from silo_decl.specs.tool import TOOL_KINDS

_LOCAL = Path("environments")
_ABOUT = {
    "blank": "one small collection, to grow from",
    "crm": "a sales team: accounts, contacts, deals, activities",
    "helpdesk": "a support desk: customers, tickets, comments",
    "shop": "an online shop: products, orders, returns",
}


def env(name: str, template: str, title: str, as_json: bool) -> None:
    made = new_environment(name, template, _LOCAL, title)
    _tell([made], [f"silo validate --env {name}", f"silo task list --env {name}"], as_json)


def tool(name: str, env_name: str, kind: str, collection: str, as_json: bool) -> None:
    made = new_tool(own_world(env_name), name, kind, collection)
    _tell(made, [f"open {made[-1].as_posix()}, write it, and take the line 'stub: true' out"], as_json)


def task(task_id: str, env_name: str, as_json: bool) -> None:
    made = new_task(own_world(env_name), task_id)
    _tell(made, [f"silo run --env {env_name} --task {task_id} --agent solution"], as_json)


def suite(name: str, env_name: str, as_json: bool) -> None:
    made = new_suite(own_world(env_name), name)
    _tell(made, [f"silo run --env {env_name} --suite {name} --agent solution"], as_json)


def agent(path: Path, style: str, as_json: bool) -> None:
    made = new_agent(path, style)
    shown = made if made.is_absolute() else f"./{made.as_posix()}"
    _tell([made], [f"silo run --env crm --task TASK-001 --agent {shown}"], as_json)


def init() -> None:
    """Ask for a world step by step, then make it."""
    found = environment_templates()
    name = _asked("A name for the world", "my-world", _good_name)
    print("Templates:")
    for one in found:
        print(f"  {one:10} {_ABOUT.get(one, '')}".rstrip())
    template = _asked("Template", "blank", _among(found))
    title = _asked("A title for people", name.replace("-", " ").replace("_", " ").capitalize(), lambda text: text)
    made = new_environment(name, template, _LOCAL, title)
    print(f"Made {made}/")
    while True:
        wanted = _asked("Add a tool? Its name, or nothing to go on", "", lambda text: text and TOOL.check(text, ()))
        if not wanted:
            break
        kind = _asked("Its kind", "list", _among(TOOL_KINDS))
        _attempt(lambda wanted=wanted, kind=kind: new_tool(own_world(str(made)), wanted, kind))  # type: ignore[misc]
    wanted = _asked("Add a task? Its id, or nothing to go on", "", lambda text: text and TASK.check(text, ()))
    if wanted:
        _attempt(lambda: new_task(own_world(str(made)), wanted))
    wanted = _asked("Add an agent? Its file, or nothing to go on", "", lambda text: text)
    if wanted:
        style = _asked("Its style", "loop", _among(STYLES))
        _attempt(lambda: [new_agent(Path(wanted), style)])
    print(f"Next: silo validate --env {name}")


def _attempt(work: Callable[[], Sequence[Path]]) -> None:
    try:
        for path in work():
            print(f"Made {path}")
    except UsageError as wrong:
        print(f"{wrong.message} {wrong.fix}")


def _good_name(text: str) -> str:
    return ENVIRONMENT.check(text, [path.name for path in _LOCAL.iterdir()] if _LOCAL.is_dir() else [])


def _among(choices: Sequence[str]) -> Callable[[str], str]:
    def chosen(text: str) -> str:
        if text not in choices:
            raise UsageError(f"'{text}' is not one of: {', '.join(choices)}.")
        return text

    return chosen


def _asked(question: str, default: str, check: Callable[[str], str]) -> str:
    """Ask until the answer is one that `check` takes; from a pipe, a wrong answer ends it."""
    while True:
        answer = str(typer.prompt(question, default=default, show_default=bool(default)))
        try:
            return check(answer.strip())
        except UsageError as wrong:
            if not sys.stdin.isatty():
                raise
            print(f"{wrong.message} {wrong.fix}".strip())


def _tell(made: Sequence[Path], following: Sequence[str], as_json: bool) -> None:
    if as_json:
        print_json({"created": [path.as_posix() for path in made], "next": list(following)})
        return
    for path in made:
        print(f"Made {path.as_posix()}{'/' if path.is_dir() else ''}")
    for one in following:
        print(f"Next: {one}")
