# expects: check equations
# says: Your values are right, but each element adds equations to the program. Use a loop whose
#     step is traced once.
"""Loops in Python."""

import jax.numpy as jnp


def ema(xs, alpha):
    averages = [xs[0]]
    for x in xs[1:]:
        averages.append(alpha * x + (1 - alpha) * averages[-1])
    return jnp.stack(averages)
