"""Measures the prompt: its start against Python's, and a round trip against IPython's.

start     until keys are accepted, until jax is loaded, and until an expression is answered, each
          as a whole process at a terminal, against `python -i -c "import jax"` until its prompt
trip      from Enter to the next prompt, for a compiled `x + 1`
complete  from Tab to the completed name
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

from benchmarks import Columns, Options, Row
from benchmarks.interleave import TUTOR, compare, surroundings
from benchmarks.screens import Screen

COLUMNS = Columns("the prompt", floor="python -i, jax", rival="IPython")
TYPED = 0.15
"""Seconds after which drawing what was typed has ended."""


def run(options: Options) -> Iterator[Row]:
    """Measure the start, then round trips and completions."""
    environ = surroundings(options.home)
    ours: dict[str, list[float]] = {"reads keys": [], "jax is ready": []}

    def start() -> float:
        with closing(Screen([*TUTOR, "repl"], environ)) as screen:
            ours["reads keys"].append((screen.until(b"m2>") - screen.started) * 1e3)
            ours["jax is ready"].append((screen.until(b"cpu:0") - screen.started) * 1e3)
        with closing(Screen([*TUTOR, "repl"], environ)) as screen:
            screen.until(b"m2>")
            screen.type("1 + 1\r")
            return (screen.until(b"m3>") - screen.started) * 1e3

    def plain() -> float:
        command = [sys.executable, "-i", "-c", "import jax"]
        with closing(Screen(command, {**environ, "PYTHON_BASIC_REPL": "1"})) as screen:
            return (screen.until(b">>> ") - screen.started) * 1e3

    def ipython() -> float:
        with closing(open_ipython(environ, "import jax")) as screen:
            return (screen.until(b"In [2]") - screen.started) * 1e3

    taken = compare(options.repeats, {"ours": start, "floor": plain, "rival": ipython})
    floor, rival = taken["floor"], taken["rival"]
    for name, values in ours.items():
        yield Row(name=f"start: {name}", ours=values[1:], floor=floor, rival=rival)
    yield Row(name="start: 1 + 1 answered", **taken)
    yield from _measure_trips(options.repeats * 4, environ)


def open_ipython(environ: Mapping[str, str], *lines: str) -> Screen:
    """Start IPython and type lines."""
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=nocolor"]
    screen = Screen(command, environ)
    screen.until(b"In [1]")
    for line in lines:
        screen.type(f"{line}\r")
    return screen


def _measure_trips(count: int, environ: Mapping[str, str]) -> Iterator[Row]:
    with (
        closing(Screen([*TUTOR, "repl"], environ)) as screen,
        closing(open_ipython(environ)) as other,
    ):
        screen.until(b"m2>")
        screen.until(b"cpu:0")
        mine = tripper(screen, lambda n: f"m{n}>".encode(), 2)
        theirs = tripper(other, lambda n: f"In [{n}]".encode(), 1)
        theirs("import jax.numpy as jnp")
        mine("x = jnp.arange(3.)"), theirs("x = jnp.arange(3.)")
        sides = {"ours": lambda: mine("x + 1"), "rival": lambda: theirs("x + 1")}
        yield Row(name="trip: x + 1", **compare(count, sides))
        done = [complete(screen, b"ope"), *(complete(screen, b"ope") for _ in range(count))]
        yield Row(name="complete: jax.named_sc", ours=done[1:])


def tripper(screen: Screen, prompt: Callable[[int], bytes], first: int) -> Callable[[str], float]:
    """Return a function that evaluates an expression and returns the ms until the next prompt."""
    number = first

    def trip(text: str) -> float:
        nonlocal number
        number += 1
        screen.type(text)
        time.sleep(TYPED)
        screen.take_for(0.0)
        started = screen.type("\r")
        taken = screen.until(prompt(number)) - started
        time.sleep(0.05)
        return taken * 1e3

    return trip


def complete(screen: Screen, rest: bytes) -> float:
    """Return the ms from Tab to a completed name."""
    screen.type("jax.named_sc")
    screen.take_for(TYPED)
    started = time.perf_counter()
    os.write(screen.handle, b"\t")
    taken = screen.until(rest) - started
    screen.type("\x03")
    screen.take_for(TYPED)
    return taken * 1e3
