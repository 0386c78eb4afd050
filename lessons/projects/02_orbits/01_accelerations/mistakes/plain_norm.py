# expects: check gradient
# says: Your values are right, but the gradient is NaN. A length has no slope at 0, and the length
#     from a body to itself is 0.
"""Takes the norm of each difference, the diagonal included."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    apart = x[None, :, :] - x[:, None, :]
    far = jnp.sqrt(jnp.linalg.norm(apart, axis=-1) ** 2 + softening**2)
    itself = jnp.eye(x.shape[0], dtype=bool)
    pull = jnp.where(itself, 0.0, m / jnp.where(itself, 1.0, far) ** 3)
    return jnp.sum(pull[:, :, None] * apart, axis=1)
