"""Runs requests in worker processes: a request goes in, an outcome always comes out.

Nothing a submission does is an error here. When it exceeds its time or memory limit, it is killed
together with everything that it started.
"""

from __future__ import annotations

import threading

from jaxtutor.core.data.facts import Outcome
from jaxtutor.core.data.requests import Request
from jaxtutor.errors import TutorError
from jaxtutor.processes import spawn
from jaxtutor.processes.reaping import reap
from jaxtutor.processes.spawn import Kind, Process
from jaxtutor.processes.watched_run import Cancel, Listen, WatchedRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxtutor.processes.templates import Templates


class Runner:
    """Carries out requests, one fresh worker each, with a spare kept ready when asked to.

    `templates` start workers faster, where there are many.
    """

    def __init__(self, early: Process | None = None, templates: Templates | None = None) -> None:
        self._spares: list[Process] = [early] if early else []
        self._templates = templates
        self._reapers: list[threading.Thread] = []
        self._lock = threading.Lock()

    def prepare(self, kind: Kind) -> None:
        """Have a spare of this kind getting ready, unless one is."""
        with self._lock:
            self._drop_dead()
            if not any(spare.kind == kind for spare in self._spares):
                self._spares.append(self._start(kind))

    def run(
        self,
        request: Request,
        kind: Kind,
        seconds: float = 10.0,
        cancel: Cancel | None = None,
        listen: Listen | None = None,
    ) -> Outcome:
        """Carry out one request within `seconds` of the submission's own time."""
        spare = self._take(kind)
        outcome = self._carry_out(spare, request, seconds, cancel, listen, True) if spare else None
        if outcome is not None:
            return outcome
        outcome = self._carry_out(self._start(kind), request, seconds, cancel, listen)
        assert outcome is not None, "only a spare may go without being used"
        return outcome

    def _carry_out(
        self,
        process: Process,
        request: Request,
        seconds: float,
        cancel: Cancel | None,
        listen: Listen | None,
        spare: bool = False,
    ) -> Outcome | None:
        """Carry out a request in a process; None where a spare died before it came to it."""
        run = WatchedRun(process, request, seconds, cancel, listen)
        try:
            run.watch()
            return None if spare and run.died_idle else run.assemble()
        finally:
            if run.end == "finished":
                self._reap_in_background(process)
            else:
                reap(process)

    def _reap_in_background(self, process: Process) -> None:
        """Reap a finished process in the background."""
        # Not a daemon thread: Python waits for it if jaxtutor exits meanwhile.
        reaper = threading.Thread(target=reap, args=(process,), name="reaper")
        reaper.start()
        with self._lock:
            self._reapers = [it for it in self._reapers if it.is_alive()] + [reaper]

    def _take(self, kind: Kind) -> Process | None:
        with self._lock:
            self._drop_dead()
            for spare in self._spares:
                if spare.kind == kind:
                    self._spares.remove(spare)
                    return spare
        return None

    def _drop_dead(self) -> None:
        """Drop the spares whose process has ended."""
        for spare in [spare for spare in self._spares if spare.popen.poll() is not None]:
            self._spares.remove(spare)
            reap(spare)

    def close(self) -> None:
        """End the spares, and wait for the reapers."""
        with self._lock:
            spares, self._spares = self._spares, []
            reapers, self._reapers = self._reapers, []
        for spare in spares:
            reap(spare)
        for reaper in reapers:
            reaper.join()
        if self._templates is not None:
            self._templates.close()

    def _start(self, kind: Kind) -> Process:
        forked = self._templates.fork(kind) if self._templates is not None else None
        return forked or _start(kind)


def _start(kind: Kind) -> Process:
    try:
        return spawn.start(kind)
    except OSError as error:
        raise TutorError(
            f"A process for the check could not be started: {error.strerror}.",
            "Close something else that runs here, then try again.",
        ) from error
