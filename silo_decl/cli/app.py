"""The `silo` command: names, options and help of every command, and the one boundary that turns errors into words.

What a command does stands in a module of its own and is imported when it is asked for, so that `silo --help` is
quick. This is the only module with imports inside functions.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="silo",
    help="Declare simulated worlds for AI agents in JSON and YAML, run agents in them and grade what they did.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
env_app = typer.Typer(help="The environments there are.", no_args_is_help=True, rich_markup_mode=None)
tool_app = typer.Typer(help="The tools of an environment.", no_args_is_help=True, rich_markup_mode=None)
task_app = typer.Typer(help="The tasks of an environment.", no_args_is_help=True, rich_markup_mode=None)
runs_app = typer.Typer(help="What earlier runs left behind.", no_args_is_help=True, rich_markup_mode=None)
new_app = typer.Typer(
    help="Make a world, or a part of one, to start from.", no_args_is_help=True, rich_markup_mode=None
)
data_app = typer.Typer(
    help="The facts of a world: from spreadsheets, and by hand.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(new_app, name="new")
app.add_typer(data_app, name="data")
app.add_typer(env_app, name="env")
app.add_typer(tool_app, name="tool")
app.add_typer(task_app, name="task")
app.add_typer(runs_app, name="runs")

Env = Annotated[
    str,
    typer.Option("--env", help="An environment: a name under ./environments, a folder, or one that ships with silo."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for machines.")]
RunsDir = Annotated[Path, typer.Option("--runs-dir", help="Where runs are kept.")]
DEFAULT_RUNS = Path(".silo/runs")
DEFAULT_PROOFS = Path(".silo/prove")


def _version(wanted: bool) -> None:
    if wanted:
        from silo_decl.versions import version

        print(f"silo {version()}")
        raise typer.Exit


@app.callback()
def silo(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Declare simulated worlds for AI agents in JSON and YAML, run agents in them and grade what they did."""


@new_app.command("env")
def new_env(
    name: Annotated[str, typer.Argument(help="Its name; the folder is ./environments/NAME.")],
    template: Annotated[
        str, typer.Option("--template", help="What to start from: blank, crm, helpdesk or shop.")
    ] = "blank",
    title: Annotated[str, typer.Option("--title", help="What people call it.")] = "",
    json: Json = False,
) -> None:
    """Make a world from a template."""
    from silo_decl.cli import making

    making.env(name, template, title, json)


@new_app.command("tool")
@tool_app.command("add")
def new_tool(
    name: Annotated[str, typer.Argument(help="The tool's name, such as list_orders.")],
    env: Env,
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="list, get, search, summarize, query, create, update, delete or action (a hook in Python)."
        ),
    ],
    collection: Annotated[
        str, typer.Option("--collection", help="What it works on, where its name does not tell.")
    ] = "",
    json: Json = False,
) -> None:
    """Make a tool as a stub and list it in environment.yaml."""
    from silo_decl.cli import making

    making.tool(name, env, kind, collection, json)


@new_app.command("task")
@task_app.command("add")
def new_task(
    task_id: Annotated[str, typer.Argument(metavar="ID", help="The task's id, such as TASK-001.")],
    env: Env,
    json: Json = False,
) -> None:
    """Make a task that works as it stands, to be changed."""
    from silo_decl.cli import making

    making.task(task_id, env, json)


@new_app.command("suite")
def new_suite(
    name: Annotated[str, typer.Argument(help="The suite's name, such as core.")], env: Env, json: Json = False
) -> None:
    """Make a suite of all tasks there are."""
    from silo_decl.cli import making

    making.suite(name, env, json)


@new_app.command("agent")
def new_agent(
    file: Annotated[Path, typer.Argument(help="The file to write, such as ./my_agent.py.")],
    style: Annotated[str, typer.Option("--style", help="loop, openai or anthropic.")] = "loop",
    json: Json = False,
) -> None:
    """Make an agent to start from."""
    from silo_decl.cli import making

    making.agent(file, style, json)


@data_app.command("import")
def data_import(
    file: Annotated[Path, typer.Argument(help="A .csv, .tsv, .xlsx, .json or .jsonl file.")],
    env: Env,
    collection: Annotated[
        str, typer.Option("--collection", help="What to call it; otherwise as the sheet or the file is called.")
    ] = "",
    sheet: Annotated[
        list[str] | None, typer.Option("--sheet", help="Only this sheet; may be given several times.")
    ] = None,
    key: Annotated[str, typer.Option("--key", help="The column that names a record, where it is not found.")] = "",
    tools: Annotated[bool, typer.Option("--tools", help="Write list, get and search tools too.")] = False,
    text: Annotated[
        list[str] | None, typer.Option("--text", help="Keep this field as text, whatever it looks like.")
    ] = None,
    empty: Annotated[
        list[str] | None, typer.Option("--empty", help="A word that means that a cell is empty, such as TBD.")
    ] = None,
    dates: Annotated[str, typer.Option("--dates", help="How 3/4/2026 is meant: day-first or month-first.")] = "",
    remove_missing: Annotated[
        bool, typer.Option("--remove-missing", help="Take out records that the file no longer has.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would happen and write nothing.")] = False,
    json: Json = False,
) -> None:
    """Make collections of a spreadsheet, or bring them up to date with it."""
    from silo_decl.authoring.importing import Request
    from silo_decl.authoring.infer import Wishes
    from silo_decl.cli import data

    if dates not in ("", "day-first", "month-first"):
        raise typer.BadParameter("It is day-first or month-first.", param_hint="--dates")
    words = frozenset(word.strip().casefold() for word in empty or ())
    wishes = Wishes(frozenset(text or ()), words, None if not dates else dates == "day-first")
    request = Request(file, collection, tuple(sheet or ()), key, tools, remove_missing, wishes)
    data.import_file(env, request, data.Choices(dry_run, json))


