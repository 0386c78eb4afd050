"""Owns the figures of the session's rows: how long a key takes, and what idling costs.

    python benchmarks/keys.py [--keys N] [EDITOR ...]

For each editor: from a key written to that character in the output, in ms, for the editor by itself
and in the session's upper rows, taken in turn; and the CPU time that both processes of an idle
session use, in percent of one core. Then, in ms, from the editor's save to what the panel says of
it: of a text that is no Python, for which no worker is asked, and of one that jax refuses. Last the
same from a file that is written, for one that fails and one that passes.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

import psutil

ROWS, COLUMNS = 40, 120
EDITORS = {
    "vim": ("vim -Nu NONE -n", "i"),
    "nvim": ("nvim --clean -n", "i"),
    "nano": ("nano -I", ""),
    "micro": ("micro", ""),
    "emacs": ("emacs -nw -Q", ""),
}
SAVES = {
    "vim": (("i(", "\x1b:w\r"), ("", "x:w\r")),
    "nvim": (("i(", "\x1b:w\r"), ("", "x:w\r")),
    "nano": (("(", "\x0f\r"), ("\x7f", "\x0f\r")),
}
"""For some editors, what to type before a save and to save: a fault put in, and taken out again."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, default=48)
    parser.add_argument("--idle", type=float, default=20.0)
    parser.add_argument("editors", nargs="*", default=list(EDITORS))
    arguments = parser.parse_args()
    say("editor", "bare ms (p95)", "in rows ms (p95)", "idle CPU %")
    for name in arguments.editors:
        command, insert = EDITORS[name]
        if shutil.which(name) is None:
            continue
        bare = Session(command, in_rows=False)
        rows = Session(command, in_rows=True)
        for session in (bare, rows):
            session.write(insert)
            session.read_for(0.5)
        idle = rows.idle(arguments.idle) if arguments.idle else float("nan")
        taken: dict[Session, list[float]] = {bare: [], rows: []}
        for index in range(arguments.keys):
            for session, times in taken.items():
                times.append(session.time_key(LETTERS[index % 26]))
        say(name, *(describe(times) for times in taken.values()), f"{idle:.2f}")
        for session in taken:
            session.close()
    for name in arguments.editors:
        if name in SAVES and shutil.which(name):
            measure_saves_in(name, max(arguments.keys // 6, 1))
    measure_saves(max(arguments.keys // 8, 1))


def measure_saves_in(name: str, rounds: int) -> None:
    """Print how long a save in an editor takes to be told of in the panel."""
    session = Session(EDITORS[name][0], in_rows=True)
    session.read_for(4.0)  # the starter is checked
    taken: dict[str, list[float]] = {"SyntaxError": [], "to do": []}
    for _ in range(rounds + 1):
        for words, (before, save) in zip(taken, SAVES[name], strict=True):
            session.write(before)
            session.read_for(0.4)
            began = time.perf_counter()
            session.write(save)
            session.read_until(words.encode())
            taken[words].append(time.perf_counter() - began)
            session.read_for(4.0)  # the next spare gets ready
    for words, times in taken.items():
        say(f"{name} to {words}", "", describe(times[1:]), "")
    session.close()


def measure_saves(rounds: int) -> None:
    """Print how long a save takes to become a verdict in the panel, a spare standing ready."""
    session = Session("cat -", in_rows=True)
    file = next(Path(session.folder.name).rglob("*safe_clip_positive.py"))
    head = "import jax.numpy as jnp\n\ndef safe_clip_positive(x):\n    return "
    saves = (("failed", "x"), ("passed", "jnp.where(x < 0, 0, x)"))
    taken: dict[str, list[float]] = {verdict: [] for verdict, _ in saves}
    for index in range(rounds + 1):
        for verdict, answer in saves:
            began = time.perf_counter()
            file.write_text(f"{head}{answer}  # {index}\n")
            session.read_until(verdict.encode())
            taken[verdict].append(time.perf_counter() - began)
            session.read_for(4.0)  # the next spare gets ready
    for verdict, times in taken.items():
        say(f"save to {verdict}", "", describe(times[1:]), "")
    session.close()


def say(*cells: str) -> None:
    """Print one row."""
    sys.stdout.write("".join(f"{cell:>20}" for cell in cells) + "\n")
    sys.stdout.flush()


def describe(times: list[float]) -> str:
    """Set median and 95th percentile, in milliseconds."""
    ordered = sorted(times)
    return f"{statistics.median(times) * 1e3:.2f} ({ordered[len(ordered) * 19 // 20] * 1e3:.2f})"


class Session:
    """An editor in a terminal of ours, by itself or in the upper rows of a session."""

    def __init__(self, command: str, in_rows: bool) -> None:
        self.folder = tempfile.TemporaryDirectory(dir="/var/tmp")
        environ = os.environ | {
            "JAXTUTOR_HOME": self.folder.name,
            "HOME": self.folder.name,
            "MICRO_CONFIG_HOME": self.folder.name,
            "VISUAL": command,
            "TERM": "xterm-256color",
            "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        }
        if in_rows:
            line = [sys.executable, "-m", "jaxtutor", "start", "safe-clip-positive"]
        else:
            file = Path(self.folder.name, "lesson.py")
            file.write_text("import jax\n" * 12)
            line = [*command.split(), str(file)]
        self.handle, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.popen = subprocess.Popen(
            line,
            stdin=far,
            stdout=far,
            stderr=far,
            env=environ,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - one thread
        )
        os.close(far)
        self.read_for(8.0 if in_rows else 3.0)
        if in_rows:
            self.write("\r")
            self.read_for(4.0)

    def write(self, keys: str) -> None:
        """Press keys."""
        os.write(self.handle, keys.encode())

    def read_for(self, seconds: float) -> None:
        """Take what comes for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.handle], [], [], left)[0]:
                os.read(self.handle, 1 << 16)

    def read_until(self, words: bytes) -> None:
        """Take what comes until these words have come."""
        seen = b""
        while words not in seen:
            assert select.select([self.handle], [], [], 30)[0], f"{words!r} never came"
            seen += os.read(self.handle, 1 << 16)

    def time_key(self, key: str) -> float:
        """Press a key and return the seconds until its letter comes."""
        began = time.perf_counter()
        self.write(key)
        self.read_until(key.encode())
        taken = time.perf_counter() - began
        self.read_for(0.08)
        return taken

    def idle(self, seconds: float) -> float:
        """Return what the session's two processes use while nobody types, in percent."""
        ours = psutil.Process(self.popen.pid)
        both = [ours, *(it for it in ours.children() if "ui.session" in " ".join(it.cmdline()))]
        before = sum(sum(process.cpu_times()[:2]) for process in both)
        self.read_for(seconds)
        return (sum(sum(process.cpu_times()[:2]) for process in both) - before) / seconds * 100

    def close(self) -> None:
        """End it."""
        os.killpg(self.popen.pid, signal.SIGTERM)
        with contextlib.suppress(OSError):  # how Linux says that it has gone
            self.read_for(1.0)
        self.popen.kill()
        self.popen.wait()
        os.close(self.handle)
        self.folder.cleanup()


if __name__ == "__main__":
    main()
