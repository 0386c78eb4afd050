# expects: traced-bool-in-ternary at 8
"""Chooses for each element in a comprehension."""

import jax.numpy as jnp


def safe_clip_positive(x):
    return jnp.stack([v if v > 0 else v * 0 for v in x])
