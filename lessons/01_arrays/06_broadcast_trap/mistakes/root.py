# expects: check values
"""Takes the root too."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sqrt(jnp.mean((pred.squeeze(-1) - y) ** 2))
