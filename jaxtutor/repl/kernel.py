"""Owns the running of cells from the prompt: one worker after another, and Ctrl-C meanwhile."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from jaxtutor.core.repl import messages
from jaxtutor.errors import TutorError
from jaxtutor.processes import spawn
from jaxtutor.repl import worker as workers
from jaxtutor.repl.worker import OutputComplete, OutputReceived, ReplyReceived, Worker, WorkerGone

PATIENCE = 1.0
"""Seconds after which a cell that was asked to stop is said not to have stopped."""
AGAIN = 0.3
"""Seconds after which a cell is asked again; it is stopped once, however often it is asked."""
LOOK_SECONDS = 0.1
LEAVING = 1.0

STUBBORN = (
    "It has not stopped yet: it may be inside compiled code, which nothing can interrupt.\n"
    "Ctrl-C again ends it by force. The names made here are lost then."
)

STARTING = "jax is still starting. Ctrl-C again ends it, and the cell is not run."


@dataclass(frozen=True)
class CellResult:
    """How a run ended: its replies in order; `gone` says how the worker's process ended, if so."""

    replies: tuple[messages.ReplReply, ...]
    gone: str = ""
    by_force: bool = False


@dataclass
class StopRequest:
    """What Ctrl-C asked for while a cell runs."""

    presses: int = 0
    seen: int = 0
    since: float | None = None
    sent: float = 0.0
    is_warned: bool = False


class Kernel:
    """Keeps a worker, and another when one ends."""

    def __init__(
        self,
        kind: spawn.Kind,
        early: spawn.Process | None,
        say: Callable[[str], None],
        heard_key: Callable[[], None],
    ) -> None:
        self._kind = kind
        self._say = say
        self._heard_key = heard_key
        self.worker = Worker(early or _start(kind))
        self._is_posted = False

    def restart(self) -> None:
        """Take another worker; the names of the last are lost."""
        self.worker.close()
        self.worker = Worker(_start(self._kind))
        self._is_posted = False

    def close(self) -> None:
        """End the worker."""
        self.worker.close(LEAVING if self.worker.is_ready and not self._is_posted else 0.0)

    def post(self, request: messages.ReplRequest) -> None:
        """Ask for a run now, and take what comes of it later, with `collect`."""
        self._is_posted = True
        self.worker.post(request)

    def run(self, request: messages.ReplRequest, printed: Callable[[str], None]) -> CellResult:
        """Run a cell; what it prints is passed on as it comes."""
        self.post(request)
        return self.collect(printed)

    def collect(self, printed: Callable[[str], None]) -> CellResult:
        """Wait for the end of the run that was asked for. Raises TutorError where jax is broken."""
        stop = StopRequest()
        try:
            with _counting(stop):
                return self._collect(printed, stop)
        finally:
            self._is_posted = False

    def _collect(self, printed: Callable[[str], None], stop: StopRequest) -> CellResult:
        replies: list[messages.ReplReply] = []
        is_marked, done_at = False, None
        while not (is_marked and done_at):
            if done_at and time.monotonic() - done_at > workers.LATE_MARK:
                break
            match self.worker.hear(LOOK_SECONDS):
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
                    self.refuse_to_go_on()
                    return CellResult(tuple(replies), why)
            if self._heed(stop):
                self.worker.close()
                return CellResult(tuple(replies), "it was ended by force", by_force=True)
        return CellResult(tuple(replies))

    def _heed(self, stop: StopRequest) -> bool:
        """Do what Ctrl-C asks for; True where the worker is to be ended by force."""
        now = time.monotonic()
        if stop.presses > stop.seen:
            self._heard_key()
            if stop.is_warned:
                return True
            stop.seen = stop.presses
            stop.since = stop.since or now
        if stop.since and now - stop.sent > AGAIN:  # one that comes between two cells is no one's
            stop.sent = now
            self.worker.interrupt()
        if stop.since and not stop.is_warned and now - stop.since > PATIENCE:
            stop.is_warned = True
            self._say(STUBBORN if self.worker.is_ready else STARTING)
        return False

    def refuse_to_go_on(self) -> None:
        """Raise TutorError of a worker that never became ready: the learner is not at fault."""
        worker = self.worker
        if worker.missing is not None:
            known = ", ".join(worker.missing.known)
            raise TutorError(
                f"There is no device {worker.missing.asked!r} here.",
                f"JAX can run on {known}. See: jaxtutor devices",
            )
        if not worker.is_ready:
            text = worker.trouble.decode("utf-8", "replace").strip()
            raise TutorError(
                f"jax could not be started: {text.rpartition(chr(10))[2] or 'its process ended'}",
                "Check the installation: jaxtutor doctor",
            )


def _start(kind: spawn.Kind) -> spawn.Process:
    try:
        return spawn.start(kind)
    except OSError as error:
        raise TutorError(
            f"A process for the cells could not be started: {error.strerror}.",
            "Close something else that runs here, then try again.",
        ) from error


@contextmanager
def _counting(stop: StopRequest) -> Iterator[None]:
    """Count presses of Ctrl-C instead of raising where we are."""

    def count(*_: object) -> None:
        stop.presses += 1

    before = signal.signal(signal.SIGINT, count)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
