# expects: check values
# says: Your answer moves when `step` is 0. The proposal should be at a distance of `step * z`.
"""Forgets the size of the steps."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
