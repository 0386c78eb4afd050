"""Finds submitted files in a folder or in a zip archive, without extracting anything."""

from __future__ import annotations

import hashlib
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from jaxtutor.core.data.sanitize import shorten
from jaxtutor.core.grading.file_names import NOTEBOOK, PYTHON, Parts, read_lms_name
from jaxtutor.errors import SubmissionError, UsageError
from jaxtutor.grading.readings import Found, Source
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

MOST_FILES = 10_000
"""Python files and notebooks of one learner. A course's repository has some hundred."""

WHICH = "Name the folder or the zip file of the submissions."

LONGEST_PATH = 4096
"""Characters. Linux accepts no longer path, so that nobody packed one by accident."""

LONGEST_STUB = 100
"""Characters that are kept of the name in a path that is too long."""

TOO_MANY = f"It has more than {MOST_FILES:,} Python files and notebooks."
TOO_LONG = f"Its path has more than {LONGEST_PATH:,} characters."

IT = "It"
"""What messages call a file: its row has the name, which may be 60,000 characters long."""


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


Read = Callable[[int], bytes]
"""Returns at most one byte more than its argument. Raises SubmissionError, whose message begins
with "It"."""


@dataclass(frozen=True)
class OpenSource:
    """A list of submissions, and how each of its files is read."""

    source: Source
    reads: Mapping[Parts, Read]

    def read(self, parts: Parts, most: int) -> bytes:
        """Read a file as far as its limit. Raises SubmissionError."""
        if parts not in self.reads:
            raise SubmissionError(f"{IT} does not exist any more.")
        return self.reads[parts](most)


@contextmanager
def open_source(place: Path, left: int = LARGEST_ARCHIVE) -> Iterator[OpenSource]:
    """Yield the Python files and notebooks in a folder or a zip archive. Raises UsageError.

    `left` is the number of bytes that may be unpacked from an archive.
    """
    if not place.is_file():
        yield _in_folder(place)
        return
    with _open_archive(place) as archive:
        yield _in_archive(archive, _Budget(left))


def is_submission(parts: Parts) -> bool:
    """Return whether a file may be a submission: neither hidden nor in a folder of tools."""
    return parts[-1].endswith((PYTHON, NOTEBOOK)) and not any(map(_is_ignored, parts))


def _is_ignored(name: str) -> bool:
    return name.startswith(".") or name in OF_TOOLS


# ---------------------------------------------------------------- a folder


def _in_folder(place: Path) -> OpenSource:
    """Return the files of a folder; a folder in it that cannot be listed is a file's problem."""
    found: list[Found] = []
    folders: list[_Folder] = []
    counts: Counter[str] = Counter()
    waiting = [_Folder((), str(place))]  # a folder may be thousands of levels deep
    while waiting:
        folder = waiting.pop()
        if folder.learner and counts[folder.learner] > MOST_FILES:
            continue
        try:
            inner, files = _scan(folder)
        except OSError as error:
            why = workspace.explain(error)
            if not folder.parts:
                raise UsageError(f"{place} could not be read: {why}.", WHICH) from error
            found.append(Found((*folder.parts, ""), problem=f"{IT} could not be read: {why}."))
            continue
        counts[folder.learner] += len(files)
        found += files
        waiting += inner
        folders += [] if folder.parts else inner
    del counts[""]  # those beside the folders belong to many
    crowds = {learner for learner, count in counts.items() if count > MOST_FILES}
    found = [it for it in found if len(it.parts) == 1 or it.parts[0] not in crowds]
    found += [Found((learner, ""), problem=TOO_MANY) for learner in sorted(crowds)]
    reads: dict[Parts, Read] = {
        it.parts: partial(_read, place.joinpath(*it.parts)) for it in found if not it.problem
    }
    has_metadata = (place / METADATA).is_file()
    if has_metadata:
        reads[METADATA,] = partial(_read, place / METADATA)
    metadata = (METADATA,) if has_metadata else None
    return OpenSource(
        Source(tuple(found), frozenset(it.parts for it in folders), metadata=metadata), reads
    )


