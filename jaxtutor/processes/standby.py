"""Keeps a worker ready for the next `check` in the same shell, so that it starts warm.

    python -m jaxtutor.processes.standby SECONDS [DEVICE]

A `check` at a terminal starts this program, the keeper, and ends. The keeper starts a worker and
listens on a socket. The next `check` sends a description of the worker that it needs. If it fits,
the keeper answers with what the tutor has to know of the worker and, as ancillary data of the
socket (SCM_RIGHTS, unix(7)), with the tutor's ends of its pipes; it closes its own. The kernel ends
the worker when those ends are closed, so it now depends on the tutor that has them. The keeper
stays, since only a parent can learn the exit status of a process, and sends that status on the same
connection. It ends when nobody asks in time, or when another kind of worker is requested. The
worker is as fresh as any: it has run nothing of a learner's.
"""

from __future__ import annotations

import ast
import os
import select
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.processes import spawn
from jaxtutor.processes.adopted_worker import STATUS, AdoptedWorker
from jaxtutor.processes.control_groups import ControlGroup
from jaxtutor.processes.spawn import Kind, Process

if TYPE_CHECKING:
    import socket

KEPT_SECONDS = 180
"""Seconds that a worker waits: a person who writes comes back within minutes, or not soon."""

ANSWER_SECONDS = 0.5
"""Seconds that one process waits for another that has nothing else to do."""

MAX_DESCRIPTION = 1 << 20
MAX_ANSWER = 1 << 16
"""Bytes of the two messages; both are a few kilobytes."""

PASSING = frozenset(("_", "COLUMNS", "LINES", "OLDPWD", "SHLVL"))
"""Variables that a shell changes by itself and that a worker does not read."""


@dataclass(frozen=True)
class HandOver:
    """What a tutor has to know of a worker that another process has started."""

    pid: int
    token: bytes
    run: str
    is_tagged: bool
    group: tuple[str, ...] = ()
    limits_memory: bool = False

    def encode(self) -> bytes:
        """Return it as one message."""
        return repr(asdict(self)).encode()

    @classmethod
    def decode(cls, message: bytes) -> HandOver:
        """Read a message. Raises ValueError, SyntaxError or TypeError."""
        return cls(**ast.literal_eval(message.decode()))


def acquire(kind: Kind) -> Process | None:
    """Take the worker that is kept ready; None if no matching one is."""
    place = socket_path(os.environ)
    if place is None or not _is_ours(place.parent) or not place.exists():
        return None
    import socket

    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(ANSWER_SECONDS)
    descriptors: list[int] = []
    try:
        connection.connect(str(place))
        connection.sendall(describe(kind))
        connection.shutdown(socket.SHUT_WR)
        cloexec = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
        message, descriptors, _, _ = socket.recv_fds(connection, MAX_ANSWER, 4, cloexec)
        got = HandOver.decode(message)
        request, result, stdout, stderr = descriptors
    except (OSError, ValueError, SyntaxError, TypeError):
        for descriptor in descriptors:
            os.close(descriptor)
        connection.close()
        return None
    worker = AdoptedWorker(got.pid, connection, stdout, stderr)
    group = ControlGroup(got.group, got.limits_memory) if got.group else None
    process = Process(kind, worker, got.token, request, result, got.run, got.is_tagged, group)
    if not is_stopped(got.pid):
        return process
    from jaxtutor.processes.reaping import reap

    reap(process)  # it would use up the time limit of a right submission
    return None


