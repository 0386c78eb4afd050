"""Runs the prompt's worker: starts jax, serves one request at a time, ends with the prompt.

python -m jaxtutor.worker.repl OPTIONS
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Machine, NoDevice
from jaxtutor.core.repl import messages
from jaxtutor.worker import process_limits

if TYPE_CHECKING:
    from jaxtutor.worker.repl.session import PromptNamespace


def main() -> None:
    """Serve requests until the prompt ends."""
    gc.disable()  # until jax is imported; see `serving`
    options = process_limits.take_options()
    request_fd, device = options.request_fd, options.device
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until a cell runs
    token = process_limits.read(request_fd, wire.TOKEN_SIZE)
    pipe = process_limits.take_pipe(options.result_fd)
    write, encode = process_limits.write_all, wire.encode

    def send(reply: Struct) -> None:
        write(pipe, encode(token, reply))

    try:
        with process_limits.ending_with_reader(pipe):
            process_limits.adopt()
            process_limits.apply(options)
            ready, session = _get_ready(token, device, send)
        send(ready)
        if session is not None:
            _serve(request_fd, token, session, send)
    except BaseException:  # our own error: the prompt shows its last line
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    os._exit(1)


def _get_ready(
    token: bytes, device: str | None, send: Callable[[Struct], None]
) -> tuple[Machine | NoDevice, PromptNamespace | None]:
    """Start jax; return what to report, and the namespace unless the device does not exist."""
    from jaxtutor.worker import devices

    if device and not devices.choose(device):
        return NoDevice(device, tuple(map(devices.name, devices.all_devices()))), None
    machine = devices.describe_machine()
    from jaxtutor.worker.repl.interrupts import Interrupts
    from jaxtutor.worker.repl.session import PromptNamespace
    from jaxtutor.worker.repl.streams import Streams

    session = PromptNamespace(send, Streams(token), Interrupts())
    gc.freeze()
    gc.enable()
    return machine, session


def _serve(
    request_fd: int, token: bytes, session: PromptNamespace, send: Callable[[Struct], None]
) -> None:
    while True:
        body = _read_body(request_fd, token)
        if not body:
            _end(session.names)
        match messages.read_request(body):
            case messages.RunCell() as request:
                with _ending_with_prompt(request_fd):
                    done = session.run(request)
                send(done)
            case messages.LoadFiles() as request:
                with _ending_with_prompt(request_fd):
                    done = session.load(request)
                send(done)
            case messages.Inspect() as request:
                send(session.inspect(request))
            case messages.Complete() as request:
                from jaxtutor.worker.repl import lookup

                send(messages.Matches(request.number, lookup.complete(session.names, request)))
            case messages.Describe() as request:
                from jaxtutor.worker.repl import lookup

                send(lookup.describe(session.names, request))


@contextlib.contextmanager
def _ending_with_prompt(request_fd: int) -> Any:
    """End this process if the prompt ends while the learner's code runs.

    No requests arrive meanwhile, so that the pipe only signals its closing.
    """
    process_limits.die_with_tutor(request_fd)
    try:
        yield
    finally:
        process_limits.live_on(request_fd)


def _read_body(fd: int, token: bytes) -> bytes:
    """Read one request, or return nothing if the prompt has ended."""
    head = _read(fd, wire.TOKEN_SIZE + 4)
    if len(head) < wire.TOKEN_SIZE + 4 or head[: wire.TOKEN_SIZE] != token:
        return b""
    return _read(fd, int(struct.unpack(">I", head[-4:])[0]))


def _read(fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            return b""
        data += piece
    return data


def _end(names: dict[str, Any]) -> None:
    """End as Python would: flush open files and run exit hooks. Then kill the process group."""
    for value in list(names.values()):
        if isinstance(value, io.IOBase):
            with contextlib.suppress(BaseException):
                value.flush()
    with contextlib.suppress(BaseException):
        atexit._run_exitfuncs()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    os.killpg(os.getpgrp(), signal.SIGKILL)  # with the processes that cells started


main()
