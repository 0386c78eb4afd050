"""Runs the commands that accept a submission, each in its own terminal.

The trials read what a learner sees: the exit status and the text on the screen.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROWS, COLUMNS = 40, 100
KEPT = 64 * 1024
INTERRUPTED = (130, -signal.SIGINT)
"""Exit statuses of an interrupted command. A shell shows 130 for both."""

_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execv(sys.argv[1], sys.argv[1:])"
)


@dataclass(frozen=True)
class Ended:
    """The end of a command: its status (None if it had to be killed), output and seconds."""

    status: int | None
    text: str
    seconds: float
    settings_kept: bool = True


class Terminal:
    """A command in its own terminal, whose output is recorded."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], cwd: Path, stdin: Path | None
    ) -> None:
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._settings = termios.tcgetattr(self._slave)
        self._head, self._tail = bytearray(), bytearray()
        self.born = time.monotonic()
        taking = [sys.executable, "-S", "-E", "-c", _TAKE_TERMINAL]
        if stdin is not None:  # the terminal is read first, then the file
            command = ["/bin/sh", "-c", 'exec "$@" <"$0"', str(stdin), *command]
        self.process = subprocess.Popen(
            [*taking, *command],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=dict(environ),
            cwd=cwd,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._over = False
        self._reader.start()

    def _read(self) -> None:
        while not self._over:
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:
                return
            room = KEPT - len(self._head)
            self._head += data[:room]
            self._tail = (self._tail + data[room:])[-KEPT:]

    @property
    def text(self) -> str:
        """The output so far. Of very long output, the beginning and the end."""
        return (bytes(self._head) + bytes(self._tail)).decode("utf-8", "replace")

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._master, keys)

    def wait(self, seconds: float) -> int | None:
        """Wait for the end. Return None if it does not come."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(seconds)
        return None

    def end(self, seconds: float) -> Ended:
        """Wait for the end or kill the process, and describe its end."""
        status = self.wait(seconds)
        lasted = time.monotonic() - self.born
        self.process.kill()
        self.process.wait()
        time.sleep(0.05)  # output that is still on its way
        kept = termios.tcgetattr(self._slave) == self._settings
        self._over = True
        os.write(self._slave, b" ")  # the thread that reads waits for output
        self._reader.join(5)
        os.close(self._slave)
        os.close(self._master)
        return Ended(status, self.text, lasted, kept)


@dataclass(frozen=True)
class Seen:
    """What a learner sees of a kind: the verdict's status and the output."""

    status: str
    shown: str
    seconds: float
    trouble: str = ""


def tutor(*arguments: str) -> list[str]:
    """Return the command line of jaxtutor."""
    return [sys.executable, "-P", "-m", "jaxtutor", *arguments]


# ---------------------------------------------------------------- reading the output


_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>78])")


def plain(text: str) -> str:
    """Return text without escape sequences and line breaks."""
    return " ".join(_ESCAPES.sub("", text).split())


def read_check(ended: Ended, slug: str) -> Seen:
    """Read the status from the output of `check --plain`."""
    text = plain(ended.text)
    start = max(text.rfind(f"passed: {slug}"), text.rfind(f"failed: {slug}"))
    shown = text[start:][:1600] if start >= 0 else text
    words = {
        "exceeded the time limit": "timed_out",
        "ended its process": "crashed",
        f"{slug} not passed": "failed",
        f"passed: {slug}": "passed",
    }
    first = shown[: len(slug) + 60]
    named = next((status for word, status in words.items() if word in first), None)
    raised = re.match(rf"failed: {slug}: \w", shown)
    status = named or ("raised" if raised else "refused")
    return Seen(status, shown, ended.seconds, _trouble(ended, status != "passed"))


def read_diagnosis(ended: Ended, name: str) -> Seen:
    """Read the status from the output of `diagnose --plain`, which follows the script's own."""
    text = plain(ended.text)
    start = max(text.rfind(f"passed: {name}"), text.rfind(f"failed: {name}"))
    start = start if start >= 0 else max(text.rfind(f"/{name}: "), 0)
    shown = text[max(0, start - 60) :][:1600]
    words = {
        "no mistake was found": "clean",
        "likely has a silent bug": "found",
        "exceeded the time limit": "timed_out",
        "the process ended before": "crashed",
    }
    first = shown[:300]
    status = next((status for word, status in words.items() if word in first), "")
    status = status or ("raised" if re.search(rf"{re.escape(name)}: \w", first) else "refused")
    return Seen(status, shown, ended.seconds, _trouble(ended, status != "clean"))


def _trouble(ended: Ended, fails: bool) -> str:
    """Return what is wrong with the exit status and the terminal."""
    if ended.status is None:
        return "it did not end"
    if ended.status != int(fails):
        return f"exit status {ended.status}"
    return "" if ended.settings_kept else "the terminal's settings are others"


def read_json(text: str) -> dict[str, Any]:
    """Parse the one JSON object that a command printed. Raises ValueError."""
    made = json.loads(text)
    if not isinstance(made, dict):
        raise ValueError(text[:100])
    return made
