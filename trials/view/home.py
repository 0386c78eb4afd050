"""Opens sessions in an emulated terminal, and counts what held."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from trials import Figure, scripted
from trials.pty_screen import PtyTerminal

SEED = 7
ROOT = Path(__file__).parents[2]
LESSON = "safe-clip-positive"
PREFIX = "\x1b[24~"
EDITORS = {
    "vim": "vim -Nu NONE -n",
    "nano": "nano -I",
    "neovim": "nvim --clean -n",
    "micro": "micro",
    "emacs": "emacs -nw -Q",
    "kakoune": "kak -n",
}


@dataclass
class Tally:
    """Counts the trials of one promise and keeps the failures."""

    promise: str
    detail: str = ""
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    broken: int = 0

    def note(self, what: str, *faults: str) -> None:
        """Count one trial with these faults."""
        self.tried += 1
        if faults:
            self.broken += 1
            self.failures.append(f"{what}: {'; '.join(faults)}"[:2000])

    def figure(self) -> Figure:
        """Return the resulting figure."""
        return Figure(
            promise=self.promise,
            tried=self.tried,
            held=self.tried - self.broken,
            detail=self.detail,
            failures=tuple(self.failures),
        )


class Home:
    """A learner's home for one program, with its environment."""

    def __init__(self, editor: str, **environ: str) -> None:
        # Not under /tmp, where vim saves in another way than in a home directory.
        self._folder = tempfile.TemporaryDirectory(
            dir="/var/tmp", prefix="view-", ignore_cleanup_errors=True
        )
        self.path = Path(self._folder.name)
        self.notes = self.path / "notes"
        if editor == "scripted":
            editor = shlex.join([sys.executable, "-S", scripted.__file__, str(self.notes)])
        inside = {
            "HOME": str(self.path),
            "JAXTUTOR_HOME": str(self.path / "jaxtutor"),
            "PYTHONPATH": str(ROOT),
            "VISUAL": editor,
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "MICRO_CONFIG_HOME": str(self.path),
            "XDG_RUNTIME_DIR": str(self.path),
            # The run of the known mistakes may outlive a session, and keeps its home in use.
            "JAXTUTOR_NO_KEEP": "yes",
        }
        left_out = ("TMUX", "EDITOR", "LINES", "COLUMNS", "NO_COLOR", "DISPLAY", "PAGER", "LESS")
        around = {name: value for name, value in os.environ.items() if name not in left_out}
        self.environ = {**around, **inside, **environ}

    @property
    def file(self) -> Path:
        """The learner's file."""
        return next((self.path / "jaxtutor").rglob("01_safe_clip_positive.py"))

    def open(self, *arguments: str, columns: int = 100, rows: int = 30) -> PtyTerminal:
        """Run jaxtutor in a terminal."""
        command = [sys.executable, "-m", "jaxtutor", *(arguments or ("start", LESSON))]
        return PtyTerminal(command, self.environ, columns, rows)

    def edit(self, *arguments: str, columns: int = 100, rows: int = 30) -> PtyTerminal:
        """Start a session and open the editor in it."""
        terminal = self.open(*arguments, columns=columns, rows=rows)
        assert terminal.await_("enter edit"), terminal.rows()
        terminal.press("\r")
        words = (" F12",) if "plain" not in arguments else ("TODO",)
        assert terminal.await_(*words), terminal.rows()
        terminal.settle()
        return terminal

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def leave(terminal: PtyTerminal) -> list[str]:
    """End a session in any state, and return what was not restored."""
    for keys in ("\x1b", "\x1b", PREFIX, "q", "y", "n", "\x1b", PREFIX, "q", "y", "q", "y", "q"):
        if terminal.status is not None:
            break
        terminal.press(keys)
        terminal.pump(0.25)
    terminal.await_event("ended", 10)
    return given_back(terminal, 0)


def given_back(terminal: PtyTerminal, *statuses: int) -> list[str]:
    """Return what differs from the state before the program, which must have ended this way."""
    if not terminal.await_event("ended", 20):
        return [f"it has not ended: {terminal.rows()[-1]!r}"]
    terminal.settle(0.1, most=5.0)  # what a terminal answers may be echoed for ever
    found = terminal.faults()
    if statuses and terminal.status not in statuses:
        found.append(f"its status is {terminal.status}, not {statuses}")
    if b"Traceback" in terminal.tail:
        found.append(f"a traceback: {terminal.tail[-800:]!r}")
    return found + [f"left behind: {process}" for process in terminal.await_nobody()]


def installed() -> list[str]:
    """Return the installed editors and the scripted one."""
    return [*(name for name in EDITORS if shutil.which(EDITORS[name].split()[0])), "scripted"]


def calm(terminal: PtyTerminal) -> None:
    """Wait until there is no more output and no check."""
    end = time.monotonic() + 20
    terminal.settle(0.4)
    while time.monotonic() < end and terminal.status is None and is_busy(terminal):
        terminal.settle(0.4)


def is_busy(terminal: PtyTerminal) -> bool:
    """Return True during a check, or before a new size has been drawn."""
    rows, margins = terminal.rows(), terminal.screen.margins
    if any("checking" in row for row in rows):
        return True
    if not any(" F12" in row for row in rows):
        return False
    # The status line is as wide as the screen, except for the space at its end.
    return margins is None or len(rows[margins.bottom + 1]) != terminal.size[0] - 1
