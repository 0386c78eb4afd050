# expects: check values
# says: Your answer uses the mass of the body that is pulled. How fast a body falls depends on the
#     mass of the others, not on its own.
"""Uses the mass of the body that is pulled."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    square = jnp.sum(apart**2, axis=-1) + softening**2
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m[:, None] * jnp.where(itself, 1.0, square) ** -1.5)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
