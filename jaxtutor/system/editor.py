"""Owns the learner's editor: which one, how it opens a file at a line, and running it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from jaxtutor.errors import EditorError
from jaxtutor.storage.workspace import explain

Kind = Literal["windowed", "terminal"]
Origin = Literal["VISUAL", "EDITOR", "remembered", "found"]
Which = Callable[[str], str | None]

_PLAIN = ("{file}",)
_PLUS = ("+{line}", "{file}")
_COLON = ("{file}:{line}",)
_GOTO = ("--goto", "{file}:{line}")
_OPTION = ("--line", "{line}", "{file}")

# How each editor is told the line. One that is not listed is given the file alone.
_AT_LINE: Mapping[str, tuple[str, ...]] = {
    name: shape
    for names, shape in (
        ("vim nvim vi view nvi vis elvis gvim mvim vim.basic vim.tiny vim.nox vim.gtk3", _PLUS),
        ("nano rnano pico micro kak mg joe jmacs ne zile mcedit dte le levee", _PLUS),
        ("emacs emacs-nox emacs-gtk emacs-lucid emacs-pgtk emacsclient", _PLUS),
        ("gedit xed pluma geany bbedit", _PLUS),
        ("jed", ("{file}", "-g", "{line}")),
        ("busybox", ("-c", "{line}", "{file}")),  # its vi takes +N for a file's name
        ("hx helix subl sublime_text zed zeditor", _COLON),
        ("code code-insiders code-oss codium vscodium cursor windsurf positron", _GOTO),
        ("idea pycharm charm kate kwrite mate", _OPTION),
    )
    for name in names.split()
}

_WINDOWED = frozenset(
    "code code-insiders code-oss codium vscodium cursor windsurf positron subl sublime_text zed"
    " zeditor gvim mvim neovide gedit gnome-text-editor kate kwrite xed pluma mousepad geany"
    " leafpad notepad notepad++ idea pycharm charm mate bbedit open xdg-open".split()
)

# The first two can be left again without having read a manual; vi comes last for that reason.
_CHOICE = tuple("micro nano code codium nvim vim hx helix kak emacs vi".split())

_SUFFIXES = (".exe", ".cmd", ".bat", ".sh", ".appimage")
_NO_WINDOW = frozenset({"-nw", "--no-window-system", "-t", "-tty", "--tty", "-batch", "--batch"})
_NEW_FRAME = frozenset({"-c", "--create-frame"})  # on the terminal, where there are no windows
_AT_ONCE = 0.2
"""Seconds in which nobody has edited anything."""
_HANDING_OVER = 5.0
"""Seconds in which a command that leaves a file to a window already open has ended."""


@dataclass(frozen=True)
class Editor:
    """A command that edits a file: the program's full path and the learner's own arguments.

    `name` is what it is known by; `origin` says who chose it.
    """

    name: str
    command: tuple[str, ...]
    kind: Kind
    origin: Origin

    def open_at(self, path: Path, line: int | None = None) -> list[str]:
        """Return the command that opens the file, at the line where the editor has a way."""
        shape = _AT_LINE.get(self.name, _PLAIN) if line and line > 1 else _PLAIN
        file = str(path.absolute())
        return [*self.command, *(part.format(file=file, line=line) for part in shape)]


@dataclass(frozen=True)
class NoEditor:
    """Nobody chose an editor, and none that we know is installed; `how` says what to do."""

    how: str = (
        "No editor was found. Set VISUAL or EDITOR to yours, as in `export EDITOR=nano`, "
        "or open the file in any editor: every save is checked."
    )


# ---------------------------------------------------------------- finding it


def find_editor(
    environ: Mapping[str, str], which: Which = shutil.which, remembered: str | None = None
) -> Editor | NoEditor:
    """Choose the editor: VISUAL, then EDITOR, then the remembered command, then one installed.

    Raise EditorError where VISUAL or EDITOR is set to what cannot be run. A remembered command
    that cannot be run any more is passed over.
    """
    chosen: tuple[Origin, Origin] = ("VISUAL", "EDITOR")
    for origin in chosen:
        if command := environ.get(origin, "").strip():
            return parse_editor(command, origin, environ, which)
    with suppress(EditorError):
        if remembered:
            return parse_editor(remembered, "remembered", environ, which)
    return _find_installed(environ, which)


def parse_editor(command: str, origin: Origin, environ: Mapping[str, str], which: Which) -> Editor:
    """Take a command line as an editor; raise EditorError where it cannot be run."""
    remedy = f"Set {origin if origin.isupper() else 'EDITOR'} to an editor that is installed."
    try:
        program, *arguments = _split(command)
    except ValueError as error:
        reason = str(error).lower() or "there is no command in it"
        raise EditorError(f"{origin} is set to {command!r}: {reason}.", remedy) from error
    found = which(str(_expand(program)))
    if not found:
        raise EditorError(f"{origin} is set to {command!r}: {_lacks(program)}.", remedy)
    name = _known_name(found)
    return Editor(name, (found, *arguments), _kind(name, arguments, environ), origin)


def _split(command: str) -> list[str]:
    """Split as a shell would; on Windows a backslash is part of a path."""
    if os.name != "nt":
        return shlex.split(command)
    return [word.strip("\"'") for word in shlex.split(command, posix=False)]


def _expand(program: str) -> Path | str:
    """Expand a leading `~`; leave a bare name bare, for PATH to be searched."""
    if not program.startswith("~"):
        return program
    try:
        return Path(program).expanduser()
    except RuntimeError:
        return program


def _lacks(program: str) -> str:
    if not program:
        return "there is no command in it"
    there = os.sep in program and Path(_expand(program)).exists()
    return f"`{program}` is not a program that can be run" if there else f"no `{program}` is there"


def _known_name(program: str) -> str:
    """Name a program by what it is: `editor` may be a link to nano, and `vi` one to busybox."""
    given, real = (_base(Path(path)) for path in (program, os.path.realpath(program)))
    if real == "busybox" or real.endswith("-nox"):
        return real
    return given if given in _AT_LINE or given in _WINDOWED else real


def _base(path: Path) -> str:
    name = path.name.lower()
    return next((name.removesuffix(end) for end in _SUFFIXES if name.endswith(end)), name)


def _kind(name: str, arguments: list[str], environ: Mapping[str, str]) -> Kind:
    windows = _has_windows(environ)
    if name == "emacs":
        return "windowed" if windows and _NO_WINDOW.isdisjoint(arguments) else "terminal"
    if name == "emacsclient":
        framed = windows or not _NEW_FRAME.intersection(arguments)
        return "windowed" if framed and _NO_WINDOW.isdisjoint(arguments) else "terminal"
    if name.startswith("vim") and "-g" in arguments:
        return "windowed"
    return "windowed" if name in _WINDOWED else "terminal"


def _has_windows(environ: Mapping[str, str]) -> bool:
    """Tell whether a window can open: a display, a desktop system, or an editor's terminal."""
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return True
    if environ.get("TERM_PROGRAM") == "vscode":
        return True
    return sys.platform in ("win32", "darwin") and not environ.get("SSH_CONNECTION")


