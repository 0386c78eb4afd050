"""Finds submitted files in a folder or in a zip archive, without extracting anything."""

from __future__ import annotations

import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from jaxtutor.core.grading.file_names import NOTEBOOK, PYTHON, Parts, read_lms_name
from jaxtutor.errors import SubmissionError, UsageError
from jaxtutor.storage import workspace

OF_TOOLS = frozenset({"__pycache__", "node_modules", "site-packages", "__MACOSX"})
"""Folders whose files no learner wrote."""

METADATA = "submission_metadata.yml"
"""What Gradescope calls the file beside the folders of its export."""

LARGEST_NOTEBOOK = 16 << 20
"""Bytes. A notebook holds its outputs, too, such as pictures."""

MOST_ENTRIES = 100_000
"""Entries of an archive. The downloads of a course of 3,000 have fewer."""

LARGEST_ARCHIVE = 1 << 30
"""Bytes of all submitted files together, unpacked; beyond it the archive is not a course's."""

WHICH = "Name the folder or the zip file of the submissions."


_DAMAGED = (
    OSError,
    RuntimeError,
    ValueError,
    EOFError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
)
"""What `zipfile` raises for archives that are damaged, encrypted or packed in an unknown way."""


@dataclass(frozen=True)
class Found:
    """A submitted file: its path in parts, when it was last changed, and how to read it.

    `read` returns at most one byte more than its argument. It raises SubmissionError, whose message
    begins with `label`.
    """

    parts: Parts
    label: str
    modified: datetime | None
    read: Callable[[int], bytes]


@dataclass(frozen=True)
class Source:
    """Submitted files, and the folders down to the third level, which may be empty.

    `metadata` is what Gradescope wrote about its export.
    """

    files: tuple[Found, ...]
    folders: frozenset[Parts] = frozenset()
    is_archive: bool = False
    metadata: Found | None = None

    def without_files(self, level: int) -> list[str]:
        """Return the folders of a level in which there is not one file."""
        full = {it.parts[level] for it in self.files if len(it.parts) > level}
        return sorted({it[level] for it in self.folders if len(it) > level} - full)


@contextmanager
def open_source(place: Path) -> Iterator[Source]:
    """Yield the Python files and notebooks in a folder or a zip archive. Raises UsageError."""
    if place.is_file():
        with _open_archive(place) as archive:
            yield _in_archive(archive)
        return
    files = tuple(_walk(place, ()))
    path = place / METADATA
    metadata = None
    if path.is_file():
        metadata = Found((METADATA,), str(path), None, partial(_read, path))
    yield Source(files, frozenset(_folders(place)), metadata=metadata)


def is_submission(parts: Parts) -> bool:
    """Return whether a file may be a submission: neither hidden nor in a folder of tools."""
    return parts[-1].endswith((PYTHON, NOTEBOOK)) and not any(map(_is_ignored, parts))


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name in OF_TOOLS


# ---------------------------------------------------------------- a folder


def _walk(folder: Path, above: Parts) -> Iterator[Found]:
    try:
        found = list(os.scandir(folder))
    except OSError as error:
        if above:
            return
        raise UsageError(f"{folder} could not be read: {workspace.explain(error)}.", WHICH) from (
            error
        )
    for entry in found:
        parts = (*above, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not _is_of_tools(entry):
                yield from _walk(Path(entry.path), parts)
        elif is_submission(parts[-1:]):
            path = Path(entry.path)
            yield Found(parts, str(path), _modified(path), partial(_read, path))


def _is_of_tools(entry: os.DirEntry[str]) -> bool:
    return _is_ignored(entry.name) or (Path(entry.path) / "pyvenv.cfg").exists()


def _modified(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime).astimezone()
    except (OSError, OverflowError, ValueError):
        return None


def _read(path: Path, most: int) -> bytes:
    return workspace.read_bytes(path, follows_link=False, most=most)


def _folders(place: Path) -> Iterator[Parts]:
    for entry in os.scandir(place):
        if entry.is_dir(follow_symlinks=False) and not _is_of_tools(entry):
            yield (entry.name,)


# ---------------------------------------------------------------- an archive


def _open_archive(place: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(place)
    except _DAMAGED as error:
        raise UsageError(f"{place} is not a zip archive: {error}", WHICH) from error
    count = len(archive.infolist())
    if count > MOST_ENTRIES:
        archive.close()
        raise UsageError(
            f"{place} has {count:,} entries; the limit is {MOST_ENTRIES:,}.",
            "Extract it, and name the folder.",
        )
    return archive


def _in_archive(archive: zipfile.ZipFile) -> Source:
    """Return the files of an archive, which are unpacked into memory when they are read."""
    budget = _Budget(LARGEST_ARCHIVE)
    listed = [(_parts(entry), entry) for entry in archive.infolist()]

    def found(parts: Parts, entry: zipfile.ZipInfo) -> Found:
        read = partial(_unpack, archive, entry, budget)
        return Found(parts, _name(entry), _packed(entry), read)

    files = tuple(
        found(parts, entry)
        for parts, entry in listed
        if not entry.is_dir() and is_submission(parts)
    )
    metadata = [found(*it) for it in listed if it[0][-1] == METADATA and not it[1].is_dir()]
    tops = {parts[0] for parts, _ in listed if not _is_ignored(parts[0])}
    above = [parts if entry.is_dir() else parts[:-1] for parts, entry in listed]
    folders = {it[:3] for it in above if it and not any(map(_is_ignored, it))}
    # A learner may hand in a file of that name: it counts only beside all submissions.
    most = 2 if len(tops) == 1 and read_lms_name(*tops) is None else 1
    beside_all = next((it for it in metadata if len(it.parts) <= most), None)
    return Source(files, frozenset(folders), True, beside_all)


def _parts(entry: zipfile.ZipInfo) -> Parts:
    """Return an entry's path in parts; nothing is written there, so that it may say anything."""
    parts = _name(entry).replace("\\", "/").split("/")
    return tuple(part for part in parts if part not in ("", ".", "..")) or ("?",)


def _name(entry: zipfile.ZipInfo) -> str:
    """Decode a name: many programs write UTF-8 without the flag that announces it."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _packed(entry: zipfile.ZipInfo) -> datetime | None:
    """Return the time of an entry, which is the local time of the machine that packed it."""
    try:
        return datetime(*entry.date_time).astimezone()
    except (ValueError, OverflowError):
        return None


@dataclass
class _Budget:
    """The bytes that may still be unpacked from an archive."""

    left: int


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: _Budget, most: int) -> bytes:
    """Unpack a file as far as its limit, whatever size the archive claims."""
    name = _name(entry)
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise SubmissionError(f"{name} is a symbolic link, which is not followed.")
    if entry.flag_bits & 0x1:
        raise SubmissionError(f"{name} is encrypted.")
    try:
        with archive.open(entry) as file:
            data = file.read(min(most, budget.left) + 1)
    except _DAMAGED as error:
        why = workspace.explain(error) if isinstance(error, OSError) else str(error)
        raise SubmissionError(f"{name} could not be unpacked: {why}.") from error
    budget.left -= len(data)
    if budget.left < 0:
        budget.left = 0
        raise SubmissionError(
            f"{name} was not unpacked: the submissions have more than {LARGEST_ARCHIVE >> 20} MiB."
        )
    return data
