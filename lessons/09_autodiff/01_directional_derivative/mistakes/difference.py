# expects: check values
# says: Your answer is off from the third digit or so: it is a difference of two nearly equal
#     float32 values, and half of their digits cancel.
"""Measures a difference of two values, and loses half of the digits."""

import jax


def directional(f, x, v):
    step = 1e-3
    moved = jax.tree.map(lambda a, b: a + step * b, x, v)
    return jax.tree.map(lambda a, b: (a - b) / step, f(moved), f(x))
