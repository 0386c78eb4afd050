"""Drives real editors in a terminal, with the settings of docs/api.md, up to the applied fix."""

from __future__ import annotations

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


class Desk:
    """A terminal with a folder that has a failing script, and the command `jaxtutor`."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.project.mkdir()
        self.file = self.project / "train.py"
        self.file.write_text(FAILING)
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
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.tmux.close()


@needs("nvim")
def test_neovim(desk: Desk) -> None:
    """neovim asks, shows the diagnostic and the page, and applies the fix."""
    is_old = version("nvim") < (0, 8)
    text = settings("In neovim 0.7:" if is_old else "In neovim 0.8 and later:")
    desk.enter(f"nvim -u {desk.write('init.vim', text)} {desk.file}")
    desk.until("import jax.numpy")
    desk.enter(":w")
    desk.until("Run them?", "1. Run")
    desk.enter("1")
    desk.until("x.sum() > 0`")
    desk.enter(f":call cursor{PLACE}")
    desk.enter(":lua vim.lsp.buf.hover()")
    desk.until("# traced-bool-in-if" if is_old else "traced-bool-in-if:")
    desk.tmux.press("Escape")

    def ask() -> None:
        desk.tmux.press("Escape")
        desk.enter(":lua vim.lsp.buf.code_action()")

    desk.until(FIX, again=ask)
    desk.enter("1")
    desk.until("jnp.where")
    desk.enter(":wq")
    desk.until("shell>")
    assert "jnp.where" in desk.file.read_text()


@needs("hx")
def test_helix(desk: Desk) -> None:
    """helix shows the diagnostic and the page, and applies the fix."""
    text = settings("In helix,").replace("/home/ada/research", str(desk.project))
    desk.write(".config/helix/languages.toml", text)
    desk.enter(f"hx {desk.file}")
    desk.until("import jax.numpy")
    desk.enter(":w")
    line, column = PLACE
    desk.until("written")
    desk.enter(f":{line}")
    desk.tmux.type(f"{column - 1}l")
    desk.until("traced-bool-in-if")
    desk.tmux.type(" k")
    desk.until("traced-bool-in-if:")

    def ask() -> None:
        desk.tmux.press("Escape")
        desk.tmux.type(" a")

    desk.until(FIX, again=ask)
    desk.tmux.press("Enter")
    desk.until("jnp.where")
    desk.enter(":wq")
    desk.until("shell>")
    assert "jnp.where" in desk.file.read_text()


@needs("emacs")
def test_emacs(desk: Desk) -> None:
    """Emacs asks, shows the diagnostic and the page, and applies the fix."""
    text = settings("In Emacs, with eglot")
    desk.enter(f"emacs -nw -q -l {desk.write('init.el', text)} {desk.file}")
    desk.until("import jax.numpy", "[eglot")
    desk.tmux.press("M->")
    desk.tmux.type("# edited")
    desk.tmux.press("C-x", "C-s")
    desk.until("Run them?")
    desk.tmux.press("Enter")
    desk.until("Flymake[1")
    line, column = PLACE
    desk.tmux.press("M-g", "g")
    desk.enter(str(line))
    for _ in range(column - 1):
        desk.tmux.press("C-f")
    desk.until("its value is not known")
    desk.tmux.press("M-x")
    desk.enter("eldoc-doc-buffer")
    desk.until("traced-bool-in-if:")

    def ask() -> None:
        desk.tmux.press("C-g")
        desk.tmux.press("M-x")
        desk.enter("eglot-code-actions")

    desk.until(FIX, again=ask)
    desk.tmux.press("Enter")
    desk.until("jnp.where")
    desk.tmux.press("C-x", "C-s")
    desk.tmux.press("C-x", "C-c")
    desk.until("shell>")
    assert "jnp.where" in desk.file.read_text()
