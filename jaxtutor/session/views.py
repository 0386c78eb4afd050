"""Owns what a session shows, as lines: text, verdict, hints, fix, jaxpr, diff, attempts, course."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.commands.verdicts import draw_verdict
from jaxtutor.core.learning.progress import Progress, Rung, is_past_last, make_ladder
from jaxtutor.core.reporting.reports import failed_names, read_headline
from jaxtutor.display import pages
from jaxtutor.display.progress import Canvas, course_lines
from jaxtutor.display.prose import WIDEST, relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError
from jaxtutor.session import panel
from jaxtutor.session.state import KEYS, SessionState
from jaxtutor.session.status import draw_status
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.session.messages import Begin

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Views:
    """Draws one session, as pages or as the panel below an editor."""

    def __init__(self, app: App, begin: Begin, state: SessionState) -> None:
        self._app = app
        self._begin = begin
        self._state = state

    def lines(self) -> list[str]:
        """Draw the view whole, as lines with the escape sequences that the terminal can show."""
        columns = self._state.size.columns
        wide = self._state.view == "jaxpr"
        self._app.console.width = columns if wide else min(columns, WIDEST)
        view = self._render(self._draw_view())
        if self._state.view == "verdict" and self._state.is_overtaken:
            view = self._dim(view)
        return [*self._render(self._draw_notices()), *view]

    def status(self, below: int) -> str:
        """Draw the line of status. `below` counts lines that do not fit."""
        state = self._state
        ladder, shown = self.ladder(), self.shown_hints()
        hint = max((rung.place for rung in ladder if rung.number in shown), default=0)
        hints = (hint, len(ladder))
        line = draw_status(state, self._app.marks, self._begin.prefix, hints, below)
        self._app.console.width = max(state.size.columns, 1)
        return self._render([line])[0]

    def point(self, lines: list[str]) -> int:
        """Return where to begin: a course at this lesson, a text in little room at its problem."""
        here = {"list": f" {self._app.marks.here} "}
        if self._state.size.panel and not self._state.notices:
            here["text"] = "Problem"
        if self._state.view not in here:
            return 0
        plain = [_COLOUR.sub("", line) for line in lines]
        found = (n for n, line in enumerate(plain) if line.startswith(here[self._state.view]))
        return max(next(found, 0) - (self._state.view == "list"), 0)

    def _dim(self, lines: list[str]) -> list[str]:
        """Return the lines as of what is not current: dimmed, where there are colours."""
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
        return [*lines, *([] if state.size.panel else [Text(" ")])]

    def _draw_view(self) -> list[RenderableType]:
        if self._state.choice:
            return list(self._draw_choice())
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
        }[self._state.view]
        return list(draw())

    # ------------------------------------------------------------ view by view

    def _draw_text(self) -> Iterator[RenderableType]:
        lesson = self._state.lesson
        if not self._state.size.panel:
            yield self._draw_place()
        chapter = self._app.course.chapter_of(lesson)
        yield pages.lesson_page(lesson, chapter, relative(self._state.path))

    def _draw_place(self) -> Text:
        """Draw where in the course this is: a mark for each lesson of the chapter."""
        chapter = self._app.course.chapter_of(self._state.lesson)
        progress, marks = self._progress(), self._app.marks
        standings = {lesson: progress.get(lesson.slug, Progress()) for lesson in chapter.lessons}
        passed = sum(standing.status == "passed" for standing in standings.values())
        place = Text()
        for lesson, standing in standings.items():
            mark, style = {
                "passed": (marks.lesson_passed, "passed"),
                "started": (marks.lesson_started, "mark"),
                "new": (marks.lesson_new, "quiet"),
            }[standing.status]
            place.append(marks.here if lesson == self._state.lesson else "", style="mark")
            place.append(f"{mark} ", style=style)
        says = f"{passed} of {len(chapter.lessons)} passed in this chapter"
        return Text(says) if self._begin.plain else place.append(f" {says}", style="quiet")

    def _draw_verdict(self) -> Iterator[RenderableType]:
        checked, renderer = self._state.checked, self._app.renderer
        if checked is None:
            is_checking = self._state.checking_since is not None
            yield Text("Being checked." if is_checking else "Every save is checked.", style="quiet")
        elif checked.error is not None:
            yield Text(visible(checked.error.message), style="failed")
            yield Text(visible(checked.error.remedy))
        elif (verdict := checked.verdict) is not None:
            source, after = checked.submission.text, self._next_step()
            if says := self._say_fix():
                yield Text(says, style="mark" if self._state.tried else "quiet")
            if not self._state.size.panel:
                yield draw_verdict(self._app, checked.lesson, verdict, source, after)
            elif verdict.status == "passed":
                yield from panel.draw_pass(renderer, verdict, checked.lesson.info.new, after)
            else:
                yield from panel.draw_verdict(renderer, verdict, source)

    def _next_step(self) -> str:
        verdict = self._state.verdict
        if verdict is None or verdict.status != "passed":
            used_up = is_past_last(self.ladder(), self.shown_hints())
            return f"Enter edits, {'f shows what was tried' if used_up else 'h gives a hint'}."
        following = self._app.course.after(self._state.lesson)
        return (
            f"{self.key('n')} goes on to {following.slug}."
            if following
            else "That was the last lesson."
        )

    def key(self, key: str) -> str:
        """Say what is to be pressed for a key of ours."""
        return f"{self._begin.prefix} {key}" if self._state.size.panel else key

    def _say_fix(self) -> str:
        """Say in a line whether a fix is there; nothing while there are hints to take."""
        state = self._state
        if state.trying is not None:
            return "A fix is being tried."
        if state.tried is None:
            return ""
        if state.tried.found is None:
            return f"No fix was found: {self.key('f')} says more."
        verified = state.tried.found[0].verified
        what = "A verified fix is there" if verified else "An edit gets it further"
        return f"{what}: {self.key('f')} shows it."

    def _draw_fix(self) -> Iterator[RenderableType]:
        state = self._state
        tried, ladder = state.tried, self.ladder()
        if state.has_passed:
            yield Text("Your file passes as it is.")
        elif not is_past_last(ladder, self.shown_hints()):
            yield Text(
                "When the hints are used up, edits of your file are tried,"
                " and one with which it passes is shown here."
            )
            yield Text(f"{self.key('h')} takes the next of {len(ladder)} hints.", style="quiet")
        elif state.trying is not None:
            yield Text("Edits of your file are being tried, each in a process of its own.")
        elif tried is not None and tried.error is not None:
            yield Text(visible(tried.error.message), style="failed")
            yield Text(visible(tried.error.remedy))
        elif tried is not None and tried.found is not None:
            draw = panel.draw_fix if state.size.panel else pages.fix_page
            yield from draw(self._app.renderer, *tried.found)
        else:
            yield Text(self._why_no_fix())

    def _why_no_fix(self) -> str:
        state = self._state
        if state.checking_since is not None:
            return "Your file is being checked first."
        if state.tried is None:
            return "Nothing was checked yet: a fix is tried for what you save."
        return (
            "No edit is known that gets your file further."
            f" Our solution, in a shell: jaxtutor solution {state.lesson.slug}"
        )

    def _draw_attempts(self) -> Iterator[RenderableType]:
        """Draw the attempts at this lesson, the newest first."""
        try:
            attempts = self._app.store.attempts(self._state.lesson.slug)
            says = [read_headline(self._app.store.verdict(attempt)) for attempt in attempts]
        except StoreError as error:
            yield Text(visible(f"{error.message} {error.remedy}"), style="failed")
            return
        if not attempts:
            yield Text("There are no attempts yet: every save that is checked is one.")
            return
        yield pages.attempts_page(attempts, says, clock.now(), self._app.marks)
        yield Text("In a shell, `jaxtutor restore NUMBER` brings one back.", style="quiet")

    def _draw_jaxpr(self) -> Iterator[RenderableType]:
        verdict = self._state.verdict
        if verdict is None or verdict.jaxpr is None or verdict.reference_jaxpr is None:
            yield Text("There is no jaxpr yet: it takes a file that can be traced.")
            return
        yield from panel.draw_jaxprs(self._app.renderer, verdict.jaxpr, verdict.reference_jaxpr)

    def _draw_diff(self) -> Iterator[RenderableType]:
        checked = self._state.checked
        if checked is None:
            yield Text("Nothing is saved yet.")
            return
        mine, starter = checked.submission.text, checked.lesson.starter
        if mine == starter:
            yield Text("Your file and the starter are the same.")
        yield from self._app.renderer.source_diff(starter, mine, ("starter", "yours"))

    def _draw_list(self) -> Iterator[RenderableType]:
        course, slug = self._app.course, self._state.lesson.slug
        paper = Canvas(self._app.console.width, self._app.marks)
        yield from course_lines(course, self._progress(), slug, paper, course.chapters)

    def _progress(self) -> dict[str, Progress]:
        try:
            return self._app.store.progress()
        except StoreError:
            return {}

    def _draw_hints(self) -> Iterator[RenderableType]:
        """Draw the rungs taken so far, the newest first where there is little room."""
        ladder, panel_ = self.ladder(), self._state.size.panel
        shown = self.shown_hints()
        rungs = [rung for rung in ladder if rung.number in shown]
        for rung in reversed(rungs) if panel_ else rungs:
            yield Text(f"Hint {rung.place} of {len(ladder)}", style="title")
            yield self._app.renderer.prose(rung.text)
            if not panel_:
                yield Text()
            if rung is ladder[-1]:
                yield Text(f"This is the last one. {self.key('f')} shows a fix that was tried.")

    def ladder(self) -> tuple[Rung, ...]:
        """Return the lesson's hints, those for what failed last first."""
        verdict = self._state.verdict
        return make_ladder(self._state.lesson.info, failed_names(verdict) if verdict else ())

    def shown_hints(self) -> tuple[int, ...]:
        """Return the rungs of the lesson's hints that were taken."""
        try:
            return self._app.store.hints(self._state.lesson.slug)
        except StoreError:
            return ()

    def _draw_keys(self) -> Iterator[RenderableType]:
        keys = [*KEYS, ("arrows, space, b", "scroll")]
        across = 1
        if self._state.size.panel:
            keys += [("+ -", "rows here"), (f"{self._begin.prefix} twice", "is the editor's")]
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

    def _draw_choice(self) -> Iterator[RenderableType]:
        yield Text(
            "Which editor? Press its number. It is remembered, until you set VISUAL or EDITOR."
        )
        yield Text()
        for number, editor in enumerate(self._state.choice, 1):
            yield Text.assemble((f"{number:>4}", "key"), f"  {editor.name}")
