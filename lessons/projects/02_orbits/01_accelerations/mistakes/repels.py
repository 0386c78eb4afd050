# expects: check values
# says: Your bodies push each other away. The difference of two places has a direction: which of
#     the two should be subtracted?
"""Subtracts the places the other way round."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[:, None, :] - x[None, :, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
