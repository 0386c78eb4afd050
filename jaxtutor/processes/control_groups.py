"""Creates Linux control groups that limit the tasks and the memory of one run.

A group holds the worker and everything it starts, in whatever session or namespace. Its limits are
enforced by the kernel, memory that is mapped nowhere counts, and it can be killed as a whole.
A group can be created by root, and by a user to whom systemd has delegated the parent of their own
group. Both versions of the interface are used: version 2, and version 1 where a controller is
mounted by itself. See cgroups(7).
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from jaxtutor.core.data.worker_options import JOINED_VARIABLE

CONTROLLERS = frozenset({"pids", "memory", "cpu"})
"""With `cpu`, hundreds of busy processes together get no more time than the tutor."""

PREFIX = "jaxtutor-"
STALE_SECONDS = 60.0
"""Age after which an empty group was left by a killed tutor: a worker joins within milliseconds."""

MARGIN = 64 << 20
"""Bytes beyond a run's memory limit, so that RLIMIT_DATA, which Python reports as MemoryError, is
reached first."""

KILL_ROUNDS = 400
"""How often a group of version 1 is read until it is empty. New tasks are refused meanwhile, so
each round kills all that remain; later rounds wait for processes that are exiting."""
ROUND_SECONDS = 0.005

# The shell joins the groups before it becomes the worker, so nothing the worker starts is outside.
_JOIN = (
    "set -f; IFS=:; ok=yes; "
    'for group in $0; do echo $$ >"$group/cgroup.procs" || ok=; done 2>/dev/null; '
    f'[ "$ok" ] && export {JOINED_VARIABLE}=yes; exec "$@"'
)


@dataclass(frozen=True)
class Hierarchy:
    """A folder in which groups can be created, and the controllers that act on them."""

    parent: str
    controllers: frozenset[str]
    version: int


@dataclass(frozen=True)
class ControlGroup:
    """The group of one run: a folder in each hierarchy.

    `launcher` are the words before a command that make it join the group, where a shell cannot.
    """

    folders: tuple[str, ...]
    limits_memory: bool
    launcher: tuple[str, ...] = ()

    @property
    def prefix(self) -> tuple[str, ...]:
        """The words before a command that make it join the group first."""
        if self.launcher:
            return self.launcher
        return ("/bin/sh", "-c", _JOIN, ":".join(self.folders))

    @property
    def has_members(self) -> bool:
        """Whether any process is in the group."""
        return any(_read_pids(folder) for folder in self.folders)

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed a process of the group because of its memory limit."""
        return any(
            re.search(r"^oom_kill [1-9]", _read(f"{folder}/{name}"), re.MULTILINE)
            for folder in self.folders
            for name in ("memory.events", "memory.oom_control")
        )

    def kill(self) -> None:
        """Kill every process of the group, faster than they can fork, and wait for their end."""
        for folder in self.folders:
            _write(f"{folder}/pids.max", "0")  # from here on every fork fails
        for folder in self.folders:
            _write(f"{folder}/cgroup.kill", "1")  # version 2, from Linux 5.14
        for _ in range(KILL_ROUNDS):
            pids = {pid for folder in self.folders for pid in _read_pids(folder)}
            if not pids:
                return
            for pid in pids:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(ROUND_SECONDS)

    def remove(self) -> None:
        """Remove the empty group; one that cannot be removed yet is removed by a later run."""
        for folder in self.folders:
            with suppress(OSError):
                os.rmdir(folder)  # noqa: PTH106 - pathlib is not imported before the worker starts


def create(run: str, tasks: int, memory: int) -> ControlGroup | None:
    """Create a group for a run with at most `tasks` tasks and `memory` MiB, 0 for any amount.

    Returns None if this system or this user cannot limit the number of tasks in that way.
    """
    folders: list[str] = []
    limited: set[str] = set()
    for hierarchy in usable_hierarchies():
        folder = f"{hierarchy.parent}/{PREFIX}{run}"
        try:
            os.mkdir(folder)  # noqa: PTH102
        except OSError:
            continue
        folders.append(folder)
        if "pids" in hierarchy.controllers and _write(f"{folder}/pids.max", str(tasks)):
            limited.add("pids")
        if memory and "memory" in hierarchy.controllers:
            limited |= {"memory"} if _limit_memory(folder, (memory << 20) + MARGIN) else set()
    group = ControlGroup(tuple(folders), "memory" in limited)
    if "pids" in limited:
        return group
    group.remove()
    return None


