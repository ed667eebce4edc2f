"""Loading `hooks/*.py` by path: modules of their own for each environment, which may import one another.

Nothing is put on `sys.path` and nothing is written beside the author's files. What a hook prints goes to stderr,
so that results on stdout stay clean.
"""

from __future__ import annotations

import builtins
import itertools
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_PACKAGES = itertools.count(1)


class HookModules:
    """The modules under one folder. Each is run once, when it is first asked for."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._package = f"silo_hooks_{next(_PACKAGES)}"
        self._packages: dict[str, ModuleType] = {}

    def path(self, module: str) -> Path:
        return self.folder.joinpath(*module.split(".")).with_suffix(".py")

    def load(self, module: str) -> ModuleType:
        """The module of this name under the folder. Raises whatever its code raises."""
        full_name = f"{self._package}.{module}"
        if full_name in sys.modules:
            return sys.modules[full_name]
        self._make_packages(module)
        path = self.path(module)
        made = ModuleType(full_name)
        made.__file__ = str(path)
        made.__package__ = full_name.rpartition(".")[0]
        made.__dict__["__builtins__"] = self._builtins()
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        sys.modules[full_name] = made
        try:
            exec(code, made.__dict__)
        except BaseException:
            del sys.modules[full_name]
            raise
        setattr(sys.modules[made.__package__], full_name.rpartition(".")[2], made)
        return made

    def _make_packages(self, module: str) -> None:
        """The packages around a module, so that `from .shared import x` finds its way."""
        name = self._package
        for step in ("", *module.split(".")[:-1]):
            around, name = name, f"{name}.{step}" if step else name
            if name not in sys.modules:
                package = ModuleType(name)
                package.__path__ = []
                sys.modules[name] = package
                if step:
                    setattr(sys.modules[around], step, package)

    def _builtins(self) -> dict[str, Any]:
        return {**vars(builtins), "__import__": self._import, "print": _print}

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`import`, to which the modules of the folder come first."""
        own = self._own_name(name, globals, level)
        if own is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        if not own or not self.path(own).is_file():
            return self._from_package(own, fromlist or ())
        module = self.load(own)
        if fromlist:
            return module
        if name.startswith("hooks."):
            return sys.modules[self._package]
        return sys.modules[f"{self._package}.{own.partition('.')[0]}"]

    def _own_name(self, name: str, globals: Mapping[str, Any] | None, level: int) -> str | None:
        """The module or folder under the hooks that is meant; '' for all of them, None for modules from elsewhere."""
        if level:
            around = str((globals or {}).get("__package__", "")).split(".")[1:]
            around = around[: len(around) - (level - 1)]
            return ".".join([*around, *([name] if name else [])])
        own = name.removeprefix("hooks.") if name.startswith("hooks.") else name
        return own if self.path(own).is_file() or any(self.path(own).with_suffix("").glob("*.py")) else None

    def _from_package(self, folder: str, names: Sequence[str]) -> ModuleType:
        """`from . import shared` and `from folder import shared`."""
        self._make_packages(f"{folder}.")
        for name in names:
            self.load(f"{folder}.{name}" if folder else name)
        return sys.modules[f"{self._package}.{folder}" if folder else self._package]


def _print(*values: Any, file: Any = None, **settings: Any) -> None:
    builtins.print(*values, file=file if file is not None else sys.stderr, **settings)
