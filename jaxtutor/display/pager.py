"""Owns showing a long text through the learner's pager, and having the terminal back from it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress

import psutil

from jaxtutor.core.terminal.output_filter import LEAVE
from jaxtutor.system.editor import keeping_modes

NOT_THERE = (126, 127)
"""With what a shell ends that cannot run a command."""
PATIENCE = 1.0
_LEFT_SCREEN = LEAVE + b"\x1b[?1049l"


def page(text: str, environ: Mapping[str, str]) -> bool:
    """Show a text to whoever is at the terminal; False where no pager can."""
    found = next((name for name in ("less", "more") if shutil.which(name)), "")
    command = environ.get("PAGER", found)
    if not command.strip() or environ.get("TERM", "") in ("", "dumb"):
        return False
    with keeping_modes(0):
        # PAGER is a line for a shell, by custom. Without -R, less shows colours as letters.
        pager = subprocess.Popen(
            command, shell=True, stdin=subprocess.PIPE, env={"LESS": "-R", **environ}
        )
        # Ctrl-C is the pager's: it reaches us too, as we are in the foreground together.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            return _feed(pager, text.encode("utf-8", "replace")) not in NOT_THERE
        except BaseException:
            _end(pager)
            raise
        finally:
            signal.signal(signal.SIGINT, before)


def _feed(pager: subprocess.Popen[bytes], data: bytes) -> int:
    assert pager.stdin is not None, "it was asked for"
    with suppress(BrokenPipeError):  # left before the end
        pager.stdin.write(data)
    with suppress(BrokenPipeError):
        pager.stdin.close()
    return pager.wait()


def _end(pager: subprocess.Popen[bytes]) -> None:
    """End a pager that nobody waits for any more, and the shell around it."""
    with suppress(psutil.Error):
        ours = psutil.Process(pager.pid)
        every = [*ours.children(recursive=True), ours]
        for process in every:
            with suppress(psutil.Error):
                process.terminate()
        for process in psutil.wait_procs(every, timeout=PATIENCE)[1]:
            with suppress(psutil.Error):
                process.kill()
    pager.wait()
    with suppress(OSError):
        os.write(1, _LEFT_SCREEN)
