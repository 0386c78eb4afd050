# expects: check equations
# says: Your program holds operations for each element, so it grows with `x`. One choice covers
#     the whole array.
"""Makes the right choice, one element after the other."""

import jax.numpy as jnp


def safe_clip_positive(x):
    flat = x.ravel()
    for i in range(flat.size):
        flat = flat.at[i].set(jnp.where(flat[i] < 0, 0, flat[i]))
    return flat.reshape(x.shape)
