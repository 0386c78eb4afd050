# expects: check values
"""Adds the outputs up, which adds the rows up."""

import jax


def jacobian(f, x):
    return jax.grad(lambda x: f(x).sum())(x)
