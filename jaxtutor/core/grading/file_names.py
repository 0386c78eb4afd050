"""Finds the learner and the lesson of each submitted file, from its path.

The names that Canvas and Moodle give to the files of a download are understood. Both were checked
against the programs that write them: Canvas' `lib/content_zipper.rb` and Moodle's
`mod/assign/feedback/file/importziplib.php`, which reads the same names.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

Parts = tuple[str, ...]

PYTHON, NOTEBOOK = ".py", ".ipynb"
MOST_WRAPPERS = 8
"""Folders, one in another, that may wrap all files of an archive."""

_NUMBER = re.compile(r"^\d\d?[-_]")
"""What stands before the name of a chapter's folder and of a lesson's file."""

_COPY = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy)$", re.IGNORECASE)
"""What browsers and file managers append to the name of another copy."""

_RESUBMITTED = re.compile(r"-\d+$")
"""What Canvas appends to the name of a file that was handed in again."""

# LAST_FIRST[_LATE]_USER_ATTACHMENT_FILE, or anon_ANONYMOUS_ATTACHMENT_FILE. A folder of that name
# has no FILE; its numbers need three digits, so that `ann_2_01` is not taken for one. An attachment
# does not begin with 0, so that the number of a lesson's folder is not taken for one.
_CANVAS = (
    re.compile(r"(?:(?P<late>LATE)_)?(?P<name>anon)_(?P<id>[0-9A-Za-z]+)_[1-9]\d*_(?P<file>.+)"),
    re.compile(r"(?P<name>.+?)(?:_(?P<late>LATE))?_(?P<id>\d+)_[1-9]\d*_(?P<file>.+)", re.DOTALL),
    re.compile(r"(?P<name>.+?)(?:_(?P<late>LATE))?_(?P<id>\d{3,})_\d{3,}_?(?P<file>)", re.DOTALL),
)

# FULL NAME_PARTICIPANT_assignsubmission_file[_FILE]
_MOODLE = re.compile(
    r"(?P<name>[^_]*)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)", re.DOTALL
)
_PARTICIPANT = "Participant"
"""The name that Moodle gives to all learners where the assignment is marked anonymously."""


class LessonNames(Struct, frozen=True):
    """The names of a lesson: its slug, its folder and its chapter's folder."""

    slug: str
    folder: str
    chapter: str


class _KnownNames(Struct, frozen=True):
    """The names of all lessons, the longest first, each with its slug; and those of chapters.

    Chapters are without their numbers: in an older order of the course they had others.
    """

    lessons: tuple[tuple[str, str], ...]
    chapters: frozenset[str]


class LmsName(Struct, frozen=True, kw_only=True):
    """What an LMS wrote into the name of a file or folder.

    `prefix` is the part before the learner's own name of the file. Files for this learner that
    begin with it can be uploaded again.
    """

    lms: str
    learner: str
    id: str
    file: str
    prefix: str
    is_late: bool = False


class NamedFile(Struct, frozen=True):
    """One file: its path, its learner, its lesson if the name contains one, and what an LMS says.

    `id` is the learner's number in the LMS, empty if the names are not those of an LMS. `keys` are
    what else identifies the learner for certain, and `submitted` is when an LMS received the file.
    """

    parts: Parts
    learner: str
    lesson: str | None
    id: str = ""
    is_late: bool = False
    lms: str = ""
    prefix: str = ""
    keys: tuple[str, ...] = ()
    submitted: datetime | None = None


def read_lms_name(name: str) -> LmsName | None:
    """Return what an LMS wrote into the name of a file or folder; None for any other name."""
    found = _MOODLE.fullmatch(name)
    if found:
        learner = found["name"] if found["name"] not in ("", _PARTICIPANT) else ""
        return LmsName(
            lms="moodle",
            learner=learner or f"{_PARTICIPANT} {found['id']}",
            id=found["id"],
            file=found["file"],
            prefix=name[: found.start("file")],
        )
    for pattern in _CANVAS:
        found = pattern.fullmatch(name)
        if found:
            is_anonymous = found["name"] == "anon"
            return LmsName(
                lms="canvas",
                learner=f"anon {found['id']}" if is_anonymous else found["name"],
                id=found["id"],
                file=found["file"],
                prefix=name[: found.start("file")],
                is_late=found["late"] is not None,
            )
    return None


def assign(
    files: Sequence[Parts], lessons: Sequence[LessonNames], home: str, only: str | None = None
) -> tuple[NamedFile, ...]:
    """Return the learner and the lesson of each file, from its path below the folder `home`.

    With `only`, a learner's single file is taken for that lesson whatever its name, and files for
    other lessons are left out.
    """
    known = _known_names(lessons, files)
    entries = with_distinct_learners([_entry(parts, known, home) for parts in files])
    if only is None:
        return tuple(entries)
    entries = [entry for entry in entries if entry.lesson in (only, None)]
    has_one = {entry.learner for entry in entries if entry.lesson}
    strays = Counter(entry.learner for entry in entries if not entry.lesson)
    return tuple(
        replace(entry, lesson=only)
        if strays[entry.learner] == 1 and entry.learner not in has_one
        else entry
        for entry in entries
    )


