"""Runs cells in a worker, restarts the worker when it ends, and handles Ctrl-C."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from jaxtutor.core.repl import messages
from jaxtutor.errors import TutorError
from jaxtutor.processes import spawn
from jaxtutor.repl import worker as workers
from jaxtutor.repl.interrupts import handled_by
from jaxtutor.repl.worker import OutputComplete, OutputReceived, ReplyReceived, Worker, WorkerGone

STOP_TIMEOUT = 1.0
"""Seconds after which a cell that was interrupted is reported as not stopping."""
RESEND_INTERVAL = 0.3
"""Seconds between repeated SIGINTs; the worker raises KeyboardInterrupt only once per cell."""
POLL_SECONDS = 0.1
LEAVE_SECONDS = 1.0

STUBBORN = (
    "The cell has not stopped yet: compiled code cannot be interrupted.\n"
    "Press Ctrl-C again to kill the worker. The names defined here are then lost."
)

STARTING = "jax is still starting. Press Ctrl-C again to end it; the cell then does not run."


@dataclass(frozen=True)
class CellResult:
    """The replies of a run in order; `gone` describes how the worker ended, if it did."""

    replies: tuple[messages.ReplReply, ...]
    gone: str = ""
    by_force: bool = False


@dataclass
class StopRequest:
    """The state of Ctrl-C while a cell runs."""

    presses: int = 0
    seen: int = 0
    since: float | None = None
    sent: float = 0.0
    is_warned: bool = False

    def count(self, *_: object) -> None:
        """Handle SIGINT by counting it."""
        self.presses += 1


class Kernel:
    """Holds the current worker, and starts another when it ends."""

    def __init__(
        self,
        kind: spawn.Kind,
        early: spawn.Process | None,
        report: Callable[[str], None],
        note_key: Callable[[], None],
    ) -> None:
        self._kind = kind
        self._report = report
        self._note_key = note_key
        self.worker = Worker(early or _start(kind))
        self._is_posted = False

    def restart(self) -> None:
        """Start another worker; the names of the last one are lost."""
        self.worker.close()
        self.worker = Worker(_start(self._kind))
        self._is_posted = False

    def close(self) -> None:
        """End the worker."""
        self.worker.close(LEAVE_SECONDS if self.worker.is_ready and not self._is_posted else 0.0)

    def post(self, request: messages.ReplRequest) -> None:
        """Start a run whose result `collect` will return."""
        self._is_posted = True
        self.worker.post(request)

    def run(self, request: messages.ReplRequest, printed: Callable[[str], None]) -> CellResult:
        """Run a cell; pass on its output as it comes."""
        self.post(request)
        return self.collect(printed)

    def collect(self, printed: Callable[[str], None]) -> CellResult:
        """Wait for the end of the posted run. Raises TutorError if jax is broken."""
        stop = StopRequest()
        try:
            with handled_by(stop.count):
                return self._collect(printed, stop)
        finally:
            self._is_posted = False

    def _collect(self, printed: Callable[[str], None], stop: StopRequest) -> CellResult:
        replies: list[messages.ReplReply] = []
        is_marked, done_at = False, None
        while not (is_marked and done_at):
            if done_at and time.monotonic() - done_at > workers.LATE_MARK:
                break
            match self.worker.hear(POLL_SECONDS):
                case OutputReceived(text):
                    printed(text)
                case OutputComplete():
                    is_marked = True
                case ReplyReceived(messages.CellDone() as done):
                    done_at = time.monotonic()
                    replies.append(done)
                case ReplyReceived(reply):
                    replies.append(reply)
                case WorkerGone(why):
                    self.raise_if_broken()
                    return CellResult(tuple(replies), why)
            if self._handle_interrupt(stop):
                self.worker.close()
                return CellResult(tuple(replies), "it was killed", by_force=True)
        return CellResult(tuple(replies))

    def _handle_interrupt(self, stop: StopRequest) -> bool:
        """Forward Ctrl-C to the cell; return True if the worker is to be killed."""
        now = time.monotonic()
        if stop.presses > stop.seen:
            self._note_key()
            if stop.is_warned:
                return True
            stop.seen = stop.presses
            stop.since = stop.since or now
        # One SIGINT could arrive between two cells and have no effect, so it is repeated.
        if stop.since and now - stop.sent > RESEND_INTERVAL:
            stop.sent = now
            self.worker.interrupt()
        if stop.since and not stop.is_warned and now - stop.since > STOP_TIMEOUT:
            stop.is_warned = True
            self._report(STUBBORN if self.worker.is_ready else STARTING)
        return False

    def raise_if_broken(self) -> None:
        """Raise TutorError if the worker never became ready: the cell is not at fault."""
        worker = self.worker
        if worker.missing is not None:
            known = ", ".join(worker.missing.known)
            raise TutorError(
                f"Device {worker.missing.asked!r} was not found.",
                f"JAX can use {known}. See: jaxtutor devices",
            )
        if not worker.is_ready:
            text = worker.trouble.decode("utf-8", "replace").strip()
            raise TutorError(
                f"jax cannot be started: {text.rpartition(chr(10))[2] or 'the process ended'}",
                "Check the installation: jaxtutor doctor",
            )


def _start(kind: spawn.Kind) -> spawn.Process:
    try:
        return spawn.start(kind)
    except OSError as error:
        raise TutorError(
            f"The worker process cannot be started: {error.strerror}.",
            "Close other programs and try again.",
        ) from error
