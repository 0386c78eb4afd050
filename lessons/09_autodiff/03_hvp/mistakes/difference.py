# expects: check values
# says: Your answer is off after a few digits: it is a difference of two nearly equal float32
#     gradients, and half of their digits cancel.
"""Measures a difference of two gradients."""

import jax


def hvp(f, x, v):
    step = 1e-3
    moved = jax.tree.map(lambda a, b: a + step * b, x, v)
    return jax.tree.map(lambda a, b: (a - b) / step, jax.grad(f)(moved), jax.grad(f)(x))
