"""Builds the bubblewrap command that confines a submission, and checks whether bubblewrap works.

A confined worker has no network, can write nowhere, and sees only its own processes. Of the file
system it sees Python, the system's libraries, jaxtutor's package and the lesson's checks: not the
solution, not the files of other learners, not a home directory, even where they lie in one folder
with Python or below a folder of the system. It is never root: a worker of
root's becomes a user without files before it reads a request, and so cannot change kernel
settings, which belong to user 0 whatever its capabilities. See also `worker/privileges.py` and
`worker/syscall_filter.py`, which the worker applies from within.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import built_in
from jaxtutor.errors import TutorError
from jaxtutor.processes.mounts import Clash, Mount, arrange, nearest_folder, resolve, shows, words
from jaxtutor.processes.spawn import confined_command

SYSTEM = (
    *(f"{above}/{name}" for above in ("", "/usr") for name in ("bin", "sbin", "lib")),
    *(f"{above}/{name}" for above in ("", "/usr") for name in ("lib32", "lib64", "libx32")),
    *("/usr/libexec", "/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache", "/etc/localtime"),
    *(f"/usr/share/{name}" for name in ("libdrm", "locale", "terminfo", "zoneinfo")),
)
"""Programs, libraries and what these read. Not /usr, which may hold anybody's files."""

INSTALLED = (
    *("bin", "lib", "lib32", "lib64", "include", "share/zoneinfo", "pyvenv.cfg"),
    *("nvvm", "targets"),  # where Conda installs CUDA
)
"""What Python and its packages need of the folder that they are installed in."""

PACKAGE = Path(__file__).resolve().parent.parent
GRAPHICS = ("nvidia*", "kfd", "dri")
GRAPHICS_LIBRARIES = ("cuda*", "nvidia")
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


SCRATCH = "/jaxtutor-scratch"
"""Where a lesson that writes files does so. Not /tmp: the course or Python may lie below that."""

MOVE = (
    "Run jaxtutor in another folder, and keep submissions, rosters, results and the home folders "
    "of you and jaxtutor out of the folders of Python and the system."
)


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
    if clash := find_clash(()):
        return SandboxProbe(problem=clash, remedy=MOVE)
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
    wrap = _command(options, _plan(()))
    program = [sys.executable, "-I", "-c", _PROBE, str(PACKAGE / "worker" / "__main__.py")]
    try:
        with confined_command(wrap, program) as (command, arguments):
            tried = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_SECONDS,
                pass_fds=arguments,
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


