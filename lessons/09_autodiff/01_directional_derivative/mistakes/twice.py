# expects: check once
"""Runs the function once more than it has to."""

import jax


def directional(f, x, v):
    value = f(x)
    value, change = jax.jvp(f, (x,), (v,))
    return change
