"""Owns telling a running editor to open another file, where it has a way.

neovim and kakoune listen by themselves, and are told where. Vim is told to connect to us, by an
argument of this one run. An Emacs with a server, and VS Code, are asked by their own commands.
Nothing that the learner has set is changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxtutor.system.editor import Editor

PATIENCE = 3.0
"""Seconds in which an editor must answer; it may be asking the learner something."""

DONE = "opened"
"""What an expression gives when nothing went wrong before its end."""

_CODE = frozenset("code code-insiders code-oss codium vscodium cursor windsurf positron".split())
_NOT_AGAIN = frozenset("-w --wait -n --new-window -t -nw --tty -c --create-frame --no-wait".split())
"""Options that are right for the first file only."""

Opener = Callable[[Path, int], bool]


@dataclass(frozen=True)
class RemoteCommands:
    """What an editor that is about to start must be told, and how it opens another file later."""

    arguments: tuple[str, ...]
    open: Opener


class RemoteEditor:
    """The way to one running editor, if there is one."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._way: RemoteCommands | None = None

    def begin(self, editor: Editor, file: Path) -> tuple[str, ...]:
        """Prepare for an editor that is about to open a file; return what else to start it with."""
        self.close()
        with contextlib.suppress(OSError):  # no folder, or no socket in it: no way
            self._way = _find_way(editor, file, self._stack)
        return self._way.arguments if self._way else ()

    def open(self, file: Path, line: int) -> bool:
        """Have the running editor open a file; False where it has no way, or does not answer."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired, ValueError):
            return self._way is not None and self._way.open(file, line)
        return False

    def close(self) -> None:
        """Forget the editor, which has ended."""
        self._way = None
        self._stack.close()


def _find_way(editor: Editor, file: Path, stack: contextlib.ExitStack) -> RemoteCommands | None:
    program, *arguments = editor.command
    real = Path(os.path.realpath(program)).name
    if editor.name == "nvim":
        return _way_to_neovim(program, _make_folder(stack) / "editor")
    if editor.name in ("gvim", "mvim") or real.startswith("vim"):
        return _way_to_vim(_make_folder(stack) / "editor", stack)
    if editor.name == "kak" and not {"-s", "-c"}.intersection(arguments):
        return _way_to_kakoune(program, f"jaxtutor-{os.getpid()}")
    if editor.name.startswith("emacs"):
        return RemoteCommands((), lambda new, line: _open_in_emacs(editor, file, new, line))
    if editor.name in _CODE:
        return RemoteCommands((), lambda new, line: _open_in_code(editor, new, line))
    return None


def _make_folder(stack: contextlib.ExitStack) -> Path:
    folder = tempfile.TemporaryDirectory(prefix="jaxtutor-", ignore_cleanup_errors=True)
    return Path(stack.enter_context(folder))


def _ask(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


# ---------------------------------------------------------------- vim's family


def _drop(file: Path, line: int) -> str:
    """Make the expression that opens a file; a buffer that is not saved gets the other half."""
    quoted = str(file).replace("'", "''")
    move = f"cursor({line}, 1)" if line > 1 else "0"
    return f"[execute('drop ' . fnameescape('{quoted}')), {move}, '{DONE}'][2]"


def _way_to_neovim(program: str, path: Path) -> RemoteCommands:
    def open_(file: Path, line: int) -> bool:
        asked = _ask([program, "--server", str(path), "--remote-expr", _drop(file, line)])
        return DONE in asked.stdout + asked.stderr  # some versions answer on standard error

    return RemoteCommands(("--listen", str(path)), open_)


def _way_to_vim(path: Path, stack: contextlib.ExitStack) -> RemoteCommands:
    """Listen for a vim that connects; one without channels stays silent, and has no way."""
    listener = stack.enter_context(socket.socket(socket.AF_UNIX))
    listener.bind(str(path))
    listener.listen(1)
    listener.settimeout(0.5)
    made: list[socket.socket] = []

    def open_(file: Path, line: int) -> bool:
        if not made:
            made.append(stack.enter_context(listener.accept()[0]))
            made[0].settimeout(PATIENCE)
        return _say_to_vim(made[0], _drop(file, line))

    quoted = str(path).replace("'", "''")
    # A channel that no variable holds would be closed.
    connect = f"silent! let g:jaxtutor = ch_open('unix:{quoted}', {{'mode': 'json'}})"
    return RemoteCommands(("-c", connect), open_)


def _say_to_vim(channel: socket.socket, expression: str) -> bool:
    """Have an expression evaluated; False if that failed. Vim answers under the number we give."""
    number = -1
    messages = (["expr", expression, number], ["redraw", ""])
    channel.sendall("".join(json.dumps(message) + "\n" for message in messages).encode())
    for answer in _answers(channel):
        if answer[0] == number:
            return answer[1:] == [DONE]
    return False


def _answers(channel: socket.socket) -> Iterator[list[object]]:
    text = ""
    while data := channel.recv(1 << 16):
        *lines, text = (text + data.decode(errors="replace")).split("\n")
        messages = map(json.loads, lines)
        yield from (message for message in messages if isinstance(message, list))


# ---------------------------------------------------------------- others


def _way_to_kakoune(program: str, session: str) -> RemoteCommands:
    def open_(file: Path, line: int) -> bool:
        quoted = str(file).replace("'", "''")
        command = f"evaluate-commands -client client0 %&edit -- '{quoted}' {line}&"
        return _ask([program, "-p", session], command).returncode == 0

    return RemoteCommands(("-s", session), open_)


def _open_in_emacs(editor: Editor, file: Path, new: Path, line: int) -> bool:
    """Ask the server, if it is this Emacs that serves: the one that has the lesson's file."""
    program, *arguments = editor.command
    if editor.name == "emacsclient":
        client = [program, *(word for word in arguments if word not in _NOT_AGAIN)]
    else:
        client = [str(Path(program).with_name("emacsclient"))]
    client.append("--alternate-editor=false")  # no other editor, and no new server
    quoted = str(file).replace("\\", "\\\\").replace('"', '\\"')
    asked = _ask([*client, "--eval", f'(and (find-buffer-visiting "{quoted}") t)'])
    if asked.stdout.strip() != "t":
        return False
    return _ask([*client, "--no-wait", f"+{line}", str(new)]).returncode == 0


def _open_in_code(editor: Editor, new: Path, line: int) -> bool:
    command = [word for word in editor.command if word not in _NOT_AGAIN]
    where = f"{new}:{line}"
    return _ask([*command, "--reuse-window", "--goto", where]).returncode == 0
