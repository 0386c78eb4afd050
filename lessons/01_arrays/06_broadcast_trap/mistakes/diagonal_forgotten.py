# expects: check values
"""Takes the mean of each row of the table, and then the least."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.min(jnp.mean((pred - y) ** 2, axis=1))
