# expects: check steps
# says: Your steps do not come from the normal distribution: they only go up.
"""Proposes with steps that only go forward."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.uniform(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
