"""What lr-schedule asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types, Vmap

STATIC = ("warmup", "total", "peak")


def at(step, warmup=10, total=110, peak=1.0):
    """Make the call for one step."""
    return Call(np.array(step, np.int32), warmup, total, peak)


EXAMPLES = [
    at(5).gives(0.5),
    at(60, peak=0.2).gives(0.1),
]


def hidden(rng):
    """The ends of each piece, some steps between, and far beyond."""
    yield at(0).when("step 0")
    yield at(10).when("the step at which the warmup ends")
    yield at(110).when("the step `total`")
    for step in (111, 160, 210, 5000):
        yield at(step).when("a step after `total`")
    for step in (9, 11, 109, *rng.integers(1, 110, size=3)):
        yield at(step)
    yield at(3, 4, 7, 0.003)
    yield at(1, 1, 2, 3).when("a warmup of one step and a `peak` that is a whole number")


def jumps(warmup_cosine):
    """Return where the rate jumps between one step and the next."""
    rate = jax.jit(jax.vmap(lambda step: warmup_cosine(step, 20, 100, 1.0)))
    rates = np.asarray(rate(np.arange(120, dtype=np.int32)))
    changes = np.abs(np.diff(rates))
    worst = int(changes.argmax())
    if changes[worst] < 0.06:
        return None
    before, after = rates[worst : worst + 2]
    return f"from step {worst} to {worst + 1} it jumps from {before:.3f} to {after:.3f}"


PROPERTIES = [
    Types([at(5), at(60)], weak=False, says="The rate is one float32."),
    Traces([at(3), at(60), at(200)], says="It is traced once for three steps."),
    Vmap(
        [Call(np.arange(0, 150, 7, dtype=np.int32), 10, 110, 1.0)],
        in_axes=(0, None, None, None),
        says="Under jax.vmap it gives the rates of many steps at once.",
    ),
    Custom("smooth", "It rises and falls without a jump.", jumps),
]
