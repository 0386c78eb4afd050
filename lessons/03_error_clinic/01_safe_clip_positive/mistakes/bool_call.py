# expects: traced-bool-in-if at 9
"""Spells out the conversion, which changes nothing."""

import jax.numpy as jnp


def safe_clip_positive(x):
    for i in range(len(x)):
        if bool(x[i] < 0):
            x = x.at[i].set(0)
    return jnp.asarray(x)
