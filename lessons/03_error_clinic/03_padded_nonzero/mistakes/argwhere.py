# expects: missing-static-size at 8
"""Uses a relative that asks for the same size."""

import jax.numpy as jnp


def positive_indices(x, size):
    found = jnp.argwhere(x > 0)[:, 0]
    return jnp.pad(found, (0, size - found.size), constant_values=-1)
