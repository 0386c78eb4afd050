"""Owns the life of a worker process: get ready, take one request, report, end.

    python -m jaxtutor.worker REQUEST_FD RESULT_FD MEMORY_MIB captured|shared [DEVICE]

The request pipe first brings the token that every frame starts with, then one request.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable
from typing import NoReturn

from jaxtutor.core import wire
from jaxtutor.core.model import (
    CheckRequest,
    DevicesRequest,
    Done,
    Event,
    NoDevice,
    ProseRequest,
    Request,
    ScriptRequest,
    Started,
)

RESULT_FD = 190  # far from the numbers that a submission meets by chance


def main() -> None:
    """Serve one request and leave without running anything of the submission's on the way out."""
    request_fd, result_fd, memory = (int(text) for text in sys.argv[1:4])
    captured = sys.argv[4] == "captured"
    device = sys.argv[5] if len(sys.argv) > 5 else None
    sys.argv[1:] = []
    token = _read(request_fd, wire.TOKEN_SIZE)
    send = _open_pipe(token, result_fd, captured)
    if captured:
        _adopt()
    if memory:
        _limit_memory(memory)
    status = 1
    try:
        _serve(request_fd, token, device, send, captured)
        status = 0
    except SystemExit:
        raise  # a script of the learner's has ended
    except BaseException:  # ours, not the submission's: the tutor shows the last line of it
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    os._exit(status)


def _serve(
    request_fd: int, token: bytes, device: str | None, send: Callable[..., None], captured: bool
) -> None:
    from jaxtutor.worker import devices, warm

    if device and not devices.choose(device):
        send(NoDevice(device, tuple(map(devices.name, devices.all_devices()))))
        return
    machine = devices.describe_machine()
    if not select.select([request_fd], [], [], 0)[0]:
        warm.up()
    send(machine)  # from here on it is the submission's own time
    send(Started("ready"))
    gc.freeze()
    request = _read_request(request_fd, token)
    if request is None:
        return  # the tutor went away
    if captured:
        _die_with_tutor(request_fd)
    if isinstance(request, ScriptRequest):
        _run_script(request, send)
    _carry_out(request, send)
    os.read(request_fd, 1)  # stay until the tutor has seen to what the submission left running


def _run_script(request: ScriptRequest, send: Callable[[Event], None]) -> NoReturn:
    """Run a learner's own program, and leave as Python would: threads joined, hooks called."""
    from jaxtutor.worker import script

    started = time.perf_counter()
    status = script.run(request, send)
    send(Done(time.perf_counter() - started))
    sys.exit(status)


def _carry_out(request: Request, send: Callable[[Event], None]) -> None:
    from jaxtutor.worker import prose, stages

    started = time.perf_counter()
    match request:
        case CheckRequest():
            stages.Check(request, send).run()
        case ProseRequest():
            prose.run(request, send)
        case DevicesRequest():
            pass  # the machine was described when the worker became ready
    send(Done(time.perf_counter() - started))


def _open_pipe(token: bytes, result_fd: int, captured: bool) -> Callable[[Event], None]:
    """Move the result pipe out of the way and return the function that reports on it.

    Each stage also leaves a mark in captured output, so that prints can be told apart by stage.
    """
    import fcntl

    pipe = fcntl.fcntl(result_fd, fcntl.F_DUPFD_CLOEXEC, RESULT_FD)
    os.close(result_fd)
    os.register_at_fork(after_in_child=lambda: os.close(pipe))  # it has nothing to report
    if captured:
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    stdout, write, encode = sys.stdout, os.write, wire.encode

    def send(event: Event) -> None:
        if captured and isinstance(event, Started):
            with contextlib.suppress(Exception):
                stdout.flush()
                write(1, wire.mark(token, event.stage))
        frame = memoryview(encode(token, event))
        try:
            while frame:
                frame = frame[write(pipe, frame) :]
        except OSError:
            os._exit(1)  # a fork of the submission's, or nobody listens any more

    return send


def _adopt() -> None:
    """Become the parent of whatever a submission cuts loose, so that the tutor finds it here."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1)  # Linux: PR_SET_CHILD_SUBREAPER


def _die_with_tutor(request_fd: int) -> None:
    """Have the system kill this group when the tutor's end of the request pipe closes.

    A thread that waits for it would not do: a submission may hold the interpreter for ever.
    """
    import fcntl

    fcntl.fcntl(request_fd, fcntl.F_SETOWN, -os.getpgrp())
    if hasattr(fcntl, "F_SETSIG"):  # elsewhere it is SIGIO, which is as deadly
        fcntl.fcntl(request_fd, fcntl.F_SETSIG, signal.SIGKILL)
    flags = fcntl.fcntl(request_fd, fcntl.F_GETFL)
    fcntl.fcntl(request_fd, fcntl.F_SETFL, flags | os.O_ASYNC)
    if select.select([request_fd], [], [], 0)[0]:
        os._exit(0)  # it went away meanwhile


def _limit_memory(mebibytes: int) -> None:
    """Cap the private memory of this process where the system can; the tutor watches besides."""
    try:
        import resource

        limit = mebibytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, OSError, ValueError):
        return


def _read(fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            os._exit(0)  # the tutor went away before it asked
        data += piece
    return data


def _read_request(fd: int, token: bytes) -> Request | None:
    header = wire.TOKEN_SIZE + 4
    start = _read(fd, header)
    if start[: wire.TOKEN_SIZE] != token:
        return None
    return wire.read_request(_read(fd, struct.unpack(">I", start[-4:])[0]))


main()
