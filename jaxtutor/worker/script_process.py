"""Serves one request to run a learner's own program, in an interpreter that is otherwise untouched.

Nothing here imports jax, starts its backend or sets one of its options: the program does so itself,
after preparing the environment as it needs to. The machine is described at the end. Only the
template from which edited programs are forked imports jax before.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import traceback
from dataclasses import replace
from time import perf_counter

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Broke, Done, Event, Started
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.data.worker_options import JOINED_VARIABLE, WorkerOptions
from jaxtutor.worker import process_limits, program_environment, script

TEMPLATE_WORDS = 2
"""A command line of more words than this starts a template; see `worker/template`."""

OBSERVING = ("failures.failure", "watching.instrument", "values")
"""Modules that a program's run imports after jax."""


def main(loaded_before: frozenset[str]) -> int:
    """Run one program and return its exit status; the caller ends the interpreter as Python does.

    `loaded_before` names the modules that a new interpreter has loaded.
    """
    options = _take_fork() if len(sys.argv) > TEMPLATE_WORDS else process_limits.take_options()
    token = process_limits.read(options.request_fd, wire.TOKEN_SIZE)
    pipe = process_limits.take_pipe(options.result_fd)

    def send(event: Event) -> None:
        with contextlib.suppress(OSError):  # the program may have closed all files
            process_limits.write_frame(pipe, wire.encode(token, event))

    if options.captured:
        process_limits.adopt()
    process_limits.die_of_interrupts()
    if os.getuid() == 0:  # a limit on root's tasks needs another user, which the program would see
        options = replace(options, tasks=0)
    process_limits.apply(options)
    os.environ.pop(JOINED_VARIABLE, None)
    try:
        body = process_limits.read_body(options.request_fd, token)
        request = wire.read_request(body) if body is not None else None
        if not isinstance(request, ScriptRequest):
            os._exit(0)  # the tutor went away
        process_limits.die_with_tutor(options.request_fd, with_group=options.captured)
        program = script.ProgramRun(request, options.device, send)
        program_environment.forget_shadowed(loaded_before, program.first_folder)
    except Exception as error:  # ours: nothing of the learner's has run
        send(Broke("".join(traceback.format_exception_only(error)).strip()))
        with contextlib.suppress(BaseException):
            traceback.print_exc()
        os._exit(1)
    del body, request
    started = perf_counter()
    send(Started("script"))
    status = program.run()
    if program.is_in_first_process:
        send(Done(perf_counter() - started))
    return status


def _take_fork() -> WorkerOptions:
    """Import jax and what observes a program, then return the options of each run in its fork.

    No library is imported: libraries must find jax as it is while the program is observed.
    """
    from jaxtutor.worker import template
    from jaxtutor.worker.internals import tracebacks

    tracebacks.keep_unfiltered()  # before `failure` is imported, which would change a setting
    for name in OBSERVING:
        importlib.import_module(f"jaxtutor.worker.{name}")
    return template.fork_workers()
