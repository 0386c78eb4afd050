"""A loop that writes into an array."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(i, both):
        states, x = both
        a, b = jax.random.split(jax.random.fold_in(key, i))
        y = x + step * jax.random.normal(a)
        x = jnp.where(jax.random.exponential(b) > logp(x) - logp(y), y, x)
        return states.at[i].set(x), x

    return jax.lax.fori_loop(0, n, body, (jnp.zeros(n), jnp.float32(x0)))[0]
