"""Draws a session's views as lines: text, verdict, hints, fix, jaxpr, diff, attempts, course."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.commands.choosing import lesson_items
from jaxtutor.commands.verdicts import draw_verdict
from jaxtutor.core.learning.progress import Progress, Rung, is_past_last, make_ladder, numbers_of
from jaxtutor.core.reporting.reports import failed_names, read_headline
from jaxtutor.core.terminal.chooser import Chooser, Item, choose_from, refresh, status_text
from jaxtutor.display import pages
from jaxtutor.display.markdown import make_page
from jaxtutor.display.progress import CURSOR, Canvas, chapter_standing, course_lines, pass_lines
from jaxtutor.display.prose import WIDEST, relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError
from jaxtutor.session import panel
from jaxtutor.session.key_tables import KEYS
from jaxtutor.session.state import SessionState
from jaxtutor.session.status import PANEL, draw_status
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.course import Lesson
    from jaxtutor.session.messages import Begin
    from jaxtutor.storage.store import Attempt

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Views:
    """Draws the views of one session, as pages or for the panel below an editor."""

    def __init__(self, app: App, begin: Begin, state: SessionState) -> None:
        self._app = app
        self._begin = begin
        self._state = state

    def lines(self) -> list[str]:
        """Draw the whole view, as lines with the escape sequences that the terminal supports."""
        columns = self._state.size.columns
        wide = self._state.view == "jaxpr"
        self._app.console.width = columns if wide else min(columns, WIDEST)
        view = self._render(self._draw_view())
        if self._state.view == "verdict" and self._state.is_outdated:
            view = self._dim(view)
        return [*self._render(self._draw_notices()), *view]

    def status(self, lines: tuple[int, int], focused: bool = False) -> str:
        """Draw the status line; `focused` if the panel has the keys.

        `lines` are the number of lines of the view, and of those that do not fit below.
        """
        state = self._state
        ladder, shown = self.ladder(), self.shown_hints()
        hint = max((rung.place for rung in ladder if rung.number in shown), default=0)
        hints = (hint, len(ladder))
        prefix = self._begin.prefix
        line = draw_status(state, self._app.marks, prefix, hints, lines, focused)
        chooser = self.chooser()
        if chooser is not None and (focused or not state.size.panel) and not state.asking:
            line = self._draw_chooser_status(chooser)
        self._app.console.width = max(state.size.columns, 1)
        return self._render([line])[0]

    def point(self, lines: list[str]) -> int:
        """Return the first line to show: this lesson in the course, the problem in a panel."""
        if self.chooser() is not None:
            plain = [_COLOUR.sub("", line) for line in lines]
            place = next((n for n, line in enumerate(plain) if line.startswith(CURSOR)), 0)
            return max(place - self._state.room // 2, 0)
        here = {}
        if self._state.is_compact and not self._state.notices:
            here["text"] = "Problem"
        if self._state.view not in here:
            return 0
        plain = [_COLOUR.sub("", line) for line in lines]
        found = (n for n, line in enumerate(plain) if line.startswith(here[self._state.view]))
        return next(found, 0)

    def chooser(self) -> Chooser | None:
        """Return the list that can be chosen from in this view; None if there is none."""
        state = self._state
        items = self._items() if state.preview is None and not state.choice else ()
        if not items:
            return None
        return refresh(state.chooser or choose_from(items, state.lesson.slug), items)

    def _items(self) -> tuple[Item, ...]:
        if self._state.view == "list":
            return tuple(lesson_items(self._app, self._app.course.lessons, self._progress()))
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

    def _dim(self, lines: list[str]) -> list[str]:
        """Dim lines that are outdated, if there are colours."""
        if not self._app.console.color_system:
            return lines
        return [f"\x1b[2m{_COLOUR.sub('', line)}\x1b[0m" for line in lines]

    def _render(self, parts: list[RenderableType]) -> list[str]:
        console = self._app.console
        with console.capture() as capture:
            for part in parts:
                console.print(part)
        text = capture.get().rstrip("\n")
        return text.split("\n") if parts else []

    def _draw_notices(self) -> list[RenderableType]:
        state = self._state
        if not state.notices or state.choice:
            return []
        lines = [Text(visible(notice), style="mark", overflow="fold") for notice in state.notices]
        return [*lines, *([] if state.is_compact else [Text(" ")])]

    def _draw_view(self) -> list[RenderableType]:
        if self._state.choice:
            return list(self._draw_choice())
        if self._state.preview is not None:
            return list(self._draw_text())
        draw = {
            "text": self._draw_text,
            "verdict": self._draw_verdict,
            "jaxpr": self._draw_jaxpr,
            "diff": self._draw_diff,
            "list": self._draw_list,
            "hint": self._draw_hints,
            "fix": self._draw_fix,
            "attempts": self._draw_attempts,
            "keys": self._draw_keys,
            "cause": self._draw_cause,
        }[self._state.view]
        return list(draw())

    # ------------------------------------------------------------ the views

    def _draw_text(self) -> Iterator[RenderableType]:
        state = self._state
        lesson = state.preview or state.lesson
        if not state.is_compact:
            yield self._draw_place(lesson)
        path = state.path if lesson == state.lesson else self._app.file(lesson)
        yield pages.lesson_page(lesson, self._app.course, relative(path))

    def _draw_place(self, here: Lesson) -> Text:
        """Draw how many lessons of the chapter are passed."""
        chapter = self._app.course.chapter_of(here)
        return chapter_standing(chapter, self._progress(), self._canvas())

    def _canvas(self) -> Canvas:
        return Canvas(self._app.console.width, self._app.marks)

    def _draw_pass_progress(self, lesson: Lesson) -> Iterator[Text]:
        """Draw what a pass adds to the chapter."""
        try:
            is_first = self._app.store.count_passes(lesson.slug) == 1
        except StoreError:
            is_first = False
        yield from pass_lines(
            self._app.course,
            self._progress(),
            lesson,
            is_first,
            self._canvas(),
            self._app.renderer.prose,
        )

    def _draw_verdict(self) -> Iterator[RenderableType]:
        checked, renderer = self._state.checked, self._app.renderer
        if checked is None:
            is_checking = self._state.checking_since is not None
            yield Text("Checking." if is_checking else "Every save is checked.", style="quiet")
        elif checked.error is not None:
            yield Text(visible(checked.error.message), style="failed")
            yield Text(visible(checked.error.remedy))
        elif (verdict := checked.verdict) is not None:
            source, after = checked.submission.text, self._next_step()
            if sentence := self._fix_sentence():
                yield Text(sentence, style="mark" if self._state.tried else "quiet")
            if not self._state.is_compact:
                yield draw_verdict(self._app, checked.lesson, verdict, source, after)
                if verdict.status == "passed":
                    yield Text()
                    yield from self._draw_pass_progress(checked.lesson)
            elif verdict.status == "passed":
                yield from panel.draw_pass(renderer, verdict, checked.lesson.info.new, after)
                yield from self._draw_pass_progress(checked.lesson)
            else:
                explain = f"Press {self.key('e')} for a page on this cause."
                yield from panel.draw_verdict(renderer, verdict, source, after, explain)

    def _next_step(self) -> str:
        verdict = self._state.verdict
        if verdict is None or verdict.status != "passed":
            used_up = is_past_last(self.ladder(), self.shown_hints())
            if self._state.is_compact:
                return f"Press {self.key('f')} for a fix." if used_up else self._hint_offer()
            return f"Press Enter to edit, {'f for a fix' if used_up else 'h for a hint'}."
        following = self._app.course.after(self._state.lesson)
        return (
            f"Press {self.key('n')} for the next lesson, {following.slug}."
            if following
            else "That was the last lesson."
        )

    def _hint_offer(self) -> str:
        left = len(self.ladder()) - len(self.shown_hints())
        return f"Press {self.key('h')} for a hint; {left} left." if left > 0 else ""

    def key(self, key: str) -> str:
        """Name the keys to press for a key of ours."""
        return f"{self._begin.prefix} {key}" if self._state.is_compact else key

    def _fix_sentence(self) -> str:
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

    def _draw_fix(self) -> Iterator[RenderableType]:
        state = self._state
        tried, ladder = state.tried, self.ladder()
        if state.has_passed:
            yield Text("Your file passes already.")
        elif not is_past_last(ladder, self.shown_hints()):
            yield Text(
                "After the last hint, fixes for your file are tried,"
                " and the first one that makes it pass is shown here."
            )
            yield Text(f"Press {self.key('h')} for the next of {len(ladder)} hints.", style="quiet")
        elif state.trying is not None:
            yield Text("Trying fixes for your file.")
        elif tried is not None and tried.error is not None:
            yield Text(visible(tried.error.message), style="failed")
            yield Text(visible(tried.error.remedy))
        elif tried is not None and tried.found is not None:
            draw = panel.draw_fix if state.is_compact else pages.fix_page
            yield from draw(self._app.renderer, *tried.found)
        else:
            yield Text(self._why_no_fix())

    def _why_no_fix(self) -> str:
        state = self._state
        if state.checking_since is not None:
            return "Checking your file first."
        if state.tried is None:
            return "Nothing has been checked yet. Save your file first."
        return (
            "No fix was found that makes more checks pass."
            f" To see the solution, run: jaxtutor solution {state.lesson.slug}"
        )

    def _draw_chooser_status(self, chooser: Chooser) -> Text:
        """Draw the filter, or the keys of a list."""
        more = "" if chooser.is_typing else "   ? more"
        line = Text(f" {PANEL} " if self._state.size.panel else "", style="mark")
        line.append(f" {status_text(chooser)}{more}", style="default")
        line.truncate(self._state.size.columns, pad=self._state.size.panel)
        if self._state.size.panel:
            line.stylize("reverse")
        return line

    def _draw_attempts(self) -> Iterator[RenderableType]:
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

    def _draw_jaxpr(self) -> Iterator[RenderableType]:
        verdict = self._state.verdict
        if verdict is None or verdict.jaxpr is None or verdict.reference_jaxpr is None:
            yield Text("No jaxpr yet: the file has not been traced without an error.")
            return
        if self._state.is_outdated:
            yield Text("This is the jaxpr of your previous save.", style="mark")
        yield from panel.draw_jaxprs(self._app.renderer, verdict.jaxpr, verdict.reference_jaxpr)

    def _draw_diff(self) -> Iterator[RenderableType]:
        mine, starter = self._state.text, self._state.lesson.starter
        if mine is None:
            yield Text("Nothing has been saved yet.")
            return
        if mine == starter:
            yield Text("Your file and the starter are identical.")
        yield from self._app.renderer.source_diff(starter, mine, ("starter", "yours"))

    def _draw_list(self) -> Iterator[RenderableType]:
        course, slug = self._app.course, self._state.lesson.slug
        chooser = self.chooser()
        current = chooser.current if chooser else None
        only = [item.key for item in chooser.shown] if chooser and chooser.pattern else None
        if only == []:
            yield Text("Nothing matches.")
        cursor = current.key if current else ""
        yield from course_lines(
            course, self._progress(), slug, self._canvas(), course.chapters, only, cursor
        )

    def _progress(self) -> dict[str, Progress]:
        try:
            return self._app.store.progress()
        except StoreError:
            return {}

    def _draw_hints(self) -> Iterator[RenderableType]:
        """Draw the hints taken so far; in the panel, the newest first."""
        ladder, panel_ = self.ladder(), self._state.is_compact
        shown = self.shown_hints()
        rungs = [rung for rung in ladder if rung.number in shown]
        for rung in reversed(rungs) if panel_ else rungs:
            yield Text(f"Hint {rung.place} of {len(ladder)}", style="title")
            yield self._app.renderer.prose(rung.text)
            if not panel_:
                yield Text()
            if rung is ladder[-1]:
                yield Text(f"This is the last hint. Press {self.key('f')} for a fix.")

    def ladder(self) -> tuple[Rung, ...]:
        """Return the lesson's hints, those for what failed last first."""
        verdict = self._state.verdict
        return make_ladder(self._state.lesson.info, failed_names(verdict) if verdict else ())

    def shown_hints(self) -> tuple[int, ...]:
        """Return the rungs of the lesson's hints that were taken, or shown with the verdict."""
        verdict = self._state.verdict
        said = numbers_of(self.ladder(), verdict.hint) if verdict else ()
        try:
            return (*self._app.store.hints(self._state.lesson.slug), *said)
        except StoreError:
            return said

    def _draw_keys(self) -> Iterator[RenderableType]:
        keys = [*KEYS, ("j k space b", "scroll"), ("g G", "top, end")]
        across = 1
        if self._state.size.panel:
            prefix = self._begin.prefix
            keys = [("esc", "to the editor"), *keys[1:]]
            keys += [("z", "whole screen"), ("+ -", "panel size")]
            keys += [(f"{prefix} {prefix}", f"send {prefix}")]
            across = max(self._app.console.width // 26, 1)
        else:
            keys += [("Ctrl-Z", "suspend")]
        table = Table.grid(padding=(0, 2))
        down = -(-len(keys) // across)
        for row in range(down):
            cells: list[Text] = []
            for key, does in keys[row::down]:
                cells += [Text(key, style="key", justify="right"), Text(does)]
            table.add_row(*cells)
        yield table

    def _draw_cause(self) -> Iterator[RenderableType]:
        """Draw the page of the cause that the newest verdict names, or of the error's class."""
        name = self.cause_name()
        if not name:
            yield Text("The newest verdict names no cause.")
            yield Text("For the list of all causes, run: jaxtutor explain", style="quiet")
            return
        title, text = self._app.library.page(name)
        yield make_page(f"# {title}\n\n{text}", self._begin.plain)

    def cause_name(self) -> str:
        """Return the name of the page that explains the newest verdict; empty if there is none."""
        verdict = self._state.verdict
        if verdict is None:
            return ""
        found = [verdict.diagnosis, *verdict.findings]
        names = [one.cause for one in found if one is not None and one.cause]
        if verdict.failure is not None:
            names.append(verdict.failure.error_class)
        library = self._app.library
        known = {*library.slugs, *library.classes}
        return next((name for name in names if name in known), "")

    def _draw_choice(self) -> Iterator[RenderableType]:
        yield Text(
            "Which editor? Press its number. It is remembered unless you set VISUAL or EDITOR."
        )
        yield Text()
        for number, editor in enumerate(self._state.choice, 1):
            yield Text.assemble((f"{number:>4}", "key"), f"  {editor.name}")
