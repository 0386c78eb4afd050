"""Reports the findings in a program that runs for long while it still runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Event, ObservationFacts, Started
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.engine.reported import Reported
from jaxtutor.core.linting.source_lint import Allowances
from jaxtutor.scripts.programs import Program
from jaxtutor.storage import workspace

PATIENCE = 20.0
"""Seconds after which findings are reported at once; the report of a shorter run has them all."""

Report = Callable[[Diagnosis], None]


class EarlyFindings:
    """Collects the observations of one run. A context manager that ends the waiting."""

    def __init__(
        self,
        program: Program,
        causes: Mapping[str, Cause],
        report: Report,
        allowances: Allowances,
    ) -> None:
        self.causes = causes
        self.report = report
        self.allowances = allowances
        self._sources = {} if program.kind == "module" else {str(program.file): program.source}
        self._observations: list[Observation] = []
        self._reported = Reported()
        self._lock = threading.Lock()
        self._is_due = False
        self._timer = threading.Timer(PATIENCE, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> EarlyFindings:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_due = False

    def listen(self, event: Event) -> None:
        """Take an event of the run."""
        if isinstance(event, Started) and event.stage == "script":
            self._timer.start()
        elif isinstance(event, ObservationFacts):
            with self._lock:
                self._observations.append(event.observation)
                self._report_new()

    def _begin(self) -> None:
        with self._lock:
            self._is_due = True
            self._report_new()

    def _report_new(self) -> None:
        if not self._is_due:
            return
        from jaxtutor.core.diagnosis.engine.findings import find  # with all that recognises causes

        places = {seen.frame.file for seen in self._observations if seen.frame is not None}
        self._sources |= workspace.read_texts(places - self._sources.keys())
        self.allowances.read_all(self._sources)
        is_reported = self.allowances.is_reported
        for diagnosed in find(self._observations, self._sources, self.causes, is_reported):
            if self._reported.is_new(diagnosed.diagnosis):
                self.report(diagnosed.diagnosis)
