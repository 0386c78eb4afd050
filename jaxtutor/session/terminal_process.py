"""Owns the process at the terminal: it passes keys, paints what the session sends, runs the editor.

It runs no check and draws nothing itself, so that a key reaches the editor at once whatever else
goes on. The session (`jaxtutor.session.session`) is a process of its own.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.terminal.keys import PREFIX as PREFIX_KEY
from jaxtutor.core.terminal.keys import (
    InputFilter,
    Key,
    Keyboard,
    Prefix,
    is_unfinished,
    parse_prefix,
)
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.session.messages import (
    STAYING,
    Begin,
    EditorExited,
    KeysPressed,
    Message,
    MessageChannel,
    OpenEditor,
    ScreenUpdate,
    SessionOver,
    Size,
)
from jaxtutor.session.split_pty import SplitPty, choose_panel
from jaxtutor.session.tty import Terminal, Wake
from jaxtutor.system.editor import Editor, editor_environment, open_in_foreground

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.course import Lesson

PREFIX = "f12"
"""The default prefix. vim, neovim, emacs, micro, helix and kakoune leave F12 alone, and in nano it
is a second name of Ctrl-T; it is on every keyboard, and every terminal sends the same for it."""

LAYOUTS = ("auto", "rows", "panes", "plain")
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""What tells us to end. No key of ours sends one: the terminal is raw."""


def start(app: App, name: str | None, layout: str = "auto") -> int:
    """Run a session; without a person at the terminal, print the lesson and where its file is."""
    if layout not in LAYOUTS:
        raise UsageError(f"There is no layout {layout!r}.", f"Choose from {', '.join(LAYOUTS)}.")
    prefix = parse_prefix(app.environ.get("JAXTUTOR_PREFIX") or PREFIX)
    if prefix is None:
        raise UsageError(
            f"JAXTUTOR_PREFIX is {app.environ['JAXTUTOR_PREFIX']!r}, which is no key for this.",
            "Set it to a function key, as `f9`, or to Ctrl and a sign, as `c-]`.",
        )
    lesson = app.lesson(name)
    if not app.interactive:
        from jaxtutor.checking.attempts import file_to_check
        from jaxtutor.commands.pages import print_page

        file_to_check(app, lesson)
        print_page(app, lesson)
        return 0
    app.trust_course()  # asked now: what checks is another process, without a terminal
    from jaxtutor.commands.predictions import ask_first

    ask_first(app, lesson)
    return TerminalProcess(app, lesson, layout, prefix).run()


