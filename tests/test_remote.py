"""Tests opening a file in a running editor, with stand-ins for the editors."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jaxtutor.session.remote import RemoteEditor
from jaxtutor.system.editor import Editor

# Records its arguments and input, and answers.
STAND_IN = """#!/bin/sh
printf '%s\\n' "$*" >>"{calls}"
[ -t 0 ] || cat >>"{calls}"
{answer}
"""


@pytest.fixture
def remote() -> Iterator[RemoteEditor]:
    """Return a connection that is closed at the end."""
    made = RemoteEditor()
    yield made
    made.close()


@pytest.fixture
def install(tmp_path: Path) -> Callable[..., Editor]:
    """Install a stand-in for an editor with this answer."""

    def make(name: str, *arguments: str, answer: str = ":") -> Editor:
        path = tmp_path / name
        path.write_text(STAND_IN.format(calls=tmp_path / "calls", answer=answer))
        path.chmod(0o755)
        return Editor(name, (str(path), *arguments), "terminal", "EDITOR")

    return make


FIRST, NEXT = Path("/home/me/01 first.py"), Path("/home/me/02 Ann's.py")


@pytest.mark.parametrize("name", ["nano", "micro", "hx", "joe", "vi", "something-new"])
def test_editors_without_a_way(
    remote: RemoteEditor, install: Callable[..., Editor], name: str
) -> None:
    """Most editors are started without a connection."""
    assert ((), False) == (remote.begin(install(name), FIRST), remote.open(NEXT, 3))


def test_before_an_editor_runs(remote: RemoteEditor) -> None:
    """Without a running editor there is no connection."""
    assert not remote.open(NEXT, 3)


# ---------------------------------------------------------------- editors with a command


def test_neovim(remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path) -> None:
    """neovim listens on our socket and gets its commands there."""
    option, path = remote.begin(install("nvim", answer="echo opened >&2"), FIRST)
    opened = remote.open(NEXT, 3)
    asked = (tmp_path / "calls").read_text()

    assert ("--listen", True) == (option, opened)
    assert asked.startswith(f"--server {path} --remote-expr ")
    assert "'/home/me/02 Ann''s.py'" in asked
    assert "cursor(3, 1)" in asked


def test_reloading_in_neovim(
    remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path
) -> None:
    """neovim is asked to look at the file again, without a question to the learner."""
    remote.begin(install("nvim", answer="echo opened"), FIRST)

    assert remote.reload(NEXT)
    assert "execute('checktime ' . bufnr('/home/me/02 Ann''s.py'))" in (
        (tmp_path / "calls").read_text()
    )


def test_reloading_in_kakoune(
    remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path
) -> None:
    """kakoune reads the file again unless its buffer was changed."""
    remote.begin(install("kak", "-n"), FIRST)

    assert remote.reload(FIRST)
    assert "$kak_modified" in (tmp_path / "calls").read_text()


def test_reloading_in_emacs(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """Emacs reverts the buffer; if it has no such buffer, that is reported."""
    remote.begin(install("emacsclient", answer="echo t"), FIRST)
    reverted = remote.reload(FIRST)
    remote.begin(install("emacsclient", answer="echo nil"), FIRST)

    assert (True, False) == (reverted, remote.reload(FIRST))


def test_reloading_in_another_editor(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """An editor without a connection cannot be notified, so the learner is."""
    remote.begin(install("nano"), FIRST)

    assert not remote.reload(FIRST)


def test_neovim_that_cannot(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """An error of neovim is not a success, although it exits with 0."""
    remote.begin(install("nvim", answer="echo E37: No write >&2"), FIRST)

    assert not remote.open(NEXT, 3)


def test_kakoune(remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path) -> None:
    """kakoune gets a session of this run, and its commands through it."""
    option, session = remote.begin(install("kak", "-n"), FIRST)
    opened = remote.open(NEXT, 3)
    expected = [f"-p {session}", "evaluate-commands -client client0"]
    messages = (tmp_path / "calls").read_text().splitlines()

    assert ("-s", True) == (option, opened)
    assert expected == [messages[0], messages[1].split(" %")[0]]
    assert "edit -- '/home/me/02 Ann''s.py' 3" in messages[1]


def test_kakoune_with_a_session_of_its_own(
    remote: RemoteEditor, install: Callable[..., Editor]
) -> None:
    """A kakoune session of the learner is not used."""
    assert ((), False) == (
        remote.begin(install("kak", "-s", "mine"), FIRST),
        remote.open(NEXT, 1),
    )


@pytest.mark.parametrize(
    ("arguments", "kept"), [((), ""), (("-t", "-s", "mine", "-a", ""), "-s mine -a  ")]
)
def test_emacsclient(
    remote: RemoteEditor,
    install: Callable[..., Editor],
    tmp_path: Path,
    arguments: tuple[str, ...],
    kept: str,
) -> None:
    """The server that has the lesson's file opens the next one, without a new frame or server."""
    started = remote.begin(install("emacsclient", *arguments, answer="echo t"), FIRST)
    opened = remote.open(NEXT, 3)
    first, second = (tmp_path / "calls").read_text().splitlines()

    assert ((), True) == (started, opened)
    assert (
        f'{kept}--alternate-editor=false --eval (and (find-buffer-visiting "{FIRST}") t)' == first
    )
    assert f"{kept}--alternate-editor=false --no-wait +3 {NEXT}" == second


