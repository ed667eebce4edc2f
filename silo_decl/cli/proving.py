"""`silo prove`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from silo_decl.cli.boundary import Failed
from silo_decl.cli.render import Screen, counted_as, out, print_json, short_path, table
from silo_decl.engine.environment import Environment, load_folder
from silo_decl.proving.cache import Cache
from silo_decl.proving.proof import Finding, Proof
from silo_decl.proving.prove import prove
from silo_decl.specs.find import environments_here, find_environment

_FEW = 3


@dataclass(frozen=True, slots=True)
class ProveRequest:
    """The words of one `silo prove`. `min_score` is a share from 0 to 1."""

    env: str | None
    tasks: tuple[str, ...]
    min_score: float | None
    again: bool
    concurrency: int
    cache_dir: Path
    json: bool


def run(request: ProveRequest) -> None:
    """Prove the tasks and say what was found; Failed where one does not hold or the bar is missed."""
    roots = [find_environment(request.env)] if request.env else environments_here()
    proven = [_prove(load_folder(root), request) for root in roots]
    proofs = [proof for _, found in proven for proof in found]
    met = request.min_score is None or (bool(proofs) and _score(proofs) >= request.min_score)
    holds = bool(proofs) and all(proof.holds for proof in proofs)
    if request.json:
        facts = [_fact(proof, environment, len(roots) > 1) for environment, found in proven for proof in found]
        print_json({"ok": holds and met, "score": round(_score(proofs), 4), "tasks": facts})
    else:
        for environment, found in proven:
            _tell(environment, found)
        if request.min_score is not None:
            print(f"The bar of {request.min_score:.0%} is {'met' if met else 'not met'}.")
    if not (holds and met):
        raise Failed


def _prove(environment: Environment, request: ProveRequest) -> tuple[Environment, list[Proof]]:
    tasks = environment.chosen(request.tasks) if request.tasks else list(environment.tasks.values())
    cache = Cache(request.cache_dir / f"{environment.name}.json")
    if request.again:
        cache.forget(task.id for task in tasks)
    progress = _Progress(Screen(sys.stderr), len(tasks))
    try:
        return environment, prove(environment, tasks, cache, request.concurrency, progress.one)
    finally:
        progress.clear()
        _keep(cache)


def _keep(cache: Cache) -> None:
    try:
        cache.write()
    except OSError as wrong:
        said = f"What was proven could not be kept in {cache.path}: {wrong.strerror or wrong}."
        print(f"{said} It is proven again next time.", file=sys.stderr)


class _Progress:
    """One line on a terminal that says how far it is; nothing in a pipe."""

    def __init__(self, screen: Screen, planned: int):
        self._screen = screen
        self._planned = planned
        self._done = 0

    def one(self, proof: Proof) -> None:
        self._done += 1
        self._screen.over(f"{self._done} of {self._planned} proven, {proof.task_id}")

    def clear(self) -> None:
        self._screen.over("")


# -- for machines -------------------------------------------------------------------------------------------


def _fact(proof: Proof, environment: Environment, several: bool) -> dict[str, Any]:
    tried, caught = proof.mutants
    fact: dict[str, Any] = {
        "taskId": proof.task_id,
        "family": proof.family or None,
        "holds": proof.holds,
        "solutionPasses": proof.solvable,
        "unsolved": proof.unsolved or None,
        "unobtainable": proof.unobtainable,
        "idleFails": proof.idle_fails,
        "free": _findings(proof.free),
        "mutants": {"tried": tried, "caught": caught},
        "kinds": {kind: {"tried": many, "caught": proof.caught.get(kind, 0)} for kind, many in proof.tried.items()},
        "survivors": _findings(proof.survivors),
        "fair": {"tried": proof.fair_tried, "passed": proof.fair_tried - len(proof.unfair)},
        "unfair": _findings(proof.unfair),
        "steady": proof.steady,
        "faults": proof.faults,
    }
    return {"environment": short_path(environment.root), **fact} if several else fact


def _findings(findings: Iterable[Finding]) -> list[dict[str, str]]:
    return [{"kind": one.kind, "did": one.did, "hint": one.hint} for one in findings]


def _score(proofs: Iterable[Proof]) -> float:
    """The share of mutants that were caught; 1 where none could be made."""
    pairs = [proof.mutants for proof in proofs]
    tried = sum(one for one, _ in pairs)
    return sum(caught for _, caught in pairs) / tried if tried else 1.0


# -- for people ---------------------------------------------------------------------------------------------


def _tell(environment: Environment, proofs: list[Proof]) -> None:
    screen = out()
    lots = _lots(proofs)
    many = counted_as(len(proofs), "task")
    print(screen.styled(f"{environment.spec.title}: {many} to prove", "bold"))
    if not proofs:
        print("  There is no task. Make one with 'silo new task ID --env …'.")
        return
    rows = [_row(environment, name, lot) for name, lot in lots.items()]
    print(table(rows, ["task", "title", "", "mutants caught", "score", "fair"], screen, right=[3, 4, 5]))
    for name, lot in lots.items():
        _tell_lot(name, lot, screen)
    tried, caught = map(sum, zip(*(proof.mutants for proof in proofs), strict=True))
    failed = sum(not proof.holds for proof in proofs)
    verdict = f"{len(proofs) - failed} of {many} hold"
    print(f"\n{verdict}; {caught} of {counted_as(tried, 'mutant')} caught ({_score(proofs):.1%}).")


def _lots(proofs: list[Proof]) -> dict[str, list[Proof]]:
    """One line of the table each: a task, or all members of a family."""
    lots: dict[str, list[Proof]] = {}
    for proof in proofs:
        lots.setdefault(proof.family or proof.task_id, []).append(proof)
    return lots


def _row(environment: Environment, name: str, lot: list[Proof]) -> list[str]:
    tried, caught = map(sum, zip(*(proof.mutants for proof in lot), strict=True))
    title = environment.tasks[lot[0].task_id].spec.title
    if lot[0].family:
        title = f"family of {len(lot)}, such as: {title}"
    fair = sum(proof.fair_tried - len(proof.unfair) for proof in lot)
    held = sum(proof.holds for proof in lot)
    verdict = "holds" if held == len(lot) else "FAILS" if len(lot) == 1 else f"{len(lot) - held} FAIL"
    score = f"{caught / tried:.0%}" if tried else "-"
    return [name, title, verdict, f"{caught} of {tried}", score, f"{fair} of {sum(one.fair_tried for one in lot)}"]


def _tell_lot(name: str, lot: list[Proof], screen: Screen) -> None:
    said: dict[tuple[str, str, str, str], list[str]] = {}
    for proof in lot:
        for label, colour, what, help_ in _sentences(proof):
            said.setdefault((label, colour, what, help_), []).append(proof.task_id)
    if not said:
        return
    print(f"\n{screen.styled(name, 'bold')}")
    for number, ((label, colour, what, help_), where) in enumerate(said.items()):
        if len(lot) > 1 and number == 2 * _FEW:
            print(f"  and {len(said) - number} more findings; see one member with --task ID.")
            break
        member = f" ({', '.join(where[:_FEW])}{' …' if len(where) > _FEW else ''})" if lot[0].family else ""
        print(f"  {screen.styled(label, colour)}  {what}{member}")
        if help_:
            print(f"    {help_}")


def _sentences(proof: Proof) -> Iterable[tuple[str, str, str, str]]:
    """Every finding: its label with a colour, what was found, what would help."""
    if not proof.solvable:
        yield "not solvable", "red", proof.unsolved, ""
    for lack in proof.unobtainable:
        yield (
            "not obtainable",
            "red",
            lack,
            "Say it in the instruction, or let an earlier call of the solution find it.",
        )
    for one in proof.free:
        yield f"free ({one.kind})", "red", one.did, one.hint
    if not proof.steady:
        yield "not steady", "red", "The solution does not end the same when it is played twice.", ""
    for one in proof.survivors:
        yield f"survives ({one.kind})", "yellow", one.did, one.hint
    for one in proof.unfair:
        yield f"unfair ({one.kind})", "yellow", f"{one.did} It fails, although it is as good.", one.hint
    for fault in proof.faults:
        yield "fault", "yellow", f"A tool failed by a mistake of this environment: {fault}", ""
