"""Drives real editors in a terminal, with the settings of docs/api.md, up to the applied fix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from trials.tmux import Tmux

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
LONG = 45.0
"""Seconds after which what does not appear fails a test."""
FAILING = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    if x.sum() > 0:
        return x
    return -x


if __name__ == "__main__":
    print(keep(jnp.arange(3.0)))
"""
PLACE = (7, 9)
"""The line and the column, from 1, of a character in the expression at fault."""
SUMMARY = "x.sum() > 0"
TYPE = "x: float32[3]"
FIX = "Apply the verified fix for traced-bool-in-if"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


def needs(editor: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(editor) is None, reason=f"{editor} is not installed")


@cache
def version(editor: str) -> tuple[int, ...]:
    """Return the first two numbers of an editor's version."""
    said = subprocess.run([editor, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    assert found is not None
    return int(found[1]), int(found[2])


def settings(introduction: str) -> str:
    """Return the settings that docs/api.md shows below a sentence."""
    found = re.search(rf"^{re.escape(introduction)}.*?^```\w+\n(.*?)^```$", PAGE, re.M | re.S)
    assert found is not None
    return found[1]


class Terminal:
    """A terminal with a folder that has a failing script, and the command `jaxtutor`."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir()
        self.file = self.project / "train.py"
        self.file.write_text(FAILING)
        os.utime(self.file, (0, 0))  # not saved while the server starts
        commands = folder / "bin"
        commands.mkdir()
        command = commands / "jaxtutor"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxtutor "$@"\n')
        command.chmod(0o755)
        self.tmux = Tmux(folder, 120, 40, {"TERM": "tmux-256color"})
        self.tmux.type(f"export PATH={commands}:$PATH; clear")
        self.tmux.press("Enter")

    def write(self, name: str, text: str) -> Path:
        """Write a file in the home directory."""
        place = self.home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return place

    def enter(self, text: str) -> None:
        """Type a text and press Enter."""
        self.tmux.type(text)
        self.tmux.press("Enter")

    def until(self, *words: str, again: Callable[[], None] | None = None) -> None:
        """Wait until all the words are on the screen; do something every two seconds meanwhile."""
        end, due = time.monotonic() + LONG, 0.0
        while True:
            text = "\n".join(self.tmux.screen())
            if all(word in text for word in words):
                return
            assert time.monotonic() < end, f"{words} are not on the screen:\n{text}"
            if again is not None and time.monotonic() > due:
                again()
                due = time.monotonic() + 2.0
            time.sleep(0.1)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.tmux.close()


@needs("nvim")
def test_neovim(terminal: Terminal) -> None:
    """neovim asks, shows the diagnostic and the page, and applies the fix."""
    is_old = version("nvim") < (0, 8)
    text = settings("In neovim 0.7:" if is_old else "In neovim 0.8 and later:")
    terminal.enter(f"nvim -u {terminal.write('init.vim', text)} {terminal.file}")
    terminal.until("import jax.numpy")
    terminal.enter(":w")
    terminal.until("Run them?", "Not here")
    terminal.enter("1")
    terminal.until("x.sum() > 0`")
    if version("nvim") >= (0, 10):
        terminal.enter(":lua vim.lsp.inlay_hint.enable()")
        terminal.until(TYPE)
    terminal.enter(f":call cursor{PLACE}")
    terminal.enter(":lua vim.lsp.buf.hover()")
    terminal.until("# traced-bool-in-if" if is_old else "traced-bool-in-if:")
    terminal.tmux.press("Escape")

    def ask() -> None:
        terminal.tmux.press("Escape")
        terminal.enter(":lua vim.lsp.buf.code_action()")

    terminal.until(FIX, again=ask)
    terminal.enter("1")
    terminal.until("jnp.where")
    terminal.enter(":wq")
    terminal.until("shell>")
    assert "jnp.where" in terminal.file.read_text()


@needs("hx")
def test_helix(terminal: Terminal) -> None:
    """helix shows the diagnostic and the page, and applies the fix."""
    text = settings("In helix,").replace("/home/ada/research", str(terminal.project))
    terminal.write(".config/helix/languages.toml", text)
    terminal.enter(f"hx {terminal.file}")
    terminal.until("import jax.numpy")
    terminal.enter(":w")
    line, column = PLACE
    terminal.until("written")
    terminal.enter(f":{line}")
    terminal.tmux.type(f"{column - 1}l")
    terminal.until("traced-bool-in-if")
    terminal.enter(":set lsp.display-inlay-hints true")
    terminal.until(TYPE)
    terminal.tmux.type(" k")
    terminal.until("traced-bool-in-if:")

    def ask() -> None:
        terminal.tmux.press("Escape")
        terminal.tmux.type(" a")

    terminal.until(FIX, again=ask)
    terminal.tmux.press("Enter")
    terminal.until("jnp.where")
    terminal.enter(":wq")
    terminal.until("shell>")
    assert "jnp.where" in terminal.file.read_text()


@needs("emacs")
def test_emacs(terminal: Terminal) -> None:
    """Emacs asks, shows the diagnostic and the page, and applies the fix."""
    text = settings("In Emacs, with eglot")
    terminal.enter(f"emacs -nw -q -l {terminal.write('init.el', text)} {terminal.file}")
    terminal.until("import jax.numpy", "[eglot")
    terminal.tmux.press("M->")
    terminal.tmux.type("# edited")
    terminal.tmux.press("C-x", "C-s")
    terminal.until("Run them?")
    terminal.tmux.press("Enter")
    terminal.until("Flymake[1")
    if version("emacs") >= (29, 0):  # it asks for hints only when it draws a line
        for _ in range(2):
            terminal.tmux.press("M-x")
            terminal.enter("eglot-inlay-hints-mode")
        terminal.until(TYPE)
    line, column = PLACE
    terminal.tmux.press("M-g", "g")
    terminal.enter(str(line))
    for _ in range(column - 1):
        terminal.tmux.press("C-f")
    terminal.until("its value is not known")
    terminal.tmux.press("M-x")
    terminal.enter("eldoc-doc-buffer")
    terminal.until("traced-bool-in-if:")

    def ask() -> None:
        terminal.tmux.press("M-x")
        terminal.enter("eglot-code-actions")

    terminal.until(FIX, again=ask)
    terminal.tmux.press("Enter")
    terminal.until("jnp.where")
    terminal.tmux.press("C-x", "C-s")
    terminal.tmux.press("C-x", "C-c")
    terminal.until("shell>")
    assert "jnp.where" in terminal.file.read_text()
