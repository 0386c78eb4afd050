"""Draws a session's views as lines: text, verdict, hints, fix, jaxpr, diff, attempts, course."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.checks.project_files import given
from jaxtutor.commands.pages import introduction
from jaxtutor.commands.verdicts import draw_verdict, say_end
from jaxtutor.content.welcome import read_welcome
from jaxtutor.core.data.lessons import PROBLEM, put_task_first
from jaxtutor.core.judging.endless_loops import say_running
from jaxtutor.display import pages
from jaxtutor.display.markdown import make_page
from jaxtutor.display.progress import CURSOR, chapter_standing, pass_lines
from jaxtutor.display.prose import WIDEST, relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError
from jaxtutor.session import panel
from jaxtutor.session.hint_views import HintViews
from jaxtutor.session.key_tables import KEYS, READ_ON
from jaxtutor.session.lists import Lists
from jaxtutor.session.state import SessionState
from jaxtutor.session.status import draw_status

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.core.data.diagnoses import Diagnosis
    from jaxtutor.session.messages import Begin

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Views:
    """Draws the views of one session, as pages or for the panel below an editor."""

    def __init__(self, app: App, begin: Begin, state: SessionState) -> None:
        self._app = app
        self._begin = begin
        self._state = state
        self.lists = Lists(app, state)
        self.hints = HintViews(app, begin.prefix, state)

    def lines(self) -> list[str]:
        """Draw the whole view, as lines with the escape sequences that the terminal supports."""
        columns = self._state.size.columns
        wide = self._state.view == "jaxpr"
        self._app.console.width = columns if wide else min(columns, WIDEST)
        view = self._render(self._draw_view())
        if self._state.view == "verdict" and self._state.is_outdated and not self._state.is_slow:
            view = self._dim(view)
        return [*self._render(self._draw_notices()), *view]

    def status(self, lines: tuple[int, int], focused: bool = False) -> str:
        """Draw the status line; `focused` if the panel has the keys.

        `lines` are the number of lines of the view, and of those that do not fit below.
        """
        state = self._state
        ladder, shown = self.hints.ladder(), self.hints.shown_hints()
        hint = max((rung.place for rung in ladder if rung.number in shown), default=0)
        hints = (hint, len(self._state.lesson.info.hints))
        prefix = self._begin.prefix
        line = draw_status(state, self._app.marks, prefix, hints, lines, focused)
        chooser = self.lists.chooser()
        if chooser is not None and (focused or not state.size.panel) and not state.asking:
            line = self.lists.draw_status(chooser)
        self._app.console.width = max(state.size.columns, 1)
        return self._render([line])[0]

    def point(self, lines: list[str]) -> int:
        """Return the first line to show: this lesson in the course, the problem in a panel."""
        state = self._state
        if self.lists.chooser() is not None:
            return max(_find_line(lines, CURSOR) - state.room // 2, 0)
        if state.shows_text and state.reads_on:
            rest = put_task_first((state.preview or state.lesson).page)[1]
            title = rest.partition("\n")[0].removeprefix("## ")
            return _find_line(lines, title) if title else 0
        if state.view == "text" and state.is_compact and not state.notices:
            return _find_line(lines, PROBLEM)
        return 0

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
            "welcome": self._draw_welcome,
            "text": self._draw_text,
            "verdict": self._draw_verdict,
            "jaxpr": self._draw_jaxpr,
            "diff": self._draw_diff,
            "list": self.lists.draw_list,
            "hint": self.hints.draw_hints,
            "fix": self.hints.draw_fix,
            "attempts": self.lists.draw_attempts,
            "keys": self._draw_keys,
            "cause": self._draw_cause,
        }[self._state.view]
        return list(draw())

    # ------------------------------------------------------------ the views

    def _draw_welcome(self) -> Iterator[RenderableType]:
        yield make_page(read_welcome(self._begin.prefix), self._begin.plain)

    def _draw_text(self) -> Iterator[RenderableType]:
        state = self._state
        lesson = state.preview or state.lesson
        above = ""
        if not state.is_compact:
            yield self._draw_place(lesson)
            above = introduction(self._app.course, lesson, self.lists.progress())
        path = state.path if lesson == state.lesson else self._app.file(lesson)
        follows = f"Press {self.hints.key(READ_ON[0])} for why, a worked example and pitfalls."
        yield pages.lesson_page(
            lesson, self._app.course, relative(path), _draw_page, follows, above
        )

    def _draw_place(self, here: Lesson) -> Text:
        """Draw how many lessons of the chapter are passed."""
        chapter = self._app.course.chapter_of(here)
        return chapter_standing(chapter, self.lists.progress(), self.lists.canvas())

    def _draw_pass_progress(self, lesson: Lesson) -> Iterator[Text]:
        """Draw what a pass adds to the chapter."""
        try:
            is_first = self._app.store.count_passes(lesson.slug) == 1
        except StoreError:
            is_first = False
        yield from pass_lines(
            self._app.course,
            self.lists.progress(),
            lesson,
            is_first,
            self.lists.canvas(),
            self._app.renderer.prose,
        )

    def _say_running(self) -> str:
        """Say that the newest save is still running; the verdict on the older one says nothing."""
        info = self._state.lesson.info
        seconds = info.needs.seconds * self._app.checker.time_factor
        return say_running(self._state.text or "", info.function, seconds)

    def _draw_verdict(self) -> Iterator[RenderableType]:
        checked, renderer = self._state.checked, self._app.renderer
        if self._state.is_slow:
            yield renderer.prose(visible(self._say_running()))
        elif checked is None:
            is_checking = self._state.checking_since is not None
            yield Text("Checking." if is_checking else "Every save is checked.", style="quiet")
        elif checked.error is not None:
            yield Text(visible(checked.error.message), style="failed")
            yield Text(visible(checked.error.remedy))
        elif (verdict := checked.verdict) is not None:
            source, after = checked.submission.text, self._next_step()
            fix = self.hints.fix_sentence()
            if not self._state.is_compact:
                yield from [Text(fix, style="mark")] if fix else []
                yield draw_verdict(self._app, checked.lesson, verdict, source, after)
                if verdict.status == "passed":
                    yield Text()
                    yield from self._draw_pass_progress(checked.lesson)
            elif verdict.status == "passed":
                yield from panel.draw_pass(renderer, verdict, checked.lesson.info.new, after)
                yield from self._draw_pass_progress(checked.lesson)
            else:
                explain = f"Press {self.hints.key('e')} for a page on this cause."
                rows = max(self._state.room - len(self._state.notices), 0)
                yield from panel.draw_verdict(renderer, verdict, source, after, explain, fix, rows)

    def _next_step(self) -> str:
        verdict = self._state.verdict
        if verdict is None or verdict.status != "passed":
            used_up = self.hints.is_used_up
            if self._state.is_compact:
                return (
                    f"Press {self.hints.key('f')} for a fix."
                    if used_up
                    else self.hints.hint_offer()
                )
            return f"Press Enter to edit, {'f for a fix' if used_up else 'h for a hint'}."
        following = self._app.course.after(self._state.lesson)
        return (
            f"Press {self.hints.key('n')} for the next lesson, {following.slug}."
            if following
            else say_end(self._app.course, self._state.lesson, relative(self._state.path))
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
        mine = self._state.text
        if mine is None:
            yield Text("Nothing has been saved yet.")
            return
        starter = given(self._app, self._state.lesson)
        if mine == starter:
            yield Text("Your file and the starter are identical.")
        yield from self._app.renderer.source_diff(starter, mine, ("starter", "yours"))

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
        table = Table.grid(padding=(0, 2, 0, 0))
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
            passed = "Your file passes: there is no cause to explain."
            yield Text(passed if self._state.has_passed else "The newest verdict names no cause.")
            yield Text("For the list of all causes, run: jaxtutor explain", style="quiet")
            return
        title, text = self._app.library.page(name, self._summary_of(name))
        yield make_page(f"# {title}\n\n{text}", self._begin.plain)

    def _summary_of(self, cause: str) -> str:
        """Return what the newest verdict says of a cause."""
        return next((one.summary for one in self._named() if one.cause == cause), "")

    def _named(self) -> list[Diagnosis]:
        """List the diagnoses of the newest verdict, the most important one first."""
        verdict = self._state.verdict
        if verdict is None:
            return []
        found = [verdict.diagnosis, *verdict.findings, *verdict.beside]
        return [one for one in found if one is not None]

    def cause_name(self) -> str:
        """Return the name of the page that explains the newest verdict; empty if there is none."""
        verdict = self._state.verdict
        if verdict is None:
            return ""
        names = [one.cause for one in self._named() if one.cause]
        if verdict.failure is not None:
            names.append(verdict.failure.error_class)
        library = self._app.library
        known = {*library.slugs, *library.classes}
        return next((name for name in names if name in known), "")

    def _draw_choice(self) -> Iterator[RenderableType]:
        yield Text(
            "Which editor? Press its number. To change it later: jaxtutor config set editor NAME"
        )
        yield Text()
        for number, editor in enumerate(self._state.choice, 1):
            yield Text.assemble((f"{number:>4}", "key"), f"  {editor.name}")


def _draw_page(text: str) -> RenderableType:
    return make_page(text, plain=False)


def _find_line(lines: list[str], beginning: str) -> int:
    """Return the index of the first line that begins so; 0 if none does."""
    plain = (_COLOUR.sub("", line) for line in lines)
    return next((n for n, line in enumerate(plain) if line.startswith(beginning)), 0)
