"""Owns the live session: events change the state, and the screen is drawn from the state.

Saves are watched and checked behind; the keys stay alive meanwhile. A terminal editor has the
terminal to itself while it runs, and the verdict stands there when it leaves.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from jaxtutor import editor as editors
from jaxtutor import workspace
from jaxtutor.attempts import file_to_check
from jaxtutor.commands import choose_rungs, draw_verdict
from jaxtutor.core.settling import Event as FileEvent
from jaxtutor.core.settling import Missing, Saved, Troubled
from jaxtutor.course import Lesson
from jaxtutor.errors import EditorError, StoreError, TutorError
from jaxtutor.ui import pages
from jaxtutor.ui.background import Background, Checked
from jaxtutor.ui.look import visible
from jaxtutor.ui.render import WIDEST, relative
from jaxtutor.ui.screen import Keys, Screen, Wake
from jaxtutor.watch import Watch

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.editor import Editor

TICK = 0.1
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


@dataclass
class State:
    """What the session is showing and doing."""

    lesson: Lesson
    path: Path
    view: str = "text"
    checked: Checked | None = None
    checking_since: float | None = None
    notices: list[str] = field(default_factory=list)
    offset: int = 0
    asking: str = ""
    over: bool = False


def start(app: App, name: str | None) -> int:
    """Run a session; without a person at the terminal, print the lesson and where its file is."""
    lesson = app.lesson(name)
    if not app.interactive:
        from jaxtutor.commands import print_page

        file_to_check(app, lesson)
        print_page(app, lesson)
        return 0
    return Session(app, lesson).run()


class Notices:
    """A stream that keeps what is written to it, so that warnings do not tear the screen."""

    def __init__(self, state: State) -> None:
        self._state = state

    def write(self, text: str) -> int:
        """Keep one notice."""
        self._state.notices.append(text.strip())
        return len(text)

    def flush(self) -> None:
        """Do nothing: what was written is kept."""


class Session:
    """One run of `jaxtutor start`."""

    def __init__(self, app: App, lesson: Lesson) -> None:
        self.app = app
        self.state = State(lesson, file_to_check(app, lesson))
        self.events: SimpleQueue[Checked | tuple[Path, FileEvent]] = SimpleQueue()
        self.wake = Wake()
        self.keys = Keys()
        self.screen = Screen(app.stdout, app.console, app.options.plain)
        self.editor = self._find_editor()
        self.beside: editors.Beside | None = None

    def run(self) -> int:
        """Go on until the learner quits; the terminal is given back whatever happens."""
        self.app.stderr = Notices(self.state)  # type: ignore[assignment]
        self._remember_lesson()
        with ExitStack() as stack:
            stack.callback(self.wake.close)
            stack.callback(self._say_goodbye)
            stack.enter_context(self.wake.on(signal.SIGWINCH))
            stack.enter_context(self.wake.on(signal.SIGTERM, signal.SIGHUP, then=self._quit))
            self.background = Background(self.app, self._tell)
            stack.callback(self.background.close)
            self.watch = Watch(self.state.path, lambda *event: self._tell(event))
            stack.callback(self.watch.stop)
            self.app.checker.prepare(self.state.lesson)
            stack.enter_context(self.screen.entered())
            stack.enter_context(self.keys.raw())
            stack.callback(self._leave_editor)
            self._edit_beside()
            self._loop()
        return 0

    # ------------------------------------------------------------ events

    def _tell(self, event: Checked | tuple[Path, FileEvent]) -> None:
        """Take an event from any thread."""
        self.events.put(event)
        self.wake()

    def _loop(self) -> None:
        while not self.state.over:
            self._draw()
            for key in self.keys.wait(self.wake, self._patience()):
                self._press(key)
            self._take_events()
            self._look_after_editor()

    def _patience(self) -> float | None:
        """Return how long nothing need be drawn; a person's clock counts tenths."""
        if self.state.checking_since is not None:
            return TICK
        return LOOK_AFTER_EDITOR if self.beside else None

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
        state = self.state
        if state.asking:
            self._answer(key)
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
            "c-z": self._suspend,
            "h": self._hint,
            "r": lambda: self._ask("Put the starter back? Your text is kept. y or n"),
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
        self.state.offset = 0

    def _scroll(self, key: str) -> None:
        _, rows = self.screen.size()
        page = max(rows - 3, 1)
        steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page, "space": page, "b": -page}
        ends = {"home": 0, "end": 1 << 30}
        self.state.offset = max(ends.get(key, self.state.offset + steps.get(key, 0)), 0)

    def _ask(self, question: str) -> None:
        self.state.asking = question

    def _answer(self, key: str) -> None:
        self.state.asking = ""
        if key != "y":
            return
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
            return
        self.background.cancel()
        self.state = State(target, file_to_check(self.app, target))
        self.app.stderr = Notices(self.state)  # type: ignore[assignment]
        self._remember_lesson()
        self.app.checker.prepare(target)
        self.watch.retarget(self.state.path)
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
            found = editors.find_editor(self.app.environ)
        except EditorError as error:
            self.state.notices = [error.message, error.remedy]
            return None
        if isinstance(found, editors.NoEditor):
            self.state.notices = [found.how]
            return None
        return found

    def _edit(self) -> None:
        """Open the file: in a window beside, or here until the editor leaves."""
        self.editor = self.editor or self._find_editor()
        if self.editor is None:
            return
        try:
            file_to_check(self.app, self.state.lesson)
            if self.editor.kind == "windowed":
                self._edit_beside()
            else:
                self._edit_here(self.editor)
        except TutorError as error:
            self.state.notices = [error.message, error.remedy]

    def _edit_beside(self) -> None:
        if self.editor is None or self.editor.kind != "windowed":
            return
        self._leave_editor()
        try:
            self.beside = editors.open_beside(
                self.editor, self.state.path, self._line(), self.app.environ
            )
        except EditorError as error:
            self.state.notices = [error.message, error.remedy]

    def _look_after_editor(self) -> None:
        """Notice that the editor beside has ended, and say if it ended badly."""
        if self.beside is None or self.beside.process.poll() is None:
            return
        problem = self.beside.report()
        if problem:
            self.state.notices = [problem]
        self._leave_editor()

    def _leave_editor(self) -> None:
        if self.beside is not None:
            self.beside.leave()
            self.beside = None

    def _edit_here(self, editor: Editor) -> None:
        """Hand the terminal over; the verdict of the last save stands there when it comes back."""
        began = time.monotonic()
        with self.screen.left(), self.keys.cooked():
            status = editors.open_in_foreground(
                editor, self.state.path, self._line(), self.app.environ
            )
        self._look_at("verdict")
        problem = editors.describe_exit(editor, status, time.monotonic() - began)
        if problem:
            self.state.notices = [problem]

    def _line(self) -> int:
        """Return the line of the TODO, where there is one still."""
        try:
            text = self.state.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return 1
        lines = text.splitlines()
        return next((n for n, line in enumerate(lines, 1) if "TODO" in line), 1)

    def _suspend(self) -> None:
        with self.screen.left(), self.keys.cooked():
            os.kill(os.getpid(), signal.SIGSTOP)

    # ------------------------------------------------------------ drawing

    def _draw(self) -> None:
        state = self.state
        lines = self.screen.render(self._parts(), WIDEST)
        _, rows = self.screen.size()
        state.offset = max(min(state.offset, len(lines) - (rows - 1)), 0)
        self.screen.paint(lines, state.offset, self._status(len(lines), rows))

    def _parts(self) -> list[RenderableType]:
        state = self.state
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
        return [*notices, *([Text()] if notices else []), *draw()]

    def _draw_text(self) -> list[RenderableType]:
        lesson = self.state.lesson
        chapter = self.app.course.chapter_of(lesson)
        return [pages.lesson_page(lesson, chapter, relative(self.state.path))]

    def _draw_verdict(self) -> list[RenderableType]:
        checked = self.state.checked
        if checked is None:
            return [Text("Nothing is checked yet: every save is.")]
        if checked.error is not None:
            return [Text(checked.error.message, style="failed"), Text(checked.error.remedy)]
        assert checked.verdict is not None, "a check has a verdict or an error"
        return [
            draw_verdict(
                self.app,
                checked.lesson,
                checked.verdict,
                checked.submission.text,
                self._next_step(),
            )
        ]

    def _next_step(self) -> str:
        checked = self.state.checked
        passed = checked and checked.verdict and checked.verdict.status == "passed"
        if not passed:
            return "Enter edits, h gives a hint."
        following = self.app.course.after(self.state.lesson)
        return f"n goes on to {following.slug}." if following else "That was the last lesson."

    def _draw_jaxpr(self) -> list[RenderableType]:
        verdict = self.state.checked.verdict if self.state.checked else None
        if verdict is None or verdict.jaxpr is None or verdict.reference_jaxpr is None:
            return [Text("There is no jaxpr yet: it takes a file that can be traced.")]
        return list(self.app.renderer.jaxpr_diff(verdict.jaxpr, verdict.reference_jaxpr))

    def _draw_diff(self) -> list[RenderableType]:
        checked = self.state.checked
        if checked is None:
            return [Text("Nothing is saved yet.")]
        starter = checked.lesson.starter
        diff = self.app.renderer.source_diff(starter, checked.submission.text, ("starter", "yours"))
        return list(diff) or [Text("Your file and the starter are the same.")]

    def _draw_list(self) -> list[RenderableType]:
        try:
            progress = self.app.store.progress()
        except StoreError:
            progress = {}
        slug = self.state.lesson.slug
        return list(pages.course_page(self.app.course, progress, slug, self.app.marks))

    def _draw_hints(self) -> list[RenderableType]:
        hints = self.state.lesson.info.hints
        try:
            shown = self.app.store.hints(self.state.lesson.slug)
        except StoreError:
            shown = ()
        parts: list[RenderableType] = []
        for rung in (rung for rung in shown if rung <= len(hints)):
            parts += [
                Text(f"Hint {rung} of {len(hints)}", style="title"),
                self.app.renderer.prose(hints[rung - 1]),
                Text(),
            ]
        return parts

    def _draw_keys(self) -> list[RenderableType]:
        more = (("arrows, space, b", "scroll"), ("Ctrl-Z", "suspend"), ("?", "these keys"))
        return [Text.assemble((f"{key:>18}", "key"), f"  {does}") for key, does in (*KEYS, *more)]

    def _status(self, lines: int, rows: int) -> str:
        """Set the last row: the lesson, what is going on, and as many keys as there is room for."""
        state = self.state
        columns, _ = self.screen.size()
        if state.asking:
            left = Text(f" {state.asking} ", style="mark")
        else:
            left = Text.assemble(f" {state.lesson.number} {state.lesson.slug}  ", self._standing())
        below = lines - (rows - 1) - state.offset
        if below > 0 and not self.screen.plain:
            left.append(f"  {below} lines below", style="quiet")
        for key, does in KEYS:
            if len(left.plain) + len(key) + len(does) + 4 > columns - 2:
                left.append("  ?", style="key")
                break
            left.append("  ")
            left.append(key, style="key")
            left.append(f" {does}")
        return "".join(self.screen.render([left], columns)[:1])

    def _standing(self) -> Text:
        state, marks = self.state, self.app.marks
        if state.checking_since is not None:
            return Text(f"checking {time.monotonic() - state.checking_since:.1f} s", style="mark")
        verdict = state.checked.verdict if state.checked else None
        if verdict is None:
            return Text("")
        passed = verdict.status == "passed"
        mark, style = (marks.passed, "passed") if passed else (marks.failed, "failed")
        return Text(f"{mark} {verdict.status.replace('_', ' ')}", style=style)

    def _say_goodbye(self) -> None:
        state = self.state
        self.app.console.print(
            Text(f"{relative(state.path)} is yours. Go on with: jaxtutor start", overflow="fold")
        )
