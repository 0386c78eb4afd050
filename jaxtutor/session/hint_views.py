"""Draws what helps after a failed verdict: the hints that were taken, and a fix that was tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.core.learning.progress import Rung, is_past_last, make_ladder, numbers_of
from jaxtutor.core.reporting.recorded import failed_names
from jaxtutor.display import pages
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError
from jaxtutor.session import panel

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.session.state import SessionState


class HintViews:
    """Draws the hints and the fix of one session; `prefix` is the name of the prefix key."""

    def __init__(self, app: App, prefix: str, state: SessionState) -> None:
        self._app = app
        self._prefix = prefix
        self._state = state

    def key(self, key: str) -> str:
        """Name the keys to press for a key of ours."""
        return f"{self._prefix} {key}" if self._state.is_compact else key

    def ladder(self) -> tuple[Rung, ...]:
        """Return the lesson's hints: those that were taken, and those for what failed last."""
        verdict = self._state.verdict
        failed = failed_names(verdict) if verdict else ()
        return make_ladder(self._state.lesson.info, failed, self.shown_hints())

    def shown_hints(self) -> tuple[int, ...]:
        """Return the numbers of the hints that the verdict shows, and of those that were taken."""
        lesson, verdict = self._state.lesson, self._state.verdict
        said = numbers_of(lesson.info, verdict.hint) if verdict else ()
        try:
            return (*said, *self._app.store.hints(lesson.slug))
        except StoreError:
            return said

    @property
    def is_used_up(self) -> bool:
        """Return whether the last hint was taken, so that a fix may be tried."""
        return is_past_last(self.ladder(), self.shown_hints())

    def hint_offer(self) -> str:
        """Offer the next hint; empty if there is none."""
        shown = self.shown_hints()
        left = sum(rung.number not in shown for rung in self.ladder())
        return f"Press {self.key('h')} for a hint; {left} left." if left > 0 else ""

    def fix_sentence(self) -> str:
        """Return a sentence on whether a fix was found; empty while there are hints left."""
        state = self._state
        if state.trying is not None:
            return "Looking for a fix."
        if state.tried is None:
            return ""
        if state.tried.found is None:
            return f"No fix was found. Press {self.key('f')} for details."
        verified = state.tried.found[0].verified
        what = "A verified fix was found" if verified else "A partial fix was found"
        return f"{what}. Press {self.key('f')} to see it."

    def draw_hints(self) -> Iterator[RenderableType]:
        """Draw the hints taken so far; in the panel, the newest first."""
        ladder, panel_ = self.ladder(), self._state.is_compact
        shown = self.shown_hints()
        rungs = [rung for rung in ladder if rung.number in shown]
        for rung in reversed(rungs) if panel_ else rungs:
            yield Text(rung.title(self._state.lesson.info), style="title")
            yield self._app.renderer.prose(rung.text)
            if not panel_:
                yield Text()
            if rung == ladder[-1]:
                yield Text(f"This is the last hint. Press {self.key('f')} for a fix.")

    def draw_fix(self) -> Iterator[RenderableType]:
        """Draw the fix that was found, or why there is none."""
        state = self._state
        tried = state.tried
        if state.has_passed:
            yield Text("Your file passes already.")
        elif not self.is_used_up:
            yield Text(
                "After the last hint, fixes for your file are tried,"
                " and the first one that makes it pass is shown here."
            )
            yield Text(f"Press {self.key('h')} for the next hint.", style="quiet")
        elif state.trying is not None:
            yield Text("Trying fixes for your file.")
        elif tried is not None and tried.error is not None:
            yield Text(visible(tried.error.message), style="failed")
            yield Text(visible(tried.error.remedy))
        elif tried is not None and tried.found is not None:
            draw = panel.draw_fix if state.is_compact else pages.fix_page
            yield from draw(self._app.renderer, *tried.found)
        elif state.checking_since is not None:
            yield Text("Checking your file first.")
        elif tried is None:
            yield Text("Nothing has been checked yet. Save your file first.")
        else:
            yield Text("No fix was found that makes more checks pass. To see the solution:")
            yield Text(f"  jaxtutor solution {state.lesson.slug}", style="code")
