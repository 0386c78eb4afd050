"""Keys are values: two rows of random numbers from one key."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    """Return an array of shape (2, n), drawn from the standard normal distribution."""
    # TODO: both rows are the same.
    return jnp.stack([jax.random.normal(key, (n,)), jax.random.normal(key, (n,))])
