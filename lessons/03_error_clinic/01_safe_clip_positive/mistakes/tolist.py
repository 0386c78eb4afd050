# expects: tolist-on-tracer at 8
"""Asks for all values at once."""

import jax.numpy as jnp


def safe_clip_positive(x):
    values = x.tolist()
    return jnp.array([v if v > 0 else 0 for v in values])
