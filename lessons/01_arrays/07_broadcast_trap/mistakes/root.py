# expects: check values
# says: Your answer is the root of the mean squared error. The error itself has no root.
"""Takes the root too."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sqrt(jnp.mean((pred.squeeze(-1) - y) ** 2))
