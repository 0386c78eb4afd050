# expects: check bell
# says: Your answer finds the wrong spread: a uniform number is compared with a difference of
#     logarithms on another scale. Take its logarithm.
"""Compares a number between 0 and 1 with a difference of logarithms."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jax.random.uniform(b) - 1 < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
