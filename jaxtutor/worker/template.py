"""Forks worker processes that have imported jax already; see `processes/templates.py`.

    python -m jaxtutor.worker.template SOCKET IMPORTS

IMPORTS is a tuple of statements, as a literal. Each message on the socket is the literal of a
`ForkRequest`, with five descriptors: a connection for the new worker's number and exit status,
its two pipes, and its standard output and error. The template ends when the socket is closed.
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
import traceback
from pathlib import Path
from typing import NoReturn

from jaxtutor.core.data.worker_options import (
    FORK_DESCRIPTORS,
    JOINED_VARIABLE,
    LARGEST_FORK_REQUEST,
    RUN_VARIABLE,
    ForkRequest,
    WorkerOptions,
)

_NUMBER = struct.Struct("i")


def main() -> None:
    """Import what workers need, then fork one for each message."""
    control = socket.socket(fileno=int(sys.argv[1]))
    imports = ast.literal_eval(sys.argv[2])
    sys.argv[1:] = []
    from jaxtutor.worker import warmup

    warmup.import_libraries(imports)  # a worker tries again, and reports what fails
    # The backend is not started: its threads would not be in a fork.
    gc.collect()
    gc.freeze()
    workers: dict[int, tuple[int, socket.socket]] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        is_open = True
        while is_open or workers:
            for key, _ in selector.select():
                if key.fd in workers:
                    selector.unregister(key.fd)
                    _report_end(key.fd, *workers.pop(key.fd))
                elif started := _take_request(control):
                    watch = os.pidfd_open(started[0])
                    workers[watch] = started
                    selector.register(watch, selectors.EVENT_READ)
                else:
                    selector.unregister(control)
                    is_open = False


def _take_request(control: socket.socket) -> tuple[int, socket.socket] | None:
    """Fork the worker that the next message asks for; None if the socket was closed."""
    message, descriptors, _, _ = socket.recv_fds(
        control, LARGEST_FORK_REQUEST, FORK_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC
    )
    if not message:
        return None
    return _fork(ForkRequest.decode(message.decode()), descriptors)


def _report_end(watch: int, pid: int, connection: socket.socket) -> None:
    os.close(watch)
    _, status = os.waitpid(pid, 0)
    with connection, contextlib.suppress(OSError):  # the tutor may have ended
        connection.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _fork(request: ForkRequest, descriptors: list[int]) -> tuple[int, socket.socket]:
    """Fork a worker; return its number and the connection on which its end is reported."""
    connection = socket.socket(fileno=descriptors[0])
    pid = os.fork()
    if pid == 0:
        try:
            _become_worker(request, descriptors)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    for descriptor in descriptors[1:]:
        os.close(descriptor)
    with contextlib.suppress(OSError):
        connection.sendall(_NUMBER.pack(pid))
    return pid, connection


def _become_worker(request: ForkRequest, descriptors: list[int]) -> NoReturn:
    """Set up in a fork what `spawn.start` sets up for a new process, and serve a request."""
    _, request_fd, result_fd, stdout, stderr = descriptors
    os.setsid()
    os.environ[RUN_VARIABLE] = request.run
    if request.groups and all(map(_join, request.groups)):
        os.environ[JOINED_VARIABLE] = "yes"
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)
    sys.stdout = sys.__stdout__ = _unbuffered(1, "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _unbuffered(2, "backslashreplace")  # type: ignore[misc]
    kept = {request_fd, result_fd}
    for entry in [*Path("/proc/self/fd").iterdir()]:  # of the template, and of its other workers
        if int(entry.name) > 2 and int(entry.name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(entry.name))
    for descriptor in kept:
        os.set_inheritable(descriptor, True)
    if numbers := sys.modules.get("numpy.random"):  # or all forks would draw the same
        numbers.seed()
    from jaxtutor.worker import serving

    options = WorkerOptions.decode(request.options)
    serving.serve_one(options.with_pipes(request_fd, result_fd))


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


main()
