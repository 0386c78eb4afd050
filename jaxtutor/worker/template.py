"""Forks worker processes that have imported jax already; see `processes/templates.py`.

    python -m jaxtutor.worker.template SOCKET IMPORTS
    python .../jaxtutor/worker/launch.py SOCKET IMPORTS

The first forks workers for lessons, the second workers that run a learner's own program. IMPORTS is
a tuple of statements, as a literal. Each message on the socket is the literal of a `ForkRequest`,
with five descriptors: a connection for the new worker's number and exit status, its two pipes, and
its standard output and error. The template ends when the socket is closed.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import io
import os
import selectors
import socket
import struct
import sys
from pathlib import Path

from jaxtutor.core.data.worker_options import (
    FORK_DESCRIPTORS,
    JOINED_VARIABLE,
    LARGEST_FORK_REQUEST,
    RUN_VARIABLE,
    ForkRequest,
    WorkerOptions,
)

_NUMBER = struct.Struct("i")


def fork_workers() -> WorkerOptions:
    """Fork a worker for each message, and return its options in the fork; the template exits.

    The caller has imported what workers need. It has not started jax's backend, because its threads
    would not be in a fork.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    sys.argv[1:] = []
    gc.collect()
    gc.freeze()
    workers: dict[int, tuple[int, socket.socket]] = {}
    selector = selectors.DefaultSelector()
    selector.register(control, selectors.EVENT_READ)
    is_open = True
    while is_open or workers:
        for key, _ in selector.select():
            if key.fd in workers:
                selector.unregister(key.fd)
                _report_end(key.fd, *workers.pop(key.fd))
                continue
            message, descriptors, _, _ = socket.recv_fds(
                control, LARGEST_FORK_REQUEST, FORK_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC
            )
            if not message:
                selector.unregister(control)
                is_open = False
                continue
            connection = socket.socket(fileno=descriptors.pop(0))
            pid = os.fork()
            if pid == 0:
                # Objects of the template must not close, later, what the worker opens.
                selector.close()
                _close(control, connection, workers)
                return _become_worker(ForkRequest.decode(message.decode()), descriptors)
            watch = _report_start(pid, connection, descriptors)
            workers[watch] = pid, connection
            selector.register(watch, selectors.EVENT_READ)
    sys.exit(0)


def _close(
    control: socket.socket, own: socket.socket, workers: dict[int, tuple[int, socket.socket]]
) -> None:
    """Close the template's sockets, and all that belongs to its other workers."""
    control.close()
    own.close()
    for watch, (_, connection) in workers.items():
        os.close(watch)
        connection.close()


def _report_start(pid: int, connection: socket.socket, descriptors: list[int]) -> int:
    """Send a new worker's number; return a descriptor that is ready to read at its end."""
    for descriptor in descriptors:
        os.close(descriptor)
    with contextlib.suppress(OSError):  # the tutor may have ended
        connection.sendall(_NUMBER.pack(pid))
    return os.pidfd_open(pid)


def _report_end(watch: int, pid: int, connection: socket.socket) -> None:
    os.close(watch)
    _, status = os.waitpid(pid, 0)
    with connection, contextlib.suppress(OSError):
        connection.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _become_worker(request: ForkRequest, descriptors: list[int]) -> WorkerOptions:
    """Set up in a fork what `spawn.start` sets up for a new process; return its options."""
    request_fd, result_fd, stdout, stderr = descriptors
    os.setsid()
    os.environ[RUN_VARIABLE] = request.run
    if request.groups and all(map(_join, request.groups)):
        os.environ[JOINED_VARIABLE] = "yes"
    for printed, standard in ((stdout, 1), (stderr, 2)):
        os.dup2(printed, standard)
        os.close(printed)
    sys.stdout = sys.__stdout__ = _unbuffered(1, "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _unbuffered(2, "backslashreplace")  # type: ignore[misc]
    for descriptor in (request_fd, result_fd):
        os.set_inheritable(descriptor, True)
    if numbers := sys.modules.get("numpy.random"):  # or all forks would draw the same
        numbers.seed()
    return WorkerOptions.decode(request.options).with_pipes(request_fd, result_fd)


def _unbuffered(descriptor: int, errors: str) -> io.TextIOWrapper:
    """Return a stream as `python -u` opens it; that of the template was opened for another file."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    encoding = sys.__stdout__.encoding if sys.__stdout__ else None
    return io.TextIOWrapper(raw, encoding=encoding, errors=errors, write_through=True)  # type: ignore[arg-type, union-attr]


def _join(group: str) -> bool:
    """Join a control group; False where it is refused."""
    try:
        Path(group, "cgroup.procs").write_text(str(os.getpid()))
    except OSError:
        return False
    return True


if __name__ == "__main__":
    gc.disable()  # until a worker has its request; see `serving`
    from jaxtutor.worker import serving, warmup

    warmup.load()
    warmup.import_libraries(ast.literal_eval(sys.argv[2]))  # a worker reports what fails
    serving.serve_one(fork_workers())
