# expects: check follows-the-key
# says: Your answer drops the same elements for every key. The draw must use `key`.
"""Makes its own key."""

import jax
import jax.numpy as jnp


def dropout(key, x, rate, train):
    if not train:
        return x
    keep = jax.random.bernoulli(jax.random.key(0), 1 - rate, x.shape)
    return jnp.where(keep, x / jnp.where(rate < 1, 1 - rate, 1), 0)
