# expects: check values
# says: Without softening, your answer is NaN: a body is at distance 0 from itself, and 0 times
#     infinity is not a number. The pair of a body and itself must not count.
"""Forgets that a body is at distance 0 from itself."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    return jnp.sum((m * square**-1.5)[:, :, None] * apart, axis=1)
