# expects: check values
# says: Your answer keeps what should be dropped: at rate 0 everything is 0. With which
#     probability should the mask be true?
"""Uses the mask of what is dropped as the mask of what is kept."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(key, rate, x.shape)
    kept = jnp.where(rate < 1, 1 - rate, 1)
    return jnp.where(keep, x / kept, 0)
