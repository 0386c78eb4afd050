"""Runs an editor on a pty in the upper rows of the terminal, and paints the panel below it."""

from __future__ import annotations

import contextlib
import errno
import os
import pty
import signal
import subprocess
import termios
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from jaxtutor.core.terminal.output_filter import Filter
from jaxtutor.core.terminal.row_model import RowModel
from jaxtutor.session import session_leader
from jaxtutor.session.panel_rows import Loan, PanelLines, limit_loan
from jaxtutor.session.size_check import SizeCheck

if TYPE_CHECKING:
    from jaxtutor.session.messages import ScreenUpdate
    from jaxtutor.session.tty import Terminal

QUIET = 0.03
"""Seconds without output after which an editor has probably finished drawing."""
AT_LAST = 0.5
"""Seconds. The panel is painted after this time even if the editor keeps writing, and even if the
editor has begun a synchronized update and not ended it."""
HANGING_UP = 2.0
"""Seconds that an editor has to save its buffers after SIGHUP."""
FULL = 1 << 20
"""Bytes. While more input is queued for the editor, no more is read."""
KEPT_OUTPUT = 4096
"""Bytes of the editor's output that are kept, for the message of an editor that fails at once."""
CALM = 0.15
"""Seconds without output after which the rows that look empty are empty, and not being redrawn."""


Stopper = Literal["us", "editor"]


