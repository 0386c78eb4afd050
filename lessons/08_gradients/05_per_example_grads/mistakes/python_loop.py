# expects: check equations
# says: The gradients are right, but your program grows with the batch: a Python loop writes each
#     example into it.
"""Loops over the examples in Python."""

import jax
import jax.numpy as jnp


def per_example(loss, params, xs, ys):
    slopes = [jax.grad(loss)(params, x, y) for x, y in zip(xs, ys)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *slopes)
