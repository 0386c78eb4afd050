"""Tests the line that says what a command is still working on."""

from __future__ import annotations

import io
import time

import pytest

from jaxtutor.app import App
from jaxtutor.display import waiting
from jaxtutor.display.waiting import Waiting
from jaxtutor.options import Options


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the line appear at once, and change often."""
    monkeypatch.setattr(waiting, "DELAY", 0.01)
    monkeypatch.setattr(waiting, "STEP", 0.01)


def wait_for(out: io.StringIO, text: str) -> None:
    """Wait until a text was written."""
    deadline = time.monotonic() + 10
    while text not in out.getvalue():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_terminal_shows_a_line_and_erases_it() -> None:
    """The line says what is done and for how long; at the end nothing of it is left."""
    out = Screen()
    with Waiting("Looking for a fix", out, erasable=True):
        wait_for(out, "Looking for a fix: 0 s")

    assert out.getvalue().endswith("\r\x1b[K")
    assert "\n" not in out.getvalue()


def test_short_work_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ends before the delay leaves no trace, however it ends."""
    monkeypatch.setattr(waiting, "DELAY", 60.0)
    out = Screen()
    with pytest.raises(ZeroDivisionError), Waiting("Checking", out, erasable=True):
        raise ZeroDivisionError

    assert "" == out.getvalue()


def test_a_pipe_gets_one_line_at_most() -> None:
    """If nothing can be erased, only what takes very long is reported, once."""
    quiet, said = io.StringIO(), io.StringIO()
    with Waiting("Checking", quiet, erasable=False), Waiting("Fixing", said, False, lasting=True):
        wait_for(said, "Fixing.\n")
        time.sleep(0.1)

    assert ("", "Fixing.\n") == (quiet.getvalue(), said.getvalue())


def test_a_closed_stream_does_not_matter() -> None:
    """The work goes on if its line cannot be written."""
    out = io.StringIO()
    out.close()
    with Waiting("Checking", out, erasable=False, lasting=True):
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("options", "environ", "expected"),
    [
        (Options(), {"TERM": "xterm"}, True),
        (Options(plain=True), {"TERM": "xterm"}, False),
        (Options(json=True), {"TERM": "xterm"}, False),
        (Options(), {"TERM": "dumb"}, False),
    ],
)
def test_the_line_is_for_a_screen(
    options: Options, environ: dict[str, str], expected: bool
) -> None:
    """Screen readers, logs and JSON get no line that changes."""
    out = Screen()
    with App(options, stderr=out, environ=environ).waiting("Checking"):
        time.sleep(0.1)

    assert expected == bool(out.getvalue())
