"""Whether the functions that tools and checks point to exist, seen in the text of `hooks/*.py` without running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from silo_decl.errors import Problem, choices, did_you_mean
from silo_decl.specs.folder import Folder
from silo_decl.specs.source import At, SourceFile
from silo_decl.specs.texts import Text, Trouble, decoded


@dataclass(frozen=True)
class _Module:
    """The functions of a module with how many arguments each can take, and the other names it has."""

    functions: dict[str, tuple[int, float]]
    others: frozenset[str]


@dataclass
class Hooks:
    """Looks up hooks; each file is read once, and a file that Python cannot read is said once."""

    folder: Folder
    problems: list[Problem]
    _modules: dict[str, _Module | None] = field(default_factory=dict)

    def exists(self, at: At, hook: str) -> None:
        """The hook written at `at` must be there."""
        self.check(at, hook, 0, "")

    def check(self, at: At, hook: str, arguments: int, sample: str) -> None:
        """The hook written at `at` must be there and take `arguments` (as in the call `sample`), if any are said."""
        module_path, _, function = hook.rpartition(".")
        name = f"hooks/{module_path.replace('.', '/')}.py"
        if not self.folder.path(name).is_file() or self.folder.leaves(name):
            self.problems.append(self._no_module(at, name))
            return
        if name not in self._modules:
            self._modules[name] = self._read(name)
        module = self._modules[name]
        if module is None or function in module.others:
            return
        if function not in module.functions:
            hint = did_you_mean(function, module.functions)
            fix = f"Its functions: {choices(module.functions)}." if module.functions else "It has no function yet."
            self.problems.append(at.problem("unknown-hook", f"{name} has no function '{function}'.{hint}", fix))
            return
        fewest, most = module.functions[function]
        if sample and not fewest <= arguments <= most:
            message = f"The function '{function}' in {name} cannot be called with {arguments} arguments."
            self.problems.append(at.problem("wrong-hook", message, f"Write it as: def {function}{sample}:"))

    def _no_module(self, at: At, name: str) -> Problem:
        there = [one for one in self.folder.files("hooks") if one.endswith(".py")]
        hint = did_you_mean(name, there)
        fix = f"There are: {choices(there)}." if there else "Write the file with the function in it."
        return at.problem("unknown-hook", f"There is no file {name}.{hint}", fix)

    def _read(self, name: str) -> _Module | None:
        path = self.folder.path(name)
        try:
            body = decoded(path.read_bytes())
            return _module(ast.parse(body, name))
        except UnicodeDecodeError:
            self.problems.append(Problem("not-utf8", "This file is not written in UTF-8.", name))
        except (SyntaxError, ValueError) as wrong:
            line, column = getattr(wrong, "lineno", 0) or 0, getattr(wrong, "offset", 0) or 1
            text = Text(body)
            index = sum(len(one) + 1 for one in body.split("\n")[: max(0, line - 1)]) + max(0, column - 1)
            reason = wrong.msg if isinstance(wrong, SyntaxError) else str(wrong)
            said = Trouble("hook-syntax", f"Python cannot read this file: {reason}.", "", index)
            self.problems.append(text.problem(said, SourceFile(path, name, "other").name))
        return None


def _module(tree: ast.Module) -> _Module:
    functions: dict[str, tuple[int, float]] = {}
    others: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions[node.name] = _takes(node.args)
        else:
            others |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            others |= {
                alias.asname or alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)
            }
            others |= {node.name} if isinstance(node, ast.ClassDef) else set()
    return _Module(functions, frozenset(others - set(functions)))


def _takes(arguments: ast.arguments) -> tuple[int, float]:
    """The fewest and the most arguments by place; none fit where a keyword without a default is needed."""
    most: float = len(arguments.posonlyargs) + len(arguments.args)
    fewest = int(most) - len(arguments.defaults)
    if arguments.vararg is not None:
        most = float("inf")
    if any(default is None for default in arguments.kw_defaults):
        return 1, 0
    return fewest, most
