"""Runs the process at the terminal: passes keys, paints the session's screen, runs the editor.

It runs no checks and renders nothing, so keys reach the editor without delay. The session
(`jaxtutor.session.session_process`) is another process.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.data.settings import LAYOUTS
from jaxtutor.core.terminal.keys import Prefix, parse_prefix
from jaxtutor.errors import StoreError, TutorError, UsageError
from jaxtutor.session.key_router import KeyRouter
from jaxtutor.session.messages import (
    Begin,
    EditorExited,
    Message,
    OpenEditor,
    ScreenUpdate,
    SessionOver,
    Size,
)
from jaxtutor.session.panel_rows import choose_panel
from jaxtutor.session.session_process import SessionProcess
from jaxtutor.session.split_pty import SplitPty
from jaxtutor.session.tty import Terminal, Wake
from jaxtutor.system.editor import Editor, editor_environment, open_in_foreground

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.lesson import Lesson

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""The signals that end us. Keys do not send them, because the terminal is in raw mode."""


def start(app: App, name: str | None, layout: str | None = None) -> int:
    """Run a session; if not at a terminal, print the lesson and the path of its file."""
    layout = layout or str(app.settings.value("layout"))
    if layout not in LAYOUTS:
        raise UsageError(f"Invalid layout {layout!r}.", f"Choose one of {', '.join(LAYOUTS)}.")
    prefix = parse_prefix(str(app.settings.value("prefix")))
    assert prefix is not None, "the setting accepts only usable keys"
    lesson = app.lesson(name)
    lesson.require_packages()
    welcome = name is None and _is_first_start(app)
    if not app.interactive:
        from jaxtutor.checks.attempts import file_to_check
        from jaxtutor.commands.pages import print_page, print_welcome

        file_to_check(app, lesson)
        if welcome:
            print_welcome(app, prefix.name)
        print_page(app, lesson)
        return 0
    app.trust_course()  # ask now: the process that checks has no terminal
    from jaxtutor.commands.predictions import ask_first

    ask_first(app, lesson)
    return TerminalProcess(app, lesson, layout, prefix, welcome).run()


def _is_first_start(app: App) -> bool:
    """Return whether the learner is new, and record that this is no longer so."""
    try:
        if is_new := app.store.is_new():
            app.store.record_welcome()
    except StoreError:
        return False  # `app.lesson` has reported it
    return is_new


