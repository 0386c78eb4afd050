# expects: check gradient
# says: Your values are right, but the gradient is NaN without softening. The distance of 0 from a
#     body to itself reaches the power, and the infinite slope there is multiplied by 0.
"""Replaces the diagonal only after the power."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m * square**-1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
