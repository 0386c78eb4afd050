"""Draws the lists of a session that can be chosen from: the course, and attempts at a lesson."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.commands.choosing import lesson_items
from jaxtutor.core.learning.progress import Progress
from jaxtutor.core.reporting.recorded import read_headline
from jaxtutor.core.terminal.chooser import Chooser, Item, choose_from, refresh, status_text
from jaxtutor.display import pages
from jaxtutor.display.progress import Canvas, course_lines
from jaxtutor.errors import StoreError
from jaxtutor.session.status import PANEL
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.session.state import SessionState
    from jaxtutor.storage.store import Attempt


class Lists:
    """Draws the lists of one session, each with a cursor and a filter."""

    def __init__(self, app: App, state: SessionState) -> None:
        self._app = app
        self._state = state

    def chooser(self) -> Chooser | None:
        """Return the list that can be chosen from in this view; None if there is none."""
        state = self._state
        items = self._items() if state.preview is None and not state.choice else ()
        if not items:
            return None
        return refresh(state.chooser or choose_from(items, state.lesson.slug), items)

    def _items(self) -> tuple[Item, ...]:
        if self._state.view == "list":
            return tuple(lesson_items(self._app, self._app.course.every_lesson, self.progress()))
        if self._state.view == "attempts":
            return tuple(
                Item(str(attempt.n), summary) for attempt, summary in reversed(self._attempts())
            )
        return ()

    def _attempts(self) -> list[tuple[Attempt, str]]:
        """Return the attempts at this lesson, each with a summary of its verdict."""
        store = self._app.store
        try:
            attempts = store.attempts(self._state.lesson.slug)
            return [(attempt, read_headline(store.verdict(attempt))) for attempt in attempts]
        except StoreError as error:
            self._state.notify_error(error)
            return []

    def draw_status(self, chooser: Chooser) -> Text:
        """Draw the filter, or the keys of a list."""
        more = "" if chooser.is_typing else "   ? more"
        line = Text(f" {PANEL} " if self._state.size.panel else "", style="mark")
        line.append(f" {status_text(chooser)}{more}", style="default")
        line.truncate(self._state.size.columns, pad=self._state.size.panel)
        if self._state.size.panel:
            line.stylize("reverse")
        return line

    def draw_attempts(self) -> Iterator[RenderableType]:
        """Draw the attempts at this lesson, the newest first."""
        found, chooser = self._attempts(), self.chooser()
        if not found or chooser is None:
            yield Text("No attempts yet. Each save that is checked counts as an attempt.")
            return
        current = chooser.current
        shown = {item.key for item in chooser.shown}
        rows = [(attempt, summary) for attempt, summary in found if str(attempt.n) in shown]
        yield pages.attempts_page(
            [attempt for attempt, _ in rows],
            [summary for _, summary in rows],
            clock.now(),
            self._app.marks,
            int(current.key) if current else 0,
        )

    def draw_list(self) -> Iterator[RenderableType]:
        """Draw the course, or the lessons that match the filter."""
        course, slug = self._app.course, self._state.lesson.slug
        chooser = self.chooser()
        current = chooser.current if chooser else None
        only = [item.key for item in chooser.shown] if chooser and chooser.pattern else None
        if only == []:
            yield Text("Nothing matches.")
        cursor = current.key if current else ""
        yield from course_lines(
            course, self.progress(), slug, self.canvas(), course.parts, only, cursor
        )

    def progress(self) -> dict[str, Progress]:
        """Return what the learner did with each lesson."""
        try:
            return self._app.store.progress()
        except StoreError:
            return {}

    def canvas(self) -> Canvas:
        """Return the space for a list of lessons."""
        return Canvas(self._app.console.width, self._app.marks)
