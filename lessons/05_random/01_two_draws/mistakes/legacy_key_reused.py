# expects: check all-different
# says: Your two rows are the same numbers: the same key was used for both, in a form that the
#     guard does not see.
"""Uses a raw key, which JAX's guard does not see, twice."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    raw = jax.random.key_data(key)
    a = jax.random.normal(raw, (n,))
    b = jax.random.normal(raw, (n,))
    return jnp.stack([a, b])
