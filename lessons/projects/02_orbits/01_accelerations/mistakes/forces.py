# expects: check values
# says: Your answer is a force: it contains the mass of the body that is pulled. Divided by that
#     mass, it would be the acceleration.
"""Returns forces instead of accelerations."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m[:, None] * m * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
