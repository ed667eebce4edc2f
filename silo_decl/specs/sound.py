"""Which parts of a file may be used, when others have problems."""

from __future__ import annotations

from collections.abc import Iterable

from silo_decl.specs.texts import Step

Path = tuple[Step, ...]


class Sound:
    """Knows the paths of a file that have problems."""

    def __init__(self, bad: Iterable[Path] = ()):
        self.bad = frozenset(bad)

    def __call__(self, path: Path) -> bool:
        """Whether nothing at or under `path` has a problem."""
        depth = len(path)
        return not self.bad or not any(one[:depth] == path for one in self.bad)

    def under(self, path: Path) -> Sound:
        """The same for paths that begin at `path`."""
        depth = len(path)
        return Sound(one[depth:] for one in self.bad if one[:depth] == path) if self.bad else self


ALL_SOUND = Sound()
