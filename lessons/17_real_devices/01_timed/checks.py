"""What timed asks for."""

import time

import jax
import jax.numpy as jnp

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

TRACING = 0.5
"""Seconds that the trace takes. A later call takes microseconds, on a busy machine milliseconds."""

SLEEPS = (0.03, 0.25, 0.25, 0.08, 0.25, 0.25)
"""Seconds of six calls: the shortest is the first, which does not count for the second result."""


@jax.jit
def work(steps, x):
    """Multiply matrices for so long that dispatching is much shorter."""
    return jax.lax.fori_loop(0, steps, lambda _, y: jnp.tanh(y @ x), x)


def slow_to_trace():
    """Return a compiled function that is slow once."""

    def f(x):
        time.sleep(TRACING)
        return x + 1

    return jax.jit(f)


def uneven(sleeps=SLEEPS):
    """Return a function whose calls differ."""
    left = iter(sleeps)
    return lambda x: time.sleep(next(left, 0.0))


def tree():
    """Return a function whose answer holds an array, a number and nothing."""
    return lambda x: {"array": x + 1, "number": 2.0, "nothing": None}


FUNCTIONS = {
    "slow to trace": slow_to_trace,
    "uneven": uneven,
    "shortest second": lambda: uneven((0.25, 0.08, 0.25, 0.25, 0.25, 0.25)),
    "shortest last": lambda: uneven((0.25, 0.25, 0.25, 0.25, 0.25, 0.08)),
    "tree": tree,
}
EXPECTED = {  # at least, and below
    "slow to trace": ((TRACING, 60.0), (0.0, TRACING / 10)),
    "uneven": ((SLEEPS[0], 60.0), (SLEEPS[3], 0.2)),  # a busy machine wakes up late
    "shortest second": ((0.25, 60.0), (0.08, 0.2)),
    "shortest last": ((0.25, 60.0), (0.08, 0.2)),
    "tree": ((0.0, 60.0), (0.0, 60.0)),
}


def judge(seconds, low, high):
    """Say where a number of seconds is, seen from what is possible."""
    if seconds < low / 10:
        return "almost nothing"
    return "too short" if seconds < low else "right" if seconds < high else "too long"


def subject(module):
    """Return whether the two numbers are where they should be."""

    def call(name):
        answer = module.timed(FUNCTIONS[name](), jnp.ones(3))
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise TypeError(f"timed returns (first, best); got {answer!r:.60}")
        return {
            what: judge(float(seconds), low, high)
            for what, seconds, (low, high) in zip(
                ("first", "best"), answer, EXPECTED[name], strict=True
            )
        }

    call.timed = module.timed
    return call


RIGHT = {"first": "right", "best": "right"}
EXAMPLES = [
    Call("slow to trace").gives(RIGHT).when("a function whose trace takes 0.5 s"),
    Call("uneven").gives(RIGHT).when("calls of 0.03, 0.25, 0.25, 0.08, 0.25 and 0.25 s"),
]


def hidden(rng):
    """The shortest of the later calls is the first or the last of them; an answer of parts."""
    yield Call("shortest second").when("calls of which the second is the shortest")
    yield Call("shortest last").when("calls of which the last is the shortest")
    yield Call("tree").when("an answer that is a dict with a number in it")


MATRIX = jnp.full((200, 200), 0.01)


def starts_only(call):
    """Report a measurement that ends before the numbers have arrived."""
    for pack in (lambda y: y, lambda y: (y, {"more": y})):
        before = shortest()
        _, best = call.timed(lambda x, pack=pack: pack(work(60, x)), MATRIX)
        truth = min(before, shortest())  # others may have kept the device busy
        if best < truth / 4:
            return f"a call that takes {truth:.4f} s is measured as {best:.6f} s"
    return None


def shortest():
    """Return the seconds of the shortest of four calls."""
    taken = []
    for _ in range(4):
        start = time.perf_counter()
        work(60, MATRIX).block_until_ready()
        taken.append(time.perf_counter() - start)
    return min(taken)


def counts_the_arguments(call):
    """Report a measurement that includes the time in which the arguments are computed."""
    plus = jax.jit(lambda x: x + 1)
    plus(MATRIX).block_until_ready()
    measured = []
    for _ in range(3):  # on a busy machine, the arguments may be ready before the call begins
        start = time.perf_counter()
        work(600, MATRIX).block_until_ready()
        long = time.perf_counter() - start
        first, _ = call.timed(plus, work(600, MATRIX))
        measured.append((first / long, long, first))
    share, long, first = sorted(measured)[1]
    if share > 1 / 3:
        return f"the argument takes {long:.3f} s and f almost nothing; first is {first:.3f} s"
    return None


def counts_calls(call):
    """Report how often f is called, if not six times."""
    calls = []
    call.timed(lambda x: calls.append(x), jnp.ones(2))
    return None if len(calls) == 6 else f"f was called {len(calls)} times"


PROPERTIES = [
    Custom("waits", "A call has ended when its numbers are computed.", starts_only),
    Custom("calls", "It calls f six times.", counts_calls),
    Custom("ready-arguments", "Waiting for the arguments does not count.", counts_the_arguments),
]
