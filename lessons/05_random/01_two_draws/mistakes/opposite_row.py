# expects: check independent
# says: Your second row is the first with its sign changed. It needs a draw of its own.
"""Changes the sign of one row for the other."""

import jax
import jax.numpy as jnp


def two_normals(key, n):
    row = jax.random.normal(key, (n,))
    return jnp.stack([row, -row])
