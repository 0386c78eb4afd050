"""Owns the confinement of submissions: bubblewrap's argument list, and whether it works here.

A confined worker has no network, can write nowhere, sees no process but its own, and of the file
system only Python, the system's libraries and the lesson's checks: not the solution, not the
files of other learners, not a home directory.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from jaxtutor.content.course import Lesson, built_in

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
GRAPHICS = ("nvidia*", "kfd", "dri")
PROBE_SECONDS = 20.0


def find_problem() -> str:
    """Say why submissions cannot be confined here; nothing where they can.

    It is tried, since a container may have bubblewrap and not allow what it needs.
    """
    if not sys.platform.startswith("linux"):
        return "bubblewrap, which confines, is for Linux"
    if shutil.which("bwrap") is None:
        return (
            "bubblewrap is not installed (the program `bwrap`; on Debian, apt install bubblewrap)"
        )
    command = [*_prefix(()), sys.executable, "-I", "-c", "import socket"]
    try:
        tried = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run here: {error}"
    if tried.returncode == 0:
        return ""
    last = tried.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return f"bubblewrap is not allowed to work here: {last or tried.returncode}"


def wrap(lesson: Lesson) -> tuple[str, ...]:
    """Return what is to stand before a worker's command to confine it to one lesson."""
    # A mount within what is hidden: of the whole course only these checks are there.
    checks = str((lesson.folder / "checks.py").resolve())
    hidden = {str(lesson.folder.parent.parent.resolve()), str(built_in().resolve())}
    mounts: list[str] = []
    for folder in sorted(hidden):
        mounts += ["--tmpfs", folder]
    mounts += ["--ro-bind", checks, str(lesson.folder / "checks.py")]
    for folder in sorted(hidden):
        mounts += ["--remount-ro", folder]
    return _prefix(tuple(mounts))


def _prefix(mounts: tuple[str, ...]) -> tuple[str, ...]:
    return (
        shutil.which("bwrap") or "bwrap",
        "--unshare-all",
        "--new-session",  # a process group of its own, which dies with us: see the worker
        "--cap-drop",
        "ALL",
        *_readable(),
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        *_graphics(),
        "--remount-ro",
        "/dev",
        *mounts,
        "--remount-ro",
        "/",
        "--chdir",
        "/",
        "--",
    )


def _readable() -> Iterator[str]:
    for place in dict.fromkeys((*SYSTEM, *map(str, _python()))):
        yield from ("--ro-bind-try", place, place)


def _python() -> Iterator[Path]:
    """Yield the folders that this Python and its packages lie in."""
    executable = Path(sys.executable)
    own = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
    own += [executable.parent.parent, executable.resolve().parent.parent]
    own += [Path(__file__).parent.parent.parent]
    # `python -m` puts the folder it is called in on the path, and the submissions may lie there.
    own += [Path(place) for place in sys.path if place and Path(place) != Path.cwd()]
    for folder in own:
        for path in (folder, folder.resolve()):
            if path != Path(path.anchor) and path.is_absolute() and path.exists():
                yield path


def _graphics() -> Iterator[str]:
    """Let a GPU through, where there is one."""
    for pattern in GRAPHICS:
        for path in sorted(Path("/dev").glob(pattern)):
            yield from ("--dev-bind-try", str(path), str(path))
