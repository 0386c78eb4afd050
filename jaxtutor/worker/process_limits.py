"""Limits a worker process: its pipes, memory, tasks, and its end with the tutor's."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

from jaxtutor.core.data import wire
from jaxtutor.core.data.worker_options import JOINED_VARIABLE, WorkerOptions

_write = os.write  # as it was before a learner could put another in its place

RESULT_FD = 190
"""Far from the numbers that a submission uses by chance."""


def take_pipe(result_fd: int) -> int:
    """Move the result pipe to a high descriptor, which a submission's forks do not inherit."""
    import fcntl

    pipe = fcntl.fcntl(result_fd, fcntl.F_DUPFD_CLOEXEC, RESULT_FD)
    os.close(result_fd)
    close = os.close

    def close_in_child() -> None:
        with contextlib.suppress(OSError):  # in a fork of a fork it is closed
            close(pipe)

    os.register_at_fork(after_in_child=close_in_child)
    return pipe


def write_all(pipe: int, frame: bytes) -> None:
    """Write a whole frame, or end: a fork of the learner's, or nobody listens any more."""
    try:
        write_frame(pipe, frame)
    except OSError:
        os._exit(1)


def write_frame(pipe: int, frame: bytes) -> None:
    """Write a whole frame. Raises OSError."""
    view = memoryview(frame)
    while view:
        view = view[_write(pipe, view) :]


def adopt() -> None:
    """Become the parent of whatever a submission cuts loose, so that the tutor finds it here."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1)  # Linux: PR_SET_CHILD_SUBREAPER


@contextlib.contextmanager
def ending_with_reader(pipe: int) -> Iterator[None]:
    """Have the system kill this process when the tutor closes its end of the result pipe.

    Without it, an import of jax goes on for seconds after a terminal was closed. The request pipe
    would not do, because a request may arrive meanwhile. Nothing may be written in the block: the
    system sends the same signal when the tutor reads. PR_SET_PDEATHSIG of prctl(2) would follow the
    thread that started this process, not the tutor.
    """
    import fcntl

    if not hasattr(fcntl, "F_SETSIG"):
        yield
        return
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)
    poll = select.poll()
    poll.register(pipe, 0)
    if poll.poll(0):
        os._exit(0)  # the tutor has gone away already
    try:
        yield
    finally:
        fcntl.fcntl(pipe, fcntl.F_SETFL, flags)


def die_with_tutor(request_fd: int, with_group: bool = True) -> None:
    """Have the system kill this group when the tutor's end of the request pipe closes.

    A thread that waits for it would not do: a submission may hold the interpreter for ever.
    A program that shares the tutor's terminal shares its group too, and dies alone.
    """
    import fcntl

    fcntl.fcntl(request_fd, fcntl.F_SETOWN, -os.getpgrp() if with_group else os.getpid())
    if hasattr(fcntl, "F_SETSIG"):  # elsewhere it is SIGIO, which is as deadly
        fcntl.fcntl(request_fd, fcntl.F_SETSIG, signal.SIGKILL)
    flags = fcntl.fcntl(request_fd, fcntl.F_GETFL)
    fcntl.fcntl(request_fd, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([request_fd], [], [], 0)[0]:
        os._exit(0)  # it went away meanwhile


def die_of_interrupts() -> None:
    """Have Ctrl-C end this process without a word: as yet nothing of the learner's is here."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def hear_interrupts() -> None:
    """Undo `die_of_interrupts`: Ctrl-C raises KeyboardInterrupt, as in any program."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def live_on(request_fd: int) -> None:
    """Undo `die_with_tutor`: what comes on the pipe from here on is a request."""
    import fcntl

    flags = fcntl.fcntl(request_fd, fcntl.F_GETFL)
    fcntl.fcntl(request_fd, fcntl.F_SETFL, flags & ~os.O_ASYNC)


def take_options() -> WorkerOptions:
    """Return the options that this worker was started with, and remove them from `sys.argv`."""
    options = WorkerOptions.decode(sys.argv[1])
    sys.argv[1:] = []
    return options


def apply(options: WorkerOptions) -> None:
    """Set the limits of this process and of all that it starts, where the system allows it."""
    try:
        import resource
    except ImportError:
        return
    _limit(resource.RLIMIT_CORE, 0)
    if options.memory:  # private memory only; the tutor or a control group counts the rest
        _limit(resource.RLIMIT_DATA, options.memory << 20)
    if options.file_size:  # files in memory as well: memfd_create(2), shm_open(3)
        _limit(resource.RLIMIT_FSIZE, options.file_size << 20)
    if options.cpu_seconds:
        _limit(resource.RLIMIT_CPU, options.cpu_seconds)
    if options.confined:
        from jaxtutor.worker import privileges

        privileges.drop(options.uid)
    is_joined = os.environ.pop(JOINED_VARIABLE, "")
    if options.tasks and not is_joined:
        limit_tasks(options.tasks, options.confined)


def limit_tasks(count: int, confined: bool = False) -> None:
    """Limit the processes and threads of this run, where no control group does.

    RLIMIT_NPROC counts all tasks of the user, in a user namespace only those in it. Root is exempt,
    so a worker of root's takes a real user id of its own first.
    """
    try:
        from resource import RLIMIT_NPROC
    except ImportError:
        return
    if os.getuid() == 0:
        from jaxtutor.worker import privileges

        if not privileges.become_countable():
            return
    elif not confined:
        count += _count_tasks(os.getuid())
    _limit(RLIMIT_NPROC, count)


def _count_tasks(uid: int) -> int:
    """Count the processes and threads of a user."""
    total = 0
    for entry in os.scandir("/proc") if Path("/proc/self").exists() else ():
        with contextlib.suppress(OSError, ValueError, IndexError):
            if entry.name.isdecimal() and entry.stat().st_uid == uid:
                stat = Path(entry.path, "stat").read_bytes()
                total += int(stat.rpartition(b")")[2].split()[17])
    return total


def _limit(which: int, value: int) -> None:
    import resource

    with contextlib.suppress(OSError, ValueError):
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (value, value))


def read(fd: int, size: int) -> bytes:
    """Read so many bytes; end where the tutor went away."""
    data = b""
    while len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            os._exit(0)  # the tutor went away before it asked
        data += piece
    return data


def read_body(fd: int, token: bytes) -> bytes | None:
    """Read the body of one request's frame; None where it is not one of ours."""
    start = read(fd, wire.TOKEN_SIZE + 4)
    if start[: wire.TOKEN_SIZE] != token:
        return None
    return read(fd, int(struct.unpack(">I", start[-4:])[0]))
