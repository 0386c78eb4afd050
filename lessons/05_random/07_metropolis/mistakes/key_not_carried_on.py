# expects: prng-key-reuse at 11
"""Carries the key, but passes on the old one."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(carry, _):
        x, key = carry
        a, b = jax.random.split(key)
        y = x + step * jax.random.normal(a)
        accepted = jnp.log(jax.random.uniform(b)) < logp(y) - logp(x)
        x = jnp.where(accepted, y, x)
        return (x, key), x

    return jax.lax.scan(body, (x0, key), length=n)[1]
