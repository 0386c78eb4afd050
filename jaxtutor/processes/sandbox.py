"""Builds the bubblewrap command that confines a submission, and checks whether bubblewrap works.

A confined worker has no network, can write nowhere, and sees only its own processes. Of the file
system it sees Python, the system's libraries, jaxtutor's package and the lesson's checks: not the
solution, not the files of other learners, not a home directory. It is never root: a worker of
root's becomes a user without files before it reads a request, and so cannot change kernel
settings, which belong to user 0 whatever its capabilities. See also `worker/privileges.py` and
`worker/syscall_filter.py`, which the worker applies from within.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import built_in

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime")
PACKAGE = Path(__file__).resolve().parent.parent
GRAPHICS = ("nvidia*", "kfd", "dri")
PROBE_SECONDS = 20.0

HIDDEN_FOLDERS = ("acpi", "asound", "bus", "driver", "fs", "irq", "scsi", "sys", "tty")
HIDDEN_FILES = (
    "config.gz interrupts kallsyms kcore key-users keys kmsg latency_stats modules sched_debug "
    "sysrq-trigger timer_list timer_stats"
).split()
"""What of /proc configures or describes the kernel rather than the submission's own processes."""

NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")

# Root sets up the mounts itself, so that it need not make its files readable to another user. The
# worker uses these two capabilities to become that user, and loses them by it.
AS_ROOT = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
AS_USER = ("--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL")

INSTALL = {
    "debian": "apt install bubblewrap",
    "fedora": "dnf install bubblewrap",
    "arch": "pacman -S bubblewrap",
    "suse": "zypper install bubblewrap",
    "alpine": "apk add bubblewrap",
}


# As another user, Python's library and jaxtutor have to be readable still.
_PROBE = """
import os, sys
if os.getuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
import socket
open(sys.argv[1]).close()
"""


SCRATCH = "/scratch"
"""Where a lesson that writes files does so. Not /tmp: the course or Python may lie below that."""


@dataclass(frozen=True)
class SandboxProbe:
    """What was found out about bubblewrap here: the options that work, or why none do."""

    options: tuple[str, ...] = ()
    problem: str = ""
    remedy: str = ""


def find_problem() -> str:
    """Return why submissions cannot be confined here; empty if they can."""
    return probe().problem


@cache
def probe() -> SandboxProbe:
    """Find the options with which bubblewrap works here, by trying them.

    A container may have bubblewrap installed and not allow what it needs.
    """
    if not sys.platform.startswith("linux"):
        return SandboxProbe(
            problem="bubblewrap, which confines, is for Linux", remedy="Grade on a Linux machine."
        )
    if shutil.which("bwrap") is None:
        return SandboxProbe(
            problem="bubblewrap (the program bwrap) is not installed",
            remedy=f"Install it: {install_command()}",
        )
    problem = ""
    for options in _candidates():
        problem = _try(options)
        if not problem:
            return SandboxProbe(options)
    return SandboxProbe(
        problem=problem,
        remedy="Allow user namespaces, or run the container with --security-opt seccomp=unconfined",
    )


def _candidates() -> Iterator[tuple[str, ...]]:
    """Yield combinations of options, the strictest first."""
    if os.geteuid() == 0:
        yield AS_ROOT
        if not _is_initial_user_namespace():
            yield AS_USER
        return
    yield (*AS_USER, "--disable-userns")  # bubblewrap 0.8; the filter of system calls does it too
    yield AS_USER


def _is_initial_user_namespace() -> bool:
    try:
        return Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]
    except OSError:
        return True


def _try(options: tuple[str, ...]) -> str:
    """Start Python with these options, and return why that failed; empty if it did not."""
    command = [*_command(options, ()), sys.executable, "-I", "-c", _PROBE]
    command += [str(PACKAGE / "worker" / "__main__.py")]
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
    last = tried.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2].rstrip(".")
    return f"bubblewrap is not allowed to work here: {last or tried.returncode}"


def install_command() -> str:
    """Return the command that installs bubblewrap on this distribution, or all known ones."""
    try:
        text = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        text = ""
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    names = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    for name in names:
        if name in INSTALL:
            return INSTALL[name]
    return ", ".join(INSTALL[name] for name in ("debian", "fedora", "arch"))


