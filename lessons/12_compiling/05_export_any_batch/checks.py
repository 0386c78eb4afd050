"""What export-any-batch asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def total(x):
    """Return one number for each row."""
    return x.sum(axis=1)


def centred(x):
    """Return an answer in which the size of the batch counts."""
    return x - x.sum(axis=0) / x.shape[0]


def subject(module):
    """Export for the width of x, and call with x."""

    def call(f, x):
        return module.export_model(f, x.shape[1]).call(x)

    call.export_model = module.export_model
    return call


EXAMPLES = [
    Call(total, np.array([[1.0, 2.0]], np.float32)).gives([3.0]),
    Call(total, np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)).gives([3.0, 7.0]),
]


def hidden(rng):
    """More rows, another width, and a program that depends on the size."""
    yield Call(total, rng.normal(size=(7, 3)).astype(np.float32))
    rows = rng.normal(size=(4, 2)).astype(np.float32)
    yield Call(centred, rows).when("an answer that depends on the size of the batch")


def bound_to_a_size(call):
    """Return which sizes one program does not take."""
    runs = []

    def probe(x):
        runs.append(x.shape)
        return jnp.tanh(x)

    exported = call.export_model(probe, 3)
    before = len(runs)
    for n in (1, 4, 7, 1000):
        try:
            shape = exported.call(np.ones((n, 3), np.float32)).shape
        except ValueError as error:
            return f"a batch of {n} is refused: {str(error).splitlines()[0]}"
        if shape != (n, 3):
            return f"for a batch of {n} the answer has shape {shape}"
    if len(runs) > before:
        return f"f was traced {before} times by export_model, and {len(runs) - before} by .call"
    return None


def takes_another_width(call):
    """Return whether a program for a width of 3 accepts 4."""
    exported = call.export_model(jnp.tanh, 3)
    try:
        exported.call(np.ones((2, 4), np.float32))
    except ValueError:
        return None
    return "a program for d=3 accepted rows of 4 numbers"


def for_this_machine_only(call):
    """Return which platforms it was made for, if not for all three."""
    platforms = call.export_model(jnp.tanh, 3).platforms
    if {"cpu", "cuda", "tpu"} <= set(platforms):
        return None
    return f"it was made for {', '.join(platforms)}"


PROPERTIES = [
    Custom("any-batch", "One program takes batches of 1, 4, 7 and 1,000 rows.", bound_to_a_size),
    Custom("width", "It refuses another width.", takes_another_width),
    Custom("platforms", "It is made for cpu, cuda and tpu.", for_this_machine_only),
]
