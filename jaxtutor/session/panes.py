"""Owns an editor in a pane: of the multiplexer around us, or of a terminal that splits itself.

Each takes the command line that its manual gives. None says alike what becomes of a pane, so the
editor is started by a script of ours that notes its process. A script, because some of them would
expand what stands in an argument.
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
"""Columns from which the editor stands at the side; below, it stands above."""
PATIENCE = 5.0
"""Seconds in which an answer must come, and the editor be running."""
Environ = Mapping[str, str]
Argv = Sequence[str]


@dataclass(frozen=True)
class PaneRequest:
    """What is to run in a pane, around whom, and whether at the side."""

    command: Argv
    environ: Environ
    beside: bool


@dataclass(frozen=True)
class Multiplexer:
    """How one is known to be around us, and the commands that open a pane in it.

    `last` is run in the pane when the editor has ended; `settings` is what it may need.
    """

    name: str
    variable: str
    split: Callable[[PaneRequest], Sequence[Argv]]
    last: str = ""
    settings: str = ""


def _split_tmux(wish: PaneRequest) -> Sequence[Argv]:
    return [["tmux", "split-window", "-h" if wish.beside else "-v", "-b", *wish.command]]


def _split_zellij(wish: PaneRequest) -> Sequence[Argv]:
    way = "right" if wish.beside else "down"
    return [["zellij", "run", "--close-on-exit", "--direction", way, "--", *wish.command]]


def _split_screen(wish: PaneRequest) -> Sequence[Argv]:
    """Split, move our own window to the new region, and open the editor's in the old one."""
    say = ["screen", "-S", wish.environ["STY"], "-X"]
    return [
        [*say, "split", *(["-v"] if wish.beside else [])],
        [*say, "focus", "next"],
        [*say, "select", wish.environ.get("WINDOW", "0")],
        [*say, "focus", "prev"],
        [*say, "screen", "-t", "editor", *wish.command],
    ]


def _split_wezterm(wish: PaneRequest) -> Sequence[Argv]:
    way = "--left" if wish.beside else "--top"
    return [["wezterm", "cli", "split-pane", way, "--", *wish.command]]


def _split_kitty(wish: PaneRequest) -> Sequence[Argv]:
    """Open a window before ours; where that stands is for the tab's layout to say."""
    socket = wish.environ.get("KITTY_LISTEN_ON", "")
    if not socket:  # else it would speak through the terminal, which another process of ours reads
        raise EditorError("kitty takes no commands here.", _KITTY_SETTINGS)
    return [["kitty", "@", "--to", socket, "launch", "--self", "--location=before", *wish.command]]


_KITTY_SETTINGS = (
    "Panes need `allow_remote_control socket-only` and `listen_on unix:/tmp/kitty` in kitty.conf."
)

# A multiplexer runs inside a terminal, so the multiplexers come first.
MULTIPLEXERS = (
    Multiplexer("tmux", "TMUX", _split_tmux),
    Multiplexer("zellij", "ZELLIJ", _split_zellij),
    Multiplexer("screen", "STY", _split_screen, last="screen -X remove"),
    Multiplexer("wezterm", "WEZTERM_PANE", _split_wezterm),
    Multiplexer("kitty", "KITTY_WINDOW_ID", _split_kitty, settings=_KITTY_SETTINGS),
)


@dataclass(frozen=True)
class Pane:
    """An editor that runs in a pane, as far as its notes tell."""

    folder: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(
            prefix="jaxtutor-", ignore_cleanup_errors=True
        )
    )

    @property
    def note(self) -> Path:
        """Where the number of the editor's process stands."""
        return Path(self.folder.name) / "editor"

    def write(self, command: Argv, folder: Path, last: str) -> Path:
        """Write the script that is to run in the pane."""
        script = self.note.with_name("open")
        note, begin = shlex.quote(str(self.note)), "" if last else "exec "
        lines = (
            f"cd {shlex.quote(str(folder))}",
            f"echo $$ >{note}",
            begin + shlex.join(command),
            last,
        )
        script.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
        return script

    def has_begun(self) -> bool:
        """Tell whether the editor runs, or ran."""
        return bool(_number(self.note))

    def is_open(self) -> bool:
        """Tell whether the editor runs still."""
        return psutil.pid_exists(_number(self.note))

    def close(self) -> None:
        """Forget the pane, which stays as it is."""
        self.folder.cleanup()


def find_multiplexer(environ: Environ) -> str:
    """Name what is around us that can open panes; empty for none."""
    return next((one.name for one in MULTIPLEXERS if environ.get(one.variable)), "")


def open_pane(name: str, command: Argv, folder: Path, columns: int, environ: Environ) -> Pane:
    """Run an editor in a new pane, which gets the keys. Raises EditorError where none opens."""
    multiplexer = next(one for one in MULTIPLEXERS if one.name == name)
    pane = Pane()
    shell = ["sh", str(pane.write(command, folder, multiplexer.last))]
    try:
        for argv in multiplexer.split(PaneRequest(shell, environ, columns >= BESIDE)):
            _say(multiplexer, argv, environ)
        _await_editor(multiplexer, pane)
    except EditorError:
        pane.close()
        raise
    return pane


def _say(multiplexer: Multiplexer, argv: Argv, environ: Environ) -> None:
    try:
        said = subprocess.run(
            argv,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        says = "does not answer" if isinstance(error, subprocess.TimeoutExpired) else "is not found"
        raise EditorError(f"{argv[0]} {says}.", multiplexer.settings) from error
    if said.returncode:
        words = (said.stderr.strip() or said.stdout.strip()).rpartition("\n")[2]
        reason = words.removesuffix(".") or f"it ended with status {said.returncode}"
        raise EditorError(f"{argv[0]} opens no pane: {reason}.", multiplexer.settings)


def _await_editor(multiplexer: Multiplexer, pane: Pane) -> None:
    end = time.monotonic() + PATIENCE
    while not pane.has_begun():
        if time.monotonic() > end:
            raise EditorError(f"{multiplexer.name} opens no pane.", multiplexer.settings)
        time.sleep(0.02)


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # not written yet
        return 0
