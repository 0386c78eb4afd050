"""Tests of times that are taken before the device has finished, by the order of events."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import TimedCall
from jaxtutor.core.diagnosis.engine.findings import find_all
from jaxtutor.worker.watching.clock_reads import MOST_CALLS
from observed_program import observe

FILE = "/learner/clocks.py"
PRELUDE = """
import time
import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def step(x):
    return x * 2.0

@jax.jit
def halve(x):
    return x / 2.0

x = jnp.ones(3)
y = x + 1.0
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def timed(source: str) -> list[tuple[int, bool, int]]:
    """Run a program, and return the lines of its times, whether they are certain, and of calls."""
    text = PRELUDE + dedent(source)
    observed = [it for it in observe(text, FILE) if isinstance(it, TimedCall)]
    begin = PRELUDE.count("\n") + 1
    found = find_all(observed, {FILE: text}, {})
    return [
        (it.diagnosis.span.line - begin, group == 0, observed[0].call.span.line - begin)
        for group, items in enumerate(found)
        for it in items
        if it.diagnosis.span is not None
    ]


@pytest.mark.parametrize(
    "source",
    [
        """
        step(x)
        start = time.perf_counter()
        step(x)
        print(time.perf_counter() - start)
        """,
        """
        def work(function):
            return function(x)

        for n in range(3):
            start = time.time(); work(step)
            end = time.time()
            print(end - start if n else "", work(step))
        """,
        """
        class Clock:
            def __enter__(self):
                self.start = time.monotonic()
                return self

            def __exit__(self, *_):
                self.seconds = time.monotonic() - self.start

        step(x).block_until_ready()
        with Clock() as clock: step(x)
        print(clock.seconds)
        """,
        """
        z = step(x)
        begin = time.perf_counter_ns()
        for _ in range(4): z = step(z)
        print((time.perf_counter_ns() - begin) / 4, z)
        """,
    ],
)
def test_a_time_without_a_wait_is_certain(source: str) -> None:
    """A difference of clock reads is named if nothing between them waits for the last call."""
    assert [is_certain for _, is_certain, _ in timed(source)] == [True]


def test_the_time_and_the_call_are_named() -> None:
    """The finding stands at the difference, and knows the call that was not waited for."""
    source = """
    step(x)
    start = time.time()
    z = step(x)
    seconds = time.time() - start
    """
    assert timed(source) == [(4, True, 3)]


@pytest.mark.parametrize(
    "wait",
    [
        "z.block_until_ready()",
        "jax.block_until_ready((z, y))",
        "float(z[0])",
        "np.asarray(z)",
        "jax.device_get(z)",
        "print(z)",
        "z.tolist()",
        "jax.effects_barrier()",
    ],
)
def test_a_wait_before_the_clock_is_read_is_seen(wait: str) -> None:
    """Reading a value, or waiting for it, makes the time contain the work."""
    source = f"""
    step(x)
    start = time.time()
    z = step(x)
    {wait}
    print(time.time() - start)
    """
    assert timed(source) == []


@pytest.mark.parametrize(
    "source",
    [
        # the time to hand the work over, and the whole time
        """
        step(x)
        start = time.time()
        z = step(x)
        handed = time.time() - start
        z.block_until_ready()
        print(handed, time.time() - start)
        """,
        # the time to compile
        """
        start = time.time()
        step(x)
        print(time.time() - start)
        """,
        # many calls, of which the last ones are a small part
        f"""
        z = step(x)
        start = time.time()
        for _ in range({MOST_CALLS + 4}):
            z = step(z)
        print(time.time() - start)
        """,
        # two points in time, and no difference
        """
        step(x)
        print("begin", time.time())
        step(x)
        print("end", time.time())
        """,
        # no call in between
        """
        start = time.time()
        ready = time.time() - start
        step(x)
        print(ready)
        """,
        # a whole run
        """
        start = time.time()
        z = x
        for _ in range(3):
            z = step(z)
        print(float(z[0]), time.time() - start)
        """,
    ],
)
def test_other_times_are_not_reported(source: str) -> None:
    """Times that contain the work, or of which nobody takes the difference, are right."""
    assert timed(source) == []


@pytest.mark.parametrize(
    "source",
    [
        """
        start = time.time()
        for _ in range(5):
            z = step(x)
        z.block_until_ready()
        print((time.time() - start) / 5)
        """,
        """
        for function in (step, halve):
            start = time.time()
            function(x).block_until_ready()
            print(time.time() - start)
        """,
    ],
)
def test_a_benchmark_that_compiles_is_worth_a_look(source: str) -> None:
    """A time over repeats, or of each of several functions, contains their compilation."""
    assert [is_certain for _, is_certain, _ in timed(source)] == [False]
