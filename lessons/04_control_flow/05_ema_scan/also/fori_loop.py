"""A fori_loop with fixed bounds, which is a scan; fills an array."""

import jax
import jax.numpy as jnp


def ema(xs, alpha):
    def step(i, averages):
        return averages.at[i].set(alpha * xs[i] + (1 - alpha) * averages[i - 1])

    start = jnp.zeros_like(xs).at[0].set(xs[0])
    return jax.lax.fori_loop(1, len(xs), step, start)
