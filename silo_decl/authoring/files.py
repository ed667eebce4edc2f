"""Writing an author's files: whole or not at all, and never over what is there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from silo_decl.errors import UsageError


def write_bytes(path: Path, content: bytes) -> None:
    """Put the content in the place of a file at once; what was there stays until the new one is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path.resolve() if path.is_symlink() else path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """As `write_bytes`, in UTF-8."""
    write_bytes(path, text.encode())


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files; where one cannot be written, every one is put back as it was."""
    before = {path: path.read_bytes() if path.is_file() else None for path in contents}
    folders = [folder for path in contents for folder in _missing_folders(path)]
    written: list[Path] = []
    try:
        for path, content in contents.items():
            write_bytes(path, content)
            written.append(path)
    except BaseException:
        for path in written:
            _restore(path, before[path])
        for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        raise


def _missing_folders(path: Path) -> list[Path]:
    return [folder for folder in path.parents if not folder.exists()]


def _restore(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
    else:
        write_bytes(path, content)


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `target` when all went well and vanishes when not.

    Raises UsageError where something of that name is there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    filling = Path(tempfile.mkdtemp(prefix=".silo-new-", dir=target.parent))
    try:
        yield filling
        if target.exists() or target.is_symlink():
            raise UsageError(f"'{target}' is there already; nothing was written.")
        made = filling / target.name
        made.rename(target)
    finally:
        shutil.rmtree(filling, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