def wrap(lesson: Lesson, private: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return bubblewrap and its arguments, which confine a worker to one lesson.

    No file or folder of `private` is readable, nor a file beside one. Raises TutorError where that
    is not possible.
    """
    above = lesson.folder.parents
    course = above[2] if lesson.is_step else above[1]
    try:
        mounts = _plan(private, (course,), (lesson.folder / "checks.py",))
    except Clash as clash:
        raise TutorError(f"The submission cannot be confined: {clash}.", MOVE) from None
    # Where no combination works, bubblewrap refuses the strictest one, and nothing is run.
    options = probe().options or next(_candidates())
    return _command(options, mounts, lesson.info.needs.disk)


def find_clash(private: Iterable[Path], courses: Iterable[Path] = ()) -> str:
    """Return why these folders and files cannot be hidden from a submission; empty if they can."""
    try:
        _plan(private, courses)
    except Clash as clash:
        return str(clash)
    return ""


def withheld(private: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return the folders of PYTHONPATH that confined submissions cannot read."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    secret, mounts = tuple(private), _plan(private)
    return tuple(
        place
        for place in named
        if place
        and _is_withheld(Path(place), secret, ())
        and not shows(mounts, Path(os.path.realpath(place)))
    )


def _command(options: tuple[str, ...], mounts: Iterable[Mount], disk: int = 0) -> tuple[str, ...]:
    return (
        shutil.which("bwrap") or "bwrap",
        *NAMESPACES,
        "--unshare-cgroup-try",
        "--new-session",  # a process group of its own, which ends with the tutor: see the worker
        *options,
        *words(mounts),
        *_proc(),
        "--dev",
        "/dev",
        *_graphics(),
        "--remount-ro",
        "/dev",
        *_scratch(disk),
        "--remount-ro",
        "/",
        "--chdir",
        "/",
    )


def _scratch(disk: int) -> Iterator[str]:
    """Add a folder for temporary files, in memory, which is gone with the run."""
    if disk:
        yield from ("--perms", "1777", "--size", str(disk << 20), "--tmpfs", SCRATCH)
        yield from ("--setenv", "TMPDIR", SCRATCH)


def _proc() -> Iterator[str]:
    """Mount /proc, and cover what of it belongs to the kernel."""
    yield from ("--proc", "/proc")
    for name in HIDDEN_FOLDERS:
        if Path("/proc", name).is_dir():
            yield from ("--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}")
    for name in HIDDEN_FILES:
        if Path("/proc", name).exists():
            yield from ("--ro-bind", "/dev/null", f"/proc/{name}")


def _graphics() -> Iterator[str]:
    """Make a GPU accessible, if there is one."""
    for pattern in GRAPHICS:
        for path in sorted(Path("/dev").glob(pattern)):
            yield from ("--dev-bind-try", str(path), str(path))


# ---------------------------------------------------------------- what is visible


def _plan(
    private: Iterable[Path], courses: Iterable[Path] = (), shown: Iterable[Path] = ()
) -> tuple[Mount, ...]:
    """Plan what a submission sees: the system, Python, packages and `shown`. Raises Clash."""
    private, courses = tuple(private), (*courses, built_in())
    places = [*_system(), *_python(), *shown]
    for place in _searched():
        places += () if _is_withheld(place, private, courses) else _importable(place)
    resolved = [resolve(place) for place in places]
    return arrange(
        (path for path, _ in resolved if os.path.exists(path)),  # noqa: PTH110 - never raises
        map(nearest_folder, (*private, *courses, *_own())),
        (link for _, links in resolved for link in links),
    )


def _system() -> Iterator[Path]:
    yield from map(Path, SYSTEM)
    for pattern in GRAPHICS_LIBRARIES:
        yield from sorted(Path("/usr/local").glob(pattern))


def _own() -> tuple[Path, ...]:
    """Return private folders in which Python, packages and libraries may lie as well."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    return (Path(home), Path.cwd(), Path(tempfile.gettempdir()))


def _python() -> Iterator[Path]:
    """Yield jaxtutor's package, Python, and what it needs of the folders it is installed in.

    Not such a folder itself: a virtual environment may be made in the folder of a class.
    """
    yield PACKAGE
    yield Path(sys.executable)
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        yield from (Path(prefix, name) for name in INSTALLED)


def _searched() -> Iterator[Path]:
    """Yield the folders in which packages and libraries are looked for."""
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    yield from (Path(place) for place in (*sys.path, *libraries) if place)


def _importable(place: Path) -> list[Path]:
    """Return a folder that is searched; of a checkout only its packages, not its other files."""
    if not os.path.exists(place / ".git"):  # noqa: PTH110 - never raises
        return [place]
    return [it for it in sorted(place.iterdir()) if (it / "__init__.py").exists()]


def _is_withheld(place: Path, private: Iterable[Path], courses: Iterable[Path]) -> bool:
    """Return whether a folder that is searched holds private files, or lies among them."""
    folder = Path(os.path.realpath(place))
    # `python -m` puts the folder it is called in on the path.
    held = (Path(os.path.realpath(it)) for it in (*_own(), *private))
    around = (os.path.realpath(it) for it in (*private, *courses))
    return any(it.is_relative_to(folder) for it in held) or any(map(folder.is_relative_to, around))
