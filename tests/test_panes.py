"""Tests panes: the commands for real multiplexers and for stand-ins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from jaxtutor.errors import EditorError
from jaxtutor.session.panes import BESIDE, find_multiplexer, open_pane
from trials.tmux import Tmux

# Records how it was called, and runs its last two arguments as a pane would.
STAND_IN = """#!/usr/bin/env python3
import json, os, subprocess, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps([os.path.basename(sys.argv[0]), *sys.argv[1:]]) + "\\n")
if "sh" in sys.argv:
    subprocess.Popen(sys.argv[-2:], stdout=-3, stderr=-3, start_new_session=True)
"""
REFUSES = "#!/bin/sh\necho first >&2; echo 'it is switched off.' >&2; exit 1\n"
SILENT = "#!/bin/sh\n"

AROUND = {
    "tmux": {"TMUX": "/tmp/tmux-0/default,1,0"},
    "zellij": {"ZELLIJ": "0", "ZELLIJ_SESSION_NAME": "work"},
    "screen": {"STY": "7.work", "WINDOW": "3"},
    "wezterm": {"WEZTERM_PANE": "0"},
    "kitty": {"KITTY_WINDOW_ID": "1", "KITTY_LISTEN_ON": "unix:/tmp/kitty-1"},
}
SAY = ["screen", "-S", "7.work", "-X"]
SPLITS = [
    ("tmux", True, [["tmux", "split-window", "-h", "-b", "SHELL"]]),
    ("tmux", False, [["tmux", "split-window", "-v", "-b", "SHELL"]]),
    (
        "zellij",
        True,
        [["zellij", "run", "--close-on-exit", "--direction", "right", "--", "SHELL"]],
    ),
    (
        "zellij",
        False,
        [["zellij", "run", "--close-on-exit", "--direction", "down", "--", "SHELL"]],
    ),
    (
        "screen",
        True,
        [
            [*SAY, "split", "-v"],
            [*SAY, "focus", "next"],
            [*SAY, "select", "3"],
            [*SAY, "focus", "prev"],
            [*SAY, "screen", "-t", "editor", "SHELL"],
        ],
    ),
    ("wezterm", True, [["wezterm", "cli", "split-pane", "--left", "--", "SHELL"]]),
    ("wezterm", False, [["wezterm", "cli", "split-pane", "--top", "--", "SHELL"]]),
    (
        "kitty",
        True,
        [
            [
                *("kitty", "@", "--to", "unix:/tmp/kitty-1"),
                *("launch", "--self", "--location=before", "SHELL"),
            ]
        ],
    ),
]


@pytest.fixture
def stand_in(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Put stand-ins for these programs first on the PATH of an environment."""

    def make(name: str, text: str = STAND_IN) -> dict[str, str]:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
        path = os.pathsep.join([str(folder), os.environ["PATH"]])
        return {"PATH": path, "CALLS": str(tmp_path / "calls"), **AROUND[name]}

    return make


@pytest.fixture
def editor(tmp_path: Path) -> tuple[str, ...]:
    """Return a command that records its folder and arguments, and runs until it is ended."""
    path = tmp_path / "an editor"
    path.write_text('#!/bin/sh\npwd >"$1"; echo "$2" >>"$1"; exec sleep 60\n')
    path.chmod(0o755)
    return str(path), str(tmp_path / "noted"), "$HOME 'it''s' ^x"


def open_in(
    name: str, environ: dict[str, str], editor: tuple[str, ...], folder: Path, beside: bool = True
) -> int:
    """Open a pane, end the editor in it once it runs, and return its process."""
    columns = BESIDE if beside else BESIDE - 1
    pane = open_pane(name, editor, folder, columns, environ)
    pid = int(pane.pid_file.read_text())
    noted = Path(editor[1])
    while not noted.exists() or len(noted.read_text().splitlines()) < 2:
        time.sleep(0.01)
    assert pane.is_open()
    psutil.Process(pid).kill()
    while pane.is_open() and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)
    pane.close()
    return pid


@pytest.mark.parametrize(("name", "beside", "expected"), SPLITS)
def test_the_commands(
    stand_in: Callable[..., dict[str, str]],
    editor: tuple[str, ...],
    tmp_path: Path,
    name: str,
    beside: bool,
    expected: list[list[str]],
) -> None:
    """Each multiplexer gets the commands of its manual, and splits a wide screen side by side."""
    environ = stand_in(name)
    open_in(name, environ, editor, tmp_path, beside)
    calls = [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]
    said = [[*call[:-2], "SHELL"] if call[-2] == "sh" else call for call in calls]

    assert expected == said


def test_the_editor_in_a_pane(
    stand_in: Callable[..., dict[str, str]], editor: tuple[str, ...], tmp_path: Path
) -> None:
    """The editor runs in the file's folder with its arguments unchanged."""
    folder = tmp_path / "Ann's work"
    folder.mkdir()
    open_in("tmux", stand_in("tmux"), editor, folder)

    assert f"{folder}\n{editor[2]}\n" == (tmp_path / "noted").read_text()


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ""),
        ({"TMUX": ""}, ""),
        *((environ, name) for name, environ in AROUND.items()),
        (AROUND["kitty"] | AROUND["tmux"], "tmux"),
        (AROUND["wezterm"] | AROUND["screen"], "screen"),
    ],
)
def test_what_is_around_us(environ: dict[str, str], expected: str) -> None:
    """A multiplexer is recognised by its variable and preferred to a terminal that can split."""
    assert expected == find_multiplexer(environ)


