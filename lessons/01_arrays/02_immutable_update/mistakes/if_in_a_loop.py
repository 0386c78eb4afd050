# expects: traced-bool-in-ternary at 8
"""Goes through the places and asks which one is meant."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.array([v if j == i else x[j] for j in range(len(x))])
