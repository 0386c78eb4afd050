"""Finds the learner's editor, opens files in it, and reports how it ended."""

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
Origin = Literal["the setting editor", "VISUAL", "EDITOR", "remembered", "found"]
Which = Callable[[str], str | None]

_PLAIN = ("{file}",)
_PLUS = ("+{line}", "{file}")
_COLON = ("{file}:{line}",)
_GOTO = ("--goto", "{file}:{line}")
_OPTION = ("--line", "{line}", "{file}")

# How to open a file at a line. Editors that are not listed get only the file.
_AT_LINE: Mapping[str, tuple[str, ...]] = {
    name: shape
    for names, shape in (
        ("vim nvim vi view nvi vis elvis gvim mvim vim.basic vim.tiny vim.nox vim.gtk3", _PLUS),
        ("nano rnano pico micro kak mg joe jmacs ne zile mcedit dte le levee", _PLUS),
        ("emacs emacs-nox emacs-gtk emacs-lucid emacs-pgtk emacsclient", _PLUS),
        ("gedit xed pluma geany bbedit", _PLUS),
        ("jed", ("{file}", "-g", "{line}")),
        ("busybox", ("-c", "{line}", "{file}")),  # its vi takes +N as a file name
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

# The first two can be left without knowing their commands; vi cannot, so it is last.
_CHOICE = tuple("micro nano code codium nvim vim hx helix kak emacs vi".split())

_SUFFIXES = (".exe", ".cmd", ".bat", ".sh", ".appimage")
_NO_WINDOW = frozenset({"-nw", "--no-window-system", "-t", "-tty", "--tty", "-batch", "--batch"})
_NEW_FRAME = frozenset({"-c", "--create-frame"})  # a terminal frame if there is no display
AUTO = "auto"
"""The value of the setting that leaves the choice to the variables and the session."""
_AT_ONCE = 0.2
"""Seconds. A terminal editor that ends sooner cannot have been used."""
_HANDING_OVER = 5.0
"""Seconds. A command that ends sooner has passed the file to a window that was open already."""


@dataclass(frozen=True)
class Editor:
    """A command that edits a file: the full path of the program and the learner's arguments.

    `name` is the editor's usual name; `origin` says which setting named it.
    """

    name: str
    command: tuple[str, ...]
    kind: Kind
    origin: Origin

    def open_at(self, path: Path, line: int | None = None) -> list[str]:
        """Return the command that opens the file, at the line if the editor supports it."""
        shape = _AT_LINE.get(self.name, _PLAIN) if line and line > 1 else _PLAIN
        file = str(path.absolute())
        return [*self.command, *(part.format(file=file, line=line) for part in shape)]


@dataclass(frozen=True)
class NoEditor:
    """No editor is set, and no known one is installed; `how` says what to do."""

    how: str = (
        "No editor was found. Set VISUAL or EDITOR, for example `export EDITOR=nano`, "
        "or open the file in any editor: every save is checked."
    )


# ---------------------------------------------------------------- finding the editor


def find_editor(
    environ: Mapping[str, str],
    which: Which = shutil.which,
    remembered: str | None = None,
    setting: str = AUTO,
) -> Editor | NoEditor:
    """Choose the editor: the setting, VISUAL, EDITOR, the remembered command, then one installed.

    Raise EditorError if one of the first three is a command that cannot be run. A remembered
    command that can no longer be run is ignored.
    """
    if setting != AUTO:
        return parse_editor(setting, "the setting editor", environ, which)
    chosen: tuple[Origin, Origin] = ("VISUAL", "EDITOR")
    for origin in chosen:
        if command := environ.get(origin, "").strip():
            return parse_editor(command, origin, environ, which)
    with suppress(EditorError):
        if remembered:
            return parse_editor(remembered, "remembered", environ, which)
    return _find_installed(environ, which)


def parse_editor(command: str, origin: Origin, environ: Mapping[str, str], which: Which) -> Editor:
    """Parse a command line as an editor; raise EditorError if it cannot be run."""
    remedy = (
        f"Set {origin} to an installed editor."
        if origin.isupper()
        else "Choose an installed editor, for example: jaxtutor config set editor nano"
    )
    source = origin[0].upper() + origin[1:]
    try:
        program, *arguments = _split(command)
    except ValueError as error:
        reason = str(error).lower() or "it contains no command"
        raise EditorError(f"{source} is set to {command!r}: {reason}.", remedy) from error
    found = which(str(_expand(program)))
    if not found:
        raise EditorError(f"{source} is set to {command!r}: {_explain_missing(program)}.", remedy)
    name = _known_name(found)
    return Editor(name, (found, *arguments), _kind(name, arguments, environ), origin)


def _split(command: str) -> list[str]:
    """Split as a POSIX shell would; on Windows, keep backslashes as parts of paths."""
    if os.name != "nt":
        return shlex.split(command)
    return [word.strip("\"'") for word in shlex.split(command, posix=False)]


def _expand(program: str) -> Path | str:
    """Expand a leading `~`; leave other names unchanged, to be found on PATH."""
    if not program.startswith("~"):
        return program
    try:
        return Path(program).expanduser()
    except RuntimeError:
        return program


def _explain_missing(program: str) -> str:
    if not program:
        return "it contains no command"
    exists = os.sep in program and Path(_expand(program)).exists()
    return f"`{program}` is not executable" if exists else f"`{program}` was not found"


def _known_name(program: str) -> str:
    """Return an editor's usual name; `editor` may be a link to nano, and `vi` to busybox."""
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
    """Return whether a window can open: on a display, a desktop, or next to VS Code's terminal."""
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return True
    if environ.get("TERM_PROGRAM") == "vscode":
        return True
    return sys.platform in ("win32", "darwin") and not environ.get("SSH_CONNECTION")


def find_installed(environ: Mapping[str, str], which: Which = shutil.which) -> tuple[Editor, ...]:
    """List the known editors that are installed, each once, the easiest to leave first."""
    inside = ("code",) if environ.get("TERM_PROGRAM") == "vscode" else ()
    found: dict[str, Editor] = {}
    for candidate in (*inside, *_CHOICE):
        if program := which(candidate):
            name = _known_name(program)
            kind = _kind(name, [], environ)
            if kind == "terminal" or _has_windows(environ):
                # Compare real paths: `vi` may be a link to `vim`.
                found.setdefault(os.path.realpath(program), Editor(name, (program,), kind, "found"))
    return tuple(found.values())


def _find_installed(environ: Mapping[str, str], which: Which) -> Editor | NoEditor:
    return next(iter(find_installed(environ, which)), NoEditor())


# ---------------------------------------------------------------- running the editor


def editor_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Remove the screen size, which some editors prefer to that of their own terminal."""
    return {name: value for name, value in environ.items() if name not in ("LINES", "COLUMNS")}


def open_in_foreground(
    editor: Editor,
    path: Path,
    line: int | None = None,
    environ: Mapping[str, str] = os.environ,
    terminal: int = 0,
) -> int:
    """Run a terminal editor until it ends; return its exit status (negative: the signal).

    The editor has the terminal to itself, as if run from a shell: Ctrl-C reaches only the editor,
    and suspending it suspends us too, until `fg`. The terminal's modes are always restored.
    """
    command = editor.open_at(path, line)
    if not _is_in_foreground(terminal):
        return _start(command, environ).wait()
    with keeping_modes(terminal):
        return _wait(_start(command, environ, process_group=0), terminal)


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
            f"The editor `{shlex.join(command)}` cannot be run: {explain(error)}.",
            "Set VISUAL or EDITOR to another editor.",
        ) from error


def _is_in_foreground(terminal: int) -> bool:
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except (OSError, AttributeError):  # no terminal, another session's, or no job control
        return False


@contextmanager
def keeping_modes(terminal: int) -> Iterator[None]:
    """Restore the terminal's modes (termios(3)) on exit, whatever changed them."""
    import termios

    modes = termios.tcgetattr(terminal)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal may have been closed
            termios.tcsetattr(terminal, termios.TCSADRAIN, modes)


def _wait(child: subprocess.Popen[bytes], terminal: int) -> int:
    """Wait for the child with its process group in the foreground; stop whenever it stops.

    This is the job control of a shell ("Implementing a Shell" in the GNU C library's manual).
    """
    own = os.getpgrp()
    try:
        _set_foreground(terminal, child.pid)
        while True:
            _, status = os.waitpid(child.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                child.returncode = os.waitstatus_to_exitcode(status)
                return child.returncode
            # SIGTTIN or SIGTTOU: the child used the terminal before it had been handed over.
            if os.WSTOPSIG(status) not in (signal.SIGTTIN, signal.SIGTTOU):
                _set_foreground(terminal, own)
                _stop_ourselves(terminal, own)
            _set_foreground(terminal, child.pid)
            os.killpg(child.pid, signal.SIGCONT)
    finally:
        _set_foreground(terminal, own)
        if child.returncode is None:
            _hang_up(child)


def _set_foreground(terminal: int, group: int) -> None:
    """Make a process group the terminal's foreground group.

    A background process that calls tcsetpgrp(3) is sent SIGTTOU and stops, unless it blocks it.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        with suppress(OSError):  # the group has ended, or the terminal was closed
            os.tcsetpgrp(terminal, group)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop_ourselves(terminal: int, own: int) -> None:
    """Stop our process group for the shell; return once we are in the foreground again.

    Without a shell above us, our group is orphaned: the kernel discards SIGTSTP (setpgid(2)) and
    the editor continues at once.
    """
    os.killpg(own, signal.SIGTSTP)
    with suppress(OSError):
        while os.tcgetpgrp(terminal) != own:  # continued by `bg`: wait for `fg`
            os.killpg(own, signal.SIGTTIN)


def _hang_up(child: subprocess.Popen[bytes]) -> None:
    """End an editor that is no longer waited for; SIGHUP gives it a chance to save."""
    for number in (signal.SIGHUP, signal.SIGKILL):
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(child.pid, number)
            os.killpg(child.pid, signal.SIGCONT)
            child.wait(timeout=2)
            return


@dataclass(frozen=True)
class WindowedEditor:
    """A running editor that has its own window."""

    editor: Editor
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    started: float

    @property
    def handed_over(self) -> bool:
        """Return whether a window that was open already has the file; valid once it ended."""
        return time.monotonic() - self.started < _HANDING_OVER

    def report(self) -> str | None:
        """Describe how the editor failed; None while it runs, and if it ended normally."""
        status = self.process.poll()
        if status is None:
            return None
        self.errors.seek(0)
        output = self.errors.read(10_000).decode(errors="replace")
        return describe_exit(self.editor, status, output=output)

    def leave(self) -> None:
        """Release the editor, whose window stays open."""
        self.errors.close()
        if self.process.poll() is None:
            # A Popen deleted before its process has ended warns, unless it has a status.
            self.process.returncode = 0


def open_beside(
    editor: Editor,
    path: Path,
    line: int | None = None,
    environ: Mapping[str, str] = os.environ,
) -> WindowedEditor:
    """Start a windowed editor in its own session, out of reach of this terminal's Ctrl-C."""
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the editor
    try:
        process = _start(editor.open_at(path, line), environ, stderr=errors, apart=True)
    except EditorError:
        errors.close()
        raise
    return WindowedEditor(editor, process, errors, time.monotonic())


def describe_exit(
    editor: Editor, status: int, seconds: float = _AT_ONCE, output: str = ""
) -> str | None:
    """Describe how an editor failed, or that it ended too soon; None if it ended normally."""
    last = output.strip().rpartition("\n")[2]
    said = f", with the message: {last}" if last else ""
    if status < 0:
        return f"The editor `{editor.name}` was killed by signal {-status}{said}."
    if status > 0:
        return f"The editor `{editor.name}` exited with status {status}{said}."
    if editor.kind == "terminal" and seconds < _AT_ONCE:
        return f"The editor `{editor.name}` exited at once. Is it an editor?"
    return None
