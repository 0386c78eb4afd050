# expects: traced-bool-in-if at 8
"""Picks them in a comprehension."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = [v for v in x if v > 0]
    return jnp.stack(positive).mean()
