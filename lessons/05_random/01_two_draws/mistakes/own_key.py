# expects: check follows-the-key
# says: Your answer is the same for every key: the numbers come from keys that the function made
#     itself. Derive all keys from `key`.
"""Makes its own keys and ignores the caller's."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    a = jax.random.normal(jax.random.key(0), (n,))
    b = jax.random.normal(jax.random.key(1), (n,))
    return jnp.stack([a, b])
