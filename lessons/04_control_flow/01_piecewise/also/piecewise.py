"""The function of that name, with lam as an argument of its functions."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    conditions = [x > lam, x < -lam]
    pieces = [lambda v, lam: v - lam, lambda v, lam: v + lam, lambda v, lam: 0 * v]
    return jnp.piecewise(x, conditions, pieces, lam)
