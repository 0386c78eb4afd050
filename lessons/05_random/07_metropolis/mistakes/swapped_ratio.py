# expects: check values
# says: Your answer goes where `logp` is low: the comparison has the state and the proposal
#     swapped.
"""Inverts the ratio."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(x) - logp(y)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
