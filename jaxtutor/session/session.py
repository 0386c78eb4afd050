"""Runs the live session: events change its state, and the screen is drawn from the state.

The process at the terminal (`jaxtutor.session.terminal_process`) sends it keys and sizes, and shows
the lines that it sends back. Saves are checked in a background thread.
"""

from __future__ import annotations

import io
import select
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from queue import Empty, SimpleQueue

from jaxtutor.app import App
from jaxtutor.checks.attempts import file_to_check
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning.progress import choose_rungs, is_past_last
from jaxtutor.core.terminal.chooser import press, resume, uses
from jaxtutor.core.terminal.routing import EVERY_KEY, IN_A_LIST
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import visible
from jaxtutor.errors import StoreError
from jaxtutor.session.editor_control import EditorControl
from jaxtutor.session.key_tables import READ_ON, USED, VIEWS
from jaxtutor.session.learner_file import LearnerFile, SessionEvent
from jaxtutor.session.messages import (
    Begin,
    EditorExited,
    KeysPressed,
    Message,
    MessageChannel,
    ScreenUpdate,
    SessionOver,
    Size,
)
from jaxtutor.session.state import SLOW_SECONDS, SessionState
from jaxtutor.session.tty import Wake
from jaxtutor.session.views import Views
from jaxtutor.system.packages import MissingPackages
from jaxtutor.watch.background import CheckAdvanced, CheckFinished, FixTried

TICK = 0.1
"""Seconds between updates of the running time of a check."""
EDITOR_POLL_SECONDS = 1.0
QUIT = ("q", "c-c", "c-d")
AGE_SECONDS = 30.0
"""Seconds after which ages on the screen are updated."""


class WarningBuffer(io.StringIO):
    """A stream that turns warnings into notices, which do not disturb the screen."""

    def __init__(self, notices: list[str]) -> None:
        super().__init__()
        self._notices = notices

    def write(self, text: str) -> int:
        """Add one notice."""
        self._notices.append(text.strip())
        return len(text)


