# expects: prng-key-reuse at 10
"""Splits the key of the whole chain again in each round."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, _):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return x, x

    return jax.lax.scan(body, x0, length=n)[1]
