"""Tests that the session in docs/repl.md is what the prompt shows.

    JAXTUTOR_REWRITE=1 python -m pytest tests/test_repl_page.py

writes the current output into the page, for review.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.app import App
from jaxtutor.options import Options
from jaxtutor.processes import spawn
from jaxtutor.repl.dispatcher import Dispatcher
from jaxtutor.repl.kernel import Kernel
from jaxtutor.repl.rendering import Drawing

PAGE = Path(__file__).parent.parent / "docs" / "repl.md"
SESSION = re.compile(r"(?<=^```text\n)(\d+> .*?)(?=^```$)", re.M | re.S)
ENTRY = re.compile(r"^(?P<first>\d+)> .*(?:\n\d+\.(?: .*)?(?=\n))*", re.M)
ADDRESS = re.compile(r"https://docs\.jax\.dev/\S+")
STYLES = re.compile(r"\x1b\[[\d;]*m")


class Session:
    """A prompt whose screen is a text."""

    def __init__(self, folder: Path) -> None:
        self.screen = io.StringIO()
        environ = {"COLUMNS": "100", "JAXTUTOR_HOME": str(folder)}
        self.app = App(Options(), stdout=self.screen, environ=environ)
        drawing = Drawing(self.app)
        self.kernel = Kernel(spawn.for_prompt("cpu"), None, drawing.print_message, lambda: None)
        self.dispatcher = Dispatcher(self.app, self.kernel, drawing, None)

    def replay(self, block: str) -> str:
        """Enter a block's input and return the block with the current output."""
        return "".join(self._enter(entry) for entry in ENTRY.finditer(block))

    def _enter(self, entry: re.Match[str]) -> str:
        if entry["first"] == "1":
            return entry[0] + "\n"
        assert int(entry["first"]) == self.dispatcher.session.next_line
        lines = re.sub(r"^\d+[>.] ?", "", entry[0], flags=re.M)
        self.screen.seek(0)
        self.screen.truncate()
        self.dispatcher.enter(lines)
        shown = STYLES.sub("", self.screen.getvalue())
        return entry[0] + "\n" + "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    made = Session(tmp_path)
    yield made
    made.kernel.close()


def test_the_session_on_the_page_is_what_the_prompt_shows(session: Session) -> None:
    """The output of every cell on the page is what the prompt shows."""
    page = PAGE.read_text(encoding="utf-8")
    now = SESSION.sub(lambda block: session.replay(block[1]), page)
    if os.environ.get("JAXTUTOR_REWRITE"):
        PAGE.write_text(now, encoding="utf-8")
    # JAX's messages name a page of its documentation, which moved between the versions.
    assert ADDRESS.sub("ADDRESS", page) == ADDRESS.sub("ADDRESS", now)
