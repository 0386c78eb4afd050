# expects: check values
# says: Your answer is right for a `v` of length 1 and too small for a longer one. `v` is used as it
#     is; nothing is normalised.
"""Scales the direction to length 1 first, as some textbooks do."""

import jax
import jax.numpy as jnp


def directional(f, x, v):
    length = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(v)))
    return jax.jvp(f, (x,), (jax.tree.map(lambda leaf: leaf / length, v),))[1]
