# expects: check all-different
# says: Your two rows are the same numbers: the same key was used for both, in a form that the
#     guard does not see.
"""Goes back to a raw key, which the guard of JAX does not see, and uses it twice."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    raw = jax.random.key_data(key)
    a = jax.random.normal(raw, (n,))
    b = jax.random.normal(raw, (n,))
    return jnp.stack([a, b])
