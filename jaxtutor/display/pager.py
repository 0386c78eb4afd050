"""Shows long text in the learner's pager, and restores the terminal afterwards."""

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

CANNOT_RUN = (126, 127)
"""The exit statuses of a shell that cannot execute, or cannot find, a command."""
END_TIMEOUT = 1.0
_LEFT_SCREEN = LEAVE + b"\x1b[?1049l"


def page(text: str, environ: Mapping[str, str]) -> bool:
    """Show a text in the pager; return False if none can be run."""
    found = next((name for name in ("less", "more") if shutil.which(name)), "")
    command = environ.get("PAGER", found)
    if not command.strip() or environ.get("TERM", "") in ("", "dumb"):
        return False
    with keeping_modes(0):
        # POSIX: PAGER is a command line for a shell. Without -R, less escapes colour sequences.
        pager = subprocess.Popen(
            command, shell=True, stdin=subprocess.PIPE, env={"LESS": "-R", **environ}
        )
        # Ctrl-C belongs to the pager. It reaches us too: both are in the foreground process group.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            return _feed(pager, text.encode("utf-8", "replace")) not in CANNOT_RUN
        except BaseException:
            _end(pager)
            raise
        finally:
            signal.signal(signal.SIGINT, before)


def _feed(pager: subprocess.Popen[bytes], data: bytes) -> int:
    assert pager.stdin is not None, "Popen was given a pipe"
    with suppress(BrokenPipeError):  # the pager was closed before the end of the text
        pager.stdin.write(data)
    with suppress(BrokenPipeError):
        pager.stdin.close()
    return pager.wait()


def _end(pager: subprocess.Popen[bytes]) -> None:
    """End the pager and the shell that runs it."""
    with suppress(psutil.Error):
        ours = psutil.Process(pager.pid)
        every = [*ours.children(recursive=True), ours]
        for process in every:
            with suppress(psutil.Error):
                process.terminate()
        for process in psutil.wait_procs(every, timeout=END_TIMEOUT)[1]:
            with suppress(psutil.Error):
                process.kill()
    pager.wait()
    with suppress(OSError):
        os.write(1, _LEFT_SCREEN)
