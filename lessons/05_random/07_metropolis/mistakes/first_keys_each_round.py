# expects: prng-key-reuse at 16
"""Makes a key for each round, and takes the same one in every round."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    keys = jax.random.split(key, (n, 2))

    def body(x, _):
        y = x + step * jax.random.normal(keys[0, 0])
        x = jnp.where(jax.random.uniform(keys[0, 1]) < jnp.exp(logp(y) - logp(x)), y, x)
        return x, x

    return jax.lax.scan(body, jnp.float32(x0), length=n)[1]