@data_app.command("list")
def data_list(env: Env, json: Json = False) -> None:
    """List the collections and how many records they have."""
    from silo_decl.cli import data

    data.list_collections(env, json)


@data_app.command("show")
def data_show(
    collection: Annotated[str, typer.Argument(help="The collection.")],
    record_id: Annotated[str, typer.Argument(metavar="[ID]", help="One record of it.")] = "",
    *,
    env: Env,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many records.")] = 20,
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many to leave out before.")] = 0,
    json: Json = False,
) -> None:
    """Show one record, or the first ones of a collection."""
    from silo_decl.cli import data

    data.show(env, collection, record_id, limit, offset, json)


Fields = Annotated[list[str] | None, typer.Argument(metavar="FIELD=VALUE...", help="Such as name=Lamp.")]


@data_app.command("add")
def data_add(
    collection: Annotated[str, typer.Argument(help="The collection.")],
    fields: Fields = None,
    *,
    env: Env,
    json: Json = False,
) -> None:
    """Add a record; its id is the next one unless it is given."""
    from silo_decl.cli import data

    data.add(env, collection, fields or [], json)


@data_app.command("update")
def data_update(
    collection: Annotated[str, typer.Argument(help="The collection.")],
    record_id: Annotated[str, typer.Argument(metavar="ID", help="The record.")],
    fields: Fields = None,
    *,
    env: Env,
    json: Json = False,
) -> None:
    """Change fields of a record; `field=` empties one."""
    from silo_decl.cli import data

    data.update(env, collection, record_id, fields or [], json)


@data_app.command("remove")
def data_remove(
    collection: Annotated[str, typer.Argument(help="The collection.")],
    record_id: Annotated[str, typer.Argument(metavar="ID", help="The record.")],
    env: Env,
    force: Annotated[bool, typer.Option("--force", help="Also where other records refer to it.")] = False,
    json: Json = False,
) -> None:
    """Remove a record that nothing refers to."""
    from silo_decl.cli import data

    data.remove(env, collection, record_id, force, json)


@data_app.command("export")
def data_export(
    env: Env,
    to: Annotated[Path, typer.Option("--to", help="A .csv, .tsv or .xlsx file.")],
    collection: Annotated[
        list[str] | None, typer.Argument(metavar="[COLLECTION]...", help="Without one, all of them.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Also where the file is there.")] = False,
    json: Json = False,
) -> None:
    """Write collections to a file that a spreadsheet opens and that can be imported again."""
    from silo_decl.cli import data

    data.export_file(env, collection or [], to, overwrite, json)


@app.command("init")
def init() -> None:
    """Make a world by answering questions, one at a time."""
    from silo_decl.cli import making

    making.init()


@app.command("run")
def run(
    env: Env,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", help="A task's id, or family:…, tag:…, difficulty:…; may be given several times."),
    ] = None,
    suite: Annotated[str | None, typer.Option("--suite", help="A suite's name.")] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            help="A .py, .js, .mjs or .ts file, 'cmd: program', 'solution' or 'idle'. "
            "Without it, ./silo_agent.py where it exists.",
        ),
    ] = None,
    runs: Annotated[int | None, typer.Option("--runs", min=1, help="How often each task is tried.")] = None,
    max_tool_calls: Annotated[
        int | None, typer.Option("--max-tool-calls", min=0, help="Tool calls allowed in one rollout.")
    ] = None,
    timeout_ms: Annotated[
        int | None, typer.Option("--timeout-ms", min=1, help="Milliseconds allowed for one rollout.")
    ] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Rollouts at the same time.")] = 1,
    folders: Annotated[
        bool, typer.Option("--folders", help="Write a folder for each rollout of a suite, not one packed file.")
    ] = False,
    reuse_agents: Annotated[
        bool, typer.Option("--reuse-agents", help="Keep agent processes for several rollouts: quicker, less apart.")
    ] = False,
    runs_dir: RunsDir = DEFAULT_RUNS,
    json: Json = False,
) -> None:
    """Run an agent on tasks, grade it and keep what happened."""
    from silo_decl.cli import running

    running.run(
        running.RunRequest(
            env=env,
            tasks=tuple(task or ()),
            suite=suite,
            agent=agent,
            runs=runs,
            max_tool_calls=max_tool_calls,
            timeout_ms=timeout_ms,
            concurrency=concurrency,
            folders=folders,
            reuse_agents=reuse_agents,
            runs_dir=runs_dir,
            json=json,
        )
    )