def _known_names(lessons: Sequence[LessonNames], files: Sequence[Parts]) -> _KnownNames:
    names = {name.replace("_", "-"): it.slug for it in lessons for name in (it.slug, it.folder)}
    names |= _older_names(names, files)
    longest_first = sorted(names.items(), key=lambda it: len(it[0]), reverse=True)
    chapters = frozenset(_without_number(it.chapter) for it in lessons)
    return _KnownNames(tuple(longest_first), chapters)


def _older_names(names: Mapping[str, str], files: Sequence[Parts]) -> dict[str, str]:
    """Return the names that lessons had in an older order of the course: with another number.

    Where the files of one lesson have several numbers, these are the learners'.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for parts in files:
        stem = parts[-1].removesuffix(PYTHON).removesuffix(NOTEBOOK).lower().replace("_", "-")
        slug = names.get(_without_number(stem))
        if slug is not None and stem not in names:
            found[slug].add(stem)
    return {next(iter(stems)): slug for slug, stems in found.items() if len(stems) == 1}


def _without_number(name: str) -> str:
    return _NUMBER.sub("", name)


def is_chapter(folder: str, chapters: Iterable[str]) -> bool:
    """Return whether a folder is that of a chapter, whatever its number was."""
    names = map(_without_number, chapters)
    return _NUMBER.match(folder) is not None and _without_number(folder) in names


def _entry(parts: Parts, known: _KnownNames, home: str) -> NamedFile:
    folders = [part for part in parts[:-1] if not is_chapter(part, known.chapters)]
    by_lms = next(filter(None, map(read_lms_name, folders)), None)
    file = parts[-1]
    if by_lms is None:
        by_lms = read_lms_name(file)
        file = by_lms.file if by_lms is not None and by_lms.file else file
    stem = _COPY.sub("", file.removesuffix(PYTHON).removesuffix(NOTEBOOK))
    slug, owner = _read_name(stem, known)
    if slug is None and by_lms is not None:
        slug, owner = _read_name(_RESUBMITTED.sub("", stem), known)
    if by_lms is None:
        owner = folders[0] if folders else owner or (stem if stem and not slug else home)
        return NamedFile(parts, composed(owner), slug)
    prefix = by_lms.prefix + ("/" if by_lms.lms == "moodle" and not by_lms.file else "")
    learner = composed(by_lms.learner)
    return NamedFile(parts, learner, slug, by_lms.id, by_lms.is_late, by_lms.lms, prefix)


def composed(name: str) -> str:
    """Compose accents: macOS decomposes them, so that one name would be two."""
    return unicodedata.normalize("NFC", name)


def with_distinct_learners(entries: Iterable[NamedFile]) -> list[NamedFile]:
    """Add the LMS's number to a name that several learners have."""
    entries = list(entries)
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        ids[entry.learner].add(entry.id)
    return [
        replace(entry, learner=f"{entry.learner} ({entry.id})")
        if entry.id and len(ids[entry.learner]) > 1
        else entry
        for entry in entries
    ]


def _read_name(stem: str, known: _KnownNames) -> tuple[str | None, str]:
    """Split `alice_01_some_lesson` into the lesson's slug and the learner before it."""
    plain = stem.lower().replace("_", "-")
    for name, slug in known.lessons:
        if plain == name:
            return slug, ""
        if plain.endswith(f"-{name}"):
            return slug, stem[: -len(name)].strip("-_ ")
    return None, ""


def wrapper(files: Sequence[Parts], lessons: Sequence[LessonNames], home: str) -> tuple[str, ...]:
    """Return the folders, one in another, that merely wrap all files; empty if there are none.

    Many programs pack a folder together with its name. It is taken for a wrapper only if the files
    in it belong to several learners by their own names.
    """
    levels = takewhile(
        lambda it: len(set(it)) == 1, zip(*(parts[:-1] for parts in files), strict=False)
    )
    shared = tuple(names[0] for names in levels)
    known = _known_names(lessons, files)
    for depth in range(1, min(len(shared), MOST_WRAPPERS) + 1):
        if read_lms_name(shared[depth - 1]) is not None:
            break
        entries = [_entry(parts[depth:], known, home) for parts in files]
        if any(it.learner == home or (it.lesson is None and len(it.parts) == 1) for it in entries):
            break
        if len({entry.learner for entry in entries}) > 1:
            return shared[:depth]
    return ()


def doubles(entries: Sequence[NamedFile]) -> frozenset[tuple[str, str]]:
    """Return the pairs of learner and lesson that have more than one file."""
    counts = Counter((entry.learner, entry.lesson) for entry in entries if entry.lesson)
    return frozenset((who, lesson) for (who, lesson), count in counts.items() if count > 1)


_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key under which `s2` comes before `s10`, and upper case beside lower case."""
    pieces = filter(None, _DIGITS.split(name.casefold()))
    return tuple(
        (0, len(digits := piece.lstrip("0")), digits) if piece.isdecimal() else (1, 0, piece)
        for piece in pieces
    )
