# expects: check values
# says: Your answer adds the softening to the distance. The problem adds its square to the square of
#     the distance.
"""Adds the softening to the distance."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    itself = jnp.eye(x.shape[0], dtype=bool)
    square = jnp.where(itself, 1.0, jnp.sum(apart**2, axis=-1))
    far = jnp.sqrt(jnp.where(square > 0, square, 1.0)) * (square > 0) + softening
    pull = jnp.where(itself, 0.0, m * far**-3)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
