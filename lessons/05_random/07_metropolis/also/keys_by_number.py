"""Keys by the number of the round, and logp carried along."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(carry, i):
        x, here = carry
        round_key = jax.random.fold_in(key, i)
        y = x + step * jax.random.normal(jax.random.fold_in(round_key, 0))
        there = logp(y)
        bar = jax.random.uniform(jax.random.fold_in(round_key, 1))
        accepted = jnp.log(bar) < there - here
        x, here = jnp.where(accepted, y, x), jnp.where(accepted, there, here)
        return (x, here), x

    x0 = jnp.asarray(x0, jnp.float32)
    return jax.lax.scan(body, (x0, logp(x0)), jnp.arange(n))[1]
