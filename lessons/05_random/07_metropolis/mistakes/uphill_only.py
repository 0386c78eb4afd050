# expects: check steps
# says: Your answer rejects every proposal that is no better than the state. A worse one should be
#     accepted sometimes, and an equally good one always.
"""Accepts only what is better."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        y = x + step * jax.random.normal(key)
        x = jnp.where(logp(y) > logp(x), y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