def wrap(lesson: Lesson, private: tuple[Path, ...] = ()) -> tuple[str, ...]:
    """Return the words before a worker's command that confine it to one lesson.

    Folders of `sys.path` that hold a folder of `private` are not readable either.
    """
    # A mount within what is hidden: of the whole course only these checks are visible.
    checks = str((lesson.folder / "checks.py").resolve())
    hidden = {str(lesson.folder.parent.parent.resolve()), str(built_in().resolve())}
    mounts: list[str] = []
    for folder in sorted(hidden):
        mounts += [*_parents(Path(folder)), "--tmpfs", folder]
    mounts += _parents(lesson.folder / "checks.py")
    mounts += ["--ro-bind", checks, str(lesson.folder / "checks.py")]
    for folder in sorted(hidden):
        mounts += ["--remount-ro", folder]
    if disk := lesson.info.needs.disk:  # in memory, and gone with the run
        mounts += ["--perms", "1777", "--size", str(disk << 20), "--tmpfs", SCRATCH]
        mounts += ["--setenv", "TMPDIR", SCRATCH]
    # Where no combination works, bubblewrap refuses the strictest one, and nothing is run.
    options = probe().options or next(_candidates())
    return _command(options, tuple(mounts), private)


def _command(
    options: tuple[str, ...], mounts: tuple[str, ...], private: tuple[Path, ...] = ()
) -> tuple[str, ...]:
    return (
        shutil.which("bwrap") or "bwrap",
        *NAMESPACES,
        "--unshare-cgroup-try",
        "--new-session",  # a process group of its own, which ends with the tutor: see the worker
        *options,
        *_readable(private),
        *_proc(),
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


def _proc() -> Iterator[str]:
    """Mount /proc, and cover what of it belongs to the kernel."""
    yield from ("--proc", "/proc")
    for name in HIDDEN_FOLDERS:
        if Path("/proc", name).is_dir():
            yield from ("--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}")
    for name in HIDDEN_FILES:
        if Path("/proc", name).exists():
            yield from ("--ro-bind", "/dev/null", f"/proc/{name}")


def _readable(private: tuple[Path, ...]) -> Iterator[str]:
    places = dict.fromkeys((*map(Path, SYSTEM), *_python(private)))
    for parent in dict.fromkeys(it for place in places for it in reversed(place.parents[:-1])):
        yield from ("--dir", str(parent))
    for place in places:
        yield from ("--ro-bind-try", str(place), str(place))


def _parents(place: Path) -> list[str]:
    """Make the folders above a mount: those that bubblewrap adds can be entered by root alone."""
    return [word for it in reversed(place.parents[:-1]) for word in ("--dir", str(it))]


def _python(private: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the folders of this Python, its packages and jaxtutor's own package."""
    executable = Path(sys.executable)
    own = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
    own += [executable.parent.parent, executable.resolve().parent.parent]
    own += [PACKAGE]
    for place in map(Path, filter(None, sys.path)):
        own += () if _holds_private(place, private) else _importable(place)
    for folder in own:
        for path in (folder, folder.resolve()):
            if path != Path(path.anchor) and path.is_absolute() and path.exists():
                yield path


def _importable(place: Path) -> list[Path]:
    """Return a folder of `sys.path`; of a checkout only its packages, not its history or files."""
    if not (place / ".git").exists():
        return [place]
    return [it for it in sorted(place.iterdir()) if (it / "__init__.py").exists()]


def _holds_private(place: Path, private: Iterable[Path]) -> bool:
    """Return whether a folder of `sys.path` holds more than a confined submission may read."""
    folder = Path(os.path.realpath(place))
    # `python -m` puts the folder it is called in on the path.
    secret = (Path.home(), Path.cwd(), *private)
    return any(Path(os.path.realpath(it)).is_relative_to(folder) for it in secret)


def withheld(private: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return the folders of PYTHONPATH that confined submissions cannot read."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    private = tuple(private)
    return tuple(place for place in named if place and _holds_private(Path(place), private))


def _graphics() -> Iterator[str]:
    """Make a GPU accessible, if there is one."""
    for pattern in GRAPHICS:
        for path in sorted(Path("/dev").glob(pattern)):
            yield from ("--dev-bind-try", str(path), str(path))
