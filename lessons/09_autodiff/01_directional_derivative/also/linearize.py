"""The linear approximation of the function, evaluated once."""

import jax


def directional(f, x, v):
    _, push = jax.linearize(f, x)
    return push(v)
