"""Owns the figures of the prompt: its start against Python's, a round trip against IPython's.

    python benchmarks/prompt.py [--rounds N] [--trips N]

start    until keys are taken, and until jax is there and an expression has its answer, each a whole
         process on a pseudo-terminal, against `python -i -c "import jax"` until its prompt
trip     from Enter to the next prompt, `x + 1` once compiled, against IPython, if it is there
complete from Tab to the completed name

The two sides take turns; medians are compared.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pty
import select
import statistics
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable

LONG = 60.0


class Screen:
    """A program on a pseudo-terminal, which answers where the cursor is."""

    def __init__(self, command: list[str], environ: dict[str, str]) -> None:
        self.handle, far = pty.openpty()
        termios.tcsetwinsize(far, (40, 120))
        self.started = time.perf_counter()
        self.popen = subprocess.Popen(
            command, stdin=far, stdout=far, stderr=far, env=environ, start_new_session=True
        )
        os.close(far)
        self.seen = b""

    def type(self, text: str) -> None:
        """Press keys."""
        self.seen = b""
        os.write(self.handle, text.encode())

    def until(self, *words: bytes) -> float:
        """Wait until the words were written, one after another; return the time."""
        end = time.perf_counter() + LONG
        while not self._has(words):
            ready = select.select([self.handle], [], [], end - time.perf_counter())[0]
            if not ready:
                raise TimeoutError(f"{words} did not come: {self.seen[-2000:]!r}")
            data = os.read(self.handle, 1 << 16)
            if b"\x1b[6n" in data:
                os.write(self.handle, b"\x1b[1;1R")
            self.seen += data
        return time.perf_counter()

    def _has(self, words: tuple[bytes, ...]) -> bool:
        place = 0
        for word in words:
            place = self.seen.find(word, place)
            if place < 0:
                return False
            place += len(word)
        return True

    def close(self) -> None:
        """End it."""
        self.popen.kill()
        self.popen.wait()
        os.close(self.handle)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--trips", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "JAXTUTOR_HOME": home, "TERM": "xterm", "HOME": home}
        say("", "ms", "floor ms", "ratio (spread)")
        measure_start(arguments.rounds, environ)
        measure_trips(arguments.trips, environ)


def say(*cells: str) -> None:
    """Print one row."""
    sys.stdout.write(f"{cells[0]:<24}" + "".join(f"{cell:>20}" for cell in cells[1:]) + "\n")
    sys.stdout.flush()


def row(name: str, ours: list[float], floor: list[float]) -> None:
    """Print the medians of both and of their ratios, with the ratios' spread."""
    ratios = sorted(a / b for a, b in zip(ours, floor, strict=True))
    spread = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    a, b = statistics.median(ours), statistics.median(floor)
    say(name, f"{a * 1e3:.1f}", f"{b * 1e3:.1f}", spread)


def ours() -> list[str]:
    """Return the command of the prompt."""
    return [sys.executable, "-m", "jaxtutor", "repl"]


def measure_start(rounds: int, environ: dict[str, str]) -> None:
    """Start both in turn."""
    kept: list[list[float]] = [[], [], [], []]
    for place in range(rounds + 1):  # the first fills the caches of files
        taken = [start_floor(environ), *start_ours(environ)]
        if place:
            for values, value in zip(kept, taken, strict=True):
                values.append(value)
    floor, typable, ready, answered = kept
    row("start: keys are taken", typable, floor)
    row("start: jax is there", ready, floor)
    row("start: 1 + 1 answered", answered, floor)


def start_floor(environ: dict[str, str]) -> float:
    """Return the seconds until Python's prompt with jax."""
    plain = {**environ, "PYTHON_BASIC_REPL": "1"}
    screen = Screen([sys.executable, "-i", "-c", "import jax"], plain)
    taken = screen.until(b">>> ") - screen.started
    screen.close()
    return taken


def start_ours(environ: dict[str, str]) -> tuple[float, float, float]:
    """Return the seconds until our prompt takes keys, has jax, and has answered."""
    screen = Screen(ours(), environ)
    typable = screen.until(b"m2>") - screen.started
    ready = screen.until(b"cpu:0") - screen.started
    screen.close()
    screen = Screen(ours(), environ)
    screen.until(b"m2>")
    screen.type("1 + 1\r")
    answered = screen.until(b"m3>") - screen.started
    screen.close()
    return typable, ready, answered


def measure_trips(count: int, environ: dict[str, str]) -> None:
    """Evaluate the same expression in both in turn."""
    screen = Screen(ours(), environ)
    screen.until(b"m2>")
    screen.until(b"cpu:0")
    mine = tripper(screen, lambda n: f"m{n}>".encode(), 2)
    mine("x = jnp.arange(3.)")
    if importlib.util.find_spec("IPython") is None:
        say("trip", "IPython is not here")
    else:
        theirs = other_tripper(environ)
        pairs = [(mine("x + 1"), theirs("x + 1")) for _ in range(count + 5)][5:]
        row("trip: x + 1", [a for a, _ in pairs], [b for _, b in pairs])
    taken = [complete(screen) for _ in range(count)]
    say("complete: jax.named_sc", f"{statistics.median(taken) * 1e3:.1f}")
    screen.close()


def tripper(screen: Screen, prompt: Callable[[int], bytes], first: int) -> Callable[[str], float]:
    """Return what evaluates an expression and returns the seconds until the next prompt."""
    number = first

    def trip(text: str) -> float:
        nonlocal number
        number += 1
        screen.type(text)
        time.sleep(0.15)  # what typing draws is over
        screen.seen = b""
        started = time.perf_counter()
        os.write(screen.handle, b"\r")
        taken = screen.until(prompt(number)) - started
        time.sleep(0.05)
        return taken

    return trip


def other_tripper(environ: dict[str, str]) -> Callable[[str], float]:
    """Start IPython with the same names."""
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=nocolor"]
    screen = Screen(command, environ)
    screen.until(b"In [1]")
    trip = tripper(screen, lambda n: f"In [{n}]".encode(), 1)
    trip("import jax.numpy as jnp")
    trip("x = jnp.arange(3.)")
    return trip


def complete(screen: Screen) -> float:
    """Return the seconds from Tab to a completed name."""
    screen.type("jax.named_sc")
    time.sleep(0.15)
    screen.seen = b""
    started = time.perf_counter()
    os.write(screen.handle, b"\t")
    taken = screen.until(b"ope") - started
    screen.type("\x03")
    time.sleep(0.15)
    return taken


main()
