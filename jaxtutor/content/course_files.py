"""Reads the files of a course: plain files inside their folder, packed in a wheel or not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from jaxtutor.core.data.lines import with_line_feeds
from jaxtutor.storage.workspace import LARGEST, explain, look

PACKED = ".txt"
"""The suffix that a wheel adds to the names of solutions and of known submissions."""

MISSING, NO_FILE, LEADS_OUT = "is missing", "is not a file", "leads out of it"
TOO_LARGE = f"is larger than {LARGEST >> 20} MiB"


class UnreadableFile(Exception):
    """A file of a course is refused; the message completes "checks.py …"."""


def read_text(folder: Path, name: str) -> str:
    """Read a file of a course: a plain file inside its folder, of no more than a submission's size.

    Raises OSError, UnreadableFile, UnicodeDecodeError.
    """
    path = _find(folder, name)
    if not _is_inside(folder, path):
        raise UnreadableFile(LEADS_OUT)
    data = look(path)[1]
    if len(data) > LARGEST:
        raise UnreadableFile(TOO_LARGE)
    return with_line_feeds(data.decode("utf-8"))


def _find(folder: Path, name: str) -> Path:
    """Return where a file of a course is: in a wheel, the answers have one more suffix.

    So they are neither compiled nor importable; see hatch_build.py.
    """
    path, packed = folder / name, folder / f"{name}{PACKED}"
    return (
        packed if name.endswith(".py") and not os.path.lexists(path) and packed.exists() else path
    )


def unpacked(name: str) -> str:
    """Return the name that a file has in a checkout: a wheel adds `.txt` to some programs."""
    return name.removesuffix(PACKED) if name.endswith(f".py{PACKED}") else name


def list_programs(folder: Path) -> list[Path]:
    """Return the programs of a folder under the names that they have in a checkout."""
    names = {
        it.name.removesuffix(PACKED) for it in (*folder.glob("*.py"), *folder.glob(f"*.py{PACKED}"))
    }
    return [folder / name for name in sorted(names)]


def _is_inside(folder: Path, path: Path) -> bool:
    if path.parent == folder and not path.is_symlink():
        return True
    # Before Python 3.13, Path.resolve raises for circular links.
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def find_fault(folder: Path, name: str) -> str:
    """Return why a file cannot be read, as far as its metadata shows."""
    try:
        status = os.lstat(f"{folder}{os.sep}{name}")  # `list` asks this of five hundred files
        if not stat.S_ISREG(status.st_mode):
            return _find_other_fault(folder, folder / name)
    except OSError:
        return _find_other_fault(folder, _find(folder, name))
    return TOO_LARGE if status.st_size > LARGEST else ""


def _find_other_fault(folder: Path, path: Path) -> str:
    """Return why a file cannot be read that is packed, a link, missing, or not a file."""
    try:
        if path.is_symlink() and not _is_inside(folder, path):
            return LEADS_OUT
        status = path.stat()
    except OSError as error:
        return say_why(error)
    if not stat.S_ISREG(status.st_mode):
        return NO_FILE
    return TOO_LARGE if status.st_size > LARGEST else ""


def say_why(error: OSError) -> str:
    """Complete "checks.py …" with why the system did not read a file."""
    if isinstance(error, FileNotFoundError):
        return MISSING
    if isinstance(error, IsADirectoryError):
        return NO_FILE
    return f"could not be read: {explain(error)}"
