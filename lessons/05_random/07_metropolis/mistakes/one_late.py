# expects: check steps
# says: Your answer is one round late: it starts with `x0`, and the last state is missing. Collect
#     the state after the decision.
"""Collects the state as it was before the round."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        return jnp.where(accepted, y, x), x

    return jax.lax.scan(body, jnp.float32(x0), jax.random.split(key, n))[1]
