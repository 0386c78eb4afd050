# expects: traced-bool-in-if at 12
"""Branches on whether the proposal is accepted."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(x, key):
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        if jnp.log(jax.random.uniform(b)) < logp(y) - logp(x):
            x = y
        return x, x

    return jax.lax.scan(body, x0, jax.random.split(key, n))[1]
