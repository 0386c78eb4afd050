"""Carry something along: an average that forgets."""

import jax.numpy as jnp


def ema(xs, alpha):
    """Return the averages along xs, each alpha new and the rest old."""
    average = xs[0]
    averages = []
    # TODO: each round of this loop becomes a part of the program.
    for i in range(len(xs)):
        average = alpha * xs[i] + (1 - alpha) * average
        averages.append(average)
    return jnp.stack(averages)
