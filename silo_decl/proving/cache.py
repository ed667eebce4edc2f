"""What was proven before: kept in a file, each proof under a hash of everything that it depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import silo_decl
from silo_decl.engine.artifacts import write_whole
from silo_decl.engine.environment import Environment
from silo_decl.grading.task import Task
from silo_decl.proving.proof import Proof
from silo_decl.specs.folder import Folder
from silo_decl.versions import versions

_ASIDE = ("suites/", "README.md")


class Cache:
    """Proofs by the key of their task. A file that is missing, damaged or of another make holds none."""

    def __init__(self, path: Path):
        self.path = path
        self._kept = _read(path)

    def get(self, task_id: str, key: str) -> Proof | None:
        kept = self._kept.get(task_id)
        if not isinstance(kept, dict) or kept.get("key") != key:
            return None
        try:
            return Proof.of(kept["proof"])
        except (KeyError, TypeError):
            return None

    def forget(self, task_ids: Iterable[str]) -> None:
        for task_id in task_ids:
            self._kept.pop(task_id, None)

    def put(self, key: str, proof: Proof) -> None:
        self._kept[proof.task_id] = {"key": key, "proof": proof.as_facts()}

    def write(self) -> None:
        """Write the file, whole or not at all. Raises OSError."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, json.dumps({"proofs": self._kept}, ensure_ascii=False).encode())


def keys(environment: Environment, tasks: list[Task]) -> dict[str, str]:
    """The key of each task: its own file, every other file that is not a task's, and this silo."""
    folder = Folder(environment.root)
    own = {task.spec.file for task in environment.tasks.values()}
    shared = hashlib.sha256(_this_silo().encode())
    hashes: dict[str, str] = {}
    for name in folder.files(""):
        if folder.leaves(name) or name.startswith(_ASIDE) or not folder.path(name).is_file():
            continue
        content = hashlib.sha256(folder.path(name).read_bytes()).hexdigest()
        if name in own:
            hashes[name] = content
        else:
            shared.update(f"{name}\0{content}\n".encode())
    rest = shared.hexdigest()
    return {task.id: hashlib.sha256(f"{rest} {hashes.get(task.spec.file)}".encode()).hexdigest() for task in tasks}


def _this_silo() -> str:
    """The versions that results depend on, and the state of the package's own files."""
    root = Path(silo_decl.__file__).parent
    states = []
    for path in sorted(root.rglob("*.py")):
        state = path.stat()
        states.append(f"{path.relative_to(root)} {state.st_size} {state.st_mtime_ns}")
    return json.dumps([versions(), states])


def _read(path: Path) -> dict[str, object]:
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    proofs = kept.get("proofs") if isinstance(kept, Mapping) else None
    return proofs if isinstance(proofs, dict) else {}
