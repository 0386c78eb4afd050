"""Tests what happens when a terminal closes, or a process at it is killed, at any moment."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from jaxtutor.processes import spawn
from jaxtutor.processes.reaping import reap
from jaxtutor.repl.prompt import SignalEnd
from jaxtutor.session.session_process import SessionProcess

PATIENCE = 30.0
LONG = 2 * PATIENCE
"""Seconds that take longer than a test waits."""

# ---------------------------------------------------------------- workers


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's F_SETSIG")
@pytest.mark.parametrize("program", [spawn.WORKER, spawn.REPL])
def test_a_worker_that_imports_jax_ends_with_its_tutor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    """A worker whose tutor has gone does not go on importing jax."""
    began = tmp_path / "began"
    text = f"import time\nopen({str(began)!r}, 'w').close()\ntime.sleep({LONG})\n"
    (tmp_path / "jax.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    worker = spawn.start(spawn.Kind("cpu", program=program))
    try:
        assert eventually(began.exists)
        os.close(worker.result)
        worker.result = os.open(os.devnull, os.O_RDONLY)
        status = worker.popen.wait(PATIENCE)
    finally:
        reap(worker)

    assert -signal.SIGKILL == status


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return held


def test_a_session_that_has_not_begun_is_not_waited_for() -> None:
    """A session's process that has sent nothing yet is killed, not waited for."""
    with SessionProcess() as session:
        pass

    assert -signal.SIGKILL == session.process.returncode


# ---------------------------------------------------------------- signals

HANGING = f"""
import os, signal, time
from jaxtutor import __main__ as main
main.CLEAN_UP_SECONDS = 1
main._exit_on_signals()
try:
    os.kill(os.getpid(), signal.SIGTERM)
finally:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep({LONG})
"""


def test_cleaning_up_ends() -> None:
    """A process that waits without end after a signal is ended by the system."""
    ended = subprocess.run([sys.executable, "-c", HANGING], timeout=PATIENCE, check=False)

    assert -signal.SIGALRM == ended.returncode


@pytest.mark.parametrize("moment", ["before it runs", "when it begins", "while it runs"])
def test_a_signal_ends_the_prompt_first(moment: str) -> None:
    """A signal ends the prompt as Ctrl-D does, and its own handler is called after that."""
    seen: list[tuple[int, bool]] = []

    def handle(number: int, _: object) -> None:
        seen.append((number, session.app.is_running))

    def send() -> None:
        os.kill(os.getpid(), signal.SIGHUP)

    before = signal.signal(signal.SIGHUP, handle)
    try:
        with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
            session: PromptSession[str] = PromptSession()
            ending = SignalEnd(session.app)

            def begin() -> None:
                if moment == "when it begins":
                    send()
                ending.end_prompt()
                if moment == "while it runs":
                    assert session.app.loop is not None
                    session.app.loop.call_soon(send)

            def read() -> None:
                with ending.held():
                    if moment == "before it runs":
                        send()
                    session.prompt(pre_run=begin)

            with pytest.raises(EOFError):
                read()
        assert signal.getsignal(signal.SIGHUP) is handle
    finally:
        signal.signal(signal.SIGHUP, before)

    assert [(signal.SIGHUP, False)] == seen


# ---------------------------------------------------------------- the terminal

AT_TERMINAL = """
import os, signal, sys, tty
from jaxtutor.repl.terminal_guard import guarding
with guarding(1):
    tty.setraw(0)
    os.write(1, b"\\x1b[?2004h")
    {end}
"""


def run_at_terminal(end: str, shown: bytes, seconds: float) -> tuple[bool, bytes]:
    """Return whether a program leaves the modes of its terminal as they were, and its output."""
    master, terminal = pty.openpty()
    try:
        modes = termios.tcgetattr(terminal)
        code = AT_TERMINAL.format(end=end)
        subprocess.Popen([sys.executable, "-c", code], stdin=terminal, stdout=terminal).wait()
        printed = b""
        while shown not in printed and select.select([master], [], [], PATIENCE)[0]:
            printed += os.read(master, 4096)
        is_restored = eventually(lambda: termios.tcgetattr(terminal) == modes, seconds)
        return is_restored, printed
    finally:
        os.close(master)
        os.close(terminal)


def test_the_terminal_of_a_killed_prompt_is_restored() -> None:
    """If the prompt is killed, its guard restores the modes and the screen."""
    is_restored, printed = run_at_terminal(
        "os.kill(os.getpid(), signal.SIGKILL)", b"\x1b[?25h", PATIENCE
    )

    assert (True, True) == (is_restored, b"\x1b[?2004l" in printed)


def test_the_terminal_of_a_prompt_that_ends_is_left_alone() -> None:
    """The guard of a prompt that ends by itself changes nothing: a shell may use the terminal."""
    assert (False, b"\x1b[?2004h") == run_at_terminal("pass", b"\x1b[?2004h", 0.5)