@pytest.mark.parametrize("name", AROUND)
def test_a_refusal_is_reported(
    stand_in: Callable[..., dict[str, str]], tmp_path: Path, name: str
) -> None:
    """A multiplexer that refuses is reported with its last output."""
    environ = stand_in(name, REFUSES)
    with pytest.raises(EditorError) as caught:
        open_pane(name, ["true"], tmp_path, 80, environ)

    assert f"{name} cannot open a pane: it is switched off." == caught.value.message


@pytest.mark.parametrize("name", AROUND)
def test_one_that_is_missing_is_reported(tmp_path: Path, name: str) -> None:
    """A multiplexer whose command is missing is reported."""
    with pytest.raises(EditorError, match=f"{name} was not found"):
        open_pane(name, ["true"], tmp_path, 80, AROUND[name] | {"PATH": str(tmp_path)})


def test_one_that_does_nothing_is_reported(
    stand_in: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A multiplexer that reports success but opens nothing is detected."""
    monkeypatch.setattr("jaxtutor.session.panes.TIMEOUT", 0.5)
    with pytest.raises(EditorError, match="zellij did not open a pane"):
        open_pane("zellij", ["true"], tmp_path, 80, stand_in("zellij", SILENT))


def test_kitty_without_a_socket(tmp_path: Path) -> None:
    """A kitty without remote control is reported, with the setting that it needs."""
    with pytest.raises(EditorError) as caught:
        open_pane("kitty", ["true"], tmp_path, 80, {"KITTY_WINDOW_ID": "1"})

    assert "kitty does not accept remote commands." == caught.value.message
    assert "allow_remote_control" in caught.value.remedy
    assert "listen_on" in caught.value.remedy


# ---------------------------------------------------------------- real multiplexers


@pytest.fixture
def open_terminal() -> Iterator[Callable[[dict[str, str]], Tmux]]:
    """Open a terminal of 140 by 40, with vim as the learner's editor."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="panes-") as name:
        terminals: list[Tmux] = []

        def open_(environ: dict[str, str]) -> Tmux:
            terminals.append(Tmux(Path(name), 140, 40, {"VISUAL": "vim -Nu NONE -n", **environ}))
            return terminals[-1]

        yield open_
        for terminal in terminals:
            terminal.close()


needs = pytest.mark.skipif(
    not (shutil.which("tmux") and shutil.which("vim")), reason="tmux or vim is not installed"
)


def edit_in_pane(terminal: Tmux) -> None:
    terminal.start("safe-clip-positive", "--layout", "panes")
    terminal.await_("Branching on values", "enter edit")
    terminal.press("Enter")


def await_alone(terminal: Tmux, first: str) -> None:
    """Wait until the verdict has the whole width."""
    end = time.monotonic() + 20
    while terminal.screen()[0] != first:
        assert time.monotonic() < end, "\n".join(terminal.screen())
        time.sleep(0.05)


@pytest.mark.slow
@needs
def test_a_pane_of_tmux(open_terminal: Callable[[dict[str, str]], Tmux]) -> None:
    """In tmux, the editor gets a pane and the keys, and the verdict the whole window at the end."""
    terminal = open_terminal({})
    terminal.type(f"export TMUX={terminal.socket},1,0")
    terminal.press("Enter")
    edit_in_pane(terminal)
    terminal.await_("TODO")
    terminal.press("i", "(((", "Escape", ":w", "Enter")
    terminal.await_("written")
    terminal.press(":q", "Enter")

    await_alone(terminal, "✗ safe-clip-positive: SyntaxError")


@pytest.fixture
def screens() -> Iterator[Path]:
    """Return a folder for the sockets of GNU screen, and end its sessions afterwards."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="screens-") as name:
        yield Path(name)
        environ = {**os.environ, "SCREENDIR": name}
        subprocess.run(
            ["screen", "-S", "lesson", "-X", "quit"],
            check=False,
            env=environ,
            stdout=subprocess.DEVNULL,
        )


@pytest.mark.slow
@needs
@pytest.mark.skipif(not shutil.which("screen"), reason="GNU screen is not installed")
def test_a_region_of_screen(open_terminal: Callable[[dict[str, str]], Tmux], screens: Path) -> None:
    """In GNU screen, the editor gets the left region, and the verdict all of it at the end."""
    terminal = open_terminal({"TMUX": "", "TERM": "tmux-256color"})
    terminal.type(f"SCREENDIR={screens} screen -S lesson bash --norc --noprofile --noediting")
    terminal.press("Enter")
    time.sleep(1)
    edit_in_pane(terminal)
    terminal.await_("TODO", "0 bash")
    terminal.press("i", "(((", "Escape", ":w", "Enter")
    rows = terminal.await_("✗ safe-clip-positive: SyntaxError", "was never closed")
    terminal.press(":q", "Enter")
    await_alone(terminal, "✗ safe-clip-positive: SyntaxError")
    terminal.press("q")
    terminal.await_("Continue with: jaxtutor start")

    assert rows[0].index("✗ safe-clip-positive") > 60
