# expects: check values
# says: Your answer is 0 for very many elements: their number does not fit into 16 bits and becomes
#     infinite there, and anything finite divided by infinity is 0.
"""Goes wide for the sum, but not for the number of elements."""

import jax.numpy as jnp


def mean_f16(x):
    return (x.sum(dtype=jnp.float32) / jnp.float16(x.size)).astype(x.dtype)
