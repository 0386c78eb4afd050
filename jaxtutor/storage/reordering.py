"""Moves the learner's files to where the present order of a course has their lessons.

A file belongs to the lesson of its name, whatever number stands before the name and in whatever
chapter's folder it lies. Every move is one rename, so a reordering that was interrupted goes on at
the next call.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from jaxtutor.storage import relocation
from jaxtutor.storage.locks import locked
from jaxtutor.storage.workspace import explain

Place = tuple[str, str]
"""The folder of a chapter, and the name of a lesson's file without its suffix."""

PATIENCE = 0.5
"""Seconds to wait for another command that moves files; a session holds them for longer."""
_IN_SESSION = "a session or an editor has files open, and it moves once they are closed"
_IN_EDITOR = "it is open in an editor, and moves once that is closed"
_BROKEN_LINK = "as a link it leads nowhere from there"
_SWAP_FILES = (".{}.swp", ".{}.swo", ".#{}", ".{}.kate-swp")
"""What vim, nano, emacs and kate keep beside a file while it is open."""
_NUMBERED = re.compile(r"\d+_([a-z0-9_]+)")


class Reordering(Struct, frozen=True):
    """The files that were not where the order of the course has their lessons.

    `kept` are files that could not be moved, with the reason, and `others` those beside the file of
    a lesson: both by the place of the lesson.
    """

    moved: tuple[tuple[Path, Path], ...] = ()
    kept: dict[Place, tuple[Path, str]] = {}
    others: dict[Place, tuple[Path, ...]] = {}


def reorder(root: Path, places: Iterable[Place], is_shared: Callable[[str], bool]) -> Reordering:
    """Move the files of a workspace to the places of their lessons.

    A file in the place of its lesson wins over others, which stay where they are. `is_shared`
    returns whether another course has a lesson of a name: a file in a chapter of another name may
    be of that one, and stays too.
    """
    order = _Order(root, places, is_shared)
    strays = order.find_strays()
    chosen = {name: order.best(name, strays[name]) for name in strays if not order.has_file(name)}
    why: dict[str, str] = {}
    if chosen:
        with _alone(root) as is_alone:
            why = order.move(strays) if is_alone else dict.fromkeys(chosen, _IN_SESSION)
        strays = order.find_strays()
    done = [name for name in chosen if order.has_file(name)]
    left = [name for name in strays if order.has_file(name)]
    return Reordering(
        tuple((chosen[name], order.target(name)) for name in done),
        {
            order.places[name]: (order.best(name, strays[name]), why[name])
            for name in why
            if name in strays and not order.has_file(name)
        },
        {order.places[name]: tuple(strays[name]) for name in left},
    )


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Keep other processes from moving the files of a workspace, where the system can."""
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(locked(root, PATIENCE, is_shared=True))
        yield


def describe(found: Reordering, root: Path) -> Iterator[str]:
    """Say what was moved, and what could not be: at most one line of each."""

    def short(path: Path) -> str:
        return str(path.relative_to(root))

    if found.moved:
        old, new = map(short, found.moved[0])
        if len(found.moved) == 1:
            yield f"Your file {old} is now {new}: the course has a new order."
        else:
            count = len(found.moved)
            yield (
                f"The course has a new order, and {count} of your files have new names, such as "
                f"{new} for {old}. Nothing in them has changed."
            )
    if found.kept:
        place, (path, why) = next(iter(found.kept.items()))
        count = len(found.kept)
        others = {1: "", 2: " 1 more keeps its own."}.get(count, f" {count - 1} more keep theirs.")
        yield (
            f"{short(path)} keeps its name, which would be {'/'.join(place)}.py in the new order "
            f"of the course: {why}.{others}"
        )


def describe_others(slug: str, used: Path, others: Iterable[Path], root: Path) -> str:
    """Say that a lesson has other files, which are not used, and whether one was saved later."""

    def name(path: Path) -> str:
        later = _changed(path) > _changed(used)
        return f"{path.relative_to(root)}{', which was saved later' if later else ''}"

    return (
        f"The file of {slug} is {used.relative_to(root)}. Not used: {'; '.join(map(name, others))}."
        " Delete or rename what you do not need, and open the other in your editor."
    )


class _Order:
    """The places of the lessons of a course in one workspace, by name."""

    def __init__(
        self, root: Path, places: Iterable[Place], is_shared: Callable[[str], bool]
    ) -> None:
        self.root = root
        every = {place: _name_of(place[1]) for place in places}
        counts = Counter(every.values())
        self.places = {name: place for place, name in every.items() if counts[name] == 1}
        self.chapters = {_name_of(chapter): chapter for chapter, _ in every}
        self.is_shared = is_shared

    def target(self, name: str) -> Path:
        """Return the path that the file of a lesson should have."""
        chapter, lesson = self.places[name]
        return self.root / chapter / f"{lesson}.py"

    def has_file(self, name: str) -> bool:
        """Return whether something is in the place of a lesson."""
        return os.path.lexists(self.target(name))

    def find_strays(self) -> dict[str, list[Path]]:
        """Return the files that are not in the place of their lesson, by its name."""
        found: dict[str, list[Path]] = {}
        for chapter in _numbered(self.root):
            for lesson in _numbered(self.root / chapter, ".py"):
                name = _name_of(lesson)
                if name in self.places and self.places[name] != (chapter, lesson):
                    path = self.root / chapter / f"{lesson}.py"
                    if self._is_stray(path):
                        found.setdefault(name, []).append(path)
        return found

    def _is_stray(self, path: Path) -> bool:
        with suppress(OSError):  # one of them is missing
            if path.samefile(self.target(_name_of(path.stem))):  # through the link of a chapter
                return False
        return not path.is_dir() and self._is_ours(path)

    def _is_ours(self, path: Path) -> bool:
        """Return whether a file is one of this course's lessons', and surely not of another's."""
        name = _name_of(path.stem)
        if name not in self.places:
            return False
        chapter = _name_of(self.places[name][0])
        return chapter == _name_of(path.parent.name) or not self.is_shared(name)

    def best(self, name: str, paths: list[Path]) -> Path:
        """Choose one of a lesson's files: of the same chapter if there is one, then the newest."""
        chapter = self.places[name][0]

        def rank(path: Path) -> tuple[bool, bool, int]:
            folder = path.parent.name
            return folder == chapter, _name_of(folder) == _name_of(chapter), _changed(path)

        return max(paths, key=rank)

    def move(self, strays: dict[str, list[Path]]) -> dict[str, str]:
        """Move one file of each lesson to its place; return why some could not be moved."""
        single = {paths[0] for paths in strays.values() if len(paths) == 1}
        for folder in sorted({path.parent for path in single}):
            self._move_folder(folder, single)
        return {
            name: _move_file(self.best(name, paths), self.target(name))
            for name, paths in self.find_strays().items()
            if not self.has_file(name)
        }

    def _move_folder(self, folder: Path, single: set[Path]) -> None:
        """Rename the folder of a chapter that has a new number or name, with all that is in it.

        It stays if it has files of other courses, of lessons in other chapters, or of lessons with
        another file elsewhere; these are moved one by one.
        """
        files = [folder / f"{name}.py" for name in _numbered(folder, ".py")]
        if any(path not in single or not self._is_ours(path) or _is_open(path) for path in files):
            return
        chapters = {self.places[_name_of(path.stem)][0] for path in files}
        if namesake := self.chapters.get(_name_of(folder.name)):
            chapters.add(namesake)
        target = self.root / min(chapters)
        if len(chapters) == 1 and not os.path.lexists(target):
            with suppress(OSError):
                folder.rename(target)