class TerminalProcess:
    """One run of `jaxtutor start`, on the terminal's side."""

    def __init__(self, app: App, lesson: Lesson, layout: str, prefix: Prefix) -> None:
        self._app = app
        self._plain = app.options.plain or app.environ.get("TERM", "") in ("", "dumb")
        self._prefix = prefix
        self._terminal = Terminal(self._plain, app.stdout.encoding or "ascii")
        self._wake = Wake()
        self._signals: list[int] = []
        self._rows: SplitPty | None = None
        self._gate = InputFilter(prefix, 0)
        self._keyboard = Keyboard()
        self._typed = 0.0
        self._commanding = False
        self._grown = 0
        self._printed: ScreenUpdate | None = None
        self._seen: list[str] | None = None  # the rows of a page, while they are as we painted them
        self._over: SessionOver | None = None
        self._told_to_end = 0  # the signal that did
        options = app.options
        self._begin = Begin(
            lesson=lesson.slug,
            encoding=self._terminal.encoding,
            layout=layout,
            prefix=prefix.name,
            device=options.device,
            plain=self._plain,
            course=str(options.course) if options.course else None,
            workspace=str(options.workspace) if options.workspace else None,
        )

    def run(self) -> int:
        """Go on until the session is over; the terminal is given back whatever happens."""
        with ExitStack() as stack:
            stack.callback(self._wake.close)
            process = stack.enter_context(_SessionProcess())
            self._link = process.link
            self._link.send(self._begin)
            self._tell_size()
            ours = (signal.SIGWINCH, signal.SIGCHLD, signal.SIGTSTP, signal.SIGCONT, *ENDING)
            stack.enter_context(self._wake.on(*ours, then=self._note_signal))
            stack.enter_context(self._terminal.held())
            stack.callback(self._close_editor)
            try:
                self._loop()
            except EOFError:
                raise TutorError(
                    f"The session's process ended: {process.last_words()}",
                    "Your file is as you saved it. Go on with: jaxtutor start",
                ) from None
        if self._over is not None and self._over.words:
            self._app.stdout.write(self._over.words + "\n")
        return 128 + self._told_to_end if self._told_to_end else 0

    def _note_signal(self, number: int) -> None:
        self._signals.append(number)
        if number in ENDING:
            self._told_to_end = self._told_to_end or number
            self._terminal.is_ending = True

    # ------------------------------------------------------------ the loop

    def _loop(self) -> None:
        while self._over is None:
            rows, link = self._rows, self._link
            ready, writable, _ = select.select(*self._ends(), [], self._patience())
            if link.write in writable:
                link.flush()
            if rows and rows.handle in writable:
                rows.flush()
            if self._terminal.keys in ready:
                self._take_input()
            self._settle_keys()
            if rows and rows.handle in ready and not rows.pump():
                self._look_at_editor(wait=True)
            if self._wake.read in ready:
                self._take_signals()
            if link.read in ready:
                self._take_messages(link.receive())
            if self._rows:
                self._rows.settle()

    def _ends(self) -> tuple[list[int], list[int]]:
        """Return what is to be read and written; while much waits, no more is taken."""
        rows, link = self._rows, self._link
        readers = [link.read, self._wake.read, *([rows.handle] if rows else [])]
        if not (link.is_full or (rows and rows.is_full)):
            readers.append(self._terminal.keys)
        writers = [link.write] if link.has_queue else []
        return readers, [*writers, *([rows.handle] if rows and rows.has_queue else [])]

    def _patience(self) -> float | None:
        """Return how long nothing need be done."""
        rows = self._rows.patience() if self._rows else None
        found = [it for it in (rows, self._patience_with_keys()) if it is not None]
        return max(min(found), 0) if found else None

    def _settle_keys(self) -> None:
        patience = self._patience_with_keys()
        if patience is not None and patience <= 0:
            self._take_keys(self._keyboard.settle())

    def _patience_with_keys(self) -> float | None:
        """Return how long the rest of what was begun to be typed is waited for."""
        patience = self._keyboard.timeout
        return None if patience is None else self._typed + patience - time.monotonic()

    def _take_signals(self) -> None:
        self._wake.clear()
        numbers, self._signals[:] = set(self._signals), []
        if self._told_to_end:
            self._over = SessionOver("")
            return
        if signal.SIGCHLD in numbers:
            self._look_at_editor()
        if signal.SIGTSTP in numbers:
            self._stop()
        elif signal.SIGCONT in numbers:
            self._come_back()
        if signal.SIGWINCH in numbers:
            self._resize(told=True)

    # ------------------------------------------------------------ input

    def _take_input(self) -> None:
        data = self._terminal.read()
        if not data:  # as when the window is closed
            self._told_to_end = self._told_to_end or signal.SIGHUP
            self._over = SessionOver("")
        elif self._rows is None or self._commanding:
            self._typed = time.monotonic()
            self._take_keys(self._keyboard.feed(data))
        else:
            self._pass_input(self._rows, self._with_rest(data))

    def _with_rest(self, data: bytes) -> bytes:
        """Wait a moment for the rest of a sequence; an escape by itself is the editor's at once."""
        while is_unfinished(data) and select.select([self._terminal.keys], [], [], 0.05)[0]:
            rest = self._terminal.read()
            if not rest:
                break
            data += rest
        return data

    def _take_keys(self, keys: list[Key]) -> None:
        """Take keys for the page or the panel; what comes after the panel's turn is the editor's.

        So is what nobody pressed: a paste, a terminal's answer.
        """
        rows = self._rows
        if rows is None:
            self._press([key.name for key in keys])
            return
        rest = list(keys)
        while rest and self._commanding:
            key = rest.pop(0)
            if key.is_other:
                self._pass_input(rows, key.raw)
            elif key.name:
                self._command(rows, key.name)
        if not self._commanding:
            rest += self._keyboard.settle()
            self._pass_input(rows, b"".join(key.raw for key in rest))

    def _press(self, keys: list[str]) -> None:
        if "c-z" in keys:
            self._suspend()
        if others := tuple(key for key in keys if key and key not in ("c-z", PREFIX_KEY)):
            self._link.send(KeysPressed(others))

    def _pass_input(self, rows: SplitPty, data: bytes) -> None:
        split = self._gate.split(data)
        if split.editor:
            rows.send(split.editor)
        if split.wheel:
            key = "down" if split.wheel > 0 else "up"
            self._link.send(KeysPressed((key,) * 3 * abs(split.wheel)))
        if split.after is not None:
            self._commanding = True
            self._keyboard = Keyboard(self._prefix)
            self._typed = time.monotonic()
            self._link.send(KeysPressed(("prefix",)))
            self._take_keys(self._keyboard.feed(split.after))

    def _command(self, rows: SplitPty, key: str) -> None:
        """Take a key for the panel; the prefix again is for the editor."""
        if key == PREFIX_KEY:
            self._leave_panel()
            rows.send(self._prefix.raw)
        elif key in ("+", "=", "-"):
            self._grown += -1 if key == "-" else 1
            self._resize()
        elif key in ("escape", "enter", "e"):
            self._leave_panel()
        else:
            self._link.send(KeysPressed((key,)))
            if key not in STAYING:
                self._leave_panel()

    def _leave_panel(self) -> None:
        self._commanding = False
        self._link.send(KeysPressed(("leave",)))

    # ------------------------------------------------------------ what the session says

    def _take_messages(self, messages: list[Message]) -> None:
        """Take what has come; of pages that came together only the last need be painted."""
        last = next((it for it in reversed(messages) if isinstance(it, ScreenUpdate)), None)
        for message in messages:
            if self._plain or not isinstance(message, ScreenUpdate) or message is last:
                self._take(message)

    def _take(self, message: Message) -> None:
        match message:
            case ScreenUpdate() if self._rows:
                self._rows.show(message)
            case ScreenUpdate():
                self._paint(message)
            case OpenEditor(rows=True):
                self._edit_in_rows(message)
            case OpenEditor():
                self._edit_here(message)
            case SessionOver():
                self._over = message

    def _paint(self, frame: ScreenUpdate) -> None:
        """Show a page; a plain one is printed once, below the last."""
        if self._plain:
            self._print(frame)
            return
        _, rows = self._terminal.size()
        lines = [*frame.lines[: rows - 1], *[""] * (rows - 1 - len(frame.lines)), frame.status]
        before, self._seen = self._seen or [], lines
        old = before if len(before) == rows else [None] * rows
        changed = [item for item in enumerate(lines, 1) if item[1] != old[item[0] - 1]]
        body = "".join(f"\x1b[{row};1H\x1b[0m\x1b[K{line}" for row, line in changed)
        self._write(f"\x1b[?7l{body}\x1b[0m\x1b[?7h" if body else "")

    def _print(self, frame: ScreenUpdate) -> None:
        if self._printed is None or self._printed.lines != frame.lines:
            self._write("\r\n".join(["", *frame.lines, ""]))
        if self._printed is None or self._printed.status != frame.status:
            self._write(f"{frame.status}\r\n")
        self._printed = frame

    def _write(self, text: str) -> None:
        self._terminal.write(text.encode(self._terminal.encoding, "replace"))

    # ------------------------------------------------------------ the editor

    def _edit_in_rows(self, edit: OpenEditor) -> None:
        _, screen = self._terminal.size()
        environ = editor_environment(self._app.environ)
        panel = choose_panel(screen, self._grown)
        command = _editor(edit).open_at(Path(edit.file), edit.line)
        try:
            self._rows = SplitPty(self._terminal, command, environ, panel)
        except OSError as error:
            self._left(0, 0.0, f"The editor `{edit.name}` could not be run: {error.strerror}.")
            return
        self._gate = InputFilter(self._prefix, self._rows.rows)
        self._keyboard = Keyboard()
        self._tell_size()

    def _edit_here(self, edit: OpenEditor) -> None:
        """Lend the whole terminal to the editor until it ends."""
        began = time.monotonic()
        self._terminal.leave(wait=0)
        try:
            with _heeding_signals():
                if self._told_to_end:
                    raise _TerminationSignal(self._told_to_end)
                status = open_in_foreground(
                    _editor(edit), Path(edit.file), edit.line, self._app.environ
                )
        except TutorError as error:
            self._left(0, 0.0, error.message)
        except _TerminationSignal as told:
            self._note_signal(told.number)
            self._over = SessionOver("")
        else:
            self._left(status, time.monotonic() - began)
        finally:
            self._enter()

    def _look_at_editor(self, wait: bool = False) -> None:
        if self._rows is None:
            return
        if wait:  # it closed its terminal, so it is about to end
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._rows.popen.wait(timeout=1)
            self._rows.popen.poll()
        state = self._rows.look()
        if state == "stopped":
            self._suspend()
        elif isinstance(state, int):
            rows, seconds = self._rows, self._rows.seconds
            self._close_editor()
            self._left(state, seconds, words=rows.words)
        elif wait:
            self._close_editor()
            self._left(0, 1.0)

    def _left(self, status: int, seconds: float, problem: str = "", words: str = "") -> None:
        self._link.send(EditorExited(status, seconds, problem, words))
        self._tell_size()

    def _close_editor(self) -> None:
        if self._rows is None:
            return
        rows, self._rows = self._rows, None
        self._commanding = False
        self._keyboard = Keyboard()
        rows.close()
        self._terminal.clear()
        self._seen = None

    # ------------------------------------------------------------ size and suspension

    def _tell_size(self) -> None:
        columns, rows = self._terminal.size()
        if self._rows:
            size = Size(columns, rows - self._rows.rows, rows, panel=True)
        else:
            size = Size(columns, rows, rows)
        self._link.send(size)

    def _resize(self, told: bool = False) -> None:
        self._seen = None
        _, screen = self._terminal.size()
        if self._rows:
            panel = choose_panel(screen, self._grown)
            self._grown = panel - choose_panel(screen)  # no more than there is room for
            self._rows.resize(panel, told)
            self._gate.rows = self._rows.rows
        self._tell_size()

    def _enter(self) -> None:
        self._terminal.enter()
        self._seen = None

    def _stop(self) -> None:
        """Stop as we were told to, the editor first: that it has stopped will suspend us."""
        if self._rows:
            self._rows.stop()
        else:
            self._suspend()

    def _suspend(self) -> None:
        """Stop for the shell, and come back when it says; without one, go on at once."""
        self._terminal.leave()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        self._signals[:] = [number for number in self._signals if number != signal.SIGCONT]
        self._come_back()

    def _come_back(self) -> None:
        """Take the terminal, whose size may be another by now, and have all drawn again."""
        self._enter()
        self._resize()
        if self._rows:
            self._terminal.write(b"\x1b[?2004l\x1b[?25h")
            self._rows.go_on()
            self._rows.redraw()