def park(kind: Kind, seconds: float = KEPT_SECONDS) -> None:
    """Start a keeper with a worker of this kind for the next `check`."""
    place = socket_path(os.environ)
    if kind != Kind(kind.device) or place is None:
        return
    with suppress(OSError):
        place.parent.mkdir(mode=0o700)
    if not _is_ours(place.parent):
        return
    command = [sys.executable, "-P", "-m", "jaxtutor.processes.standby", str(seconds)]
    with suppress(OSError):  # then the next one starts cold
        subprocess.Popen(
            command + ([kind.device] if kind.device else []),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def socket_path(environ: Mapping[str, str]) -> Path | None:
    """Return where the socket is; None if no worker is to be kept."""
    if environ.get("CI") or environ.get("JAXTUTOR_NO_KEEP") or not hasattr(os, "getuid"):
        return None
    folder = environ.get("XDG_RUNTIME_DIR") or environ.get("TMPDIR") or "/tmp"
    return Path(folder) / f"jaxtutor-{os.getuid()}" / "worker"


def _is_ours(folder: Path) -> bool:
    """Return whether only this user can put anything into a folder."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    return is_private and status.st_uid == os.getuid()


def describe(kind: Kind) -> bytes:
    """Describe all that a worker depends on: Python, packages, this code, working directory.

    Raises OSError if the working directory is gone.
    """
    environ = sorted(item for item in os.environ.items() if item[0] not in PASSING)
    places = [path for path in sys.path if path.endswith("-packages")]
    # The time of a folder changes when a package is installed; that of our files, with an edit.
    changed = [*map(_changed, places), *map(_changed, _own_files())]
    return repr((kind, sys.executable, str(Path.cwd()), environ, places, changed)).encode()


def _own_files() -> Iterator[str]:
    for room in ("core", "worker"):
        for folder, _, names in os.walk(Path(__file__).parent.parent / room):
            yield from (f"{folder}/{name}" for name in sorted(names) if name.endswith(".py"))


def _changed(path: str) -> int:
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


def is_stopped(pid: int) -> bool:
    """Return whether a process has been stopped by a signal; False where that is not known."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in (b"T", b"t")


# ---------------------------------------------------------------- the keeper


def main() -> None:
    """Serve one client, then exit."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # which reaps the worker
    kind = Kind(sys.argv[2] if len(sys.argv) > 2 else None)
    place = socket_path(os.environ)
    if place is not None and _is_ours(place.parent):
        with suppress(OSError):
            serve(place, kind, float(sys.argv[1]))


def serve(place: Path, kind: Kind, seconds: float) -> None:
    """Start a worker and hand it to the first client, if it is the kind that the client needs."""
    import socket

    expected = describe(kind)
    process = spawn.start(kind)  # first: a client that finds the socket does not wait for it
    is_taken = False
    try:
        _send_away(place)
        with closing(socket.socket(socket.AF_UNIX)) as listener:
            own = place.with_name(f"{place.name}.{os.getpid()}")
            listener.bind(str(own))
            listener.listen(1)
            number = own.stat().st_ino  # before another keeper can have the place
            own.rename(place)
            try:
                if not select.select([listener], [], [], seconds)[0]:
                    return
                connection, _ = listener.accept()
                _leave_place(place, number)
                with closing(connection):
                    connection.settimeout(ANSWER_SECONDS)
                    asked = _receive(connection)
                    is_running = process.popen.poll() is None and not is_stopped(process.popen.pid)
                    is_taken = asked == expected and is_running
                    if is_taken:
                        _hand_over(process, connection)
            finally:
                _leave_place(place, number)
    finally:
        if not is_taken:
            from jaxtutor.processes.reaping import reap

            reap(process)


def _send_away(place: Path) -> None:
    """Send an empty request to a keeper that listens there, which makes it end."""
    import socket

    with closing(socket.socket(socket.AF_UNIX)) as connection, suppress(OSError):
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(str(place))
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)


def _leave_place(place: Path, number: int) -> None:
    """Remove our socket, unless that of another keeper has replaced it."""
    with suppress(OSError):
        if place.stat().st_ino == number:
            place.unlink()


def _receive(connection: socket.socket) -> bytes:
    """Read the description that a client sends, up to its end."""
    received = b""
    while len(received) < MAX_DESCRIPTION and (piece := connection.recv(1 << 16)):
        received += piece
    return received


def _hand_over(process: Process, connection: socket.socket) -> None:
    """Pass the worker's pipes to a client, then wait for the worker and send its exit status."""
    import socket

    group = process.group
    sent = HandOver(
        process.popen.pid,
        process.token,
        process.run,
        process.is_tagged,
        group.folders if group else (),
        bool(group and group.limits_memory),
    )
    ends = (process.request, process.result, *process.prints)
    socket.send_fds(connection, [sent.encode()], ends)
    for descriptor in (process.request, process.result):  # the worker ends with its last reader
        os.close(descriptor)
    for stream in (process.popen.stdout, process.popen.stderr):
        if stream is not None:
            stream.close()
    status = process.popen.wait()
    with suppress(OSError):  # the client may have ended
        connection.sendall(STATUS.pack(status))


if __name__ == "__main__":
    main()
