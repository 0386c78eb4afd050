"""Owns an editor in the upper rows of the terminal: its pty, and the panel painted below it."""

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
from typing import TYPE_CHECKING

from jaxtutor.core.terminal.output_filter import Filter
from jaxtutor.session import session_leader

if TYPE_CHECKING:
    from jaxtutor.session.messages import ScreenUpdate
    from jaxtutor.session.tty import Terminal

QUIET = 0.03
"""Seconds without output after which an editor is not in the middle of something."""
AT_LAST = 0.5
"""Seconds after which the panel is painted between sequences of an editor that is never quiet, and
after which one that is silent is taken to have left undone what it began."""
HANGING_UP = 2.0
"""How long an editor that is hung up may take to save what it holds."""
FULL = 1 << 20
"""How many bytes may wait for an editor that reads slower than they come."""
CLOSE = 2.0
"""Seconds within which an editor may miss the first of two sizes."""
NUDGE, DRAWN, NUDGED = 0.15, 0.1, 10.0
"""After how long an editor that may have missed a size is given another one; how long it is silent
when it has drawn for that; and how long it may take, before it gets its own back."""
KEPT_WORDS = 4096
LEAST_EDITOR, LEAST_PANEL = 4, 1


def choose_panel(rows: int, grown: int = 0) -> int:
    """Return how many of a screen's rows are the panel's: a third or so, six at least."""
    wanted = max(6, rows * 3 // 10) + grown
    return max(LEAST_PANEL, min(wanted, rows - max(LEAST_EDITOR, rows // 4)))


class SplitPty:
    """A running editor that has the upper rows, and what stands in the rows below."""

    def __init__(
        self, terminal: Terminal, command: list[str], environ: Mapping[str, str], panel: int
    ) -> None:
        """Start the editor. Raises OSError where it cannot be run."""
        self._terminal = terminal
        self.columns, screen = terminal.size()
        self.rows = screen - panel
        self._panel = panel
        self._filter = Filter(self.rows, self.columns)
        self._queue = bytearray()
        self._frame: list[str] = [""] * panel
        self._painted: list[str] | None = None
        self._due: float | None = None
        self._words: bytes | None = b""
        self._was_told = self._stopped_itself = False
        self._resized = 0.0
        self._nudge: float | None = None
        self._nudged: float | None = None
        self._heard = self._began = time.monotonic()
        self._terminal.write(b"\x1b[2J\x1b[H\x1b[?25h" + self._filter.resize(*self._size()))
        self.handle, far = pty.openpty()
        try:
            self.popen = self._start(far, command, environ)
        except OSError:
            os.close(self.handle)
            raise
        finally:
            os.close(far)
        os.set_blocking(self.handle, False)

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
            # This process has one thread, so nothing can be held while it forks.
            preexec_fn=session_leader.lead,  # noqa: PLW1509
        )

    # ------------------------------------------------------------ both ways

    @property
    def is_full(self) -> bool:
        """Tell whether so much waits for the editor that no more should be read."""
        return len(self._queue) > FULL

    @property
    def has_queue(self) -> bool:
        """Tell whether something waits for the editor."""
        return bool(self._queue)

    def send(self, data: bytes) -> None:
        """Give the editor some input, when it takes it."""
        self._queue += data
        self.flush()

    def flush(self) -> None:
        """Write what waits, as much as the editor takes now."""
        with contextlib.suppress(BlockingIOError, OSError):
            while self._queue:
                del self._queue[: os.write(self.handle, self._queue[: 1 << 16])]

    def pump(self) -> bool:
        """Pass on what the editor wrote; False when its end of the terminal is closed."""
        try:
            data = os.read(self.handle, 1 << 16)
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno == errno.EIO:  # how Linux says that nobody has the other end
                return False
            raise
        if not data:
            return False
        self._listen(data)
        passed = self._filter.feed(data)
        self._heard = time.monotonic()
        output = passed.output
        if passed.erased:
            self._painted, self._due = None, time.monotonic()
            if self._filter.may_repaint:
                output += self._paint()
        self._terminal.write(output)
        if passed.reply:
            self.send(passed.reply)
        return True

    def _listen(self, data: bytes) -> None:
        """Keep what is written in words: it says why an editor ends before it draws."""
        if self._words is not None:
            self._words = None if b"\x1b" in data else (self._words + data)[-KEPT_WORDS:]

    @property
    def words(self) -> str:
        """What it wrote, if it never drew anything."""
        return (self._words or b"").decode(self._terminal.encoding, "replace")

    # ------------------------------------------------------------ the panel

    def show(self, frame: ScreenUpdate) -> None:
        """Have this in the panel from the next quiet moment on."""
        lines = [frame.status, *frame.lines][: self._panel]
        self._frame = lines + [""] * (self._panel - len(lines))
        if self._frame != self._painted and self._due is None:
            self._due = time.monotonic()

    def patience(self) -> float | None:
        """Return how long to wait before `settle` has something to do."""
        ends = []
        if self._due is not None:
            ends.append(self._heard + (QUIET if self._filter.is_quiet else AT_LAST))
        if self._nudge is not None:
            ends.append(self._nudge)
        if self._nudged is not None:
            is_heard = self._heard > self._nudged
            ends.append(self._heard + DRAWN if is_heard else self._nudged + NUDGED)
        return max(min(ends) - time.monotonic(), 0.001) if ends else None

    def settle(self) -> None:
        """Paint what changed, if the editor is quiet."""
        self._settle_size()
        if self._due is None or not self._filter.can_paint:
            return
        now, is_quiet = time.monotonic(), self._filter.is_quiet
        is_late = is_quiet and now - self._due >= AT_LAST
        if is_late or now - self._heard >= (QUIET if is_quiet else AT_LAST):
            self._terminal.write(self._paint())

    def _paint(self) -> bytes:
        before: list[str] | list[None] = self._painted or [None] * len(self._frame)
        changed = {
            self.rows + 1 + index: line.encode(self._terminal.encoding, "replace")
            for index, (line, old) in enumerate(zip(self._frame, before, strict=True))
            if line != old
        }
        self._painted, self._due = list(self._frame), None
        return self._filter.paint(changed) if changed else b""

    # ------------------------------------------------------------ size, stop, end

    def resize(self, panel: int, told: bool = False) -> None:
        """Take the screen's size anew, with so many rows for the panel.

        `told` says that the terminal told of it. One that had another size for a moment has lost
        what stood there.
        """
        columns, screen = self._terminal.size()
        same = (screen - panel, columns) == self._size()
        self.rows, self.columns, self._panel = screen - panel, columns, panel
        self._frame = (self._frame + [""] * panel)[:panel]
        self._painted, self._due = None, time.monotonic()
        region = self._filter.resize(*self._size())
        before, self._resized = self._resized, time.monotonic()
        if told and (same or self._resized - before < CLOSE):
            self._nudge, self._nudged = self._resized + NUDGE, None
        if same:
            # The system tells the editor nothing of a size that did not change: it may be that it
            # draws nothing, so what it drew must not be erased. But margins may be gone by now.
            around = (b"\x1b7", b"\x1b8") if self._filter.may_repaint else (b"", b"")
            self._terminal.write(region.join(around))
            return
        self._terminal.write(b"\x1b[0m\x1b[2J" + region + b"\x1b[H" + self._paint())
        self._set_size(self.columns)

    def redraw(self) -> None:
        """Have everything drawn again on a screen that was not ours meanwhile.

        An editor that stopped itself knows of it, and draws by itself.
        """
        self._terminal.write(self._filter.modes() + self._filter.resize(*self._size()))
        self._painted, self._due = None, time.monotonic()
        knows, self._stopped_itself, self._was_told = self._stopped_itself, False, False
        if not knows:
            self._nudge, self._nudged = time.monotonic(), None

    def _settle_size(self) -> None:
        """Have an editor draw that may not have seen that there was another size.

        Of two changes that come close together it learns once, and what it learns may be the size
        that it had. So it gets another, and its own when it has drawn for that. Another width: for
        another height it might scroll, and of few rows some will not take fewer.
        """
        now = time.monotonic()
        if self._nudge is not None and now >= self._nudge:
            self._nudge, self._nudged = None, now
            self._set_size(self.columns - 1)
        elif self._nudged is not None:
            has_drawn = self._heard > self._nudged and now - self._heard >= DRAWN
            if has_drawn or now - self._nudged >= NUDGED:
                self._nudged = None
                self._set_size(self.columns)

    def _set_size(self, columns: int) -> None:
        with contextlib.suppress(termios.error, OSError):
            termios.tcsetwinsize(self.handle, (self.rows, columns))

    def look(self) -> int | str | None:
        """Return the exit status (negative: the signal), "stopped", or None while it runs."""
        if self.popen.returncode is not None:
            return self.popen.returncode
        pid, status = os.waitpid(self.popen.pid, os.WNOHANG | os.WUNTRACED)
        if not pid:
            return None
        if os.WIFSTOPPED(status):
            self._stopped_itself = not self._was_told
            return "stopped"
        self.popen.returncode = os.waitstatus_to_exitcode(status)
        return self.popen.returncode

    def stop(self) -> None:
        """Stop the editor; `look` tells when it has stopped."""
        self._was_told = True
        self._tell_leader(session_leader.STOP)

    def go_on(self) -> None:
        """Continue an editor that has stopped."""
        self._tell_leader(signal.SIGCONT)

    def _tell_leader(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(number)

    @property
    def seconds(self) -> float:
        """For how long it has been running."""
        return time.monotonic() - self._began

    def close(self) -> None:
        """Take the terminal from the editor; one that still runs is hung up, as by a window."""
        while self.popen.returncode is not None and self._drain():
            pass
        os.close(self.handle)
        for number in (session_leader.HANG_UP, session_leader.KILL, signal.SIGKILL):
            if self.popen.poll() is not None:
                return
            self._tell_leader(number)
            self.go_on()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(timeout=HANGING_UP)

    def _drain(self) -> bool:
        """Pass on what an editor that has ended still wrote; False when that was all."""
        try:
            data = os.read(self.handle, 1 << 16)
        except OSError:
            return False
        self._listen(data)
        self._terminal.write(self._filter.feed(data).output)
        return bool(data)
