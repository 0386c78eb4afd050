"""Carry something along: an average that slowly forgets."""

import jax.numpy as jnp


def ema(xs, alpha):
    """Return the averages along xs: alpha of the new price, the rest of the old average."""
    average = xs[0]
    averages = []
    # TODO: each round of this loop adds equations to the program.
    for i in range(len(xs)):
        average = alpha * xs[i] + (1 - alpha) * average
        averages.append(average)
    return jnp.stack(averages)
