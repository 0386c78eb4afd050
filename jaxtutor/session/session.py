"""Owns the live session: events change the state, and what is to be seen is drawn from the state.

It runs beside the process at the terminal (`jaxtutor.session.terminal_process`), which sends it
keys and sizes and shows the lines it gets. Saves are checked in the background meanwhile.
"""

from __future__ import annotations

import io
import os
import select
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue

from jaxtutor.app import App
from jaxtutor.checking.attempts import file_to_check
from jaxtutor.checking.background import Background, CheckFinished, FixTried
from jaxtutor.checking.file_watcher import FileWatcher
from jaxtutor.content.course import Lesson
from jaxtutor.core.debounce import FileEvent, InitialContent, Missing, ReadFailed, Saved
from jaxtutor.core.learning.progress import choose_rungs, is_past_last
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError, TutorError
from jaxtutor.options import Options
from jaxtutor.session.editor_control import EditorControl
from jaxtutor.session.messages import (
    STAYING,
    Begin,
    EditorExited,
    KeysPressed,
    Message,
    MessageChannel,
    ScreenUpdate,
    SessionOver,
    Size,
)
from jaxtutor.session.state import SessionState
from jaxtutor.session.tty import Wake
from jaxtutor.session.views import Views
from jaxtutor.storage import workspace
from jaxtutor.storage.workspace import Submission

TICK = 0.1
LOOK_AFTER_EDITOR = 1.0
AGE = 30.0
"""Seconds after which what is told with its age is drawn anew."""
VIEWS = {
    "v": "verdict",
    "t": "text",
    "f": "fix",
    "j": "jaxpr",
    "d": "diff",
    "a": "attempts",
    "l": "list",
    "?": "keys",
}


Happening = CheckFinished | FixTried | tuple[Path, FileEvent]


