# expects: traced-shape-arg at 18
"""Compiles it with n traced."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    @jax.jit
    def run(key, n):
        def body(x, key):
            a, b = jax.random.split(key)
            y = x + step * jax.random.normal(a)
            accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
            x = jnp.where(accepted, y, x)
            return x, x

        return jax.lax.scan(body, x0, jax.random.split(key, n))[1]

    return run(key, n)
