# expects: check values
"""Measures a difference of two values; half of the digits are lost."""

import jax


def directional(f, x, v):
    step = 1e-3
    moved = jax.tree.map(lambda a, b: a + step * b, x, v)
    return jax.tree.map(lambda a, b: (a - b) / step, f(moved), f(x))