def find_installed(environ: Mapping[str, str], which: Which = shutil.which) -> tuple[Editor, ...]:
    """Find the editors there are that we know, each once, the easiest to leave first."""
    inside = ("code",) if environ.get("TERM_PROGRAM") == "vscode" else ()
    found: dict[str, Editor] = {}
    for candidate in (*inside, *_CHOICE):
        if program := which(candidate):
            name = _known_name(program)
            kind = _kind(name, [], environ)
            if kind == "terminal" or _has_windows(environ):
                # By what it really is: `vi` may be the same as `vim`.
                found.setdefault(os.path.realpath(program), Editor(name, (program,), kind, "found"))
    return tuple(found.values())


def _find_installed(environ: Mapping[str, str], which: Which) -> Editor | NoEditor:
    return next(iter(find_installed(environ, which)), NoEditor())


# ---------------------------------------------------------------- running it


def editor_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Leave out the size of the screen: an editor must ask the terminal that it is given."""
    return {name: value for name, value in environ.items() if name not in ("LINES", "COLUMNS")}


def open_in_foreground(
    editor: Editor,
    path: Path,
    line: int | None = None,
    environ: Mapping[str, str] = os.environ,
    terminal: int = 0,
) -> int:
    """Run a terminal editor until it ends, and return its exit status (negative: the signal).

    It gets the terminal whole, as from a shell: Ctrl-C reaches it alone, and when it is suspended
    so are we, until the shell's `fg`. The terminal's modes are restored whatever it did.
    """
    command = editor.open_at(path, line)
    if not _is_in_foreground(terminal):
        return _start(command, environ).wait()
    with keeping_modes(terminal):
        return _attend(_start(command, environ, process_group=0), terminal)


def _start(
    command: list[str],
    environ: Mapping[str, str],
    *,
    stderr: IO[bytes] | None = None,
    process_group: int | None = None,
    apart: bool = False,
) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL if apart else None
    try:
        return subprocess.Popen(
            command,
            env=editor_environment(environ),
            stdin=quiet,
            stdout=quiet,
            stderr=stderr,
            process_group=process_group,
            start_new_session=apart,
        )
    except OSError as error:
        raise EditorError(
            f"The editor `{shlex.join(command)}` could not be run: {explain(error)}.",
            "Set VISUAL or EDITOR to another.",
        ) from error


def _is_in_foreground(terminal: int) -> bool:
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except (OSError, AttributeError):  # no terminal, not ours, or a system without them
        return False


@contextmanager
def keeping_modes(terminal: int) -> Iterator[None]:
    """Have the terminal's modes afterwards as they are now, whatever becomes of them."""
    import termios

    modes = termios.tcgetattr(terminal)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, modes)


