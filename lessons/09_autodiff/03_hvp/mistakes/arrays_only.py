# expects: check values
"""Multiplies gradient and direction as if they were arrays."""

import jax


def hvp(f, x, v):
    return jax.grad(lambda x: (jax.grad(f)(x) * v).sum())(x)