class TerminalProcess:
    """The terminal side of one run of `jaxtutor start`."""

    def __init__(
        self, app: App, lesson: Lesson, layout: str, prefix: Prefix, welcome: bool = False
    ) -> None:
        self._app = app
        self._plain = app.options.plain or app.environ.get("TERM", "") in ("", "dumb")
        self._terminal = Terminal(self._plain, app.stdout.encoding or "ascii")
        self._wake = Wake()
        self._signals: list[int] = []
        self._rows: SplitPty | None = None
        self._keys = KeyRouter(prefix, self._terminal, self._send, self._suspend, self._grow)
        self._sent_rows = 0  # the editor's rows when the session was last told the size
        self._grown = 0
        rows = app.settings.value("panel_rows")
        self._wanted_rows = rows if isinstance(rows, int) else None
        self._printed: ScreenUpdate | None = None
        self._seen: list[str] | None = None  # the rows on the screen; None if they may be damaged
        self._over: SessionOver | None = None
        self._ending_signal = 0
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
            terminal=self._terminal.name,
            welcome=welcome,
        )

    def run(self) -> int:
        """Run until the session is over, and restore the terminal whatever happens."""
        with ExitStack() as stack:
            stack.callback(self._wake.close)
            process = stack.enter_context(SessionProcess())
            self._channel = process.channel
            self._channel.send(self._begin)
            self._send_size()
            ours = (signal.SIGWINCH, signal.SIGCHLD, signal.SIGTSTP, signal.SIGCONT, *ENDING)
            stack.enter_context(self._wake.on(*ours, then=self._note_signal))
            stack.enter_context(self._terminal.held())
            stack.callback(self._close_editor)
            try:
                self._loop()
            except EOFError:
                raise TutorError(
                    f"The session process ended: {process.last_error()}",
                    "Your saved file is not affected. Continue with: jaxtutor start",
                ) from None
        if self._over is not None and self._over.message:
            self._app.stdout.write(self._over.message + "\n")
        return 128 + self._ending_signal if self._ending_signal else 0

    def _note_signal(self, number: int) -> None:
        self._signals.append(number)
        if number in ENDING:
            self._ending_signal = self._ending_signal or number
            self._terminal.is_ending = True

    # ------------------------------------------------------------ the loop

    def _loop(self) -> None:
        while self._over is None:
            rows, channel = self._rows, self._channel
            ready, writable, _ = select.select(*self._ends(), [], self._timeout())
            if channel.write in writable:
                channel.flush()
            if rows and rows.handle in writable:
                rows.flush()
            if self._terminal.keys in ready:
                self._take_input()
            self._keys.settle()
            if rows and rows.handle in ready and not rows.pump():
                self._check_editor(wait=True)
            if self._wake.read in ready:
                self._take_signals()
            if channel.read in ready:
                self._take_messages(channel.receive())
            if self._rows:
                self._rows.settle()
                self._note_rows(self._rows)

    def _ends(self) -> tuple[list[int], list[int]]:
        """Return the descriptors to read and to write; while a queue is full, no keys are read."""
        rows, channel = self._rows, self._channel
        readers = [channel.read, self._wake.read, *([rows.handle] if rows else [])]
        if not (channel.is_full or (rows and rows.is_full)):
            readers.append(self._terminal.keys)
        writers = [channel.write] if channel.has_queue else []
        return readers, [*writers, *([rows.handle] if rows and rows.has_queue else [])]

    def _timeout(self) -> float | None:
        """Return the seconds until something must be done, or None."""
        rows = self._rows.timeout() if self._rows else None
        found = [it for it in (rows, self._keys.timeout) if it is not None]
        return max(min(found), 0) if found else None

    def _send(self, message: Message) -> None:
        self._channel.send(message)

    def _take_input(self) -> None:
        if not self._keys.take():  # the terminal was closed
            self._ending_signal = self._ending_signal or signal.SIGHUP
            self._over = SessionOver("")

    def _take_signals(self) -> None:
        self._wake.clear()
        numbers, self._signals[:] = set(self._signals), []
        if self._ending_signal:
            self._over = SessionOver("")
            return
        if signal.SIGCHLD in numbers:
            self._check_editor()
        if signal.SIGTSTP in numbers:
            self._stop()
        elif signal.SIGCONT in numbers:
            self._resume()
        if signal.SIGWINCH in numbers:
            self._resize(by_terminal=True)

    # ------------------------------------------------------------ messages of the session

    def _take_messages(self, messages: list[Message]) -> None:
        """Handle messages; of several screen updates, only the last one is painted."""
        last = next((it for it in reversed(messages) if isinstance(it, ScreenUpdate)), None)
        for message in messages:
            if self._plain or not isinstance(message, ScreenUpdate) or message is last:
                self._take(message)

    def _take(self, message: Message) -> None:
        match message:
            case ScreenUpdate() if self._rows:
                self._rows.show(message)
                self._keys.note_update(message)
            case ScreenUpdate():
                self._paint(message)
            case OpenEditor(rows=True):
                self._edit_in_rows(message)
            case OpenEditor():
                self._edit_here(message)
            case SessionOver():
                self._over = message

    def _paint(self, update: ScreenUpdate) -> None:
        """Paint a page; in plain mode, print it once below the previous one."""
        if self._plain:
            self._print(update)
            return
        _, rows = self._terminal.size()
        lines = [*update.lines[: rows - 1], *[""] * (rows - 1 - len(update.lines)), update.status]
        before, self._seen = self._seen or [], lines
        old = before if len(before) == rows else [None] * rows
        changed = [item for item in enumerate(lines, 1) if item[1] != old[item[0] - 1]]
        body = "".join(f"\x1b[{row};1H\x1b[0m\x1b[K{line}" for row, line in changed)
        self._write(f"\x1b[?7l{body}\x1b[0m\x1b[?7h" if body else "")

    def _print(self, update: ScreenUpdate) -> None:
        if self._printed is None or self._printed.lines != update.lines:
            self._write("\r\n".join(["", *update.lines, ""]))
        if self._printed is None or self._printed.status != update.status:
            self._write(f"{update.status}\r\n")
        self._printed = update

    def _write(self, text: str) -> None:
        self._terminal.write(text.encode(self._terminal.encoding, "replace"))

    # ------------------------------------------------------------ the editor

    def _edit_in_rows(self, edit: OpenEditor) -> None:
        _, screen = self._terminal.size()
        environ = editor_environment(self._app.environ)
        panel = choose_panel(screen, self._grown, self._wanted_rows)
        command = _editor(edit).open_at(Path(edit.file), edit.line)
        try:
            self._rows = SplitPty(self._terminal, command, environ, panel)
        except OSError as error:
            self._report_exit(0, 0.0, f"The editor `{edit.name}` cannot be run: {error.strerror}.")
            return
        self._keys.use(self._rows)
        self._send_size()

    def _edit_here(self, edit: OpenEditor) -> None:
        """Give the whole terminal to the editor until it ends."""
        started = time.monotonic()
        self._terminal.leave(wait=0)
        try:
            with _ending_on_signals():
                if self._ending_signal:
                    raise _TerminationSignal(self._ending_signal)
                status = open_in_foreground(
                    _editor(edit), Path(edit.file), edit.line, self._app.environ
                )
        except TutorError as error:
            self._report_exit(0, 0.0, error.message)
        except _TerminationSignal as ending:
            self._note_signal(ending.number)
            self._over = SessionOver("")
        else:
            self._report_exit(status, time.monotonic() - started)
        finally:
            self._enter()

    def _check_editor(self, wait: bool = False) -> None:
        if self._rows is None:
            return
        if wait:  # it closed its terminal, so it is about to end
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._rows.popen.wait(timeout=1)
            self._rows.popen.poll()
        state = self._rows.poll()
        if state == "stopped":
            self._suspend()
        elif isinstance(state, int):
            rows, seconds = self._rows, self._rows.seconds
            self._close_editor()
            self._report_exit(state, seconds, output=rows.text_output)
        elif wait:
            self._close_editor()
            self._report_exit(0, 1.0)

    def _report_exit(
        self, status: int, seconds: float, problem: str = "", output: str = ""
    ) -> None:
        self._channel.send(EditorExited(status, seconds, problem, output))
        self._send_size()

    def _close_editor(self) -> None:
        if self._rows is None:
            return
        rows, self._rows = self._rows, None
        self._keys.use(None)
        rows.close()
        self._terminal.clear()
        self._seen = None

    # ------------------------------------------------------------ size and suspension

    def _send_size(self) -> None:
        columns, rows = self._terminal.size()
        self._sent_rows = self._rows.rows if self._rows else 0
        if self._rows:
            size = Size(columns, rows - self._rows.rows, rows, panel=True)
        else:
            size = Size(columns, rows, rows)
        self._channel.send(size)

    def _note_rows(self, rows: SplitPty) -> None:
        """Tell the session when the editor lent the panel rows, or got them back."""
        if rows.rows != self._sent_rows:
            self._keys.note_rows()
            self._send_size()

    def _grow(self, rows: int) -> None:
        self._grown += rows
        self._resize()

    def _resize(self, by_terminal: bool = False) -> None:
        self._seen = None
        _, screen = self._terminal.size()
        if self._rows:
            panel = choose_panel(screen, self._grown, self._wanted_rows)
            usual = choose_panel(screen, wanted=self._wanted_rows)
            self._grown = panel - usual  # limited to what fits
            self._rows.resize(panel, by_terminal)
            self._keys.note_rows()
        self._send_size()

    def _enter(self) -> None:
        self._terminal.enter()
        self._seen = None

    def _stop(self) -> None:
        """Stop because of a signal: first the editor, whose stop then suspends us."""
        if self._rows:
            self._rows.stop()
        else:
            self._suspend()

    def _suspend(self) -> None:
        """Stop for the shell until `fg`; without a shell, the kernel ignores it and we go on."""
        self._terminal.leave()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        self._signals[:] = [number for number in self._signals if number != signal.SIGCONT]
        self._resume()

    def _resume(self) -> None:
        """Take the terminal again, whose size may have changed, and have everything redrawn."""
        self._enter()
        self._resize()
        if self._rows:
            self._terminal.write(b"\x1b[?2004l\x1b[?25h")
            self._rows.resume()
            self._rows.redraw()


class _TerminationSignal(Exception):
    """A signal that ends us came while an editor had the terminal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def _ending_on_signals() -> Iterator[None]:
    """Make signals take effect at once while the event loop does not run."""

    def end(number: int, _: object) -> None:
        for each in ENDING:  # a second signal must not interrupt the clean-up
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
