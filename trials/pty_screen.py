"""Runs a program in a pty with job control, and emulates the terminal's screen with pyte.

It answers the program's queries, and records which modes the program leaves set.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psutil
import pyte

LONG = 60.0
"""The timeout for an event in seconds, long enough for a busy machine."""

# A shell that runs one program in the foreground, reports when it stops or ends, and continues it.
_SHELL = """
import fcntl, os, signal, sys, termios
say, hear = int(sys.argv[1]), int(sys.argv[2])
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
begun = os.pipe()
child = os.fork()
if not child:
    os.setpgid(0, 0)
    os.read(begun[0], 1)
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.closerange(3, 100)
    os.execvp(sys.argv[3], sys.argv[3:])
os.setpgid(child, child)
signal.signal(signal.SIGHUP, lambda *_: os.killpg(child, signal.SIGHUP))
os.tcsetpgrp(0, child)
os.write(begun[1], b"x")
os.write(say, b"began %d\\n" % child)
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    try:
        os.tcsetpgrp(0, os.getpgrp())
    except OSError:
        pass
    if not os.WIFSTOPPED(status):
        os.write(say, b"ended %d\\n" % os.waitstatus_to_exitcode(status))
        os.read(hear, 1)
        os._exit(0)
    os.write(say, b"stopped\\n")
    if not os.read(hear, 1):
        os._exit(0)
    os.tcsetpgrp(0, child)
    os.killpg(child, signal.SIGCONT)
"""

_STRINGS = re.compile(rb"\x1b([\]PX^_])(.*?)(?:\x07|\x1b\\)", re.DOTALL)
_CONTROL = re.compile(rb"\x1b\[([<-?]?)([0-9:;]*)([ -/]*)([@-~])")
_KNOWN = _STRINGS.pattern + rb"|" + _CONTROL.pattern + rb"|\x1b[=>78c]"
_SEQUENCE = re.compile(_KNOWN, re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)?\Z", re.DOTALL)
_ALTERNATE = {47, 1047, 1049}
_NOT_HELD = {1, 7, 12, 25}
"""Modes that are not off initially."""


class Screen(pyte.Screen):  # type: ignore[misc, unused-ignore]
    """pyte's screen with the sequences of editors that pyte lacks."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.drawn = " "

    def draw(self, data: str) -> None:
        """Draw, and remember the last character for `repeat`."""
        super().draw(data)
        self.drawn = data[-1:] or self.drawn

    def select_graphic_rendition(self, *attrs: int, **private: Any) -> None:
        """Set colours. Private forms of the sequence set something else."""
        if not private:
            super().select_graphic_rendition(*attrs)

    def repeat(self, count: int = 1) -> None:
        """Draw the last character again."""
        super().draw(self.drawn * max(count, 1))

    def scroll_up(self, count: int = 1) -> None:
        """Scroll the lines between the margins up."""
        self._scroll(count, self.delete_lines)

    def scroll_down(self, count: int = 1) -> None:
        """Scroll the lines between the margins down."""
        self._scroll(count, self.insert_lines)

    def _scroll(self, count: int, how: Callable[[int], None]) -> None:
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        how(max(count, 1))
        self.cursor.x, self.cursor.y = x, y

    def save_cursor(self) -> None:
        """Save one cursor, as terminals do, instead of a stack of cursors."""
        self.savepoints.clear()
        super().save_cursor()

    def report_device_attributes(self, *_: Any, **__: Any) -> None:
        """Do nothing: the terminal answers."""

    def report_device_status(self, *_: Any, **__: Any) -> None:
        """Do nothing: the terminal answers."""


class _Stream(pyte.ByteStream):  # type: ignore[misc, unused-ignore]
    csi = {**pyte.Stream.csi, "S": "scroll_up", "T": "scroll_down", "b": "repeat"}  # noqa: RUF012
    events = pyte.Stream.events | {"scroll_up", "scroll_down", "repeat"}


