"""Owns the live session: events change the state, and what is to be seen is drawn from the state.

It runs beside the process at the terminal (`jaxtutor.ui.front`), which sends it keys and sizes and
pastes the lines it gets. Saves are watched and checked behind; the session answers meanwhile.
"""

from __future__ import annotations

import io
import os
import re
import select
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor import editor as editors
from jaxtutor import workspace
from jaxtutor.app import App
from jaxtutor.attempts import file_to_check
from jaxtutor.commands import choose_rungs, draw_verdict
from jaxtutor.core.layout import Layout, choose_layout
from jaxtutor.core.progress import Progress
from jaxtutor.core.settling import Event as FileEvent
from jaxtutor.core.settling import Missing, Saved, Troubled
from jaxtutor.course import Lesson
from jaxtutor.errors import EditorError, StoreError, TutorError
from jaxtutor.options import Options
from jaxtutor.ui import pages, panel
from jaxtutor.ui.background import Background, Checked
from jaxtutor.ui.link import STAYING, Begin, Edit, Frame, Left, Link, Message, Over, Pressed, Size
from jaxtutor.ui.look import visible
from jaxtutor.ui.panes import Pane, find_multiplexer, open_pane
from jaxtutor.ui.remote import Remote
from jaxtutor.ui.render import WIDEST, relative
from jaxtutor.ui.tty import Wake
from jaxtutor.watch import Watch

if TYPE_CHECKING:
    from jaxtutor.editor import Editor