def _move_file(source: Path, target: Path) -> str:
    """Move a file to a free name; return why it could not be moved."""
    if _is_open(source):
        return _IN_EDITOR
    if source.is_symlink() and source.exists() and not (target.parent / source.readlink()).exists():
        return _BROKEN_LINK
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        relocation.rename(source, target)
    except FileNotFoundError:  # another process was first
        return ""
    except OSError as error:
        return explain(error)
    with suppress(OSError):
        source.parent.rmdir()
    return ""


def _is_open(path: Path) -> bool:
    return any(os.path.lexists(path.with_name(form.format(path.name))) for form in _SWAP_FILES)


def _changed(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_mtime_ns
    return 0


def _name_of(numbered: str) -> str:
    """Return the name of a chapter or a lesson without its number."""
    return re.sub(r"^\d+_", "", numbered)


def _numbered(folder: Path, suffix: str = "") -> list[str]:
    """Return the names in a folder that have a number and a suffix, without the suffix.

    Without a suffix these are the folders of chapters, those of other courses too.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(
            stem
            for entry in entries
            if entry.name.endswith(suffix)
            and _NUMBERED.fullmatch(stem := entry.name.removesuffix(suffix))
            and (suffix or entry.is_dir())
        )
    return []


# ---------------------------------------------------------------- locks


@contextmanager
def _alone(root: Path) -> Iterator[bool]:
    """Yield whether no other process holds or moves the files; none does so meanwhile."""
    with ExitStack() as stack:
        is_alone = True
        try:
            stack.enter_context(locked(root, PATIENCE))
        except BlockingIOError:
            is_alone = False
        except OSError:  # this system has no locks
            pass
        yield is_alone