def _limit_memory(folder: str, size: int) -> bool:
    if _write(f"{folder}/memory.max", str(size)):
        _write(f"{folder}/memory.swap.max", "0")
        _write(f"{folder}/memory.oom.group", "1")
        return True
    done = _write(f"{folder}/memory.limit_in_bytes", str(size))
    _write(f"{folder}/memory.memsw.limit_in_bytes", str(size))  # absent without swap accounting
    return done


@cache
def usable_hierarchies() -> tuple[Hierarchy, ...]:
    """Return the hierarchies in which this process may create groups, at most one a controller."""
    mounts, membership = _read("/proc/self/mountinfo"), _read("/proc/self/cgroup")
    found: list[Hierarchy] = []
    missing = CONTROLLERS
    for candidate in find_hierarchies(mounts, membership):
        controllers = missing & (candidate.controllers or _delegated(candidate.parent))
        if controllers and os.access(f"{candidate.parent}/cgroup.procs", os.W_OK):
            found.append(Hierarchy(candidate.parent, controllers, candidate.version))
            missing = missing - controllers
            _remove_stale(candidate.parent)
    return tuple(found)


def find_hierarchies(mounts: str, membership: str) -> Iterator[Hierarchy]:
    """Yield the folders that could be a parent, from `/proc/self/{mountinfo,cgroup}`.

    Version 2 comes first, with its own group before the parent of it and no controllers: those are
    listed by the folder. Its processes have to be in leaves, so a sibling is usual.
    """
    ours = _paths_of(membership)
    roots = list(_mounted(mounts))
    for place, root, controllers in roots:
        path = _below(place, root, ours.get((controllers and sorted(controllers)[0]) or "", ""))
        if path is None:
            continue
        if controllers:
            yield Hierarchy(path, controllers, 1)
        else:
            yield Hierarchy(path, frozenset(), 2)
            if path != place:
                yield Hierarchy(path.rpartition("/")[0], frozenset(), 2)


def _paths_of(membership: str) -> dict[str, str]:
    """Return this process's group by controller; that of version 2 has the empty name."""
    found: dict[str, str] = {}
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        found.update(dict.fromkeys(controllers.split(","), path))
    return found


def _mounted(mounts: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield (folder, group that it shows, our controllers) of each hierarchy, version 2 first."""
    found = []
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ")
        if len(fields) > 4 and kind[0] in ("cgroup", "cgroup2"):
            controllers = CONTROLLERS & set(kind[2].split(",")) if kind[0] == "cgroup" else set()
            if controllers or kind[0] == "cgroup2":
                found.append((fields[4], fields[3], frozenset(controllers)))
    yield from sorted(found, key=lambda it: bool(it[2]))


def _below(place: str, root: str, path: str) -> str | None:
    """Return where a group lies below a mount that shows only the groups below `root`."""
    root = root.rstrip("/")
    if not path.startswith(root) or "/.." in path:
        return None
    return (place + path[len(root) :]).rstrip("/")


def _delegated(parent: str) -> frozenset[str]:
    """Return the controllers that act on the children of a group of version 2."""
    return CONTROLLERS & set(_read(f"{parent}/cgroup.subtree_control").split())


def _remove_stale(parent: str) -> None:
    """Remove the empty groups that a killed tutor has left; the kernel keeps the others."""
    with suppress(OSError):
        for entry in os.scandir(parent):
            if entry.name.startswith(PREFIX):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > STALE_SECONDS:
                        os.rmdir(entry.path)  # noqa: PTH106


def _read_pids(folder: str) -> list[int]:
    return [int(pid) for pid in _read(f"{folder}/cgroup.procs").split()]


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def _write(path: str, text: str) -> bool:
    """Write a setting; False if there is no such setting or it was refused."""
    try:
        descriptor = os.open(path, os.O_WRONLY)
    except OSError:
        return False
    try:
        os.write(descriptor, text.encode())
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
