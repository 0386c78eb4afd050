# expects: check equations
"""Loops in Python."""

import jax.numpy as jnp


def ema(xs, alpha):
    averages = [xs[0]]
    for x in xs[1:]:
        averages.append(alpha * x + (1 - alpha) * averages[-1])
    return jnp.stack(averages)
