# expects: check values
# says: Your answer spreads the infinities and NaN of `x`: 0 times infinity is NaN. An element
#     that is multiplied by 0 has not been taken out.
"""Takes the old element out and puts the new one in, with an array of another dtype."""

import jax.numpy as jnp


def replace_at(x, i, v):
    there = (jnp.arange(x.shape[0]) == i).astype(jnp.float32)
    return x * (1 - there) + v * there