def test_an_emacs_that_serves_something_else(
    remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path
) -> None:
    """A server without the lesson's file is another Emacs, and is not used."""
    install("emacsclient", answer="echo nil")
    remote.begin(install("emacs", "-nw"), FIRST)
    opened = remote.open(NEXT, 3)

    assert (False, 1) == (opened, len((tmp_path / "calls").read_text().splitlines()))


@pytest.mark.parametrize("name", ["code", "codium", "cursor"])
def test_code(
    remote: RemoteEditor, install: Callable[..., Editor], tmp_path: Path, name: str
) -> None:
    """VS Code and its derivatives open the file in their window and are not waited for."""
    remote.begin(install(name, "--wait", "-n", "--profile", "x"), FIRST)
    opened = remote.open(NEXT, 3)

    assert opened
    assert f"--profile x --reuse-window --goto {NEXT}:3\n" == (tmp_path / "calls").read_text()


def test_a_command_that_fails(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """A command that fails has opened nothing."""
    remote.begin(install("code", answer="exit 1"), FIRST)

    assert not remote.open(NEXT, 3)


# ---------------------------------------------------------------- vim, which connects to us


class Vim:
    """Connects as vim does, and gives every question the same answer."""

    def __init__(self, option: str, answer: str) -> None:
        self._answer = answer
        self.messages: list[list[object]] = []
        self._channel = socket.socket(socket.AF_UNIX)
        self._channel.connect(option.partition("unix:")[2].partition("'")[0])
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        with self._channel, self._channel.makefile(encoding="utf-8") as lines:
            for line in lines:
                self.messages.append(json.loads(line))
                if self.messages[-1][0] == "expr":
                    answer = json.dumps([self.messages[-1][-1], self._answer])
                    self._channel.sendall(f"{answer}\n".encode())


def test_vim(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """vim connects to us and opens each lesson through that channel."""
    option, command = remote.begin(install("vim"), FIRST)
    vim = Vim(command, "opened")
    opened = [remote.open(NEXT, 3), remote.open(FIRST, 1)]
    remote.close()
    vim.thread.join()

    assert ("-c", [True, True]) == (option, opened)
    assert ["expr", "redraw", "expr", "redraw"] == [message[0] for message in vim.messages]
    assert "drop ' . fnameescape('/home/me/02 Ann''s.py')" in str(vim.messages[0][1])


def test_vim_that_cannot(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """An error of vim is not a success."""
    vim = Vim(remote.begin(install("vim"), FIRST)[1], "ERROR")
    opened = remote.open(NEXT, 3)
    remote.close()
    vim.thread.join()

    assert not opened


def test_vim_that_never_connects(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """A vim without channels has no connection, which is detected quickly."""
    remote.begin(install("vim.tiny"), FIRST)

    assert not remote.open(NEXT, 3)


def test_nothing_is_left(remote: RemoteEditor, install: Callable[..., Editor]) -> None:
    """When the editor has ended, its folder is removed."""
    _, path = remote.begin(install("nvim"), FIRST)
    before = Path(path).parent.exists()
    remote.close()

    assert (True, False) == (before, Path(path).parent.exists())