class EncodedStream(io.TextIOWrapper):
    """A stream to draw on that has the real terminal's encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding, errors="replace")

    def isatty(self) -> bool:
        """Say that it is a terminal: what is drawn will be shown on one."""
        return True


class WarningBuffer(io.StringIO):
    """A stream that keeps what is written to it, so that warnings do not tear the screen."""

    def __init__(self, state: SessionState) -> None:
        super().__init__()
        self._state = state

    def write(self, text: str) -> int:
        """Keep one notice."""
        self._state.notices.append(text.strip())
        return len(text)


class Session:
    """One run of `jaxtutor start`, on the session's side."""

    def __init__(self, app: App, lesson: Lesson, link: MessageChannel, begin: Begin) -> None:
        self._app = app
        self._link = link
        self._plain = begin.plain
        self._state = SessionState(lesson, file_to_check(app, lesson))
        self._views = Views(app, begin, self._state)
        self._desk = EditorControl(app, begin, self._state, link)
        self._events: SimpleQueue[Happening] = SimpleQueue()
        self._wake = Wake()
        self._lines: list[str] | None = None  # what the view shows, until something happens
        self._sent: ScreenUpdate | None = None
        self._submitted: Submission | None = None  # the newest; only its verdict is waited for

    def run(self) -> None:
        """Go on until the learner quits or the terminal's process is gone."""
        state = self._state
        self._app.stderr = WarningBuffer(state)
        self._remember_lesson()
        self._desk.find()
        with ExitStack() as stack:
            stack.callback(self._wake.close)
            self._background = Background(self._app, self._tell)
            stack.callback(self._background.close)
            self._watch = FileWatcher(state.path, lambda *event: self._tell(event))
            stack.callback(self._watch.stop)
            self._app.checker.prepare(state.lesson)
            stack.callback(self._desk.close)
            self._desk.open_window()
            self._loop()
            words = f"{relative(state.path)} is yours. Go on with: jaxtutor start"
            self._link.send(SessionOver(visible(words)))

    # ------------------------------------------------------------ events

    def _tell(self, event: Happening) -> None:
        """Take an event from any thread."""
        self._events.put(event)
        self._wake()

    def _loop(self) -> None:
        while not self._state.over:
            readers = [self._link.read, self._wake.read]
            ready, _, _ = select.select(readers, [], [], self._patience())
            if ready or self._state.view == "attempts":
                self._lines = None
            if self._wake.read in ready:
                self._wake.clear()
            if self._link.read in ready:
                for message in self._link.receive():
                    self.take(message)
            self._take_events()
            self._look_after_editor()
            self._draw()

    def _patience(self) -> float | None:
        """Return how long nothing need be drawn; a clock counts tenths, but not in print."""
        if self._state.checking_since is not None and not self._plain:
            return TICK
        if self._desk.is_beside:
            return LOOK_AFTER_EDITOR
        return AGE if self._state.view == "attempts" else None

    def take(self, message: Message) -> None:
        """Take a message from the terminal's process."""
        state = self._state
        match message:
            case Size():
                if (message.panel, message.columns) != (state.size.panel, state.size.columns):
                    state.offset = None
                state.size, self._sent = message, None  # whatever was seen may be gone
            case KeysPressed(keys):
                for key in keys:
                    self._press(key)
            case EditorExited():
                self._take_end(self._desk.take_end(message))

    def _take_events(self) -> None:
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                return
            match event:
                case CheckFinished():
                    self._take_verdict(event)
                case FixTried() if event.checked is self._state.checked:
                    self._state.trying, self._state.tried = None, event
                case (path, told) if path == self._state.path:
                    self._take_file(told)

    def _take_file(self, event: FileEvent) -> None:
        """Take what the watch told of the lesson's file."""
        match event:
            case InitialContent(data):
                self._check(data, saved=False)
            case Saved(data):
                self._check(data)
            case Missing():
                again = f"Save it again, or press {self._views.key('r')}."
                self._cannot_read("The file is gone.", again)
            case ReadFailed(reason):
                self._cannot_read(f"The file cannot be read: {reason}.")

    def _take_verdict(self, checked: CheckFinished) -> None:
        state = self._state
        if checked.submission is not self._submitted:  # overtaken on its way here
            return
        state.checking_since = None
        state.checked = checked
        if state.view == "verdict":
            state.offset = None
        self._try_fix()

    def _try_fix(self) -> None:
        """Have a fix tried, once every hint was taken, and where it can be seen."""
        state = self._state
        checked = state.checked
        if (
            checked is not None
            and state.has_failed
            and state.running != "whole"
            and checked not in (state.trying, state.tried and state.tried.checked)
            and is_past_last(self._views.ladder(), self._views.shown_hints())
        ):
            state.trying = checked
            self._background.try_fix(checked, self._tell)

    def _check(self, data: bytes, saved: bool = True) -> None:
        state = self._state
        try:
            submission = workspace.decode(state.path, data)
        except TutorError as error:
            self._cannot_read(error.message, error.remedy)
            return
        state.trying = state.tried = None
        # Of a file as it was given there is nothing to see: the learner is still reading, and what
        # was said, of the editor or of a reset, holds still.
        state.given = not saved and submission.text == state.lesson.starter
        if not state.given:
            state.look_at("verdict")
        if state.unread or not state.given:
            state.tell()
            state.unread = False
        state.checking_since = time.monotonic()
        self._submitted = submission
        self._background.submit(state.lesson, submission)

    def _cannot_read(self, *notices: str) -> None:
        """Say why what is in the file now was not checked."""
        self._background.cancel()
        self._submitted = None
        self._state.checking_since, self._state.unread = None, True
        self._state.trying = None
        self._state.tell(*notices)

    # ------------------------------------------------------------ keys

    def _press(self, key: str) -> None:
        state = self._state
        if key in ("prefix", "leave"):
            state.commanding, state.asking = key == "prefix", None
            return
        state.commanding = state.commanding and key in STAYING
        if state.asking:
            (_, then), state.asking = state.asking, None
            if key == "y":
                then()
        elif state.choice and key not in ("q", "c-c", "c-d"):
            self._desk.choose(key)
        elif key in VIEWS:
            state.look_at(VIEWS[key])
        else:
            self._act(key)

    def _act(self, key: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "enter": self._desk.open,
            "e": self._desk.open,
            "n": lambda: self._move(1),
            "p": lambda: self._move(-1),
            "c": self._check_again,
            "q": self._quit,
            "c-c": self._quit,
            "c-d": self._quit,
            "h": self._hint,
            "r": lambda: self._ask("Put the starter back? Your text is kept.", self._reset),
        }
        if key in actions:
            actions[key]()
        else:
            self._state.scroll(key)

    def _ask(self, question: str, then: Callable[[], None]) -> None:
        self._state.asking = (question, then)

    def _reset(self) -> None:
        state, lesson = self._state, self._state.lesson
        try:
            present = workspace.present(state.path)
            if present is not None:
                self._app.store.keep_source(lesson.slug, present, "before reset")
            workspace.write_atomically(state.path, workspace.encode(lesson.starter))
            self._watch.retarget(state.path)
            state.look_at("text")
            state.unread = False
            state.tell("The starter is back. Your text is in: jaxtutor history")
        except TutorError as error:
            state.tell_of(error)

    def _check_again(self) -> None:
        try:
            self._check(workspace.read_bytes(self._state.path))
        except TutorError as error:
            self._cannot_read(error.message, error.remedy)

    def _quit(self) -> None:
        if self._state.running:
            lost = "What is not saved is lost."
            self._ask(f"Quit, and close {self._desk.name}? {lost}", self._end)
        else:
            self._end()

    def _end(self) -> None:
        self._state.over = True

    def _hint(self) -> None:
        lesson = self._state.lesson
        ladder, shown = self._views.ladder(), self._views.shown_hints()
        if is_past_last(ladder, shown):
            self._state.look_at("fix")
            return
        try:
            for rung in choose_rungs(ladder, shown):
                self._app.store.record_hint(lesson.slug, rung.number)
        except StoreError as error:
            self._state.tell_of(error)
        self._state.look_at("hint")
        self._try_fix()

    # ------------------------------------------------------------ from lesson to lesson

    def _move(self, step: int) -> None:
        state = self._state
        target = self._app.course.after(state.lesson, step)
        if target is None:
            end = "last" if step > 0 else "first"
            state.tell(f"This is the {end} lesson. {self._views.key('l')} lists the course.")
        elif self._desk.open_in_running(file_to_check(self._app, target)):
            self._go_to(target)
        elif not self._desk.has_file_open:
            self._go_to(target)
            if self._desk.follows:
                self._desk.open()
        else:
            state.moving = step
            state.tell(f"Save and leave {self._desk.name}: {target.slug} opens in it next.")

    def _go_to(self, target: Lesson) -> None:
        self._background.cancel()
        self._submitted = None
        self._state.begin(target, file_to_check(self._app, target))
        self._remember_lesson()
        self._app.checker.prepare(target)
        self._watch.retarget(self._state.path)

    def _remember_lesson(self) -> None:
        try:
            self._app.store.set_current(self._state.lesson.slug)
        except StoreError as error:
            self._state.tell_of(error)

    def _look_after_editor(self) -> None:
        """Notice that the editor beside has ended."""
        problem = self._desk.look_beside()
        if problem is not None:
            self._lines = None
            self._take_end(problem)

    def _take_end(self, problem: str) -> None:
        """Show the verdict after the editor, or open the lesson that is to come next in it."""
        state = self._state
        step, state.moving = state.moving, 0
        target = self._app.course.after(state.lesson, step) if step else None
        if problem:
            state.tell(problem)
        elif target is not None:
            self._go_to(target)
            self._desk.open()
        else:
            state.tell()
            state.look_at("verdict")
        self._try_fix()

    # ------------------------------------------------------------ drawing

    def _draw(self) -> None:
        """Send what is to be seen, if it is not what is seen already."""
        state = self._state
        if state.running == "whole":
            return
        if self._lines is None:
            self._lines = self._views.lines()
        lines = shown = self._lines
        below = 0
        if not self._plain:
            offset = self._views.point(lines) if state.offset is None else state.offset
            state.offset = max(min(offset, len(lines) - state.room), 0)
            shown = lines[state.offset : state.offset + state.room]
            below = max(len(lines) - state.room - state.offset, 0)
        frame = ScreenUpdate(tuple(shown), self._views.status(below))
        if frame != self._sent:
            self._link.send(frame)
            self._sent = frame


def main(arguments: list[str]) -> None:
    """Serve the process at the terminal, over the two pipes whose numbers are the arguments."""
    read, write = map(int, arguments)
    link = MessageChannel(read, write)
    try:
        begin, *others = link.receive()
        assert isinstance(begin, Begin), "the first message says what to begin"
        _serve(link, begin, others)
    except EOFError:  # the terminal's process is gone, and so is all that it wanted
        return


def _serve(link: MessageChannel, begin: Begin, others: list[Message]) -> None:
    options = Options(
        begin.device,
        False,
        begin.plain,
        Path(begin.course) if begin.course else None,
        Path(begin.workspace) if begin.workspace else None,
    )
    app = App(options, EncodedStream(begin.encoding), io.StringIO(), os.environ)
    try:
        session = Session(app, app.course.find(begin.lesson), link, begin)
        for message in others:
            session.take(message)
        session.run()
    finally:
        app.close()


if __name__ == "__main__":
    main(sys.argv[1:])
