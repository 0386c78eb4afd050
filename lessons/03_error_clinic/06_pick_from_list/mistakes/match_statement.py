# expects: traced-bool-in-match at 9
"""Matches the index."""

import jax.numpy as jnp


def apply_kth(i, x):
    match i:
        case 0:
            return jnp.sin(x)
        case 1:
            return jnp.cos(x)
        case _:
            return jnp.tanh(x)
