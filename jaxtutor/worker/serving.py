"""Serves one request in a worker process: it gets ready, takes the request, reports, and ends.

The request pipe carries the token that every frame starts with, then one request.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import sys
import traceback
from collections.abc import Callable
from time import perf_counter
from typing import NoReturn

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Broke, BrokenLibrary, Done, Event, Machine, NoDevice, Started
from jaxtutor.core.data.requests import (
    AnswersRequest,
    CheckRequest,
    MeterRequest,
    PredictRequest,
    ProseRequest,
    Request,
)
from jaxtutor.core.data.worker_options import WorkerOptions
from jaxtutor.worker import process_limits


def serve_one(options: WorkerOptions) -> NoReturn:
    """Serve one request and leave without running anything of the submission's on the way out."""
    gc.disable()  # nearly all that an import creates stays: looking for garbage finds none
    request_fd, captured = options.request_fd, options.captured
    token = process_limits.read(request_fd, wire.TOKEN_SIZE)
    pipe = process_limits.take_pipe(options.result_fd)
    send = _reporting(token, pipe, captured)
    if captured:
        process_limits.adopt()
    else:
        process_limits.die_of_interrupts()
    process_limits.apply(options)
    status = 1
    try:
        with process_limits.ending_with_reader(pipe):
            ready = _get_ready(options)
        send(ready)
        if isinstance(ready, Machine):
            _serve(request_fd, token, send)
        status = 0
    except BaseException as error:  # ours, not the submission's, though it may be behind it
        with contextlib.suppress(BaseException):
            send(Broke("".join(traceback.format_exception_only(error)).strip()))
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    os._exit(status)


def _get_ready(options: WorkerOptions) -> Machine | NoDevice | BrokenLibrary:
    """Start jax and import the libraries; return what to report."""
    from jaxtutor.worker import devices, warmup

    device = options.device
    if device and not devices.choose(device):
        return NoDevice(device, tuple(map(devices.name, devices.all_devices())))
    machine = devices.describe_machine()
    if broken := warmup.import_libraries(options.imports):
        return broken
    if not select.select([options.request_fd], [], [], 0)[0]:
        warmup.up()
    return machine


def _serve(request_fd: int, token: bytes, send: Callable[[Event], None]) -> None:
    """Carry out one request; what runs from here on is in the submission's own time."""
    send(Started("ready"))
    gc.freeze()
    gc.enable()
    body = process_limits.read_body(request_fd, token)
    if body is None:
        return  # the tutor went away
    request = wire.read_request(body)
    process_limits.die_with_tutor(request_fd)
    _carry_out(request, send)
    os.read(request_fd, 1)  # stay until the tutor has seen to what the submission left running


def _carry_out(request: Request, send: Callable[[Event], None]) -> None:
    started = perf_counter()
    match request:  # each kind imports only what it needs
        case CheckRequest():
            from jaxtutor.worker import stages

            stages.Check(request, send).run()
        case AnswersRequest():
            from jaxtutor.worker import answers

            answers.run(request, send)
        case MeterRequest():
            from jaxtutor.worker import meter

            meter.run(request, send)
        case ProseRequest():
            from jaxtutor.worker import page_blocks

            page_blocks.run(request, send)
        case PredictRequest():
            from jaxtutor.worker import predict

            predict.run(request, send)
        case _:  # the machine was described when the worker became ready
            pass
    send(Done(perf_counter() - started))


def _reporting(token: bytes, pipe: int, captured: bool) -> Callable[[Event], None]:
    """Return the function that reports on the result pipe.

    Each stage also leaves a mark in captured output, so that prints can be told apart by stage.
    """
    if captured:
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    stdout, write, encode, write_all = sys.stdout, os.write, wire.encode, process_limits.write_all

    def send(event: Event) -> None:
        if captured and isinstance(event, Started):
            with contextlib.suppress(Exception):
                stdout.flush()
                write(1, wire.mark(token, event.stage))
        write_all(pipe, encode(token, event))

    return send
