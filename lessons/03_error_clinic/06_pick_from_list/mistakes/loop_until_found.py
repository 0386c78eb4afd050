# expects: traced-early-return at 11
"""Goes through the list until it is there."""

import jax.numpy as jnp

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    for k, function in enumerate(FUNCTIONS):
        if k == i:
            return function(x)
    return jnp.tanh(x)