class _TerminationSignal(Exception):
    """A signal told us to end while an editor had the terminal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def _heeding_signals() -> Iterator[None]:
    """Let signals do at once what they are for, where no loop runs that would see to them."""

    def end(number: int, _: object) -> None:
        for each in ENDING:  # a second one must not cut short what the first began
            signal.signal(each, lambda *_: None)
        raise _TerminationSignal(number)

    before = {signal.SIGTSTP: signal.signal(signal.SIGTSTP, signal.SIG_DFL)}
    for number in ENDING:
        before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _editor(edit: OpenEditor) -> Editor:
    return Editor(edit.name, edit.command, "terminal", "EDITOR")


class _SessionProcess:
    """The session's process, deaf to the keys that the terminal turns into signals."""

    def __enter__(self) -> _SessionProcess:
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "jaxtutor.session.session",
                str(theirs_read),
                str(theirs_write),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(theirs_read, theirs_write),
            start_new_session=True,
        )
        os.close(theirs_read)
        os.close(theirs_write)
        os.set_blocking(ours_write, False)
        self.link = MessageChannel(ours_read, ours_write)
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._errors.close()

    def last_words(self) -> str:
        """Return the last line that it wrote to standard error."""
        self._errors.seek(0)
        words = self._errors.read()[-4000:].decode("utf-8", "replace")
        return words.strip().rpartition("\n")[2] or "it said nothing."
