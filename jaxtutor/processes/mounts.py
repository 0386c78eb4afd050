"""Plans which parts of the file system a confined submission sees, as mounts for bubblewrap.

Python may lie in a folder that must not be readable, such as a home directory, and such a folder
may lie within what Python needs, such as a course in its virtual environment. So mounts of both
kinds are made from the outermost to the innermost, each on top of the one around it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_LINKS = 40
"""Links that Linux follows in one path."""


@dataclass(frozen=True)
class Visible:
    """A readable file, or a folder in which all is readable."""

    path: Path


@dataclass(frozen=True)
class Hidden:
    """A folder that is replaced by an empty one."""

    path: Path


@dataclass(frozen=True)
class Link:
    """A symbolic link on the way to something visible. `target` is its text."""

    path: Path
    target: str


Mount = Visible | Hidden | Link


class Clash(Exception):
    """A folder has to be both readable and hidden."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"Python needs {path}, which has to be hidden from submissions")


def resolve(path: Path) -> tuple[Path, tuple[Link, ...]]:
    """Return the path without symbolic links, and the links that were followed."""
    links: list[Link] = []
    real, waiting = Path("/"), [*reversed(path.absolute().parts[1:])]
    while waiting:
        part = waiting.pop()
        step = real.parent if part == ".." else real / part
        target = _target(step) if len(links) < MOST_LINKS else None
        if target is None:
            real = step
            continue
        links.append(Link(step, target))
        # Not through Path: `..` after a link is not the folder before it.
        real = Path("/") if target.startswith("/") else real
        waiting += [it for it in reversed(target.split("/")) if it not in ("", ".")]
    return real, tuple(links)


def _target(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None


def arrange(
    visible: Iterable[Path], hidden: Iterable[Path], links: Iterable[Link] = ()
) -> tuple[Mount, ...]:
    """Return the mounts that are needed, the outermost first. Raises Clash.

    The paths are absolute and without symbolic links. Without a mount, nothing is readable.
    """
    wanted: dict[Path, Mount] = {link.path: link for link in links}
    wanted |= {path: Visible(path) for path in visible}
    for path in hidden:
        if isinstance(wanted.get(path), Visible):
            raise Clash(path)
        wanted[path] = Hidden(path)
    needed: dict[Path, Mount] = {}
    for path in sorted(wanted, key=lambda path: (len(path.parts), path)):
        # A folder is hidden only within what is visible, and the others are shown only outside it.
        if _shows(needed, path) == isinstance(wanted[path], Hidden):
            needed[path] = wanted[path]
    return tuple(needed.values())


def shows(mounts: Iterable[Mount], path: Path) -> bool:
    """Return whether a file or folder, named without symbolic links, can be read."""
    return _shows({mount.path: mount for mount in mounts}, path)


def _shows(mounts: Mapping[Path, Mount], path: Path) -> bool:
    """Return whether the innermost mount at or around a path shows it."""
    innermost = next((mounts[it] for it in (path, *path.parents) if it in mounts), None)
    return isinstance(innermost, Visible)


def words(mounts: Iterable[Mount]) -> Iterator[str]:
    """Yield the arguments that make bubblewrap mount all this, and write-protect it."""
    mounts = tuple(mounts)
    for mount in mounts:
        path = str(mount.path)
        if isinstance(mount, Hidden):
            yield from ("--tmpfs", path)
            continue
        # Folders that bubblewrap adds by itself can be entered by root alone.
        for parent in reversed(mount.path.parents[:-1]):
            yield from ("--dir", str(parent))
        if isinstance(mount, Link):
            yield from ("--symlink", mount.target, path)
        else:
            yield from ("--ro-bind", path, path)
    for mount in mounts:
        if isinstance(mount, Hidden):
            yield from ("--remount-ro", str(mount.path))


def nearest_folder(path: Path) -> Path:
    """Return the innermost existing folder that is this path or around it, without links."""
    real = Path(os.path.realpath(path))
    return next((it for it in (real, *real.parents) if it.is_dir()), Path("/"))