class _Folder(NamedTuple):
    parts: Parts
    path: str

    @property
    def learner(self) -> str:
        """The top folder; empty for the folder of all."""
        return self.parts[0] if self.parts else ""


def _scan(folder: _Folder) -> tuple[list[_Folder], list[Found]]:
    """Return the folders and the submissions in a folder. Raises OSError."""
    folders, files = [], []
    with os.scandir(folder.path) as entries:
        for entry in entries:
            parts = (*folder.parts, entry.name)
            if _is_folder(entry):
                if not _is_of_tools(entry):
                    folders.append(_Folder(parts, entry.path))
            elif is_submission(parts[-1:]):
                files.append(Found(parts, _modified(Path(entry.path))))
    return folders, files


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # a file system that has to be asked, and fails
        return False


def _is_of_tools(entry: os.DirEntry[str]) -> bool:
    if _is_ignored(entry.name):
        return True
    with suppress(OSError):
        return (Path(entry.path) / "pyvenv.cfg").exists()
    return False


def _modified(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime).astimezone()
    except (OSError, OverflowError, ValueError):
        return None


def _read(path: Path, most: int) -> bytes:
    return workspace.read_bytes(path, follows_link=False, most=most, called=IT)


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


def _in_archive(archive: zipfile.ZipFile, budget: _Budget) -> OpenSource:
    """Return the files of an archive, which are unpacked into memory when they are read."""
    infos = archive.infolist()
    too_long = [Found(_stub(it), problem=TOO_LONG) for it in infos if _is_too_long(it)]
    listed = [(_parts(it), it) for it in infos if not _is_too_long(it)]
    files = [(parts, it) for parts, it in listed if not it.is_dir() and is_submission(parts)]
    metadata = [it for it in listed if it[0][-1] == METADATA and not it[1].is_dir()]
    tops = {parts[0] for parts, _ in listed if not _is_ignored(parts[0])}
    above = [parts if entry.is_dir() else parts[:-1] for parts, entry in listed]
    folders = {it[:3] for it in above if it and not any(map(_is_ignored, it))}
    # A learner may hand in a file of that name: it counts only beside all submissions.
    most = 2 if len(tops) == 1 and read_lms_name(*tops) is None else 1
    beside_all = [it for it in metadata if len(it[0]) <= most][:1]
    reads: dict[Parts, Read] = {
        parts: partial(_unpack, archive, entry, budget) for parts, entry in (*files, *beside_all)
    }
    source = Source(
        (*(Found(parts, _packed(entry)) for parts, entry in files), *too_long),
        frozenset(folders),
        True,
        beside_all[0][0] if beside_all else None,
    )
    return OpenSource(source, reads)


def _is_too_long(entry: zipfile.ZipInfo) -> bool:
    return len(_name(entry)) > LONGEST_PATH


def _stub(entry: zipfile.ZipInfo) -> Parts:
    """Return the top folder or the name of an entry with a path that is too long, made short."""
    top = _parts(entry)[0]
    return shorten(top, LONGEST_STUB, f"\u2026{_digest(top)}\u2026"), _digest(_name(entry)), ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


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
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise SubmissionError(f"{IT} is a symbolic link, which is not followed.")
    if entry.flag_bits & 0x1:
        raise SubmissionError(f"{IT} is encrypted.")
    try:
        with archive.open(entry) as file:
            data = file.read(min(most, budget.left) + 1)
    except _DAMAGED as error:
        why = workspace.explain(error) if isinstance(error, OSError) else str(error)
        raise SubmissionError(f"{IT} could not be unpacked: {why}.") from error
    budget.left -= len(data)
    if budget.left < 0:
        budget.left = 0
        raise SubmissionError(
            f"{IT} was not unpacked: the submissions have more than {LARGEST_ARCHIVE >> 20} MiB."
        )
    return data