class Session:
    """The session side of one run of `jaxtutor start`."""

    def __init__(self, app: App, lesson: Lesson, channel: MessageChannel, begin: Begin) -> None:
        self._app = app
        self._channel = channel
        self._plain = begin.plain
        notices: list[str] = []
        app.stderr = WarningBuffer(notices)
        view = "welcome" if begin.welcome else "text"
        self._state = SessionState(lesson, file_to_check(app, lesson), view, notices=notices)
        self._views = Views(app, begin, self._state)
        self._editor_control = EditorControl(app, begin, self._state, channel)
        self._events: SimpleQueue[SessionEvent] = SimpleQueue()
        self._wake = Wake()
        self._lines: list[str] | None = None  # the lines of the view; None to draw them again
        self._was_slow = False
        self._sent: ScreenUpdate | None = None
        self._keys_seen = 0
        self._file = LearnerFile(
            app, self._state, self._views.hints, self._post, self._editor_control.reload
        )

    def run(self, early: Iterable[Message] = ()) -> None:
        """Run until the learner quits or the process at the terminal is gone.

        `early` are messages that came before the session was ready: keys may have been pressed.
        """
        state = self._state
        self._remember_lesson()
        self._editor_control.find()
        with ExitStack() as stack:
            stack.callback(self._wake.close)
            self._file.open()
            stack.callback(self._file.close)
            self._app.checker.prepare(state.lesson)
            stack.callback(self._editor_control.close)
            for each in early:
                self.handle(each)
            self._editor_control.open_window()
            self._loop()
            message = f"Your file: {relative(state.path)}\nContinue with: jaxtutor start"
            self._channel.send(SessionOver(visible(message)))

    @property
    def has_editor(self) -> bool:
        """Return whether an editor runs in the terminal."""
        return bool(self._state.running)

    # ------------------------------------------------------------ events

    def _post(self, event: SessionEvent) -> None:
        """Queue an event, from any thread."""
        self._events.put(event)
        self._wake()

    def _loop(self) -> None:
        while not self._state.over:
            readers = [self._channel.read, self._wake.read]
            ready, _, _ = select.select(readers, [], [], self._timeout())
            is_slow = self._state.is_slow
            if ready or self._state.view == "attempts" or is_slow != self._was_slow:
                self._lines, self._was_slow = None, is_slow
            if self._wake.read in ready:
                self._wake.clear()
            if self._channel.read in ready:
                for message in self._channel.receive():
                    self.handle(message)
            self._handle_events()
            self._check_editor()
            self._draw()

    def _timeout(self) -> float | None:
        """Return the seconds until the next update: a running check shows tenths of seconds."""
        if self._state.checking_since is not None and not (self._plain and self._state.is_slow):
            return SLOW_SECONDS if self._plain else TICK
        if self._editor_control.is_beside:
            return EDITOR_POLL_SECONDS
        return AGE_SECONDS if self._state.view == "attempts" else None

    def handle(self, message: Message) -> None:
        """Handle a message from the process at the terminal."""
        state = self._state
        match message:
            case Size():
                if (message.panel, message.columns) != (state.size.panel, state.size.columns):
                    state.offset = None
                state.size, self._sent = message, None  # the screen may have lost what was shown
                self._editor_control.offer_panes()
            case KeysPressed(keys):
                self._keys_seen += 1
                for key in keys:
                    self._press(key)
            case SessionOver():
                state.over = True
            case EditorExited():
                self._handle_editor_end(self._editor_control.editor_ended(message))

    def _handle_events(self) -> None:
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                return
            match event:
                case CheckAdvanced():
                    self._file.show_progress(event)
                case CheckFinished():
                    self._file.show_verdict(event)
                case FixTried() if event.checked is self._state.checked:
                    self._state.trying, self._state.tried = None, event
                case (path, file_event) if path == self._state.path:
                    self._file.handle(file_event)

    # ------------------------------------------------------------ keys

    def _press(self, key: str) -> None:
        state = self._state
        if key == "prefix":
            state.asking = None
        elif key == "leave":
            state.leave_panel()
        elif state.asking:
            (_, then), state.asking = state.asking, None
            if key == "y":
                then()
        elif self._use_any_key(key):
            return
        elif key == "enter" and state.preview is not None:
            self._open_preview(state.preview)
        elif key == "escape" and state.preview is not None:
            state.preview = None
            state.show_whole(False)
        elif self._use_in_list(key):
            return
        elif key == "escape" or (key == "q" and state.view == "keys"):
            state.close_view()
        elif key == READ_ON[0]:
            state.read_on()
        elif key in VIEWS:
            state.preview = None
            state.show_view(VIEWS[key])
        else:
            self._act(key)

    def _use_any_key(self, key: str) -> bool:
        """Leave the welcome or choose an editor; return False elsewhere, and for keys to quit."""
        if key in QUIT or not (self._state.choice or self._state.view == "welcome"):
            return False
        if self._state.choice:
            self._editor_control.choose(key)
        else:
            self._state.show_view("text")
        return True

    def _use_in_list(self, key: str) -> bool:
        """Move in the list that is shown, filter it or choose; return False for other keys."""
        state, chooser = self._state, self._views.lists.chooser()
        if chooser is None or not uses(chooser, key):
            return False
        state.chooser, state.offset = press(chooser, key, state.room), None
        if (chosen := state.chooser.chosen) is not None:
            state.chooser = resume(state.chooser)
            self._take_choice(chosen)
        return True

    def _take_choice(self, chosen: str) -> None:
        """Show the page of the chosen lesson, or ask whether to restore the chosen attempt."""
        if self._state.view == "list":
            self._show_lesson(self._app.course.find(chosen))
        else:
            question = f"Restore attempt {chosen}? A copy of your text is kept."
            self._ask(question, lambda: self._file.restore(int(chosen)))

    def _act(self, key: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "enter": self._open_editor,
            "z": lambda: self._state.show_whole(self._state.size.panel and not self._state.whole),
            "n": lambda: self._move(1),
            "p": lambda: self._move(-1),
            "c": self._file.check_again,
            **dict.fromkeys(QUIT, self._quit),
            "h": self._hint,
            "r": lambda: self._ask(
                "Restore the starter? A copy of your text is kept.", self._file.reset
            ),
        }
        # In the panel, Ctrl-D scrolls as in many editors; on a page it ends the session.
        if key in actions and not (key == "c-d" and self._state.size.panel):
            actions[key]()
        else:
            self._state.scroll(key)

    def _open_editor(self) -> None:
        """Open the file, in an editor that is open in its own window if that is possible."""
        control = self._editor_control
        if self._state.running:
            return
        if control.follows and control.open_in_running(self._state.path):
            self._state.notify(f"{control.name} has the file. Every save is checked.")
        else:
            control.open()

    def _ask(self, question: str, then: Callable[[], None]) -> None:
        self._state.asking = (question, then)

    def _quit(self) -> None:
        if self._state.running:
            warning = "Unsaved changes are lost."
            self._ask(f"Quit, and close {self._editor_control.name}? {warning}", self._end)
        else:
            self._end()

    def _end(self) -> None:
        self._state.over = True

    def _hint(self) -> None:
        lesson = self._state.lesson
        ladder, shown = self._views.hints.ladder(), self._views.hints.shown_hints()
        if is_past_last(ladder, shown):
            self._state.show_view("fix")
            return
        try:
            for rung in choose_rungs(ladder, shown):
                self._app.store.record_hint(lesson.slug, rung.number)
        except StoreError as error:
            self._state.notify_error(error)
        self._state.show_view("hint")
        self._file.try_fix()

    # ------------------------------------------------------------ moving between lessons

    def _move(self, step: int) -> None:
        """Show the page of another lesson; its file is opened with Enter."""
        state = self._state
        target = self._app.course.after(state.preview or state.lesson, step)
        if target is None:
            end = "last" if step > 0 else "first"
            what = "step" if state.lesson.is_step else "lesson"
            key = self._views.hints.key("l")
            state.notify(f"This is the {end} {what}. {key} lists the course.")
        else:
            self._show_lesson(target)

    def _show_lesson(self, target: Lesson) -> None:
        """Show the page of a lesson; its file is opened with Enter."""
        state = self._state
        try:
            target.require_packages()
        except MissingPackages as error:
            state.notify_error(error)
            return
        if self._editor_control.has_file_open:
            state.notify()
            state.preview, state.offset, state.reads_on = target, 0, False
            state.show_whole(state.size.panel)
        else:
            self._go_to(target)

    def _open_preview(self, target: Lesson) -> None:
        """Open the lesson whose page is shown, in the running editor or once it has been left."""
        state = self._state
        state.preview = None
        state.show_whole(False)
        file = file_to_check(self._app, target)
        # The file of a project has grown while the editor had it open.
        notice = self._editor_control.reload() if file == state.path else ""
        if self._editor_control.open_in_running(file):
            self._go_to(target)
            state.notify(notice)
        else:
            state.moving = target
            state.show_view("text" if state.checked is None else "verdict")
            state.notify(
                f"Save and leave {self._editor_control.name}. It then opens {target.slug}."
            )

    def _go_to(self, target: Lesson) -> None:
        self._state.start_lesson(target, file_to_check(self._app, target))
        self._remember_lesson()
        self._app.checker.prepare(target)
        self._file.follow()

    def _remember_lesson(self) -> None:
        try:
            self._app.store.set_current(self._state.lesson.slug)
        except StoreError as error:
            self._state.notify_error(error)

    def _check_editor(self) -> None:
        """Notice that an editor in a window or pane has ended."""
        problem = self._editor_control.poll_beside()
        if problem is not None:
            self._lines = None
            self._handle_editor_end(problem)

    def _handle_editor_end(self, problem: str) -> None:
        """Show the verdict after the editor ended, or open the next lesson in it."""
        state = self._state
        target, state.moving = state.moving, None
        state.leave_panel()
        if problem:
            state.notify(problem)
        elif target is not None:
            self._go_to(target)
            self._editor_control.open()
        else:
            state.notify()
            state.show_view("text" if state.checked is None else "verdict")
        self._file.try_fix()

    # ------------------------------------------------------------ drawing

    def _draw(self) -> None:
        """Send what should be on the screen, unless it already is."""
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
        position = len(lines), below
        update = ScreenUpdate(
            tuple(shown),
            self._views.status(position),
            self._views.status(position, focused=True) if state.size.panel else "",
            self._used_keys(),
            self._wanted(len(lines)),
            state.checks,
            state.whole,
            self._keys_seen,
        )
        if update != self._sent:
            self._channel.send(update)
            self._sent = update

    def _used_keys(self) -> tuple[str, ...]:
        """Return the keys that the panel uses, without those that scroll it."""
        if not self._state.size.panel:
            return ()
        chooser = self._views.lists.chooser()
        if chooser is None:
            return USED
        return (EVERY_KEY,) if chooser.is_typing else (*USED, *IN_A_LIST)

    def _wanted(self, lines: int) -> int | None:
        """Return how many rows would show a whole verdict that is not a pass."""
        state = self._state
        if state.has_failed and state.view == "verdict" and state.is_compact:
            return lines + 1
        return 0 if state.has_passed or state.verdict is None else None