class PtyTerminal:
    """An emulated terminal with one program, for a trial to control and read."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        columns: int = 100,
        rows: int = 30,
        *,
        answers: bool = True,
    ) -> None:
        """Start the program. `answers` says whether the program's queries are answered."""
        self.token = uuid.uuid4().hex
        self.size = columns, rows
        self.answers = answers
        self.screen = Screen(columns, rows)
        self._stream = _Stream(self.screen)
        self._held = b""
        self.modes: dict[int, bool] = {}
        self.keyboard: list[bytes] = []
        self.written = 0
        self.tail = b""
        self.handle, self.far = os.openpty()
        termios.tcsetwinsize(self.far, (rows, columns))
        self.before = termios.tcgetattr(self.far)
        self._events, said = os.pipe()
        heard, self._orders = os.pipe()
        shell = [sys.executable, "-S", "-E", "-c", _SHELL, str(said), str(heard), *command]
        self.shell = subprocess.Popen(
            shell,
            stdin=self.far,
            stdout=self.far,
            stderr=self.far,
            pass_fds=(said, heard),
            start_new_session=True,
            env={**environ, "GLASS": self.token},
        )
        os.close(said)
        os.close(heard)
        os.set_blocking(self.handle, False)
        self._queue = bytearray()
        self._words = b""
        self.events: list[str] = []
        self.await_event("began")
        self.pid = int(self.events[0].split()[1])

    # ------------------------------------------------------------ the end of the program

    @property
    def status(self) -> int | None:
        """The program's exit status, or a negative signal number, once it has ended."""
        last = self.events[-1].split()
        return int(last[1]) if last[0] == "ended" else None

    @property
    def process(self) -> psutil.Process:
        """The program's process."""
        return psutil.Process(self.pid)

    def left(self) -> list[psutil.Process]:
        """Return the processes that the program started and that still exist."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                is_ours = process.environ().get("GLASS") == self.token
                is_gone = process.status() == psutil.STATUS_ZOMBIE
                if is_ours and not is_gone and process.pid != self.shell.pid:
                    found.append(process)
        return found

    def await_nobody(self, seconds: float = 15.0) -> list[str]:
        """Wait until no process is left, and return those that remain."""
        end = time.monotonic() + seconds
        while left := self.left():
            if time.monotonic() > end:
                return [_describe(process) for process in left]
            self.pump(0.05)
        return []

    def continue_(self) -> None:
        """Type `fg`."""
        os.write(self._orders, b"x")

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        os.close(self.far)
        os.close(self.handle)
        self.handle = self.far = -1

    def close(self) -> None:
        """End the program and close the terminal."""
        for process in self.left():
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.shell.kill()
        self.shell.wait()
        for descriptor in (self.handle, self.far, self._events, self._orders):
            if descriptor >= 0:
                os.close(descriptor)

    def __enter__(self) -> PtyTerminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ input and output

    def press(self, keys: str | bytes) -> None:
        """Type once the program reads."""
        self._queue += keys.encode() if isinstance(keys, str) else keys
        self.pump(0)

    @property
    def typed(self) -> bool:
        """Return True if the program has read everything that was typed."""
        return not self._queue

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.size = columns, rows
        self.screen.resize(rows, columns)
        termios.tcsetwinsize(self.far, (rows, columns))

    def pump(self, seconds: float, most: int = 1 << 16) -> int:
        """Read output for a time, and return the number of bytes."""
        came = 0
        end = time.monotonic() + seconds
        while True:
            readers = [self._events] + ([self.handle] if self.handle >= 0 else [])
            writers = [self.handle] if self._queue and self.handle >= 0 else []
            patience = max(end - time.monotonic(), 0)
            ready, writable, _ = select.select(readers, writers, [], patience)
            if writable:
                with contextlib.suppress(BlockingIOError):
                    del self._queue[: os.write(self.handle, self._queue[:4096])]
            if self._events in ready and not self._listen():
                return came
            if self.handle in ready:
                data = os.read(self.handle, most)
                came += len(data)
                self.take(data)
            if time.monotonic() >= end and not ready:
                return came

    def _listen(self) -> bool:
        data = os.read(self._events, 4096)
        self._words += data
        *lines, self._words = self._words.split(b"\n")
        self.events += [line.decode() for line in lines]
        return bool(data)

    def settle(self, quiet: float = 0.3, most: float = LONG) -> bool:
        """Read output until there is none for a while. Return False if that does not happen."""
        end = time.monotonic() + most
        last = time.monotonic()
        while time.monotonic() - last < quiet:
            if self.pump(0.02):
                last = time.monotonic()
            if time.monotonic() > end:
                return False
        return True

    def await_event(self, word: str, seconds: float = LONG) -> bool:
        """Wait until the shell reports that the program began, stopped or ended."""
        end = time.monotonic() + seconds
        while not (self.events and self.events[-1].startswith(word)):
            if time.monotonic() > end:
                return False
            self.pump(0.02)
        return True

    def sees(self, *words: str) -> bool:
        """Return True if all the words are on the screen."""
        text = "\n".join(self.screen.display)
        return all(word in text for word in words)

    def await_(self, *words: str, seconds: float = LONG) -> bool:
        """Wait until all the words are on the screen. Return False if that does not happen."""
        end = time.monotonic() + seconds
        while not self.sees(*words):
            if time.monotonic() > end or self.status is not None:
                return False
            self.pump(0.02)
        return True

    # ------------------------------------------------------------ emulation

    def take(self, data: bytes) -> None:
        """Process output as a terminal does."""
        self.written += len(data)
        self.tail = (self.tail + data)[-4000:]
        data = self._held + data
        unfinished = _UNFINISHED.search(data)
        self._held = data[unfinished.start() :] if unfinished else b""
        data = data[: len(data) - len(self._held)]
        position = 0
        for match in _SEQUENCE.finditer(data):
            self._stream.feed(data[position : match.start()])
            position = match.end()
            self._stream.feed(self._obey(match))
        self._stream.feed(data[position:])

    def _obey(self, match: re.Match[bytes]) -> bytes:
        """Record the effect of a sequence, and return the part that pyte handles."""
        kind, body, private, numbers, between, final = match.groups()
        if kind is not None:
            self._answer_string(kind, body)
            return match[0] if kind == b"]" and body[:2] in (b"0;", b"2;") else b""
        if final is None:
            if match[0] in (b"\x1b=", b"\x1b>"):
                self.modes[66] = match[0] == b"\x1b="
            return match[0]
        whole = private + between + final
        if whole in (b"?h", b"?l"):
            self._switch([int(it) for it in numbers.split(b";") if it], final == b"h")
        elif whole == b">u":
            self.keyboard.append(numbers)
        elif whole == b"<u":
            del self.keyboard[-max(int(numbers or 1), 1) :]
        elif whole == b">m":
            self.modes[4_000] = b";" in numbers.rstrip(b";")
        elif whole == b"!p":
            self._stream.feed(b"\x1b[r\x1b[0m\x1b[4l\x1b[?6l\x1b[?7h\x1b[?25h")
        self._answer(whole, numbers)
        is_plain = not between and private in (b"", b"?") and b":" not in numbers
        return (
            match[0] if is_plain and whole not in (b"?m", b"?u", b"u", b"s", b"t", b"?J") else b""
        )

    def _switch(self, numbers: list[int], on: bool) -> None:
        for number in numbers:
            self.modes[1049 if number in _ALTERNATE else number] = on
            if number in _ALTERNATE and on:
                self._stream.feed(b"\x1b[2J")

    def _answer(self, whole: bytes, numbers: bytes) -> None:
        cursor = self.screen.cursor
        answer = {
            b"c": b"\x1b[?62;22c",
            b">c": b"\x1b[>1;10;0c",
            b"?u": b"\x1b[?0u",
            b"?$p": b"\x1b[?%s;%d$y" % (numbers, self._mode(numbers)),
            b"n": b"\x1b[%d;%dR" % (cursor.y + 1, cursor.x + 1) if numbers == b"6" else b"\x1b[0n",
            b">q": b"\x1bP>|terminal\x1b\\",
        }.get(whole)
        if answer and self.answers and not (whole == b"n" and numbers not in (b"5", b"6")):
            self._queue += answer

    def _mode(self, numbers: bytes) -> int:
        number = int(numbers) if numbers.isdigit() else 0
        return (1 if self.modes[number] else 2) if number in self.modes else 0

    def _answer_string(self, kind: bytes, body: bytes) -> None:
        if not self.answers:
            return
        if kind == b"]" and body.endswith(b";?"):
            self._queue += b"\x1b]%s;rgb:1e1e/1e1e/1e1e\x1b\\" % body[:-2]
        elif kind == b"P" and body.startswith(b"+q"):
            self._queue += b"\x1bP0+r\x1b\\"

    # ------------------------------------------------------------ state

    def rows(self) -> list[str]:
        """Return the rows of the screen without trailing blanks."""
        return [row.rstrip() for row in self.screen.display]

    def faults(self) -> list[str]:
        """Return what differs from the state before the program began."""
        found = [
            f"mode {number} is {'on' if on else 'off'}"
            for number, on in sorted(self.modes.items())
            if on != (number in (7, 25))
        ]
        if self.keyboard:
            found.append("a way of reporting keys is left")
        if self.screen.margins not in (None, (0, self.screen.lines - 1)):
            found.append(f"margins are {self.screen.margins}")
        if self._held:
            found.append(f"a sequence is not finished: {self._held!r}")
        if termios.tcgetattr(self.far) != self.before:
            found.append("the terminal's settings differ")
        return found


def _describe(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return f"{process.pid} {process.status()} {' '.join(process.cmdline())[:80]}"
    return str(process.pid)


def send(terminal: PtyTerminal, number: signal.Signals, whom: psutil.Process | None = None) -> None:
    """Send a signal to the program, or to a process below it."""
    with contextlib.suppress(psutil.Error):
        (whom or terminal.process).send_signal(number)
