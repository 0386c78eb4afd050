"""Moves the learner's files out of a checkout of jaxtutor, where `git clean` would delete them.

`git clone` in the home directory creates `~/jaxtutor`, which is the usual place of the workspace.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CHAPTER = re.compile(r"\d+_[a-z0-9_]+")
_COURSE = ("chapter.md", "*/lesson.toml")
"""What the folder of a chapter has in a course, and never in a workspace."""
_SHARED = ("projects", "drills")
"""Folders of a workspace that hold programs of several lessons."""
_MARK = Path("jaxtutor", "storage", "workspace.py")


def is_checkout(folder: Path) -> bool:
    """Return whether jaxtutor's own source lies in a folder, cloned or unpacked."""
    return (folder / _MARK).is_file()


def is_inside_checkout(folder: Path) -> bool:
    """Return whether a folder is a checkout of jaxtutor, or lies in one."""
    return any(map(is_checkout, (folder, *folder.parents)))


def move_out(old: Path, new: Path) -> int:
    """Move what belongs to a workspace from one folder to another; return how many files.

    No file is replaced: of two that differ, the one that arrives gets another name. What was
    interrupted goes on at the next call. Raises OSError.
    """
    return sum(_move(folder, new / folder.name) for folder in _find_folders(old))


def _find_folders(old: Path) -> Iterator[Path]:
    """Yield the folders with files of the learner's; those of a course are not among them."""
    with suppress(FileNotFoundError, NotADirectoryError):
        for path in sorted(path for path in old.iterdir() if path.is_dir()):
            is_chapter = _CHAPTER.fullmatch(path.name) and not any(
                any(path.glob(pattern)) for pattern in _COURSE
            )
            if is_chapter or (path.name in _SHARED and any(path.glob("*.py"))):
                yield path


def _move(source: Path, target: Path) -> int:
    """Move a file or a folder, and return how many files; another process may do the same."""
    moved = 0
    if source.is_symlink() or not source.is_dir():
        with suppress(FileNotFoundError):
            _move_file(source, target)
            moved = 1
        return moved
    target.mkdir(parents=True, exist_ok=True)
    for inner in sorted(source.iterdir()):
        moved += _move(inner, target / inner.name)
    with suppress(OSError):
        source.rmdir()
    return moved


def _move_file(source: Path, target: Path) -> None:
    if os.path.lexists(target):
        if source.is_file() and target.is_file() and source.read_bytes() == target.read_bytes():
            source.unlink()
            return
        target = next(name for name in _free_names(target) if not os.path.lexists(name))
    rename(source, target)


def rename(source: Path, target: Path) -> None:
    """Rename a file; to another file system it is copied whole. Raises OSError."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        import shutil  # every command imports this module

        # First the whole file, then its name, and only then the old one is deleted.
        whole = target.with_name(f".{target.name}.{os.urandom(4).hex()}.tmp")
        shutil.copy2(source, whole, follow_symlinks=False)
        whole.rename(target)
        source.unlink()


def _free_names(target: Path) -> Iterator[Path]:
    number = 2
    while True:
        yield target.with_name(f"{target.stem}-{number}{target.suffix}")
        number += 1
