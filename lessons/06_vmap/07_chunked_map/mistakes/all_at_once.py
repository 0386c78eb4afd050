# expects: check memory
# says: Your values are right, but all examples are computed at once. Loop over chunks.
"""Maps over the whole batch."""

import jax
import jax.numpy as jnp


def map_chunked(f, xs, batch):
    return jax.vmap(f)(xs)
