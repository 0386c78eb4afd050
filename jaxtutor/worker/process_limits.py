"""Owns what keeps a worker process in bounds: its pipes, its memory, its end with the tutor's."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct

from jaxtutor.core.data import wire

_write = os.write  # as it was before a learner could put another in its place

RESULT_FD = 190  # far from the numbers that a submission meets by chance


def take_pipe(result_fd: int) -> int:
    """Move the result pipe out of the way; a fork of the learner's does not have it."""
    import fcntl

    pipe = fcntl.fcntl(result_fd, fcntl.F_DUPFD_CLOEXEC, RESULT_FD)
    os.close(result_fd)
    os.register_at_fork(after_in_child=lambda: os.close(pipe))  # it has nothing to report
    return pipe


def write_all(pipe: int, frame: bytes) -> None:
    """Write a whole frame, or end: a fork of the learner's, or nobody listens any more."""
    view = memoryview(frame)
    try:
        while view:
            view = view[_write(pipe, view) :]
    except OSError:
        os._exit(1)


def adopt() -> None:
    """Become the parent of whatever a submission cuts loose, so that the tutor finds it here."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1)  # Linux: PR_SET_CHILD_SUBREAPER


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


def limit_memory(mebibytes: int) -> None:
    """Cap the private memory of this process where the system can; the tutor watches besides."""
    try:
        import resource

        limit = mebibytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return


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
