# expects: check follows-the-key
"""Makes keys of its own, and so ignores the caller's."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    a = jax.random.normal(jax.random.key(0), (n,))
    b = jax.random.normal(jax.random.key(1), (n,))
    return jnp.stack([a, b])
