"""Owns the terminal of a session: its modes, what is painted, and the keys that come from it."""

from __future__ import annotations

import io
import os
import select
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, TextIO

from rich.console import Console, RenderableType

from jaxtutor.ui.look import THEME

if TYPE_CHECKING:
    from prompt_toolkit.input import Input

ENTER = "\x1b[?1049h\x1b[?25l"
LEAVE = "\x1b[?25h\x1b[?1049l"


class Screen:
    """Paints whole screens from lines; a plain one prints each page once, below the last."""

    def __init__(self, stream: TextIO, console: Console, plain: bool) -> None:
        self.stream = stream
        self.console = console
        self.plain = plain
        self._printed: tuple[list[str], str] | None = None

    def size(self) -> tuple[int, int]:
        """Return columns and rows; terminals that do not know say 80 by 24."""
        columns, rows = shutil.get_terminal_size()
        return max(columns, 20), max(rows, 3)

    def render(self, parts: list[RenderableType], widest: int) -> list[str]:
        """Render to lines of text with the escape sequences that the terminal can show."""
        columns, _ = self.size()
        console = Console(
            file=io.StringIO(),
            theme=THEME,
            force_terminal=not self.plain,
            color_system=self.console.color_system or None,  # type: ignore[arg-type]
            no_color=self.console.no_color,
            highlight=False,
            markup=False,
            emoji=False,
            width=min(columns, widest),
        )
        for part in parts:
            console.print(part)
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue().rstrip("\n").split("\n")

    def paint(self, lines: list[str], offset: int, status: str) -> None:
        """Show the lines from `offset` on, and the status in the last row."""
        if self.plain:
            self._print_once(lines, status)
            return
        _, rows = self.size()
        shown = lines[offset : offset + rows - 1]
        shown += [""] * (rows - 1 - len(shown))
        body = "".join(f"{line}\x1b[0m\x1b[K\r\n" for line in shown)
        self._write(f"\x1b[H{body}{status}\x1b[0m\x1b[K")

    def _print_once(self, lines: list[str], status: str) -> None:
        if self._printed is None or self._printed[0] != lines:
            self._write("\r\n".join(["", *lines, ""]))
        if self._printed is None or self._printed[1] != status:
            self._write(f"{status}\r\n")
        self._printed = (lines, status)

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Take the whole screen, and give it back as it was."""
        if not self.plain:
            self._write(ENTER)
        try:
            yield
        finally:
            if not self.plain:
                self._write(LEAVE)

    @contextmanager
    def left(self) -> Iterator[None]:
        """Lend the terminal to another program."""
        if not self.plain:
            self._write(LEAVE)
        try:
            yield
        finally:
            if not self.plain:
                self._write(ENTER)


class Wake:
    """Lets other threads and signals wake the loop."""

    def __init__(self) -> None:
        self.read, self._write = os.pipe()
        os.set_blocking(self.read, False)
        os.set_blocking(self._write, False)

    def __call__(self) -> None:
        """Wake the loop; from a signal handler too."""
        try:
            os.write(self._write, b"x")
        except BlockingIOError:
            return  # it will wake anyway

    def clear(self) -> None:
        """Forget the wakes so far."""
        try:
            os.read(self.read, 4096)
        except BlockingIOError:
            return

    @contextmanager
    def on(
        self, *signals: signal.Signals, then: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Be woken by these signals, after `then`; they do nothing else."""

        def handle(*_: object) -> None:
            then()
            self()

        before = {number: signal.signal(number, handle) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def close(self) -> None:
        """Give the pipe back."""
        os.close(self.read)
        os.close(self._write)


class Keys:
    """Reads single keys, by name: `a`, `enter`, `up`, `pagedown`, `c-c`."""

    NAMES: ClassVar = {"c-m": "enter", "c-j": "enter", "c-h": "backspace", " ": "space"}

    def __init__(self) -> None:
        from prompt_toolkit.input import create_input

        self._input: Input = create_input()

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Get every key at once, Ctrl-C too, and echo none."""
        with self._input.raw_mode():
            yield

    @contextmanager
    def cooked(self) -> Iterator[None]:
        """Let another program have the keys, in the terminal's own mode."""
        with self._input.cooked_mode():
            yield

    def wait(self, wake: Wake, timeout: float | None) -> list[str]:
        """Wait for keys, a wake or the timeout; a closed terminal reads as Ctrl-D."""
        descriptor = self._input.fileno()
        ready, _, _ = select.select([descriptor, wake.read], [], [], timeout)
        if wake.read in ready:
            wake.clear()
        if descriptor not in ready:
            return []
        presses = self._input.read_keys()
        if self._input.closed:
            return ["c-d"]
        if not presses:  # an escape that may begin a sequence: after a moment it is itself
            more, _, _ = select.select([descriptor], [], [], 0.05)
            presses = [] if more else self._input.flush_keys()
        names = [str(getattr(press.key, "value", press.key)) for press in presses]
        return [self.NAMES.get(name, name) for name in names]
