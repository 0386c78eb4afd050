"""Opens another file in a running editor, or reloads one, if the editor supports that.

neovim and kakoune listen on sockets. Vim connects to ours, because of an argument for this run
(`:help channel`). Emacs with a server, and VS Code, are asked by their own command-line clients.
The learner's settings are not changed.
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

TIMEOUT = 3.0
"""Seconds that an editor has to answer; it may be showing the learner a question."""

DONE = "opened"
"""The value of the expression if it was evaluated without an error."""

_CODE = frozenset("code code-insiders code-oss codium vscodium cursor windsurf positron".split())
_NOT_AGAIN = frozenset("-w --wait -n --new-window -t -nw --tty -c --create-frame --no-wait".split())
"""Options that are only right for the first file."""

Opener = Callable[[Path, int], bool]


@dataclass(frozen=True)
class RemoteCommands:
    """Additional arguments for starting an editor, and functions that open and reload a file.

    A file that has unsaved changes is not reloaded.
    """

    arguments: tuple[str, ...]
    open: Opener
    reload: Callable[[Path], bool] = lambda _: False


class RemoteEditor:
    """The connection to the running editor, if there is one."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._commands: RemoteCommands | None = None

    def begin(self, editor: Editor, file: Path) -> tuple[str, ...]:
        """Prepare for an editor that is about to start; return additional arguments for it."""
        self.close()
        with contextlib.suppress(
            OSError
        ):  # no folder or socket: the editor cannot be reached later
            self._commands = _find_commands(editor, file, self._stack)
        return self._commands.arguments if self._commands else ()

    def open(self, file: Path, line: int) -> bool:
        """Open a file in the running editor; return False if that fails or is not supported."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired, ValueError):
            return self._commands is not None and self._commands.open(file, line)
        return False

    def reload(self, file: Path) -> bool:
        """Reload a file that has changed on disk; return False if the editor cannot be told."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired, ValueError):
            return self._commands is not None and self._commands.reload(file)
        return False

    def close(self) -> None:
        """Close the connection to an editor that has exited."""
        self._commands = None
        self._stack.close()


def _find_commands(
    editor: Editor, file: Path, stack: contextlib.ExitStack
) -> RemoteCommands | None:
    program, *arguments = editor.command
    real = Path(os.path.realpath(program)).name
    if editor.name == "nvim":
        return _neovim_commands(program, _make_folder(stack) / "editor")
    if editor.name in ("gvim", "mvim") or real.startswith("vim"):
        return _vim_commands(_make_folder(stack) / "editor", stack)
    if editor.name == "kak" and not {"-s", "-c"}.intersection(arguments):
        return _kakoune_commands(program, f"jaxtutor-{os.getpid()}")
    if editor.name.startswith("emacs"):
        return RemoteCommands(
            (),
            lambda new, line: _open_in_emacs(editor, file, new, line),
            lambda same: _reload_in_emacs(editor, same),
        )
    if editor.name in _CODE:
        return RemoteCommands((), lambda new, line: _open_in_code(editor, new, line))
    return None


def _make_folder(stack: contextlib.ExitStack) -> Path:
    folder = tempfile.TemporaryDirectory(prefix="jaxtutor-", ignore_cleanup_errors=True)
    return Path(stack.enter_context(folder))


def _run(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, timeout=TIMEOUT
    )


# ---------------------------------------------------------------- vim and neovim


def _drop(file: Path, line: int) -> str:
    """Return the expression that opens a file; `:drop` splits the window of a changed buffer."""
    quoted = str(file).replace("'", "''")
    move = f"cursor({line}, 1)" if line > 1 else "0"
    return f"[execute('drop ' . fnameescape('{quoted}')), {move}, '{DONE}'][2]"


def _reload(file: Path) -> str:
    """Return the expression that reads a file again, unless its buffer was changed (`:checktime`).

    With 'autoread', set for this buffer only, vim does not ask.
    """
    quoted = str(file).replace("'", "''")
    number = f"bufnr('{quoted}')"
    return f"[setbufvar({number}, '&autoread', 1), execute('checktime ' . {number}), '{DONE}'][2]"


