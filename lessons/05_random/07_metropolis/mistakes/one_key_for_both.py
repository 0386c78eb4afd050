# expects: prng-key-reuse at 11
"""Proposes and decides with one key."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        y = x + step * jax.random.normal(key)
        accepted = jnp.log(jax.random.uniform(key)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
