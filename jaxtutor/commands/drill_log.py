"""Records drills, and reads what is known of the learner's causes; drills work without it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.core.learning.drills import gather
from jaxtutor.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from jaxtutor.content.drill_pages import DrillPages
    from jaxtutor.core.data.drills import Drill
    from jaxtutor.core.learning.drills import CauseRecord, DrillResult
    from jaxtutor.core.learning.reviews import Recall

    T = TypeVar("T")


class DrillLog:
    """What the progress file holds of drills. A file that cannot be used is reported once."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._is_reported = False

    def results(self) -> tuple[DrillResult, ...]:
        """Return the drills so far, the oldest first."""
        return self._try(self._list, ())

    def records(self) -> dict[str, CauseRecord]:
        """Return what is known of each cause that was met or drilled."""
        return self._try(lambda: gather(self._app.store.met_causes(), self._app.store.drills()), {})

    def recalls(self, pages: DrillPages, now: datetime) -> list[Recall]:
        """Forecast the causes that have drills, the due ones first, the least remembered first."""
        known = [record for record in self.records().values() if record.cause in pages.causes]
        if not known:
            return []
        from jaxtutor.watch.scheduling import forecast_causes

        found = forecast_causes(known, now)
        return sorted(found, key=lambda recall: (recall.due > now, recall.chance, recall.due))

    def is_unfinished(self, drill: Drill) -> bool:
        """Return whether the last drill with this program has no right fix yet."""
        done = [result for result in self.results() if result.program == drill.name]
        return bool(done) and done[-1].fixed is None

    def editor(self) -> str | None:
        """Return the editor that the learner chose in a session, or None."""
        return self._try(lambda: self._app.store.setting("editor"), None)

    def add_reading(self, drill: Drill, line_right: bool, cause_right: bool) -> None:
        """Record the answers to a drill's questions."""
        facts = (drill.name, drill.cause, line_right, cause_right)
        self._try(lambda: self._app.store.record_drill(*facts), None)

    def add_fix(self, drill: Drill, right: bool) -> None:
        """Record a run of a fix; its questions may not have been answered."""
        self._try(lambda: self._add_fix(drill, right), None)

    def _list(self) -> tuple[DrillResult, ...]:
        return self._app.store.drills()

    def _add_fix(self, drill: Drill, right: bool) -> None:
        if not self.is_unfinished(drill):
            self._app.store.record_drill(drill.name, drill.cause)
        self._app.store.record_fix(drill.name, right)

    def _try(self, work: Callable[[], T], otherwise: T) -> T:
        try:
            return work()
        except StoreError as error:
            if not self._is_reported:
                self._is_reported = True
                self._app.warn(error.message, error.remedy)
            return otherwise
