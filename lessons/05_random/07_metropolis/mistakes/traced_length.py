# expects: traced-loop-length at 19
"""Compiles it with a traced loop length."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    @jax.jit
    def run(key, n):
        def body(carry, _):
            x, key = carry
            key, a, b = jax.random.split(key, 3)
            y = x + step * jax.random.normal(a)
            accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
            x = jnp.where(accepted, y, x)
            return (x, key), x

        return jax.lax.scan(body, (x0, key), length=n)[1]

    return run(key, n)
