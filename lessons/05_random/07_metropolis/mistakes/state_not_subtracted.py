# expects: check steps
# says: Your answer accepts by `logp(y)` alone. `logp` is known only up to a constant, so only the
#     difference `logp(y) - logp(x)` means anything.
"""Compares the density of the proposal with 1, not with that of the state."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        step_key, accept_key = jax.random.split(key)
        y = x + step * jax.random.normal(step_key)
        accepted = jnp.log(jax.random.uniform(accept_key)) < logp(y)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, jnp.float32(x0), jax.random.split(key, n))[1]