def _attend(child: subprocess.Popen[bytes], terminal: int) -> int:
    """Lend the terminal to the child's process group until it ends; stop when it stops."""
    own = os.getpgrp()
    try:
        _lend(terminal, child.pid)
        while True:
            _, status = os.waitpid(child.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                child.returncode = os.waitstatus_to_exitcode(status)
                return child.returncode
            # A child that was stopped for touching the terminal was only quicker than we were.
            if os.WSTOPSIG(status) not in (signal.SIGTTIN, signal.SIGTTOU):
                _lend(terminal, own)
                _stop(terminal, own)
            _lend(terminal, child.pid)
            os.killpg(child.pid, signal.SIGCONT)
    finally:
        _lend(terminal, own)
        if child.returncode is None:
            _hang_up(child)


def _lend(terminal: int, group: int) -> None:
    """Make a process group the terminal's foreground, even from the background."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        with suppress(OSError):  # the group has ended, or the terminal has
            os.tcsetpgrp(terminal, group)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(terminal: int, own: int) -> None:
    """Stop ourselves for the shell, and return when it has given us the terminal again.

    Without a shell above, the system discards SIGTSTP, and the editor goes on at once.
    """
    os.killpg(own, signal.SIGTSTP)
    with suppress(OSError):
        while os.tcgetpgrp(terminal) != own:  # continued in the background
            os.killpg(own, signal.SIGTTIN)


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    """End an editor that nobody waits for any more; it may save what it holds."""
    for number in (signal.SIGHUP, signal.SIGKILL):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, number)
            os.killpg(child.pid, signal.SIGCONT)
            child.wait(timeout=2)
            return


@dataclass(frozen=True)
class WindowedEditor:
    """An editor that runs in a window of its own."""

    editor: Editor
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    began: float

    @property
    def handed_over(self) -> bool:
        """Tell whether the file is in a window that was open already: asked when it has ended."""
        return time.monotonic() - self.began < _HANDING_OVER

    def report(self) -> str | None:
        """Say how it failed; None while it runs, and if it ended well."""
        status = self.process.poll()
        if status is None:
            return None
        self.errors.seek(0)
        words = self.errors.read(10_000).decode(errors="replace")
        return describe_exit(self.editor, status, words=words)

    def leave(self) -> None:
        """Let go of the window, which stays open."""
        self.errors.close()
        if self.process.poll() is None:
            # It outlives us on purpose, which Popen would warn of.
            self.process.returncode = 0


def open_beside(
    editor: Editor,
    path: Path,
    line: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> WindowedEditor:
    """Start a windowed editor in a session of its own, deaf to this terminal's Ctrl-C."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the editor
    try:
        process = _start(editor.open_at(path, line), environ, stderr=errors, apart=True)
    except EditorError:
        errors.close()
        raise
    return WindowedEditor(editor, process, errors, time.monotonic())


def describe_exit(
    editor: Editor, status: int, seconds: float = _AT_ONCE, words: str = ""
) -> str | None:
    """Say how an editor failed, or that it cannot have been one; None if it ended well."""
    last = words.strip().rpartition("\n")[2]
    said = f", saying: {last}" if last else ""
    if status < 0:
        return f"The editor `{editor.name}` was ended by signal {-status}{said}."
    if status > 0:
        return f"The editor `{editor.name}` ended with status {status}{said}."
    if editor.kind == "terminal" and seconds < _AT_ONCE:
        return f"The editor `{editor.name}` ended at once. Is it an editor?"
    return None