@app.command("validate")
def validate(
    env: Annotated[
        str | None,
        typer.Option("--env", help="One environment; without it, every one under ./environments, or this folder."),
    ] = None,
    json: Json = False,
) -> None:
    """Tell every mistake in the files of an environment, without running an agent."""
    from silo_decl.cli import validating

    validating.validate(env, json)


@app.command("prove")
def prove(
    env: Annotated[
        str | None,
        typer.Option("--env", help="One environment; without it, every one under ./environments, or this folder."),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", help="A task, or tag:T, difficulty:D, family:F, an id with *; repeat it for several."),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option("--min-score", min=0, max=1, help="Share of the mutants to be caught, such as 0.95; else exit 1."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Prove also what has not changed since it was proven.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="How many processes at most.")] = 2,
    cache_dir: Annotated[Path, typer.Option("--cache-dir", help="Where what was proven is kept.")] = DEFAULT_PROOFS,
    json: Json = False,
) -> None:
    """Prove tasks: each can be solved, is not free, and its checks catch damaged solutions."""
    from silo_decl.cli import proving

    proving.run(
        proving.ProveRequest(
            env=env,
            tasks=tuple(task or ()),
            min_score=min_score,
            again=again,
            concurrency=concurrency,
            cache_dir=cache_dir,
            json=json,
        )
    )


@app.command("play")
def play(
    env: Env,
    task: Annotated[str, typer.Option("--task", help="The task to try; without one, look around freely.")] = "",
    record: Annotated[bool, typer.Option("--record", help="Write what was done as the task's solution.")] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Record also over a solution, or where the task is not passed."),
    ] = False,
) -> None:
    """Be the agent yourself: call tools, see what changes, and how it would be graded."""
    from silo_decl.cli import playing

    playing.play(env, task, record, force)


@app.command("explain")
def explain(code: Annotated[str, typer.Argument(help="A code such as unknown-key.")], json: Json = False) -> None:
    """Say what the code of a problem or of a tool's error means."""
    from silo_decl.cli import validating

    validating.explain(code, json)


@env_app.command("list")
def env_list(json: Json = False) -> None:
    """List the environments that --env finds by name."""
    from silo_decl.cli import showing

    showing.env_list(json)


@env_app.command("show")
def env_show(
    name: Annotated[str | None, typer.Argument(help="The environment.")] = None,
    env: Annotated[str | None, typer.Option("--env", help="The same, as an option.")] = None,
    json: Json = False,
) -> None:
    """Show an environment: its collections, tools, tasks and suites."""
    from silo_decl.cli import showing

    showing.env_show(env or name, json)


@tool_app.command("list")
def tool_list(env: Env, json: Json = False) -> None:
    """List the tools an agent gets."""
    from silo_decl.cli import showing

    showing.tool_list(env, json)


@tool_app.command("show")
def tool_show(name: str, env: Env, json: Json = False) -> None:
    """Show a tool as an agent sees it, and the query that a generated read is."""
    from silo_decl.cli import showing

    showing.tool_show(env, name, json)


@tool_app.command("call")
def tool_call(
    name: str,
    env: Env,
    input: Annotated[str, typer.Option("--input", help="The arguments as a JSON object; '-' reads them.")] = "{}",
    json: Json = False,
) -> None:
    """Call a tool on a fresh world and print what it answers."""
    from silo_decl.cli import showing

    showing.tool_call(env, name, input, json)


@task_app.command("list")
def task_list(env: Env, json: Json = False) -> None:
    """List the tasks."""
    from silo_decl.cli import showing

    showing.task_list(env, json)


@task_app.command("show")
def task_show(
    task_id: Annotated[str, typer.Argument(metavar="ID", help="The task's id.")],
    env: Env,
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
    json: Json = False,
) -> None:
    """Show a task: what is asked and how it is graded."""
    from silo_decl.cli import showing

    showing.task_show(env, task_id, solution, json)


@runs_app.command("list")
def runs_list(
    runs_dir: RunsDir = DEFAULT_RUNS,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    json: Json = False,
) -> None:
    """List runs, newest first."""
    from silo_decl.cli import looking_back

    looking_back.runs_list(runs_dir, limit, json)


@runs_app.command("show")
def runs_show(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="A run's id, the start of one, or 'last'.")] = "last",
    runs_dir: RunsDir = DEFAULT_RUNS,
    json: Json = False,
) -> None:
    """Tell the story of a rollout: calls, changes, checks and, where it failed, a likely cause."""
    from silo_decl.cli import looking_back

    looking_back.runs_show(run_id, runs_dir, json)


@runs_app.command("unpack")
def runs_unpack(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="The id of a packed suite run.")],
    runs_dir: RunsDir = DEFAULT_RUNS,
    json: Json = False,
) -> None:
    """Write a folder for each rollout of a packed run."""
    from silo_decl.cli import looking_back

    looking_back.runs_unpack(run_id, runs_dir, json)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    from silo_decl.cli import boundary

    sys.exit(boundary.guarded(lambda: app(args=arguments, standalone_mode=False)))


if __name__ == "__main__":
    main()
