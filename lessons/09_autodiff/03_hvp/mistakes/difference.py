# expects: check values
"""Measures a difference of two gradients."""

import jax


def hvp(f, x, v):
    step = 1e-3
    moved = jax.tree.map(lambda a, b: a + step * b, x, v)
    return jax.tree.map(lambda a, b: (a - b) / step, jax.grad(f)(moved), jax.grad(f)(x))