class SplitPty:
    """A running editor in the upper rows, and the panel in the rows below."""

    def __init__(
        self, terminal: Terminal, command: list[str], environ: Mapping[str, str], panel: int
    ) -> None:
        """Start the editor. Raises OSError if it cannot be run."""
        self._terminal = terminal
        self.columns, screen = terminal.size()
        self.rows = screen - panel
        self.is_whole = False
        self._base = panel  # the panel's rows without those that are lent
        self._loan = Loan()
        self._loan_due = False  # something has changed since the loan was last settled
        self._resized = 0.0
        self._filter = Filter(self.rows, self.columns)
        self._model = RowModel(self.rows, self.columns)
        self._queue = bytearray()
        self._panel = PanelLines([""] * panel)
        self._size_check = SizeCheck()
        self._text: bytes | None = b""  # the editor's output until its first escape sequence
        self._stopper: Stopper | None = None  # who stopped the editor, while it is stopped
        self._last_output = self._started = time.monotonic()
        self._terminal.write(b"\x1b[2J\x1b[H\x1b[?25h" + self._filter.resize(*self._size()))
        self._guard = session_leader.Guard(terminal.output, terminal.modes)
        # Our end of the pty, and the editor's (pty(7)). Once the editor has its copy, ours of its
        # end is closed: otherwise reading would not fail when the editor closes the terminal.
        self.handle, far = pty.openpty()
        try:
            self.popen = self._start(far, command, environ)
        except OSError:
            os.close(self.handle)
            self._guard.close()
            raise
        finally:
            os.close(far)
        os.set_blocking(self.handle, False)  # a long paste would block both ends for ever

    def _size(self) -> tuple[int, int]:
        return self.rows, self.columns

    def _start(
        self, far: int, command: list[str], environ: Mapping[str, str]
    ) -> subprocess.Popen[bytes]:
        termios.tcsetattr(far, termios.TCSANOW, self._terminal.modes)  # type: ignore[arg-type]
        termios.tcsetwinsize(far, self._size())
        return subprocess.Popen(
            command,
            stdin=far,
            stdout=far,
            stderr=far,
            env=dict(environ),
            start_new_session=True,
            # Safe here: this process has only one thread, so no lock is held during the fork.
            preexec_fn=partial(session_leader.lead, self._guard),  # noqa: PLW1509
        )

    # ------------------------------------------------------------ input and output

    @property
    def is_full(self) -> bool:
        """Return whether too much input is queued to read more."""
        return len(self._queue) > FULL

    @property
    def has_queue(self) -> bool:
        """Return whether input is queued for the editor."""
        return bool(self._queue)

    def send(self, data: bytes) -> None:
        """Queue input for the editor, and write as much as its pty accepts."""
        self._queue += data
        self.flush()

    def flush(self) -> None:
        """Write queued input until the pty is full."""
        with contextlib.suppress(BlockingIOError, OSError):
            while self._queue:
                del self._queue[: os.write(self.handle, self._queue[: 1 << 16])]

    def pump(self) -> bool:
        """Pass on the editor's output; return False once its end of the pty is closed."""
        try:
            data = os.read(self.handle, 1 << 16)
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno == errno.EIO:  # on Linux, no process has the other end open any more
                return False
            raise
        if not data:
            return False
        self._keep_text(data)
        passed = self._filter.feed(data)
        self._last_output = time.monotonic()
        output = passed.output
        if passed.erased and not self.is_whole:
            self._panel.invalidate(time.monotonic())
            if self._filter.may_repaint:
                output += self._paint()
        if not self.is_whole:  # the editor draws everything again when it gets its rows back
            self._terminal.write(output)
        if passed.reply:
            self.send(passed.reply)
        self._model.feed(passed.output)
        self._loan_due = self._loan.is_open
        return True

    def _keep_text(self, data: bytes) -> None:
        """Keep output up to the first escape sequence: it may say why the editor cannot start."""
        if self._text is not None:
            self._text = None if b"\x1b" in data else (self._text + data)[-KEPT_OUTPUT:]

    @property
    def text_output(self) -> str:
        """The editor's output if it is plain text; empty once it has an escape sequence."""
        return (self._text or b"").decode(self._terminal.encoding, "replace")

    # ------------------------------------------------------------ the panel

    def show(self, update: ScreenUpdate) -> None:
        """Show this in the panel when the editor is next quiet."""
        if update.whole != self.is_whole:
            self.take_whole(update.whole)
        self._loan.ask(update.wanted, update.check)
        self._loan_due = self._loan.is_open
        self._panel.show(update, time.monotonic())

    @property
    def panel(self) -> int:
        """The rows of the panel below the editor."""
        return self._base + self._loan.rows

    def timeout(self) -> float | None:
        """Return the seconds until `settle` has something to do, or None."""
        ends = []
        if self._panel.due is not None:
            is_quiet = self._filter.is_quiet or self.is_whole
            ends.append(self._last_output + (QUIET if is_quiet else AT_LAST))
        if self._loan_due and not self.is_whole:
            ends.append(self._last_output + CALM)
        if (deadline := self._size_check.deadline(self._last_output)) is not None:
            ends.append(deadline)
        return max(min(ends) - time.monotonic(), 0.001) if ends else None

    def settle(self) -> None:
        """Paint changes if the editor is quiet, and check that it knows its size."""
        narrower = self._size_check.step(time.monotonic(), self._last_output)
        if narrower is not None:
            self._set_size(self.columns - narrower)
        now = time.monotonic()
        if self._loan_due and not self.is_whole and now - self._last_output >= CALM:
            self._settle_loan()
        if self._panel.due is None or not (self._filter.can_paint or self.is_whole):
            return
        is_quiet = self._filter.is_quiet or self.is_whole
        is_late = is_quiet and now - self._panel.due >= AT_LAST
        if is_late or now - self._last_output >= (QUIET if is_quiet else AT_LAST):
            self._terminal.write(self._paint())

    def _paint(self) -> bytes:
        top = 1 if self.is_whole else self.rows + 1
        changes = {
            top + index: line.encode(self._terminal.encoding, "replace")
            for index, line in self._panel.take_changes().items()
        }
        return self._filter.paint(changes, self.is_whole) if changes else b""

    # ------------------------------------------------------------ rows that change hands

    def _settle_loan(self) -> None:
        """Give the panel the rows that the editor can spare, or give them back."""
        self._loan_due = False
        has_drawn = self._last_output > self._resized  # for its present size
        if not has_drawn and self._loan.wanted:
            return
        wanted = self._loan.step(self.panel, self._model.empty)
        rows = limit_loan(wanted, self._base, self.rows + self.panel)
        if rows != self._loan.rows:
            self._loan.rows = rows
            self.resize(self._base)

    @property
    def status_row(self) -> int:
        """The row of the status line, counted from 1."""
        return 1 if self.is_whole else self.rows + 1

    @property
    def status(self) -> str:
        """The status line, with its colours."""
        return self._panel.lines[0]

    @property
    def rows_for_mouse(self) -> int:
        """The upper rows in which the mouse is the editor's."""
        return 0 if self.is_whole else self.rows

    @property
    def has_mouse(self) -> bool:
        """Return whether the editor has requested reports of the mouse."""
        return self._filter.has_mouse

    def focus(self, is_panel: bool) -> None:
        """Note who has the keys.

        While the panel has the keys, the terminal reports the mouse even if the editor has not
        requested that. Otherwise it does not, as selecting text would then work differently.
        """
        self._panel.focus(is_panel, time.monotonic())
        if not self._filter.has_mouse:
            self._terminal.write(self._filter.switch_mouse(on=is_panel))

    def take_whole(self, whole: bool) -> None:
        """Show the panel on the whole screen, or give the editor its rows back."""
        self.is_whole = whole
        self._panel.resize(self.rows + self.panel if whole else self.panel)
        self._panel.invalidate(time.monotonic())
        if whole:
            self._terminal.write(b"\x1b[?2026l\x1b[?69l\x1b[r\x1b[?25l\x1b[0m\x1b[2J")
        else:
            self._terminal.write(b"\x1b[0m\x1b[2J\x1b[?25h" + self._paint())
            self.redraw()

    # ------------------------------------------------------------ size, stop, end

    def resize(self, panel: int, by_terminal: bool = False) -> None:
        """Read the size of the screen again, and give the panel this many rows.

        `by_terminal` means that the terminal reported a change. If the size is the same as before,
        the terminal had another one in between, and has lost what was on it.
        """
        columns, screen = self._terminal.size()
        if by_terminal:
            self._loan.rows = 0
        self._base, panel = panel, panel + self._loan.rows
        is_same = (screen - panel, columns) == self._size()
        self.rows, self.columns = screen - panel, columns
        self._panel.resize(screen if self.is_whole else panel)
        self._panel.invalidate(time.monotonic())
        margins = self._filter.resize(*self._size())
        self._size_check.note_resize(time.monotonic(), by_terminal, is_same)
        if is_same:
            # The kernel sends no SIGWINCH for an unchanged size, so the editor may not draw again:
            # do not erase what it has drawn. Set the margins, which the terminal may have reset.
            # DECSTBM moves the cursor, so save and restore it (DECSC, DECRC) where that is safe.
            around = (b"\x1b7", b"\x1b8") if self._filter.may_repaint else (b"", b"")
            self._terminal.write(margins.join(around))
            return
        self._resized = time.monotonic()
        self._model.resize(*self._size())
        self._terminal.write(b"\x1b[0m\x1b[2J" + margins + b"\x1b[H" + self._paint())
        self._set_size(self.columns)

    def redraw(self) -> None:
        """Draw everything again, after other programs have used the screen.

        An editor that stopped itself redraws by itself when it continues.
        """
        self._terminal.write(self._filter.modes() + self._filter.resize(*self._size()))
        self._panel.invalidate(time.monotonic())
        stopper, self._stopper = self._stopper, None
        if stopper != "editor":
            self._size_check.request(time.monotonic())

    def _set_size(self, columns: int) -> None:
        with contextlib.suppress(termios.error, OSError):
            termios.tcsetwinsize(self.handle, (self.rows, columns))

    def poll(self) -> int | str | None:
        """Return the exit status (negative: the signal), "stopped", or None while it runs."""
        if self.popen.returncode is not None:
            return self.popen.returncode
        pid, status = os.waitpid(self.popen.pid, os.WNOHANG | os.WUNTRACED)
        if not pid:
            return None
        if os.WIFSTOPPED(status):
            self._stopper = self._stopper or "editor"
            return "stopped"
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        return self.popen.returncode

    def stop(self) -> None:
        """Stop the editor; `poll` returns "stopped" once it has."""
        self._stopper = "us"
        self._signal_leader(session_leader.STOP)

    def resume(self) -> None:
        """Continue a stopped editor."""
        self._signal_leader(signal.SIGCONT)

    def _signal_leader(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(number)

    @property
    def seconds(self) -> float:
        """How long the editor has been running."""
        return time.monotonic() - self._started

    def close(self) -> None:
        """Take the terminal from the editor; hang up one that still runs, as a window does."""
        while self.popen.returncode is not None and self._drain():
            pass
        self._guard.close()
        os.close(self.handle)
        for number in (session_leader.HANG_UP, session_leader.KILL, signal.SIGKILL):
            if self.popen.poll() is not None:
                return
            self._signal_leader(number)
            self.resume()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(timeout=HANGING_UP)

    def _drain(self) -> bool:
        """Pass on the remaining output of an editor that has ended; return False at its end."""
        try:
            data = os.read(self.handle, 1 << 16)
        except OSError:
            return False
        self._keep_text(data)
        self._terminal.write(self._filter.feed(data).output)
        return bool(data)
