# expects: check values
# says: Your answer contains proposals that were rejected. It should contain the state after each
#     decision.
"""Collects the proposals instead of the states."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        return jnp.where(accepted, y, x), y

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
