"""Opens the editor in a pane of a multiplexer, or of a terminal that has panes of its own.

The command lines are those of each program's manual. They report the end of a pane in different
ways, so a shell script starts the editor and writes down its process id. It is a script because
some multiplexers expand special characters in arguments.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from jaxtutor.errors import EditorError

BESIDE = 120
"""Columns from which the editor opens beside the verdict, otherwise above it."""
TIMEOUT = 5.0
"""Seconds that a multiplexer has to answer, and the editor to start."""
Environ = Mapping[str, str]
Argv = Sequence[str]


@dataclass(frozen=True)
class PaneRequest:
    """What to run in a pane, in which environment, and whether beside or above."""

    command: Argv
    environ: Environ
    beside: bool


@dataclass(frozen=True)
class Multiplexer:
    """How to recognise a multiplexer, and the commands that open a pane in it.

    `last` is run in the pane after the editor; `settings` explains settings it needs.
    """

    name: str
    variable: str
    split: Callable[[PaneRequest], Sequence[Argv]]
    last: str = ""
    settings: str = ""


def _split_tmux(request: PaneRequest) -> Sequence[Argv]:
    return [["tmux", "split-window", "-h" if request.beside else "-v", "-b", *request.command]]


def _split_zellij(request: PaneRequest) -> Sequence[Argv]:
    direction = "right" if request.beside else "down"
    return [["zellij", "run", "--close-on-exit", "--direction", direction, "--", *request.command]]


def _split_screen(request: PaneRequest) -> Sequence[Argv]:
    """Split, show our own window in the new region, and open the editor's in the old one."""
    command = ["screen", "-S", request.environ["STY"], "-X"]
    return [
        [*command, "split", *(["-v"] if request.beside else [])],
        [*command, "focus", "next"],
        [*command, "select", request.environ.get("WINDOW", "0")],
        [*command, "focus", "prev"],
        [*command, "screen", "-t", "editor", *request.command],
    ]


def _split_wezterm(request: PaneRequest) -> Sequence[Argv]:
    side = "--left" if request.beside else "--top"
    return [["wezterm", "cli", "split-pane", side, "--", *request.command]]


def _split_kitty(request: PaneRequest) -> Sequence[Argv]:
    """Open a window before ours; the tab's layout decides where that is."""
    socket = request.environ.get("KITTY_LISTEN_ON", "")
    if not socket:  # otherwise kitty answers on the terminal, which another process of ours reads
        raise EditorError("kitty does not accept remote commands.", _KITTY_SETTINGS)
    return [
        ["kitty", "@", "--to", socket, "launch", "--self", "--location=before", *request.command]
    ]


_KITTY_SETTINGS = (
    "Panes need `allow_remote_control socket-only` and `listen_on unix:/tmp/kitty` in kitty.conf."
)

# A multiplexer can run inside wezterm or kitty, so the multiplexers come first.
MULTIPLEXERS = (
    Multiplexer("tmux", "TMUX", _split_tmux),
    Multiplexer("zellij", "ZELLIJ", _split_zellij),
    Multiplexer("screen", "STY", _split_screen, last="screen -X remove"),
    Multiplexer("wezterm", "WEZTERM_PANE", _split_wezterm),
    Multiplexer("kitty", "KITTY_WINDOW_ID", _split_kitty, settings=_KITTY_SETTINGS),
)


@dataclass(frozen=True)
class Pane:
    """An editor in a pane, observed through the file in which its process id is written."""

    folder: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(
            prefix="jaxtutor-", ignore_cleanup_errors=True
        )
    )

    @property
    def pid_file(self) -> Path:
        """The file that contains the process id of the editor."""
        return Path(self.folder.name) / "editor"

    def write(self, command: Argv, folder: Path, last: str) -> Path:
        """Write the script to run in the pane."""
        script = self.pid_file.with_name("open")
        pid_file, begin = shlex.quote(str(self.pid_file)), "" if last else "exec "
        lines = (
            f"cd {shlex.quote(str(folder))}",
            f"echo $$ >{pid_file}",
            begin + shlex.join(command),
            last,
        )
        script.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
        return script

    def has_started(self) -> bool:
        """Return whether the editor has started."""
        return bool(_read_pid(self.pid_file))

    def is_open(self) -> bool:
        """Return whether the editor is still running."""
        return psutil.pid_exists(_read_pid(self.pid_file))

    def close(self) -> None:
        """Delete the script and the pid file; the pane stays open."""
        self.folder.cleanup()


def find_multiplexer(environ: Environ) -> str:
    """Return the name of the enclosing program that can open panes; empty if there is none."""
    return next((one.name for one in MULTIPLEXERS if environ.get(one.variable)), "")


def open_pane(name: str, command: Argv, folder: Path, columns: int, environ: Environ) -> Pane:
    """Run an editor in a new pane, which gets the focus. Raises EditorError if none opens."""
    multiplexer = next(one for one in MULTIPLEXERS if one.name == name)
    pane = Pane()
    shell = ["sh", str(pane.write(command, folder, multiplexer.last))]
    try:
        for argv in multiplexer.split(PaneRequest(shell, environ, columns >= BESIDE)):
            _run(multiplexer, argv, environ)
        _await_editor(multiplexer, pane)
    except EditorError:
        pane.close()
        raise
    return pane


def _run(multiplexer: Multiplexer, argv: Argv, environ: Environ) -> None:
    try:
        result = subprocess.run(
            argv,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=TIMEOUT,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = (
            "does not answer" if isinstance(error, subprocess.TimeoutExpired) else "was not found"
        )
        raise EditorError(f"{argv[0]} {problem}.", multiplexer.settings) from error
    if result.returncode:
        message = (result.stderr.strip() or result.stdout.strip()).rpartition("\n")[2]
        reason = message.removesuffix(".") or f"it exited with status {result.returncode}"
        raise EditorError(f"{argv[0]} cannot open a pane: {reason}.", multiplexer.settings)


def _await_editor(multiplexer: Multiplexer, pane: Pane) -> None:
    end = time.monotonic() + TIMEOUT
    while not pane.has_started():
        if time.monotonic() > end:
            raise EditorError(f"{multiplexer.name} did not open a pane.", multiplexer.settings)
        time.sleep(0.02)


def _read_pid(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # not written yet
        return 0