TICK = 0.1
EDITOR_SETTING = "editor"
LOOK_AFTER_EDITOR = 1.0
KEYS = (
    ("enter", "edit"),
    ("v", "verdict"),
    ("t", "text"),
    ("h", "hint"),
    ("j", "jaxpr"),
    ("d", "diff"),
    ("n", "next"),
    ("p", "previous"),
    ("l", "list"),
    ("c", "check again"),
    ("r", "reset"),
    ("q", "quit"),
)
PANEL_KEYS = (
    ("h", "hint"),
    ("v", "verdict"),
    ("t", "text"),
    ("j", "jaxpr"),
    ("d", "diff"),
    ("n", "next"),
    ("↑↓", "scroll"),
    ("+-", "size"),
    ("q", "quit"),
    ("?", "all"),
    ("esc", "back"),
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class State:
    """What the session is showing and doing."""

    lesson: Lesson
    path: Path
    view: str = "text"
    checked: Checked | None = None
    checking_since: float | None = None
    notices: list[str] = field(default_factory=list)
    offset: int | None = None  # None: where the view's point is
    over: bool = False
    moving: int = 0  # to another lesson, when the editor has been left


class Paper(io.TextIOWrapper):
    """A stream to draw on that has the real terminal's encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding, errors="replace")

    def isatty(self) -> bool:
        """Say that it is a terminal: what is drawn will be shown on one."""
        return True


class Notices(io.StringIO):
    """A stream that keeps what is written to it, so that warnings do not tear the screen."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def write(self, text: str) -> int:
        """Keep one notice."""
        self._state.notices.append(text.strip())
        return len(text)


class Session:
    """One run of `jaxtutor start`, on the session's side."""

    def __init__(self, app: App, lesson: Lesson, link: Link, begin: Begin) -> None:
        self.app = app
        self.link = link
        self.begin = begin
        self.state = State(lesson, file_to_check(app, lesson))
        self.events: SimpleQueue[Checked | tuple[Path, FileEvent]] = SimpleQueue()
        self.wake = Wake()
        self.size = Size(80, 24, 24)
        self.editor: Editor | None = None
        self.remote = Remote()
        self.beside: editors.Beside | Pane | None = None
        self.running = ""  # the place of an editor that has the terminal or a part of it
        self.commanding = False
        self.choice: tuple[Editor, ...] = ()  # asked of a learner who has set no editor
        self.asking: tuple[str, Callable[[], None]] | None = None
        self.lines: list[str] | None = None
        self.sent: Frame | None = None

    def run(self) -> None:
        """Go on until the learner quits or the terminal's process is gone."""
        self.app.stderr = Notices(self.state)
        self._remember_lesson()
        self.editor = self._find_editor()
        with ExitStack() as stack:
            stack.callback(self.wake.close)
            self.background = Background(self.app, self._tell)
            stack.callback(self.background.close)
            self.watch = Watch(self.state.path, lambda *event: self._tell(event))
            stack.callback(self.watch.stop)
            self.app.checker.prepare(self.state.lesson)
            stack.callback(self._leave_editor)
            stack.callback(self.remote.close)
            if self.editor and self.editor.kind == "windowed" and self.editor.origin != "found":
                self._edit()
            self._loop()
            words = f"{relative(self.state.path)} is yours. Go on with: jaxtutor start"
            self.link.send(Over(visible(words)))

    # ------------------------------------------------------------ events

    def _tell(self, event: Checked | tuple[Path, FileEvent]) -> None:
        """Take an event from any thread."""
        self.events.put(event)
        self.wake()

    def _loop(self) -> None:
        while not self.state.over:
            ready, _, _ = select.select([self.link.read, self.wake.read], [], [], self._patience())
            if ready:
                self.lines = None
            if self.wake.read in ready:
                self.wake.clear()
            if self.link.read in ready:
                for message in self.link.receive():
                    self._take(message)
            self._take_events()
            self._look_after_editor()
            self._draw()

    def _patience(self) -> float | None:
        """Return how long nothing need be drawn; a person's clock counts tenths."""
        if self.state.checking_since is not None:
            return TICK
        return LOOK_AFTER_EDITOR if self.beside else None

    def _take(self, message: Message) -> None:
        match message:
            case Size():
                if (message.panel, message.columns) != (self.size.panel, self.size.columns):
                    self.state.offset = None
                self.size = message
            case Pressed(keys):
                for key in keys:
                    self._press(key)
            case Left():
                self._take_left(message)

    def _take_events(self) -> None:
        while True:
            try:
                event = self.events.get_nowait()
            except Empty:
                return
            match event:
                case Checked():
                    self._take_verdict(event)
                case (path, Saved(data)) if path == self.state.path:
                    self._check(data)
                case (_, Missing()):
                    self.state.notices = ["The file is gone. Save it again, or press r."]
                case (_, Troubled(reason)):
                    self.state.notices = [f"The file cannot be read: {reason}."]

    def _take_verdict(self, checked: Checked) -> None:
        state = self.state
        if checked.lesson != state.lesson:
            return
        state.checking_since = None
        state.checked = checked
        # The first check is of the file as it was found; the learner is still reading.
        if state.view != "text" or checked.submission.text != state.lesson.starter:
            self._look_at("verdict")

    def _check(self, data: bytes) -> None:
        state = self.state
        state.notices = []
        try:
            submission = workspace.decode(state.path, data)
        except TutorError as error:
            self.background.cancel()
            state.checking_since = None
            state.notices = [error.message, error.remedy]
            return
        state.checking_since = time.monotonic()
        self.background.submit(state.lesson, submission)

    # ------------------------------------------------------------ keys

    def _press(self, key: str) -> None:
        if key in ("prefix", "leave"):
            self.commanding, self.asking = key == "prefix", None
            return
        if self.commanding and key not in STAYING:
            self.commanding = False
        if self.choice:
            self._choose_editor(key)
            return
        if self.asking:
            question, self.asking = self.asking, None
            if key == "y":
                question[1]()
            return
        actions: dict[str, Callable[[], None]] = {
            "enter": self._edit,
            "e": self._edit,
            "n": lambda: self._move(1),
            "p": lambda: self._move(-1),
            "c": self._check_again,
            "q": self._quit,
            "c-c": self._quit,
            "c-d": self._quit,
            "h": self._hint,
            "r": lambda: self._ask("Put the starter back? Your text is kept.", self._reset),
        }
        views = {"v": "verdict", "t": "text", "j": "jaxpr", "d": "diff", "l": "list", "?": "keys"}
        if key in actions:
            actions[key]()
        elif key in views:
            self._look_at(views[key])
        else:
            self._scroll(key)

    def _look_at(self, view: str) -> None:
        self.state.view = view
        self.state.offset = None

    def _scroll(self, key: str) -> None:
        page = max(self._room() - 1, 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "space": page, "b": -page}
        ends = {"home": 0, "end": 1 << 30}
        self.state.offset = max(ends.get(key, (self.state.offset or 0) + steps.get(key, 0)), 0)

    def _ask(self, question: str, then: Callable[[], None]) -> None:
        self.asking = (question + " y or n", then)

    def _reset(self) -> None:
        state, lesson = self.state, self.state.lesson
        try:
            if state.path.exists():
                present = workspace.read_bytes(state.path).decode("utf-8", "surrogateescape")
                self.app.store.keep_source(lesson.slug, present, "before reset")
            workspace.write_atomically(state.path, workspace.encode(lesson.starter))
            state.notices = ["The starter is back. Your text is in: jaxtutor history"]
        except TutorError as error:
            state.notices = [error.message, error.remedy]

    def _check_again(self) -> None:
        try:
            self._check(workspace.read_bytes(self.state.path))
        except TutorError as error:
            self.state.notices = [error.message, error.remedy]

    def _quit(self) -> None:
        if self.running and self.editor:
            name = self.editor.name
            self._ask(f"Quit, and close {name}? What is not saved is lost.", self._end)
        else:
            self._end()

    def _end(self) -> None:
        self.state.over = True

    def _hint(self) -> None:
        lesson = self.state.lesson
        try:
            shown = self.app.store.hints(lesson.slug)
            for rung in choose_rungs(len(lesson.info.hints), shown, False, False):
                self.app.store.record_hint(lesson.slug, rung)
        except StoreError as error:
            self.state.notices = [error.message, error.remedy]
        self._look_at("hint")

    def _move(self, step: int) -> None:
        target = self.app.course.after(self.state.lesson, step)
        if target is None:
            end = "last" if step > 0 else "first"
            self.state.notices = [f"This is the {end} lesson. l lists the course."]
        elif self.running and self.remote.open(file_to_check(self.app, target)):
            self._go_to(target)
        elif self.running and self.editor:
            self.state.moving = step
            name = self.editor.name
            self.state.notices = [f"Save and leave {name}: {target.slug} opens in it next."]
        else:
            self._go_to(target)

    def _go_to(self, target: Lesson) -> None:
        self.background.cancel()
        self.state = State(target, file_to_check(self.app, target))
        self.app.stderr = Notices(self.state)
        self._remember_lesson()
        self.app.checker.prepare(target)
        self.watch.retarget(self.state.path)
        if self.beside is not None:
            self._edit_beside()

    def _remember_lesson(self) -> None:
        try:
            self.app.store.set_current(self.state.lesson.slug)
        except StoreError as error:
            self.state.notices = [error.message, error.remedy]

    # ------------------------------------------------------------ the editor

    def _find_editor(self) -> Editor | None:
        """Find the learner's editor; without one the session goes on, watching."""
        try:
            found = editors.find_editor(self.app.environ, remembered=self._remembered())
        except EditorError as error:
            self.state.notices = [error.message, error.remedy]
            return None
        if isinstance(found, editors.NoEditor):
            self.state.notices = [found.how]
            return None
        return found

    def _remembered(self) -> str | None:
        try:
            return self.app.store.setting(EDITOR_SETTING)
        except StoreError:
            return None

    def _choose_editor(self, key: str) -> None:
        """Take the answer to the one question of a first run."""
        if key.isdigit() and 0 < int(key) <= len(self.choice):
            chosen = self.choice[int(key) - 1]
            self.editor, self.choice = replace(chosen, origin="remembered"), ()
            with suppress(StoreError):
                self.app.store.set_setting(EDITOR_SETTING, self.editor.command[0])
            self._edit()
        elif key in ("q", "c-c", "c-d"):
            self._quit()
        elif key == "escape":
            self.choice = ()

    def _layout(self, editor: Editor) -> Layout:
        environ = self.app.environ
        return choose_layout(
            "plain" if self.begin.plain else self.begin.layout,
            editor.name,
            editor.kind == "windowed",
            self.size.screen_rows,
            environ.get("TERM", ""),
            find_multiplexer(environ),
        )

    def _edit(self) -> None:
        """Open the file where there is room for it."""
        self.editor = self.editor or self._find_editor()
        if self.editor is None:
            return
        if self.editor.origin == "found" and not self.choice:
            self.choice = editors.find_installed(self.app.environ)[:9]
            if len(self.choice) > 1:
                return
        self.choice = ()
        layout = self._layout(self.editor)
        try:
            file_to_check(self.app, self.state.lesson)
        except TutorError as error:
            self.state.notices = [error.message, error.remedy]
            return
        self.state.notices = [layout.says]
        if layout.place in ("beside", "panes"):
            self._edit_beside()
            return
        self.running = layout.place
        rows = layout.place == "rows"
        command = (
            *self.editor.command,
            *self.remote.arguments(self.editor.name, self.editor.command[0]),
        )
        file = str(self.state.path)
        self.link.send(Edit(self.editor.name, command, file, self._line(), rows))
        self.state.offset = None

    def _take_left(self, left: Left) -> None:
        self.running, self.commanding, self.asking = "", False, None
        self.remote.close()
        assert self.editor is not None, "an editor was started"
        problem = left.problem or editors.describe_exit(self.editor, left.status, left.seconds)
        if self.state.checked is not None and not problem:
            self._look_at("verdict")
        self.state.notices = [problem] if problem else []
        step, self.state.moving = self.state.moving, 0
        target = self.app.course.after(self.state.lesson, step) if step else None
        if target is not None and not problem:
            self._go_to(target)
            self._edit()

    def _edit_beside(self) -> None:
        """Open the file in a window or a pane; one that is open stays so."""
        assert self.editor is not None, "an editor was found"
        self._leave_editor()
        try:
            if self.editor.kind == "windowed":
                self.beside = editors.open_beside(
                    self.editor, self.state.path, self._line(), self.app.environ
                )
            else:
                command = self.editor.open_at(self.state.path, self._line())
                self.beside = open_pane(command, self.size.columns)
        except EditorError as error:
            self.state.notices = [error.message, error.remedy]

    def _look_after_editor(self) -> None:
        """Notice that the editor beside has ended, and say if it ended badly."""
        try:
            problem = _problem(self.beside)
        except EditorError as error:
            problem = error.message
        if problem is None:
            return
        self.state.notices = [problem] if problem else []
        self.lines = None
        self._leave_editor()

    def _leave_editor(self) -> None:
        if isinstance(self.beside, editors.Beside):
            self.beside.leave()
        self.beside = None

    def _line(self) -> int:
        """Return the line of the TODO, where there is one still."""
        try:
            text = self.state.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return 1
        lines = text.splitlines()
        return next((n for n, line in enumerate(lines, 1) if "TODO" in line), 1)

    # ------------------------------------------------------------ drawing

    def _room(self) -> int:
        """Return the rows there are beside the line of status."""
        return max(self.size.rows - 1, 0)

    def _draw(self) -> None:
        """Send what is to be seen, if it is not what is seen already."""
        if self.running == "whole":
            return
        state = self.state
        if self.lines is None:
            wide = state.view == "jaxpr"
            self.app.console.width = min(self.size.columns, 1000 if wide else WIDEST)
            self.lines = self._render(self._parts())
        lines = self.lines
        if state.offset is None:
            state.offset = self._point(lines)
        state.offset = max(min(state.offset, len(lines) - self._room()), 0)
        shown = lines
        if not self.begin.plain:
            shown = lines[state.offset : state.offset + self._room()]
        if self._is_stale():
            shown = [f"\x1b[2m{_COLOUR.sub('', line)}\x1b[0m" for line in shown]
        below = max(len(lines) - self._room() - state.offset, 0)
        frame = Frame(tuple(shown), self._status(0 if self.begin.plain else below))
        if frame != self.sent:
            self.link.send(frame)
            self.sent = frame

    def _is_stale(self) -> bool:
        """Tell whether a verdict is shown while a newer one is being made."""
        coloured = bool(self.app.console.color_system)
        return coloured and self.state.view == "verdict" and self.state.checking_since is not None

    def _render(self, parts: list[RenderableType]) -> list[str]:
        with self.app.console.capture() as capture:
            for part in parts:
                self.app.console.print(part)
        return capture.get().rstrip("\n").split("\n")

    def _point(self, lines: list[str]) -> int:
        """Return where to begin: below an editor the lesson's problem, else the top."""
        if not self.size.panel or self.state.view != "text":
            return 0
        plain = [_COLOUR.sub("", line).strip() for line in lines]
        return next((index for index, line in enumerate(plain) if line == "Problem"), 0)

    def _parts(self) -> list[RenderableType]:
        state = self.state
        if self.choice:
            return self._draw_choice()
        notices: list[RenderableType] = [
            Text(visible(notice), style="mark", overflow="fold")
            for notice in state.notices
            if notice
        ]
        draw = {
            "text": self._draw_text,
            "verdict": self._draw_verdict,
            "jaxpr": self._draw_jaxpr,
            "diff": self._draw_diff,
            "list": self._draw_list,
            "hint": self._draw_hints,
            "keys": self._draw_keys,
        }[state.view]
        gap = [Text()] if notices and not self.size.panel else []
        return [*notices, *gap, *draw()]

    def _draw_text(self) -> list[RenderableType]:
        lesson = self.state.lesson
        chapter = self.app.course.chapter_of(lesson)
        page = pages.lesson_page(lesson, chapter, relative(self.state.path))
        return [page] if self.size.panel else [self._draw_place(), page]

    def _draw_place(self) -> Text:
        """Draw where in the course this is: a mark for each lesson of the chapter."""
        chapter = self.app.course.chapter_of(self.state.lesson)
        progress, marks = self._progress(), self.app.marks
        place = Text()
        passed = 0
        for lesson in chapter.lessons:
            status = progress.get(lesson.slug, Progress()).status
            passed += status == "passed"
            style = {"passed": "passed", "started": "mark", "new": "quiet"}[status]
            mark = {"passed": marks.lesson_passed, "started": marks.lesson_started}.get(status)
            if lesson == self.state.lesson:
                place.append(marks.here, style="mark")
            place.append((mark or marks.lesson_new) + " ", style=style)
        place = Text() if self.begin.plain else place
        place.append(f" {passed} of {len(chapter.lessons)} passed in this chapter", style="quiet")
        return place

    def _draw_verdict(self) -> list[RenderableType]:
        checked = self.state.checked
        if checked is None:
            return [Text("Nothing is checked yet: every save is.")]
        if checked.error is not None:
            return [Text(checked.error.message, style="failed"), Text(checked.error.remedy)]
        assert checked.verdict is not None, "a check has a verdict or an error"
        verdict, source = checked.verdict, checked.submission.text
        if not self.size.panel:
            return [draw_verdict(self.app, checked.lesson, verdict, source, self._next_step())]
        if verdict.status == "passed":
            new = checked.lesson.info.new
            return list(panel.draw_pass(self.app.renderer, verdict, new, self._next_step()))
        return list(panel.draw_verdict(self.app.renderer, verdict, source))

    def _next_step(self) -> str:
        checked = self.state.checked
        passed = checked and checked.verdict and checked.verdict.status == "passed"
        if not passed:
            return "Enter edits, h gives a hint."
        following = self.app.course.after(self.state.lesson)
        key = f"{self.begin.prefix} n" if self.running else "n"
        return f"{key} goes on to {following.slug}." if following else "That was the last lesson."

    def _draw_jaxpr(self) -> list[RenderableType]:
        verdict = self.state.checked.verdict if self.state.checked else None
        if verdict is None or verdict.jaxpr is None or verdict.reference_jaxpr is None:
            return [Text("There is no jaxpr yet: it takes a file that can be traced.")]
        return list(panel.draw_jaxprs(self.app.renderer, verdict.jaxpr, verdict.reference_jaxpr))

    def _draw_diff(self) -> list[RenderableType]:
        checked = self.state.checked
        if checked is None:
            return [Text("Nothing is saved yet.")]
        starter = checked.lesson.starter
        diff = self.app.renderer.source_diff(starter, checked.submission.text, ("starter", "yours"))
        return list(diff) or [Text("Your file and the starter are the same.")]

    def _draw_list(self) -> list[RenderableType]:
        slug = self.state.lesson.slug
        return list(pages.course_page(self.app.course, self._progress(), slug, self.app.marks))

    def _progress(self) -> dict[str, Progress]:
        try:
            return self.app.store.progress()
        except StoreError:
            return {}

    def _draw_hints(self) -> list[RenderableType]:
        """Draw the rungs taken so far, the newest first where there is little room."""
        hints = self.state.lesson.info.hints
        rungs = [rung for rung in self._shown_hints() if rung <= len(hints)]
        parts: list[RenderableType] = []
        for rung in reversed(rungs) if self.size.panel else rungs:
            parts += [
                Text(f"Hint {rung} of {len(hints)}", style="title"),
                self.app.renderer.prose(hints[rung - 1]),
            ]
            parts += [] if self.size.panel else [Text()]
        return parts

    def _shown_hints(self) -> tuple[int, ...]:
        try:
            return self.app.store.hints(self.state.lesson.slug)
        except StoreError:
            return ()

    def _draw_keys(self) -> list[RenderableType]:
        more = [*KEYS, ("arrows, space, b", "scroll")]
        if self.size.panel:
            more += [("+ -", "rows here"), (f"{self.begin.prefix} twice", "is the editor's")]
        else:
            more += [("Ctrl-Z", "suspend")]
        across = max(self.app.console.width // 36, 1) if self.size.panel else 1
        table = Table.grid(padding=(0, 2))
        down = -(-len(more) // across)
        for row in range(down):
            cells: list[Text] = []
            for key, does in more[row::down]:
                cells += [Text(key, style="key", justify="right"), Text(does)]
            table.add_row(*cells)
        return [table]

    def _draw_choice(self) -> list[RenderableType]:
        asks = Text("Which editor? It is remembered; VISUAL or EDITOR come before it.")
        lines = [
            Text.assemble((f"{number:>4}", "key"), f"  {editor.name}")
            for number, editor in enumerate(self.choice, 1)
        ]
        return [Text(), asks, Text(), *lines]

    # ------------------------------------------------------------ the line of status

    def _status(self, below: int) -> str:
        """Set the line of status: the lesson, what is going on, and the keys."""
        columns = self.size.columns
        if self.asking:
            line = Text(f" {self.asking[0]} ", style="mark")
        elif self.commanding:
            line = self._with_keys(Text(), PANEL_KEYS)
        elif self.size.panel:
            keys = Text(f"{self.begin.prefix} keys ")
            line = self._standing_in(columns - keys.cell_len, below)
            line.append(" " * max(columns - line.cell_len - keys.cell_len, 0)).append(keys)
        else:
            line = self._with_keys(self._standing_in(columns - 34, below), KEYS)
        line.truncate(columns, pad=self.size.panel)
        if self.size.panel:
            line.stylize("reverse")
        return self._render_line(line)

    def _standing_in(self, columns: int, below: int) -> Text:
        """Say as much of how things stand as there is room for."""
        lesson = self.state.lesson
        number, place = Text(f" {lesson.number}"), Text(f" {lesson.number} {lesson.slug}")
        standing = self._standing()
        hint = Text(self._hints_taken())
        more = Text(f"{below} more below" if below else "", style="quiet")
        choices = (
            (place, standing, hint, more),
            (place, standing, more),
            (number, standing, more),
            (number, standing),
        )
        lines = [Text("  ").join(part for part in parts if part) for parts in choices]
        return next((line for line in lines if line.cell_len + 2 <= columns), lines[-1])

    def _with_keys(self, line: Text, keys: tuple[tuple[str, str], ...]) -> Text:
        for key, does in keys:
            if line.cell_len + len(key) + len(does) + 11 > self.size.columns:
                return line.append("  ").append("?", style="key").append(" more")
            line.append("  ").append(key, style="key").append(f" {does}")
        return line

    def _hints_taken(self) -> str:
        taken = [rung for rung in self._shown_hints() if rung <= len(self.state.lesson.info.hints)]
        return f"hint {max(taken)} of {len(self.state.lesson.info.hints)}" if taken else ""

    def _render_line(self, line: Text) -> str:
        console = self.app.console
        width, console.width = console.width, max(self.size.columns, 1)
        try:
            return self._render([line])[0]
        finally:
            console.width = width

    def _standing(self) -> Text:
        state, marks = self.state, self.app.marks
        if state.checking_since is not None:
            return Text(f"checking {time.monotonic() - state.checking_since:.1f} s", style="mark")
        verdict = state.checked.verdict if state.checked else None
        if verdict is None:
            return Text("")
        passed = verdict.status == "passed"
        mark, style = (marks.passed, "passed") if passed else (marks.failed, "failed")
        says = verdict.status.replace("_", " ")
        if verdict.failure is not None and verdict.status == "raised":
            says = verdict.failure.error_class
        return Text(f"{mark} {says}", style=style)


def _problem(beside: editors.Beside | Pane | None) -> str | None:
    """Say how an editor beside ended, in no words if well; None while it runs."""
    if isinstance(beside, editors.Beside):
        return None if beside.process.poll() is None else beside.report() or ""
    return "" if beside is not None and not beside.is_open() else None


def main(arguments: list[str]) -> None:
    """Serve the process at the terminal, over the two pipes whose numbers are the arguments."""
    read, write = map(int, arguments)
    link = Link(read, write)
    try:
        begin, *others = link.receive()
        assert isinstance(begin, Begin), "the first message says what to begin"
        _serve(link, begin, others)
    except EOFError:
        return


def _serve(link: Link, begin: Begin, others: list[Message]) -> None:
    options = Options(
        begin.device,
        False,
        begin.plain,
        Path(begin.course) if begin.course else None,
        Path(begin.workspace) if begin.workspace else None,
    )
    app = App(options, Paper(begin.encoding), io.StringIO(), os.environ)
    try:
        session = Session(app, app.course.find(begin.lesson), link, begin)
        for message in others:
            session._take(message)
        session.run()
    finally:
        app.close()


if __name__ == "__main__":
    main(sys.argv[1:])
