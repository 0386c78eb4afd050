"""What one-trace-per-dtype asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

JIT = False


def braking(speed):
    """Be what the learner compiles."""
    return speed * speed / 16


def subject(module):
    """Compile once; the maker stays at hand for a count of traces."""
    compiled = module.stable(braking)

    def g(x):
        return compiled(x)

    g.stable = module.stable
    return g


EXAMPLES = [Call(8).gives(4.0), Call(2.0).gives(0.25)]


def hidden(rng):
    """Other kinds of numbers."""
    yield Call(np.float32(-3.0))
    yield Call(np.int32(7))
    yield Call(np.array(rng.normal(), np.float32))


def traced_again(g):
    """Say how often f was run for six numbers of six kinds."""
    runs = []

    def probe(x):
        runs.append(x)
        return x * 2

    fresh = g.stable(probe)
    for number in (1, 2.0, np.float32(3), jnp.float32(4), np.float64(5), np.int32(6)):
        fresh(number)
    if len(runs) != 1:
        return f"the Python of f was run {len(runs)} times for six numbers of six kinds"
    return None


def fails_inside(g):
    """Say what is wrong when another compiled function calls g."""
    answer = jax.jit(lambda x: g(x) + 1)(np.float32(4))
    return None if answer == 2 else f"inside another compiled function g(4.0) + 1 is {answer}"


PROPERTIES = [
    Custom("one-trace", "Numbers of all kinds trace f once.", traced_again),
    Custom("inside", "It works inside another compiled function.", fails_inside),
    Types(
        [Call(8), Call(2.0), Call(np.float32(3))],
        says="f gets a float32 that is not weak, and so the answer is one.",
    ),
]
