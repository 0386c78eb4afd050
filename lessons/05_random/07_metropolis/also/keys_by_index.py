"""Every round takes its own row of an array of keys made before the loop."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    keys = jax.random.split(key, (n, 2))

    def body(i, state):
        x, xs = state
        y = x + step * jax.random.normal(keys[i, 0])
        x = jnp.where(jax.random.uniform(keys[i, 1]) < jnp.exp(logp(y) - logp(x)), y, x)
        return x, xs.at[i].set(x)

    return jax.lax.fori_loop(0, n, body, (jnp.float32(x0), jnp.zeros(n)))[1]
