# expects: check values
# says: You measure how long the step takes on this machine. The problem asks for the shortest time
#     on a device of which only two numbers are known.
"""Takes the time of a call."""

import time

import jax
import jax.numpy as jnp


def roofline(step, shapes, flops, bandwidth):
    args = [jnp.ones(shape.shape, shape.dtype) for shape in shapes]
    jax.block_until_ready(step(*args))
    start = time.perf_counter()
    jax.block_until_ready(step(*args))
    seconds = time.perf_counter() - start
    cost = step.lower(*shapes).compile().cost_analysis()
    return seconds, cost["bytes accessed"] / bandwidth >= cost.get("flops", 0.0) / flops
