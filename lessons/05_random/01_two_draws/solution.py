"""Keys are values: two rows of random numbers from one key."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    """Return an array of shape (2, n), drawn from the standard normal distribution."""
    first, second = jax.random.split(key)  # from here on, key itself is used up
    return jnp.stack([jax.random.normal(first, (n,)), jax.random.normal(second, (n,))])
