"""Computes the digest of a course, by which a change is noticed that nobody agreed to.

All files count but git's own, and the bytecode in `__pycache__`: any Python may write it at any
time, and a worker does not read it (`worker/course_modules.py`).
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jaxtutor.errors import CourseError
from jaxtutor.storage.workspace import explain

FORM = "files:"
"""How a digest begins. Version 0.2.0 left out some files, and its digests cannot be compared."""

READ_SIZE = 1 << 20
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""How files are opened: a pipe could have taken the place of one, and must not block."""

_BYTECODE = re.compile(r"[^.]+\..+\.pyc")
"""`name.cpython-313.pyc`. A `name.pyc` can be imported without its source, so it always counts."""


def digest(course: Path, own: Iterable[Path] = ()) -> str:
    """Return a digest of the names and contents of all files in a course.

    `own` are folders that jaxtutor writes to, which do not count. Raises CourseError for a file
    that cannot be read, and for a link to what does not count: it could change unnoticed.
    """
    root = os.path.realpath(course)
    uncounted = _uncounted_folders(root, own)
    total = sha256()
    try:
        for path, is_link in sorted(_files_below(root, uncounted)):
            content = _digest_link(path, root, uncounted) if is_link else _digest_file(path)
            name = os.fsencode(path.removeprefix(root))
            total.update(b"%d %d\0" % (len(name), is_link) + name + content)
    except _Uncountable as found:
        place = os.path.relpath(found.path, root)
        raise CourseError(f"In the course, {place} {found.why}.", found.remedy) from found
    return FORM + total.hexdigest()


@dataclass
class _Uncountable(Exception):
    """A path that cannot be part of a digest: why, and what to do about it."""

    path: str
    why: str
    remedy: str


def _uncounted_folders(root: str, own: Iterable[Path]) -> tuple[str, ...]:
    """Return the folders in a course that do not belong to it.

    They are git's, jaxtutor's own, and the environment that it runs in.
    """
    others = [os.path.realpath(it) for it in (*map(str, own), sys.prefix, sys.base_prefix)]
    inside = (it for it in others if _is_in(it, root) and it != root)
    return (f"{root}{os.sep}.git", *inside)


def _files_below(root: str, uncounted: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the files below a folder, and whether each is a link, which is not followed."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                counted = [it for it in entries if it.path not in uncounted]
        except OSError as error:
            raise _unreadable(folder, error) from error
        for entry in counted:
            if entry.is_symlink():
                yield entry.path, True
            elif entry.is_dir():
                waiting.append(entry.path)
            elif not _is_bytecode(folder, entry.name):
                yield entry.path, False


def _is_bytecode(folder: str, name: str) -> bool:
    return folder.endswith(f"{os.sep}__pycache__") and _BYTECODE.fullmatch(name) is not None


def _digest_link(path: str, root: str, uncounted: Collection[str]) -> bytes:
    """Digest where a link leads. A file counts with its contents, since it may not count itself."""
    target = os.path.realpath(path)
    if any(_is_in(target, it) for it in uncounted) or not _is_in(target, root):
        why = "is a link that leads out of it"
        raise _Uncountable(path, why, "Replace the link with a copy of what it leads to.")
    led = sha256(os.fsencode(target.removeprefix(root)))
    if os.path.isfile(target):  # noqa: PTH113
        led.update(_digest_file(target))
    return led.digest()


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def _digest_file(path: str) -> bytes:
    found = sha256()
    try:
        handle = os.open(path, FLAGS)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise _Uncountable(path, "is neither a file nor a folder", "Remove it.")
            while data := os.read(handle, READ_SIZE):
                found.update(data)
        finally:
            os.close(handle)
    except OSError as error:
        raise _unreadable(path, error) from error
    return found.digest()


def _unreadable(path: str, error: OSError) -> _Uncountable:
    why = f"could not be read: {explain(error)}"
    return _Uncountable(path, why, "Make it readable, or remove it.")
