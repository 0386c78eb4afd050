"""All draws are made before the loop, which scans over them."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    step_key, accept_key = jax.random.split(key)
    moves = step * jax.random.normal(step_key, (n,))
    bars = jax.random.uniform(accept_key, (n,))

    def body(x, draws):
        move, bar = draws
        ratio = jnp.exp(logp(x + move) - logp(x))
        x = jnp.where(bar < ratio, x + move, x)
        return x, x

    return jax.lax.scan(body, x0, (moves, bars))[1]
