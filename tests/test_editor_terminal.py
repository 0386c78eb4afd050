"""Tests a terminal editor in the foreground of a real terminal."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TUTOR = """
import signal, sys, termios
from pathlib import Path
from jaxtutor.system.editor import Editor, open_in_foreground

editor = Editor("ed", tuple(sys.argv[2:]), "terminal", "EDITOR")
status = open_in_foreground(editor, Path(sys.argv[1]))
cooked = bool(termios.tcgetattr(0)[3] & termios.ICANON)
print(f"STATUS {status} COOKED {cooked}", flush=True)
print("LINE", input(), flush=True)
"""

# A program that sets the terminal to raw mode, reports that, and acts on single keys.
EDITOR = """
import os, signal, sys, tty
signal.signal(signal.SIGINT, lambda *_: print("INTERRUPTED\\r", flush=True))
if "raw" in sys.argv:
    tty.setraw(0)
print("EDITING\\r", flush=True)
while key := os.read(0, 1):
    if key == b"k":
        os.kill(os.getpid(), signal.SIGKILL)
    if key == b"z":
        os.killpg(0, signal.SIGTSTP)
        tty.setraw(0)
        print("AGAIN\\r", flush=True)
    if key == b"q":
        sys.exit(7)
"""

# `pty.fork` would do the same, but forks a test process that may have threads.
TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""

LONG = 20.0


class Terminal:
    """A terminal whose screen a test reads and whose keys it presses."""

    def __init__(self, command: list[str]) -> None:
        self.text = ""
        self.handle, far = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *command],
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PS1": "shell> "},
        )
        os.close(far)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self.handle, keys.encode())

    def await_(self, words: str) -> str:
        """Wait until the words appear, and return the output since the previous call."""
        end = time.monotonic() + LONG
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} is not in {self.text!r}"
            if select.select([self.handle], [], [], 0.2)[0]:
                self.text += os.read(self.handle, 65536).decode(errors="replace")
        before, _, self.text = self.text.partition(words)
        return before

    def close(self) -> None:
        """Close the terminal."""
        os.close(self.handle)
        self.process.kill()
        self.process.wait()


@pytest.fixture
def scripts(tmp_path: Path) -> tuple[str, str]:
    """Write the scripts of the tutor and of an editor."""
    for name, text in (("tutor.py", TUTOR), ("editor.py", EDITOR)):
        (tmp_path / name).write_text(text)
    return str(tmp_path / "tutor.py"), str(tmp_path / "editor.py")


@pytest.fixture
def run(scripts: tuple[str, str]) -> Iterator[Callable[..., Terminal]]:
    """Start the tutor with an editor in a terminal, without a shell."""
    terminals = []

    def start(*editor: str) -> Terminal:
        command = list(editor) or [sys.executable, scripts[1], "raw"]
        terminals.append(Terminal([sys.executable, scripts[0], "/dev/null", *command]))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def test_the_exit_status_comes_back(run: Callable[..., Terminal]) -> None:
    """When the editor exits, its status is returned and the terminal is restored."""
    terminal = run()
    terminal.await_("EDITING")
    terminal.press("q")
    terminal.await_("STATUS 7 COOKED True")
    terminal.press("hello\r")

    terminal.await_("LINE hello")


def test_a_killed_editor_leaves_a_sane_terminal(run: Callable[..., Terminal]) -> None:
    """After an editor is killed in raw mode, the terminal accepts lines again."""
    terminal = run()
    terminal.await_("EDITING")
    terminal.press("k")

    terminal.await_("STATUS -9 COOKED True")


def test_an_interrupt_is_the_editors(
    run: Callable[..., Terminal], scripts: tuple[str, str]
) -> None:
    """Ctrl-C reaches the editor only."""
    terminal = run(sys.executable, scripts[1], "cooked")
    terminal.await_("EDITING")
    terminal.press("\x03")
    terminal.await_("INTERRUPTED")
    terminal.press("q\r")

    terminal.await_("STATUS 7")


def test_suspending_without_a_shell_goes_on(run: Callable[..., Terminal]) -> None:
    """Without a shell to continue it, an editor that suspends itself is continued at once."""
    terminal = run()
    terminal.await_("EDITING")
    terminal.press("z")
    terminal.await_("AGAIN")
    terminal.press("q")

    terminal.await_("STATUS 7")


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_suspending_under_a_shell(scripts: tuple[str, str]) -> None:
    """An editor's suspend suspends us under a shell, and `fg` continues the editor, twice."""
    shell = Terminal(["/bin/bash", "--norc", "--noediting", "-i"])
    try:
        shell.await_("shell> ")
        shell.press(f"{sys.executable} {' '.join(scripts[:1])} /dev/null ")
        shell.press(f"{sys.executable} {scripts[1]} raw\r")
        shell.await_("EDITING")
        for _ in range(2):
            shell.press("z")
            shell.await_("Stopped")
            shell.await_("shell> ")
            shell.press("fg\r")
            shell.await_("AGAIN")
        shell.press("q")
        shell.await_("STATUS 7 COOKED True")
        shell.press("line\r")
        shell.await_("LINE line")
        shell.await_("shell> ")
    finally:
        shell.close()


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_continuing_in_the_background(scripts: tuple[str, str]) -> None:
    """After `bg` the shell keeps the terminal, and `fg` continues the editor."""
    shell = Terminal(["/bin/bash", "--norc", "--noediting", "-i"])
    try:
        shell.await_("shell> ")
        shell.press(f"{sys.executable} {scripts[0]} /dev/null {sys.executable} {scripts[1]} raw\r")
        shell.await_("EDITING")
        shell.press("z")
        shell.await_("shell> ")
        shell.press("bg\r")
        shell.await_("shell> ")
        shell.press("echo still $((40 + 2))\r")
        shell.await_("still 42")
        shell.await_("shell> ")
        shell.press("fg\r")
        shell.await_("AGAIN")
        shell.press("q")
        shell.await_("STATUS 7")
    finally:
        shell.close()


@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_vim(run: Callable[..., Terminal], tmp_path: Path) -> None:
    """A real vim opens, takes keys, saves and exits."""
    terminal = run("vim", "-Nu", "NONE", "-n", "+set notimeout")
    terminal.await_("/dev/null")
    terminal.press(f":e {tmp_path}/a.py\rix = 1\x1b:wq\r")
    terminal.await_("STATUS 0 COOKED True")

    assert (tmp_path / "a.py").read_text() == "x = 1\n"
