# expects: check values
# says: Your pull falls off with the distance, not with its square. The difference of two places is
#     as long as their distance, so it has to be divided by the third power.
"""Divides the difference by the square of the distance."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m / jnp.where(itself, 1.0, square))
    return jnp.sum(pull[:, :, None] * apart, axis=1)
