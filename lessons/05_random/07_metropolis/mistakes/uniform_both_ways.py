# expects: check steps
# says: Your steps have the right mean and spread, but they come from a uniform distribution: none
#     is longer than twice `step`.
"""Proposes with uniform steps of the same spread."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.uniform(a, minval=-(3**0.5), maxval=3**0.5)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, jnp.float32(x0), jax.random.split(key, n))[1]