def _neovim_commands(program: str, path: Path) -> RemoteCommands:
    def evaluate(expression: str) -> bool:
        answer = _run([program, "--server", str(path), "--remote-expr", expression])
        return DONE in answer.stdout + answer.stderr  # some versions answer on standard error

    return RemoteCommands(
        ("--listen", str(path)),
        lambda file, line: evaluate(_drop(file, line)),
        lambda file: evaluate(_reload(file)),
    )


def _vim_commands(path: Path, stack: contextlib.ExitStack) -> RemoteCommands:
    """Listen for vim to connect; a vim without channels never does, and cannot be reached."""
    listener = stack.enter_context(socket.socket(socket.AF_UNIX))
    listener.bind(str(path))
    listener.listen(1)
    listener.settimeout(0.5)
    channels: list[socket.socket] = []

    def evaluate(expression: str) -> bool:
        if not channels:
            channels.append(stack.enter_context(listener.accept()[0]))
            channels[0].settimeout(TIMEOUT)
        return _evaluate_in_vim(channels[0], expression)

    quoted = str(path).replace("'", "''")
    # Vim closes a channel that no variable refers to.
    connect = f"silent! let g:jaxtutor = ch_open('unix:{quoted}', {{'mode': 'json'}})"
    return RemoteCommands(
        ("-c", connect),
        lambda file, line: evaluate(_drop(file, line)),
        lambda file: evaluate(_reload(file)),
    )


def _evaluate_in_vim(channel: socket.socket, expression: str) -> bool:
    """Evaluate an expression; return whether it succeeded. The answer repeats our number."""
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


# ---------------------------------------------------------------- other editors


def _kakoune_commands(program: str, session: str) -> RemoteCommands:
    def evaluate(command: str) -> bool:
        return _run([program, "-p", session], command).returncode == 0

    def open_(file: Path, line: int) -> bool:
        quoted = str(file).replace("'", "''")
        return evaluate(f"evaluate-commands -client client0 %&edit -- '{quoted}' {line}&")

    def reload(_: Path) -> bool:
        edit = '%sh{ [ "$kak_modified" = true ] || echo edit! }'
        return evaluate(f"evaluate-commands -client client0 %&evaluate-commands {edit}&")

    return RemoteCommands(("-s", session), open_, reload)


def _open_in_emacs(editor: Editor, file: Path, new: Path, line: int) -> bool:
    """Ask the Emacs server, if it is the Emacs that shows the lesson's file."""
    client = _emacsclient(editor)
    answer = _run([*client, "--eval", f'(and (find-buffer-visiting "{_lisp(file)}") t)'])
    if answer.stdout.strip() != "t":
        return False
    return _run([*client, "--no-wait", f"+{line}", str(new)]).returncode == 0


def _reload_in_emacs(editor: Editor, file: Path) -> bool:
    """Revert the buffer of a file, unless it was changed."""
    body = "(with-current-buffer b (unless (buffer-modified-p) (revert-buffer t t)) t)"
    form = f'(let ((b (find-buffer-visiting "{_lisp(file)}"))) (and b {body}))'
    return _run([*_emacsclient(editor), "--eval", form]).stdout.strip() == "t"


def _emacsclient(editor: Editor) -> list[str]:
    program, *arguments = editor.command
    if editor.name == "emacsclient":
        client = [program, *(word for word in arguments if word not in _NOT_AGAIN)]
    else:
        client = [str(Path(program).with_name("emacsclient"))]
    return [*client, "--alternate-editor=false"]  # do not start another editor or server


def _lisp(file: Path) -> str:
    return str(file).replace("\\", "\\\\").replace('"', '\\"')


def _open_in_code(editor: Editor, new: Path, line: int) -> bool:
    command = [word for word in editor.command if word not in _NOT_AGAIN]
    where = f"{new}:{line}"
    return _run([*command, "--reuse-window", "--goto", where]).returncode == 0
