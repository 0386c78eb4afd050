"""Owns the worker that waits for the next `check` in the same shell, so that it starts warm.

    python -m jaxtutor.processes.standby SECONDS [DEVICE]

The process behind a `check` at a terminal starts this one and goes. This one starts a worker,
hands its pipes to whoever asks first for just such a worker, and goes when nobody does in time, or
when something else is asked for. The worker is as fresh as any: it has run nothing of a learner's.
"""

from __future__ import annotations

import os
import select
import signal
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from jaxtutor.processes import spawn
from jaxtutor.processes.spawn import Kind, Process

if TYPE_CHECKING:
    import socket

KEPT_SECONDS = 180
"""How long a worker waits: a person who writes comes back within minutes, or not soon."""

ANSWER_SECONDS = 0.5
"""How long one process waits for another that has nothing else to do."""

MOST_ASKED = 1 << 20

PASSING = frozenset(("_", "COLUMNS", "LINES", "OLDPWD", "SHLVL"))
"""Names in the environment that a shell changes by itself, and that a worker does not read."""

_STATUS = struct.Struct("i")


def acquire(kind: Kind) -> Process | None:
    """Take the worker that waits; None where none does, or it is of another kind or place."""
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
        told, descriptors, _, _ = socket.recv_fds(connection, 256, 4, cloexec)
        pid, token, run, is_tagged = told.split()
        request, result, stdout, stderr = descriptors
    except (OSError, ValueError):
        for descriptor in descriptors:
            os.close(descriptor)
        connection.close()
        return None
    borrowed = AdoptedWorker(int(pid), connection, stdout, stderr)
    token, numbered = bytes.fromhex(token.decode()), is_tagged == b"1"
    return Process(kind, borrowed, token, request, result, run.decode(), numbered)


def park(kind: Kind, seconds: float = KEPT_SECONDS) -> None:
    """Have a worker of this kind wait for the next `check`."""
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
    """Name the socket; None where no worker is to wait."""
    if environ.get("CI") or environ.get("JAXTUTOR_NO_KEEP") or not hasattr(os, "getuid"):
        return None
    folder = environ.get("XDG_RUNTIME_DIR") or environ.get("TMPDIR") or "/tmp"
    return Path(folder) / f"jaxtutor-{os.getuid()}" / "worker"


def _is_ours(folder: Path) -> bool:
    """Tell whether only we can put anything into a folder."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    return is_private and status.st_uid == os.getuid()


def describe(kind: Kind) -> bytes:
    """Describe all that a worker depends on: Python, the packages, this code, where it is started.

    Raises OSError where the folder is gone.
    """
    environ = sorted(item for item in os.environ.items() if item[0] not in PASSING)
    places = [path for path in sys.path if path.endswith("-packages")]
    # A folder's time changes with what is installed or taken away; ours, with what is edited.
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


class AdoptedWorker:
    """A worker that another process started: that one says how it ended."""

    def __init__(self, pid: int, connection: socket.socket, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdout: IO[bytes] | None = os.fdopen(stdout, "rb", buffering=0)
        self.stderr: IO[bytes] | None = os.fdopen(stderr, "rb", buffering=0)
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        """Return the exit status, as of `Popen`, if it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("worker", timeout or 0)
            told = b""
            with suppress(OSError):
                told = self._connection.recv(_STATUS.size)
            # Where the other process was killed, nobody can say how the worker ended.
            self.returncode = _STATUS.unpack(told)[0] if len(told) == _STATUS.size else -9
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)


# ---------------------------------------------------------------- the process that waits


def main() -> None:
    """Wait for one who asks."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # and take the worker along
    kind = Kind(sys.argv[2] if len(sys.argv) > 2 else None)
    place = socket_path(os.environ)
    if place is not None and _is_ours(place.parent):
        with suppress(OSError):
            serve(place, kind, float(sys.argv[1]))


def serve(place: Path, kind: Kind, seconds: float) -> None:
    """Start a worker and hand it to the first who asks, if it is what they ask for."""
    import socket

    _send_away(place)
    expected = describe(kind)
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        own = place.with_name(f"{place.name}.{os.getpid()}")
        listener.bind(str(own))
        listener.listen(1)
        own.rename(place)
        number = place.stat().st_ino
        process = spawn.start(kind)
        is_taken = False
        try:
            if not select.select([listener], [], [], seconds)[0]:
                return
            connection, _ = listener.accept()
            _leave_place(place, number)
            with closing(connection):
                connection.settimeout(ANSWER_SECONDS)
                is_taken = _hear(connection) == expected and process.popen.poll() is None
                if is_taken:
                    _hand_over(process, connection)
        finally:
            _leave_place(place, number)
            if not is_taken:
                from jaxtutor.processes.runner import bury

                bury(process)


def _send_away(place: Path) -> None:
    """Have whoever waits there go: asked for nothing, it does."""
    import socket

    with closing(socket.socket(socket.AF_UNIX)) as connection, suppress(OSError):
        connection.settimeout(ANSWER_SECONDS)
        connection.connect(str(place))
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)


def _leave_place(place: Path, number: int) -> None:
    """Remove our socket, unless another has taken its place."""
    with suppress(OSError):
        if place.stat().st_ino == number:
            place.unlink()


def _hear(connection: socket.socket) -> bytes:
    """Read what is asked for, up to its end."""
    heard = b""
    while len(heard) < MOST_ASKED and (piece := connection.recv(1 << 16)):
        heard += piece
    return heard


def _hand_over(process: Process, connection: socket.socket) -> None:
    """Give the worker's pipes away, keep none, and say how it ended when it has."""
    import socket

    told = f"{process.popen.pid} {process.token.hex()} {process.run} {process.is_tagged:d}"
    ends = (process.request, process.result, *process.prints)
    socket.send_fds(connection, [told.encode()], ends)
    for descriptor in (process.request, process.result):  # the worker ends with whoever has them
        os.close(descriptor)
    for stream in (process.popen.stdout, process.popen.stderr):
        if stream is not None:
            stream.close()
    status = process.popen.wait()
    with suppress(OSError):  # whoever had it has gone
        connection.sendall(_STATUS.pack(status))


if __name__ == "__main__":
    main()
